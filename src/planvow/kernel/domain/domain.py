"""What can be done, and how larger things break down into it: commands and methods, as plain functions.

A command receives a draft of the state, changes it and returns it; or returns None, False or `refuse("reason")`. A
method looks at the state and returns a list of items, or None, False or `refuse("reason")`; or it is a generator
and yields several lists. A domain keeps both in the order of declaration and nothing else: no globals, no current
domain. Seed 001, sections 2.2 and 5.4.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack, overload

from planvow.errors import InputError
from planvow.hooks import hook
from planvow.kernel.domain.entities import capability_set
from planvow.kernel.domain.finding import Finding
from planvow.kernel.domain.metadata import duration_of, moments, predicate_names
from planvow.kernel.errors import DomainError
from planvow.kernel.world.values import FrozenDict

if TYPE_CHECKING:
    from planvow.kernel.world.state import State

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)
Amount = int | float | Callable[..., int | float]
"""A cost: a number, or a function of the state and the item's arguments."""


@dataclass(frozen=True)
class Refusal:
    """Not applicable here, and why.

    >>> refuse("too far to walk")
    Refusal(reason='too far to walk')
    """

    reason: str

    def __bool__(self) -> bool:  # reads like the None or False it stands for
        return False


def refuse(reason: str) -> Refusal:
    """Say that a command or method does not apply, in words that explanations will show.

    >>> "too far to walk" in plan(travel, start, [("travel", "ann", "sea")]).explain_text()
    True
    """
    return Refusal(reason if isinstance(reason, str) else str(reason))


@dataclass(frozen=True, kw_only=True)
class Command:
    """An atomic step: its model for planning and, if it differs, what really runs.

    >>> travel.commands["walk"].name, travel.commands["walk"].cost
    ('walk', 1)
    """

    name: str
    model: Function
    runtime: Function | None = None
    cost: Amount = 1
    duration: Any = None
    requires: frozenset[str] = frozenset()
    ignores: frozenset[str] = frozenset()
    """Predicates that put this command into no order: what it reads and writes of them does not matter."""
    ordered: bool = False
    """It runs beside nothing, and everything keeps the order of the plan around it."""
    conditions: Mapping[str, str] = FrozenDict()
    """Predicate → "start" or "end": the command looks at it at that moment only, not all the time."""
    effects: Mapping[str, str] = FrozenDict()
    """Predicate → "start" or "end": the command changes it at that moment, not at some time between."""

    kind = "command"


@dataclass(frozen=True, kw_only=True)
class Method:
    """One way to break down a task, a goal or a multigoal.

    >>> [method.name for method in travel.task_methods["travel"]]
    ['on_foot']
    """

    name: str
    function: Function
    subject: str
    """The task or predicate it is for; empty for a multigoal method."""
    kind: str
    cost: Amount = 0
    requires: frozenset[str] = frozenset()
    tag: str | None = None
    """The multigoals it is for: those with this tag, or all."""

    @property
    def method_id(self) -> str:
        """A name that is the same in every process: what scores are kept under."""
        return f"{self.kind}:{self.subject}:{self.name}"


class CommandOptions(TypedDict, total=False):
    """What may be said of a command; `Domain.command` has the defaults."""

    name: str | None
    cost: Amount
    duration: object
    requires: Iterable[str]
    runtime: Function | None
    ignores: Iterable[str]
    ordered: bool
    conditions: Mapping[str, str] | None
    effects: Mapping[str, str] | None


@dataclass
class Domain:
    """Commands and methods by name, in order of declaration.

        travel = Domain("travel")

        @travel.command
        def walk(state, who, there):            # changes the state and returns it, or refuses
            state.at[who] = there
            return state

        @travel.method(task="travel")
        def on_foot(state, who, there):         # looks at the state and returns what to do instead
            return [("walk", who, there)] if state.km[there] < 3 else refuse("too far to walk")

    Methods of one task are tried in order of declaration. `check()` finds mistakes before anything is planned.
    """

    name: str
    commands: dict[str, Command] = field(default_factory=dict)
    task_methods: dict[str, list[Method]] = field(default_factory=dict)
    goal_methods: dict[str, list[Method]] = field(default_factory=dict)
    multigoal_methods: list[Method] = field(default_factory=list)
    interpreter: Callable[[str], Iterable[object]] | None = None
    """Turns a request in words into an agenda: how the registered planner `htn` reads goal text for this domain."""
    text: str | None = None
    """What the domain was written in, where that is not Python (HDDL): certificates say which one it was."""

    def __repr__(self) -> str:
        methods = [*self.task_methods.values(), *self.goal_methods.values(), self.multigoal_methods]
        return f"<Domain {self.name}: {len(self.commands)} commands, {sum(map(len, methods))} methods>"

    def interpret(self, function: Callable[[str], Iterable[object]]) -> Callable[[str], Iterable[object]]:
        """Declare how a request in words becomes an agenda (`@domain.interpret`)."""
        self.interpreter = function
        return function

    @overload
    def command(self, function: F, **options: Unpack[CommandOptions]) -> F: ...

    @overload
    def command(self, **options: Unpack[CommandOptions]) -> Callable[[F], F]: ...

    def command(
        self,
        function: Function | None = None,
        *,
        name: str | None = None,
        cost: Amount = 1,
        duration: object = None,
        requires: Iterable[str] = (),
        runtime: Function | None = None,
        ignores: Iterable[str] = (),
        ordered: bool = False,
        conditions: Mapping[str, str] | None = None,
        effects: Mapping[str, str] | None = None,
    ) -> Any:
        """Declare a command; usable bare (`@domain.command`) or with options.

        In the order of steps (ADR 0073), `ignores` names predicates that do not matter, `ordered=True` lets it run
        beside nothing; `conditions` and `effects` say of a predicate that it is read, or written, at "start" or "end".
        """

        def declare(model: Function) -> Function:
            called = _name_of(model, name, "a command")
            command = Command(
                name=called,
                model=model,
                runtime=runtime,
                cost=_amount(cost, called),
                duration=_duration(duration, called),
                requires=capability_set(requires, called),
                ignores=predicate_names(ignores, called),
                ordered=ordered,
                conditions=moments(conditions, "conditions", called),
                effects=moments(effects, "effects", called),
            )
            held = self.commands.get(called)
            if held is not None and held.model is not model:
                hint = "name= gives it another name; in a notebook, make the domain anew in the same cell"
                raise DomainError(f"two commands are called {called!r}", place=self.name, hint=hint)
            self._hold(command)
            return model

        return declare if function is None else declare(function)

    def runtime(self, command_name: str) -> Callable[[F], F]:
        """Declare what really runs for a command when it is executed; the model stands in where there is none."""

        def declare(function: F) -> F:
            if command_name not in self.commands:
                raise DomainError(f"there is no command {command_name!r} to run", place=self.name)
            held = self.commands[command_name]
            self.commands[command_name] = Command(**{**vars(held), "runtime": function})
            return function

        return declare

    def method(
        self,
        *,
        task: str | None = None,
        goal: str | None = None,
        multigoal: bool = False,
        tag: str | None = None,
        name: str | None = None,
        cost: Amount = 0,
        requires: Iterable[str] = (),
    ) -> Callable[[F], F]:
        """Declare a method for a task, for goals of one predicate, or for multigoals."""
        if (task is not None) + (goal is not None) + multigoal != 1:
            raise DomainError("a method is for exactly one of task=, goal= and multigoal=True", place=self.name)
        kind = "task" if task is not None else "goal" if goal is not None else "multigoal"

        def declare(function: F) -> F:
            called = _name_of(function, name, "a method")
            self._add(
                Method(
                    name=called,
                    function=function,
                    subject=task or goal or "",
                    kind=kind,
                    cost=_amount(cost, called),
                    requires=capability_set(requires, called),
                    tag=tag,
                )
            )
            return function

        return declare

    def add_actions(self, *functions: Function | Iterable[Function]) -> None:
        """Declare commands from functions or lists of functions (seed 001, section 5.4).

        A function takes the place of an earlier one of its name, as where GTPyhop declares actions.
        """
        for function in _flat(functions):
            self._hold(Command(name=function.__name__, model=function))

    def add_task_methods(self, task_name: str, *functions: Function | Iterable[Function]) -> None:
        """Declare the methods of a task, in order of preference."""
        for function in _flat(functions):
            self.method(task=task_name)(function)

    def add_goal_methods(self, predicate: str, *functions: Function | Iterable[Function]) -> None:
        """Declare methods `(state, subject, value)` for goals of one predicate."""
        for function in _flat(functions):
            self.method(goal=predicate)(function)

    def add_multigoal_methods(self, *functions: Function | Iterable[Function]) -> None:
        """Declare methods `(state, multigoal)` for multigoals."""
        for function in _flat(functions):
            self.method(multigoal=True)(function)

    @classmethod
    def from_functions(
        cls,
        name: str,
        *,
        actions: Iterable[Function] = (),
        task_methods: Mapping[str, Iterable[Function]] | None = None,
        goal_methods: Mapping[str, Iterable[Function]] | None = None,
        multigoal_methods: Iterable[Function] = (),
        commands: Iterable[Function] = (),
    ) -> Domain:
        """Build a domain from functions written for GTPyhop or IPyHOP, unchanged.

        `commands` are GTPyhop's: functions named `c_<action>` that run instead of the action's model when acting.
        """
        domain = cls(name)
        domain.add_actions(*actions)
        for task, functions in (task_methods or {}).items():
            domain.add_task_methods(task, *functions)
        for predicate, functions in (goal_methods or {}).items():
            domain.add_goal_methods(predicate, *functions)
        domain.add_multigoal_methods(*multigoal_methods)
        for function in commands:
            domain.runtime(function.__name__.removeprefix("c_"))(function)
        return domain

    def check(self, todo: Iterable[object] = (), states: Iterable[State] = ()) -> list[Finding]:
        """Look for unknown items, wrong numbers of arguments, slips of spelling, clocks, chance and set order.

        What is told about agendas and states that planning starts from makes it see more; see `kernel.check.mistakes`.
        """
        findings: list[Finding] = hook("check_domain")(self, todo, states)
        return findings

    def names(self) -> list[str]:
        """Return every name an item can start with."""
        return [*self.task_methods, *self.commands, *self.goal_methods]

    def methods(self) -> list[Method]:
        """Return all methods in order of declaration: tasks, goals, multigoals."""
        tables = (*self.task_methods.values(), *self.goal_methods.values(), self.multigoal_methods)
        return [method for table in tables for method in table]

    def _hold(self, command: Command) -> None:
        """Take a command in, in the place of one of its name."""
        if command.name in self.task_methods:
            raise DomainError(f"{command.name!r} is a task already and cannot be a command too", place=self.name)
        self.commands[command.name] = command

    def _add(self, method: Method) -> None:
        if method.kind == "task" and method.subject in self.commands:
            raise DomainError(f"{method.subject!r} is a command already and cannot be a task too", place=self.name)
        tables = {"task": self.task_methods, "goal": self.goal_methods}
        table = tables[method.kind].setdefault(method.subject, []) if method.kind in tables else self.multigoal_methods
        if any(held.name == method.name for held in table):
            raise DomainError(f"two methods of {method.subject!r} are called {method.name!r}", place=self.name)
        table.append(method)


def is_amount(cost: object) -> bool:
    """Say whether something is a cost that can be added up and compared: a finite number of at least nothing."""
    return isinstance(cost, int | float) and not isinstance(cost, bool) and 0 <= cost < math.inf


def _name_of(function: object, name: str | None, what: str) -> str:
    """Return what a function is called in the domain; bare use of a decorator that needs brackets ends here, too."""
    if not callable(function):
        raise DomainError(f"{what} is a function, got {function!r:.60}")
    called = name or getattr(function, "__name__", None)
    if not called:
        raise DomainError(f"{what} needs a name, and {function!r:.60} has none", hint="give it one with name=")
    return called


def _amount(cost: object, called: str) -> Amount:
    """Return a cost as it was given, if it is a number or a function of the state and the arguments."""
    if callable(cost) or (isinstance(cost, int | float) and not isinstance(cost, bool) and -math.inf < cost < math.inf):
        return cost
    raise DomainError(f"the cost of {called!r} is a finite number or a function, not {cost!r:.60}", place=called)


def _duration(duration: object, called: str) -> object:
    """Return a duration as it was given, if it is one; a function of the state and the arguments says so later."""
    if duration is not None and not callable(duration):
        try:
            duration_of(duration, is_command=True)
        except InputError as error:
            raise DomainError(f"the duration of {called!r}: {error.message}", place=called, hint=error.hint) from None
    return duration


def _flat(functions: Iterable[object]) -> Iterable[Function]:
    for function in functions:
        if callable(function):
            yield function
        elif isinstance(function, Iterable):
            yield from _flat(function)
        else:
            raise DomainError(f"{function!r} is not a function")
