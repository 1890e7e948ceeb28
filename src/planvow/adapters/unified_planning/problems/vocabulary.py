"""What a unified-planning problem calls its types, objects, fluents, tasks and methods, and what HDDL calls them."""

from __future__ import annotations

from typing import Any

from planvow.adapters.unified_planning.problems.errors import UpModelError, UpUnsupportedError
from planvow.adapters.unified_planning.problems.names import Names
from planvow.hddl.language.formula import ROOT_TYPE, Parameter
from planvow.hddl.language.model import Object, Predicate, Type


class Vocabulary:
    """The names of one problem. Tasks and actions share theirs, as they do in HDDL."""

    def __init__(self, problem: Any) -> None:
        self._types = Names(wanted=(kind.name for kind in problem.user_types))
        self.objects = Names(wanted=(item.name for item in problem.all_objects))
        self.fluents = Names(wanted=(fluent.name for fluent in problem.fluents))
        self._tasks = Names()
        for action in problem.actions:
            self._tasks.add(f"action {action.name}", action.name)
        for task in problem.tasks:
            self._tasks.add(f"task {task.name}", task.name)
        self.methods = Names(wanted=(method.name for method in problem.methods))
        self.action_named = {self._tasks[f"action {action.name}"]: action for action in problem.actions}
        self.task_named = {self._tasks[f"task {task.name}"]: task for task in problem.tasks}
        self.method_named = {self.methods[method.name]: method for method in problem.methods}
        self.object_named = {self.objects[item.name]: item for item in problem.all_objects}
        self.mentioned: set[str] = set()
        """Objects that were asked for: those that a domain names must be its constants."""

    def type(self, kind: Any, what: str) -> str:
        """Return the name of a user type; numbers and truth values are no objects in HDDL."""
        if not kind.is_user_type():
            raise UpUnsupportedError(f"{what} is of type {kind}: only user types can be parameters and objects")
        if kind.name not in self._types:
            raise UpModelError(f"{what} is of type {kind.name}, which the problem does not have")
        return self._types[kind.name]

    def action(self, action: Any, what: str) -> str:
        """Return the name of an action of the problem."""
        return self._performed(f"action {action.name}", f"{what} is the action {action.name}")

    def subtask(self, task: Any, what: str) -> str:
        """Return the name of what a subtask is: a task or an action of the problem."""
        kind = "action" if hasattr(task, "effects") else "task"
        return self._performed(f"{kind} {task.name}", f"{what} is the {kind} {task.name}")

    def _performed(self, key: str, said: str) -> str:
        if key not in self._tasks:
            raise UpModelError(f"{said}, which the problem does not have")
        return self._tasks[key]

    def object(self, item: Any) -> str:
        """Return the name of an object of the problem."""
        if item.name not in self.objects:
            raise UpModelError(f"the object {item.name} is used, but the problem does not have it")
        self.mentioned.add(item.name)
        return self.objects[item.name]

    def parameter(self, name: str, kind: Any, what: str) -> Parameter:
        """Return a typed variable."""
        return Parameter(name, (self.type(kind, what),))


def declared_types(problem: Any, words: Vocabulary) -> tuple[Type, ...]:
    """Return the user types, each below its father."""
    found = []
    for kind in problem.user_types:
        parent = ROOT_TYPE if kind.father is None else words.type(kind.father, f"the father of {kind.name}")
        found.append(Type(name=words.type(kind, kind.name), parents=(parent,)))
    return tuple(found)


def declared_objects(problem: Any, words: Vocabulary) -> tuple[Object, ...]:
    """Return the objects in the order in which they were added."""
    return tuple(
        Object(name=words.objects[item.name], types=(words.type(item.type, f"the object {item.name}"),))
        for item in problem.all_objects
    )


def declared_predicates(problem: Any, words: Vocabulary) -> tuple[Predicate, ...]:
    """Return a predicate for every fluent; that of an object fluent has the value as its last argument."""
    found = []
    for fluent in problem.fluents:
        what = f"the fluent {fluent.name}"
        names = Names("?", (parameter.name for parameter in fluent.signature))
        parameters = [words.parameter(names[p.name], p.type, f"{p.name} of {what}") for p in fluent.signature]
        if not fluent.type.is_bool_type():
            if not fluent.type.is_user_type():
                raise UpUnsupportedError(f"{what} is a number ({fluent.type}): numeric fluents are not planned with")
            parameters.append(words.parameter(names.add("value of the fluent", "value"), fluent.type, what))
        found.append(Predicate(name=words.fluents[fluent.name], parameters=tuple(parameters)))
    return tuple(found)
