"""Plans between HDDL and unified-planning.

A `HierarchicalPlan` is a sequence of actions and a tree of decompositions whose leaves are those same action
instances. Subtasks go by the identifiers of the problem.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from unified_planning.plans import ActionInstance, SequentialPlan
from unified_planning.plans.hierarchical_plan import Decomposition, HierarchicalPlan, MethodInstance

from planvow.adapters.unified_planning.plans.expansions import ROOT, Expansion, expansions
from planvow.adapters.unified_planning.problems.errors import UpPlanError
from planvow.adapters.unified_planning.problems.translation import Translation
from planvow.hddl.language.model import HddlMethod
from planvow.hddl.language.plan_format import Decomposition as Part
from planvow.hddl.language.plan_format import HddlPlan, PlanStep
from planvow.hddl.language.source import Source
from planvow.hddl.verify.history import Binding


def to_up_plan(translation: Translation, plan: HddlPlan) -> Any:
    """Return a verified HDDL plan as a HierarchicalPlan."""
    words = translation.words
    environment = translation.source.environment
    made: dict[int, Any] = {}
    for step in plan.steps:
        made[step.step_id] = ActionInstance(words.action_named[step.action], _objects(translation, step.arguments))
    found = expansions(translation.problem, plan)
    root = found.pop(ROOT)
    for identifier, expansion in reversed(found.items()):  # parents were found before their parts
        method = words.method_named[expansion.method.name]
        values = [expansion.binding[parameter.name] for parameter in expansion.method.parameters]
        decomposition = _decomposition(method, expansion, made)
        made[identifier] = MethodInstance(method, _objects(translation, values), decomposition)
    actions = SequentialPlan([made[step.step_id] for step in plan.steps], environment)
    return HierarchicalPlan(actions, _decomposition(translation.source.task_network, root, made))


def _decomposition(network: Any, expansion: Expansion, made: Mapping[int, Any]) -> Any:
    parts = zip(network.subtasks, expansion.parts)
    return Decomposition({subtask.identifier: made[part] for subtask, part in parts})


def _objects(translation: Translation, names: Any) -> tuple[Any, ...]:
    manager = translation.source.environment.expression_manager
    return tuple(manager.ObjectExp(translation.words.object_named[name]) for name in names)


@dataclass
class ReadPlan:
    """A HierarchicalPlan as HDDL has it, with what HDDL's format leaves out: the variables of every method."""

    plan: HddlPlan
    expansions: dict[int, Expansion]
    actions: list[Any]
    """The action instances in the order of execution."""


def read_plan(translation: Translation, plan: Any) -> ReadPlan:
    """Read a HierarchicalPlan; raise UpPlanError when it does not have the form of a plan for the problem."""
    if not isinstance(plan, HierarchicalPlan):
        raise UpPlanError(f"expected a HierarchicalPlan, found a {type(plan).__name__}")
    return _Reading(translation, plan).read()


def _in_order(flat: Any) -> list[Any]:
    """Return the actions of a flat plan in the order of execution; some engines give times to instantaneous ones."""
    if isinstance(flat, SequentialPlan):
        return list(flat.actions)
    timed = sorted(flat.timed_actions, key=lambda timed: timed[0])
    for _, action, duration in timed:
        if duration is not None:
            raise UpPlanError(f"{action} takes time, which no action of the problem does")
    return [action for _, action, _ in timed]


class _Reading:
    def __init__(self, translation: Translation, plan: Any) -> None:
        self.translation, self.words = translation, translation.words
        self.plan = plan
        self.actions = _in_order(plan.action_plan)
        self.step_of = {id(action): index for index, action in enumerate(self.actions)}
        self.owner: dict[int, str] = {}
        self.calls: dict[int, tuple[str, tuple[str, ...]]] = {}
        self.found: dict[int, Expansion] = {}

    def read(self) -> ReadPlan:
        initial = self.translation.problem.initial
        assert initial is not None
        steps = [self._step(index, action) for index, action in enumerate(self.actions)]
        whole = HddlMethod(name="root", task="root", parameters=initial.parameters, network=initial.network)
        network = self.translation.source.task_network
        waiting: list[tuple[int, HddlMethod, Binding, Any, Any, str]]
        waiting = [(ROOT, whole, {}, network, self.plan.decomposition, "the initial task network")]
        number = len(steps)
        while waiting:
            identifier, method, binding, network, decomposition, what = waiting.pop()
            parts = []
            for subtask, instance in self._matched(network, decomposition, what):
                if isinstance(instance, ActionInstance):
                    parts.append(self._leaf(subtask, instance, what))
                    continue
                child, inner = self._method(subtask, instance, what)
                self.calls[number] = (child.task, tuple(inner[term] for term in child.arguments))
                below = f"{instance.method.name} for {subtask.identifier} of {what}"
                waiting.append((number, child, inner, instance.method, instance.decomposition, below))
                parts.append(number)
                number += 1
            self.found[identifier] = Expansion(method, self._bound(method, binding, parts, what), tuple(parts))
        for index, action in enumerate(self.actions):
            if index not in self.owner:
                raise UpPlanError(f"action {index + 1}, {action}, is no part of the decomposition")
        return ReadPlan(self._hddl(steps), self.found, self.actions)

    def _step(self, index: int, action: Any) -> PlanStep:
        name = self.words.action(action.action, f"action {index + 1} of the plan")
        call = (name, self._names(action.actual_parameters, str(action)))
        self.calls[index] = call
        return PlanStep(step_id=index, action=call[0], arguments=call[1], at=index)

    def _names(self, values: Any, what: str) -> tuple[str, ...]:
        for value in values:
            if not value.is_object_exp():
                raise UpPlanError(f"{what} has the argument {value}, which is no object")
        return tuple(self.words.object(value.object()) for value in values)

    def _matched(self, network: Any, decomposition: Any, what: str) -> list[tuple[Any, Any]]:
        """Return each subtask with what it became."""
        wanted = {subtask.identifier for subtask in network.subtasks}
        for identifier in decomposition.subtasks:
            if identifier not in wanted:
                raise UpPlanError(f"{what} has no subtask {identifier}, but the plan decomposes one")
        for subtask in network.subtasks:
            if subtask.identifier not in decomposition.subtasks:
                raise UpPlanError(f"the plan leaves out the subtask {subtask.identifier} of {what}")
        return [(subtask, decomposition.subtasks[subtask.identifier]) for subtask in network.subtasks]

    def _leaf(self, subtask: Any, instance: Any, what: str) -> int:
        index = self.step_of.get(id(instance))
        if index is None:
            raise UpPlanError(f"{instance}, for {subtask.identifier} of {what}, is not in the sequence of actions")
        if index in self.owner:
            raise UpPlanError(f"action {index + 1}, {instance}, is a part of {self.owner[index]} and of {what}")
        self.owner[index] = what
        return index

    def _method(self, subtask: Any, instance: Any, what: str) -> tuple[HddlMethod, Binding]:
        if not isinstance(instance, MethodInstance):
            raise UpPlanError(f"{subtask.identifier} of {what} became a {type(instance).__name__}")
        name = instance.method.name
        if name not in self.words.methods:
            raise UpPlanError(f"the problem has no method {name}, which the plan has for {subtask.identifier}")
        methods = self.translation.problem.domain.methods
        method = next(method for method in methods if method.name == self.words.methods[name])
        values = self._names(instance.parameters, f"the method {name}")
        if len(values) != len(method.parameters):
            raise UpPlanError(
                f"the method {name} has {len(method.parameters)} parameters, the plan gives {len(values)}"
            )
        return method, {parameter.name: value for parameter, value in zip(method.parameters, values)}

    def _bound(self, method: HddlMethod, binding: Binding, parts: list[int], what: str) -> Binding:
        """Hold the parts against the subtasks; for the root, whose variables the plan leaves out, bind these."""
        bound = dict(binding)
        for subtask, part in zip(method.network.subtasks, parts):
            task, arguments = self.calls[part]
            wanted = f"({' '.join((subtask.task, *(bound.get(term, term) for term in subtask.arguments)))})"
            fits = task == subtask.task and len(arguments) == len(subtask.arguments)
            for term, value in zip(subtask.arguments, arguments):
                fits = fits and (bound.setdefault(term, value) if term[0] == "?" else term) == value
            if not fits:
                found = f"({' '.join((task, *arguments))})"
                raise UpPlanError(f"{what} has the part {found} where {wanted} was expected")
        return bound

    def _hddl(self, steps: list[PlanStep]) -> HddlPlan:
        parts = []
        for identifier, expansion in self.found.items():
            if identifier != ROOT:
                task, arguments = self.calls[identifier]
                children = _listed(expansion)
                name = expansion.method.name
                parts.append(Part(task_id=identifier, task=task, arguments=arguments, method=name, children=children))
        source = Source("\n" * len(steps), "plan")  # a step's place is its line
        return HddlPlan(steps=tuple(steps), roots=_listed(self.found[ROOT]), decompositions=tuple(parts), source=source)


def _listed(expansion: Expansion) -> tuple[int, ...]:
    return tuple(expansion.parts[index] for index in expansion.method.network.topological_order)
