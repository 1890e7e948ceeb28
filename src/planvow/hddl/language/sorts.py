"""Remarks about objects and variables in places where their type does not fit, and tasks that nothing can do.

HDDL lets such things stand: a fact about an object of the wrong type is a fact like any other, and a variable of
the wrong type only makes a condition that never holds or a method that is never used. Nearly always two
arguments were swapped or something was forgotten, and the answer would be "no plan" without a hint of why. So the
reader says it; nothing is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from planvow.hddl.language.formula import And, Atom, Exists, ForAll, Formula, Imply, Not, Or, Parameter
from planvow.hddl.language.model import HddlDomain, HddlProblem, Remark, Subtask, TaskNetwork
from planvow.hddl.language.source import Source

MAX_REMARKS = 10
"""Remarks of this kind per file: after that nobody reads on."""

_NEVER = "METHOD_NEVER_APPLIES"

Types = tuple[str, ...]
Scope = Mapping[str, Types]


def domain_remarks(domain: HddlDomain) -> tuple[Remark, ...]:
    """Return what does not fit in the methods and actions, in the order of the file."""
    return tuple(_remark(domain.source, odd) for odd in _few(_in_domain(_Sorts(domain))))


def problem_remarks(problem: HddlProblem) -> tuple[Remark, ...]:
    """Return what does not fit in the initial facts, the tasks to do and the goal."""
    return tuple(_remark(problem.source, odd) for odd in _few(_in_problem(problem)))


class _Odd(NamedTuple):
    at: int
    text: str
    code: str = "TYPE_MISFIT"


def _remark(source: Source, odd: _Odd) -> Remark:
    return Remark(place=source.place(odd.at), text=odd.text, code=odd.code)


class _Sorts:
    """Which types may share an object, and the declared parameters of everything."""

    def __init__(self, domain: HddlDomain) -> None:
        self.domain = domain
        self.constants: Scope = {item.name: item.types for item in domain.constants}
        self.tasks = {task.name: task.parameters for task in domain.tasks}
        self.tasks |= {action.name: action.parameters for action in domain.actions}
        self._below: dict[str, set[str]] = {name: set() for name in domain.supertypes}
        for name, above in domain.supertypes.items():
            for wider in above:
                self._below[wider].add(name)

    def may_meet(self, some: Iterable[str], others: Iterable[str]) -> bool:
        """Whether an object can be of one of some types and of one of the others."""
        return any(self._below[one] & self._below[other] for one in some for other in others)

    def misfits(
        self, what: str, arguments: Sequence[str], parameters: Sequence[Parameter], scope: Scope
    ) -> Iterator[str]:
        for argument, parameter in zip(arguments, parameters):
            types = scope.get(argument)
            if types is not None and not self.may_meet(types, parameter.types):
                yield f"{argument} is {_a(types)}, but {what} takes {_a(parameter.types)} here"


def _in_domain(sorts: _Sorts) -> Iterator[_Odd]:
    domain = sorts.domain
    for task in domain.tasks:
        if not domain.methods_for[task.name]:
            text = f"task {task.name} has no method: nothing that asks for it can be done"
            yield _Odd(task.at, text, "TASK_WITHOUT_METHOD")
    for method in domain.methods:
        scope = {**sorts.constants, **_typed(method.parameters)}
        for text in sorts.misfits(method.task, method.arguments, domain.task_named[method.task].parameters, scope):
            yield _Odd(method.at, f"method {method.name} can never be used: {text}", _NEVER)
        yield from _in_formula(sorts, method.precondition, scope)
        for subtask, text in _in_network(sorts, method.network, scope):
            yield _Odd(subtask.at, f"method {method.name} can never be used: {text}", _NEVER)
    for action in domain.actions:
        scope = {**sorts.constants, **_typed(action.parameters)}
        yield from _in_formula(sorts, action.precondition, scope)
        for effect in action.effects:
            inner = {**scope, **_typed(effect.parameters)}
            yield from _in_formula(sorts, effect.condition, inner)
            yield from _in_formula(sorts, effect.atom, inner)


def _in_problem(problem: HddlProblem) -> Iterator[_Odd]:
    sorts = _Sorts(problem.domain)
    members = {name: frozenset(found) for name, found in problem.objects_of.items()}
    allowed = {
        predicate.name: [
            frozenset().union(*(members[t] for t in parameter.types)) for parameter in predicate.parameters
        ]
        for predicate in problem.domain.predicates
    }
    objects: Scope = {item.name: item.types for item in problem.all_objects}
    for fact in problem.init:
        for argument, fitting in zip(fact.arguments, allowed[fact.predicate]):
            if argument not in fitting:
                yield from _in_formula(sorts, fact, objects)
                break
    if problem.initial is not None:
        scope = {**objects, **_typed(problem.initial.parameters)}
        for subtask, text in _in_network(sorts, problem.initial.network, scope):
            yield _Odd(subtask.at, f"this can never be done: {text}")
    yield from _in_formula(sorts, problem.goal, objects)


def _in_network(sorts: _Sorts, network: TaskNetwork, scope: Scope) -> Iterator[tuple[Subtask, str]]:
    for subtask in network.subtasks:
        for text in sorts.misfits(subtask.task, subtask.arguments, sorts.tasks[subtask.task], scope):
            yield subtask, text


def _in_formula(sorts: _Sorts, formula: Formula, scope: Scope) -> Iterator[_Odd]:
    match formula:
        case Atom(predicate=predicate, arguments=arguments):
            for text in sorts.misfits(predicate, arguments, sorts.domain.predicate_named[predicate].parameters, scope):
                yield _Odd(formula.at, text)
        case Not(part=part):
            yield from _in_formula(sorts, part, scope)
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _in_formula(sorts, part, scope)
        case Imply(premise=premise, conclusion=conclusion):
            yield from _in_formula(sorts, premise, scope)
            yield from _in_formula(sorts, conclusion, scope)
        case ForAll(parameters=parameters, body=body) | Exists(parameters=parameters, body=body):
            yield from _in_formula(sorts, body, {**scope, **_typed(parameters)})


def _typed(parameters: Iterable[Parameter]) -> Scope:
    return {parameter.name: parameter.types for parameter in parameters}


def _a(types: Types) -> str:
    return " or ".join(f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}" for name in types)


def _few(found: Iterable[_Odd]) -> list[_Odd]:
    """Return the first few distinct remarks, and that there are more."""
    kept: dict[_Odd, None] = {}
    for odd in found:
        if len(kept) == MAX_REMARKS:
            kept[_Odd(odd.at, "more things here and below are of a type that does not fit")] = None
            break
        kept[odd] = None
    return list(kept)
