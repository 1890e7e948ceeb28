"""A plan told in its own terms: what every task became and why that was possible, what every action found and changed,
and what comes before what. The engine knows a network only as what is left to do; here it is the tree of the plan.

Facts are texts as HDDL writes them. A moment is a number of actions that have been done.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from planvow.hddl.language.formula import And, Atom, Exists, ForAll, Formula, Imply, Not, Or
from planvow.hddl.language.model import HddlMethod, HddlProblem, TaskNetwork
from planvow.hddl.language.plan_format import Decomposition, HddlPlan
from planvow.hddl.language.writer import write_formula
from planvow.hddl.verify.history import Binding, Fact, History
from planvow.hddl.verify.matching import assignments, bound_arguments

MOST_COMPARED = 2_000
"""Tasks for which the other methods are looked at."""
_VARIABLE = re.compile(r"\?[^\s()]+")


class OtherMethod(NamedTuple):
    """A method of the same task that was not taken; the reason is empty where it applied as well."""

    name: str
    reason: str


class Link(NamedTuple):
    """An action that comes before another, by their places in the plan, and why."""

    before: int
    after: int
    why: str
    about: str


@dataclass(frozen=True, kw_only=True)
class ToldTask:
    """A task, its method, and what it became."""

    number: int
    call: tuple[str, ...]
    method: str
    children: tuple[int, ...]
    moment: int
    """The first at which the method applied."""
    needs: tuple[str, ...]
    """What the method had to find."""
    others: tuple[OtherMethod, ...]

    @property
    def why(self) -> str:
        """When the method applied, and by what."""
        when = "at the beginning" if not self.moment else f"after step {self.moment}"
        return f"it applies {when}: {', '.join(self.needs)}" if self.needs else f"it applies {when}, and needs nothing"


@dataclass(frozen=True, kw_only=True)
class ToldStep:
    """An action, what it had to find, and what it changed."""

    number: int
    call: tuple[str, ...]
    serves: int | None
    """The task it belongs to; None for those of the problem itself."""
    needs: tuple[str, ...]
    changes: tuple[str, ...]
    makers: tuple[tuple[int, tuple[str, ...]], ...]
    """Earlier actions, by their places from 1 on, and which of the needs each of them made true."""


@dataclass(frozen=True, kw_only=True)
class Derivation:
    """The plan as a whole."""

    roots: tuple[int, ...]
    tasks: tuple[ToldTask, ...]
    steps: tuple[ToldStep, ...]
    links: tuple[Link, ...]

    @property
    def names(self) -> dict[int, str]:
        """What every node is called, as HDDL writes it."""
        named = {step.number: _called(step.call) for step in self.steps}
        return named | {task.number: _called(task.call) for task in self.tasks}


def derivation_of(problem: HddlProblem, plan: HddlPlan, interrupt: Callable[[], bool] | None = None) -> Derivation:
    """Tell a plan that the verifier has accepted. Once interrupted, nothing is said of other methods."""
    return _Telling(problem, plan, interrupt or (lambda: False)).whole()


class _Telling:
    def __init__(self, problem: HddlProblem, plan: HddlPlan, interrupt: Callable[[], bool]) -> None:
        self.problem, self.plan, self.interrupt = problem, plan, interrupt
        self.history = History(problem)
        self.place = {step.step_id: place for place, step in enumerate(plan.steps)}
        self.parts = {part.task_id: part for part in plan.decompositions}
        self.calls = {step.step_id: (step.action, step.arguments) for step in plan.steps}
        self.calls |= {part.task_id: (part.task, part.arguments) for part in plan.decompositions}
        self.links: dict[tuple[int, int], Link] = {}
        self.readers: dict[Fact, list[int]] = {}
        self.writer: dict[Fact, int] = {}
        self.lookers: dict[str, list[int]] = {}
        self.writers: dict[str, list[int]] = {}
        self.firsts = {number: [place] for number, place in self.place.items()}
        self.lasts = dict(self.firsts)
        self.span = self._spans()

    def whole(self) -> Derivation:
        steps = tuple(self._steps())
        tasks = {}
        moments: dict[int, int] = dict.fromkeys(self.plan.roots, 0)
        networks: list[tuple[str, TaskNetwork, tuple[int, ...], list[int], int | None]] = []
        if self.problem.initial is not None:
            network = self.problem.initial.network
            calls = [self.calls[child] for child in self.plan.roots]
            slots, _ = next(assignments(network, calls, {}))
            self._begin(network, self.plan.roots, slots, moments, 0)
            networks.append(("the problem", network, self.plan.roots, slots, None))
        for number, part in self._from_above():
            method, binding, slots, moment = self._taken(part, moments[number])
            self._begin(method.network, part.children, slots, moments, moment)
            networks.append((part.method, method.network, part.children, slots, number))
            tasks[number] = self._task(part, method, binding, moment)
        for name, network, children, slots, owner in reversed(networks):
            self._state(name, network, dict(zip(slots, children)), owner)
        told = tuple(tasks[part.task_id] for part in self.plan.decompositions)
        links = tuple(self.links[pair] for pair in sorted(self.links))
        return Derivation(roots=self.plan.roots, tasks=told, steps=steps, links=links)

    def _from_above(self) -> Iterator[tuple[int, Decomposition]]:
        order = list(self.plan.roots)
        for number in order:
            if number in self.parts:
                yield number, self.parts[number]
                order += self.parts[number].children

    def _spans(self) -> dict[int, tuple[int, int]]:
        """Return the places of the first and the last action below each node; of a task without any, no place."""
        span = {number: (place, place) for number, place in self.place.items()}
        for number, part in reversed(list(self._from_above())):
            below = [span[child] for child in part.children]
            first = min((places[0] for places in below), default=len(self.plan.steps))
            span[number] = (first, max((places[1] for places in below), default=-1))
        return span

    def _steps(self) -> Iterator[ToldStep]:
        owner = {child: part.task_id for part in self.plan.decompositions for child in part.children}
        for place, step in enumerate(self.plan.steps):
            action = self.problem.domain.action_named[step.action]
            values = {parameter.name: value for parameter, value in zip(action.parameters, step.arguments)}
            made: dict[int, list[str]] = {}
            for fact, is_true in _facts(action.precondition, values):
                self._read(place, fact)
                if is_true and self.history.since(fact):
                    made.setdefault(self.history.since(fact), []).append(_shown(fact))
            conditions = [part for part in _conjuncts(action.precondition) if not _is_literal(part)]
            conditions += [effect.condition for effect in action.effects]
            for predicate in sorted({name for condition in conditions for name in _predicates(condition)}):
                self._look_through(place, predicate)
            changed = self.history.apply(action, values)
            for fact, _ in changed:
                self._write(place, fact)
            yield ToldStep(
                number=step.step_id,
                call=(step.action, *step.arguments),
                serves=owner.get(step.step_id),
                needs=tuple(_needs(action.precondition, values)),
                changes=tuple(_shown(fact) if is_true else f"not {_shown(fact)}" for fact, is_true in changed),
                makers=tuple((maker, tuple(facts)) for maker, facts in sorted(made.items())),
            )

    def _read(self, place: int, fact: Fact) -> None:
        if fact in self.writer:
            self._link(self.writer[fact], place, "reads", _shown(fact))
        self.readers.setdefault(fact, []).append(place)

    def _look_through(self, place: int, predicate: str) -> None:
        """Note an action that depends on a predicate as a whole: on all that changed it before, and will later."""
        for writer in self.writers.get(predicate, ()):
            self._link(writer, place, "reads", predicate)
        self.lookers.setdefault(predicate, []).append(place)

    def _write(self, place: int, fact: Fact) -> None:
        earlier = [*self.readers.pop(fact, ()), *self.lookers.get(fact[0], ())]
        for before in [*earlier, *([self.writer[fact]] if fact in self.writer else [])]:
            self._link(before, place, "writes", _shown(fact))
        self.writer[fact] = place
        self.writers.setdefault(fact[0], []).append(place)

    def _link(self, before: int, after: int, why: str, about: str) -> None:
        if before < after:
            self.links.setdefault((before, after), Link(before, after, why, about))

    def _task(self, part: Decomposition, method: HddlMethod, binding: Binding, moment: int) -> ToldTask:
        others: tuple[OtherMethod, ...] = ()
        for fact, _ in _facts(method.precondition, binding):
            maker, first = self.history.since(fact, moment), self.span[part.task_id][0]
            if maker and first < len(self.plan.steps):
                self._link(maker - 1, first, "reads", _shown(fact))
        if len(self.parts) <= MOST_COMPARED and not self.interrupt():
            others = tuple(self._others(part, method, moment))
        return ToldTask(
            number=part.task_id,
            call=(part.task, *part.arguments),
            method=part.method,
            children=part.children,
            moment=moment,
            needs=tuple(_needs(method.precondition, binding)),
            others=others,
        )

    def _taken(self, part: Decomposition, earliest: int) -> tuple[HddlMethod, Binding, list[int], int]:
        """Return the method that was taken, with its variables, which part is which, and when it first applied."""
        latest = max(earliest, self.span[part.task_id][0])
        calls = [self.calls[child] for child in part.children]
        ways = [
            (method, binding, slots)
            for method in self.problem.domain.methods_for[part.task]
            if method.name == part.method and (head := bound_arguments(method, part.arguments)) is not None
            for slots, binding in assignments(method.network, calls, head)
        ]
        for method, binding, slots in ways:
            conditions = And((method.network.constraint, method.precondition))
            for moment in range(earliest, latest + 1):
                if self.history.can_hold(conditions, binding, method.parameters, moment):
                    return method, binding, slots, moment
        return (*ways[0], earliest)

    def _begin(
        self, network: TaskNetwork, children: tuple[int, ...], slots: list[int], moments: dict[int, int], moment: int
    ) -> None:
        """Note from when on the parts of a network may begin."""
        by_slot = dict(zip(slots, children))
        moments.update(dict.fromkeys(children, moment))
        for first, second in network.ordering:
            moments[by_slot[second]] = max(moments[by_slot[second]], self.span[by_slot[first]][1] + 1)

    def _state(self, name: str, network: TaskNetwork, by_slot: dict[int, int], number: int | None) -> None:
        """Link the actions that a network states an order between; parts without actions are passed through."""
        after: dict[int, set[int]] = {slot: set() for slot in by_slot}
        for first, second in network.ordering:
            after[first].add(second)
        for slot in reversed(network.topological_order):
            after[slot] = set[int]().union(*({s} if self.lasts[by_slot[s]] else after[s] for s in after[slot]))
        busy = [slot for slot, child in by_slot.items() if self.lasts[child]]
        for slot in busy:
            for other in after[slot]:
                for before in self.lasts[by_slot[slot]]:
                    for behind in self.firsts[by_slot[other]]:
                        self._link(before, behind, "stated by", name)
        if number is not None:
            later = set[int]().union(*(after[slot] for slot in busy))
            self.firsts[number] = [p for slot in busy if slot not in later for p in self.firsts[by_slot[slot]]]
            self.lasts[number] = [p for slot in busy if not after[slot] for p in self.lasts[by_slot[slot]]]

    def _others(self, part: Decomposition, taken: HddlMethod, moment: int) -> Iterator[OtherMethod]:
        for method in self.problem.domain.methods_for[part.task]:
            if method is not taken:
                yield OtherMethod(method.name, self._refusal(method, part, moment))

    def _refusal(self, method: HddlMethod, part: Decomposition, moment: int) -> str:
        """Say why a method does not apply at a moment; nothing where it does."""
        binding = bound_arguments(method, part.arguments)
        types = {parameter.name: parameter.types for parameter in method.parameters}
        if binding is None or not all(self.history.is_of(value, types[name]) for name, value in binding.items()):
            return f"it is not for {_called((part.task, *part.arguments))}"
        conditions = And((method.network.constraint, method.precondition))
        if self.history.can_hold(conditions, binding, method.parameters, moment):
            return ""
        if all(parameter.name in binding for parameter in method.parameters):
            return self.history.why_not(conditions, binding, moment)
        for condition in _conjuncts(conditions):
            free = tuple(p for p in method.parameters if p.name in _VARIABLE.findall(write_formula(condition)))
            if not self.history.can_hold(condition, binding, free, moment):
                return f"nothing satisfies {_bound(condition, binding)}"
        return "no choice of its variables satisfies all that it needs"


def _conjuncts(formula: Formula) -> Iterator[Formula]:
    if isinstance(formula, And):
        for part in formula.parts:
            yield from _conjuncts(part)
    else:
        yield formula


def _facts(formula: Formula, binding: Binding) -> Iterator[tuple[Fact, bool]]:
    """Yield the facts that a condition surely reads, and whether it wants them true."""
    for part in _conjuncts(formula):
        atom = part.part if isinstance(part, Not) else part
        if isinstance(atom, Atom):
            yield (atom.predicate, tuple(binding.get(term, term) for term in atom.arguments)), atom is part


def _is_literal(formula: Formula) -> bool:
    return isinstance(formula.part if isinstance(formula, Not) else formula, Atom)


def _predicates(formula: Formula) -> Iterator[str]:
    match formula:
        case Atom(predicate):
            yield predicate
        case Not(body) | ForAll(_, body) | Exists(_, body):
            yield from _predicates(body)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _predicates(part)
        case Imply(premise, conclusion):
            yield from _predicates(premise)
            yield from _predicates(conclusion)
        case _:
            return


def _needs(formula: Formula, binding: Binding) -> Iterator[str]:
    for part in _conjuncts(formula):
        if isinstance(part, Not) and isinstance(part.part, Atom):
            yield f"not {_bound(part.part, binding)}"
        else:
            yield _bound(part, binding)


def _bound(formula: Formula, binding: Binding) -> str:
    """Return a formula as HDDL writes it, with objects for the variables that are bound."""
    return _VARIABLE.sub(lambda found: binding.get(found.group(), found.group()), write_formula(formula))


def _shown(fact: Fact) -> str:
    return _called((fact[0], *fact[1]))


def _called(words: tuple[str, ...]) -> str:
    return f"({' '.join(words)})"
