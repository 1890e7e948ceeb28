"""What a proof that there is no plan lists: all that can occur, and where every call met in a state may end.

The searches cut what cannot succeed by what they know about tasks; a proof has to be followed by somebody who knows
nothing of that. So both lists are made by the plain rules: `reachable` grounds with the methods' own conditions
alone, and `Tables` evaluates calls as a logic program with tabling does: each pair of a call and a state once, its
results handed to whoever waits for them until nothing new comes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from planvow.hddl.grounded.grounding import Call, Grounder
from planvow.hddl.lifted.joins import Rule
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.lifted.schema import (
    EQUAL,
    Condition,
    Junction,
    Literal,
    Member,
    MethodSchema,
    Quantified,
    Residual,
    bits,
    objects_of,
)

State = frozenset[Call]
Task = tuple[Call, State]


class TablesLimitReached(Exception):
    """The tables are larger than they may be. Caught inside the package; nothing was proved."""


class PlainRules:
    """Stands where the grounder expects a look-ahead, and knows the methods' own conditions only."""

    def __init__(self, problem: NormalProblem) -> None:
        self._problem = problem

    def rule(self, number: int) -> Rule:
        """Return what a join has to satisfy for a method."""
        method = self._problem.methods[number]
        given = self._problem.task_domains[method.task]
        return Rule(number, method.arguments, given, method.domains, method.condition.literals, ())

    def can_finish(self, method: MethodSchema) -> bool:
        """Whether a method is worth grounding: all are."""
        return True


def reachable(problem: NormalProblem, limit: int) -> Grounder:
    """Return a grounder that has reached all that the plain rules reach, or raise GroundingLimitReached."""
    grounder = Grounder(problem, PlainRules(problem), limit)
    grounder.explore()
    return grounder


class _Waiting(NamedTuple):
    """A way that has come to one of its parts: whose it is, its parts, and which is next."""

    owner: Task
    parts: tuple[Call, ...]
    place: int


class Tables:
    """For every call met in a state, the states in which it may end. Totally ordered problems only."""

    def __init__(self, problem: NormalProblem, grounder: Grounder, limit: int) -> None:
        self._problem = problem
        self._limit = limit
        self._ways: dict[Call, list[tuple[Condition, tuple[int, ...], tuple[Call, ...]]]] = {}
        for number, values in grounder.methods:
            method = problem.methods[number]
            task = (method.task, objects_of(method.arguments, values))
            parts = tuple(grounder.subtasks(number, values))
            self._ways.setdefault(task, []).append((method.condition, values, parts))
        self._rigid = [set(facts) for facts in problem.init]
        self.results: dict[Task, dict[State, None]] = {}
        self._waiting: dict[Task, list[_Waiting]] = {}
        self._queue: deque[tuple[_Waiting, State]] = deque()
        self._met: set[tuple[_Waiting, State]] = set()
        self.initial: State = frozenset(
            (predicate, objects)
            for predicate, facts in enumerate(problem.init)
            if not problem.is_rigid[predicate]
            for objects in facts
        )

    def fill(self) -> None:
        """Evaluate the root in the initial state, or raise TablesLimitReached."""
        self._open(((self._problem.root, ()), self.initial))
        while self._queue:
            self._problem.deadline.spend()
            self._go_on(*self._queue.popleft())

    def _open(self, task: Task) -> None:
        """Evaluate a call in a state for the first time."""
        self._waiting[task] = []
        self.results[task] = {}
        (number, objects), state = task
        if number < self._problem.action_count:
            after = self._applied(number, objects, state)
            if after is not None:
                self._end(task, after)
            return
        ways = self._ways.get(task[0], ())
        self._problem.deadline.spend(len(ways))
        for condition, values, parts in ways:
            if self._holds(condition, values, state):
                self._put(_Waiting(task, parts, 0), state)

    def _put(self, waiting: _Waiting, state: State) -> None:
        if (waiting, state) not in self._met:
            if len(self._met) >= self._limit:
                raise TablesLimitReached
            self._met.add((waiting, state))
            self._queue.append((waiting, state))

    def _go_on(self, waiting: _Waiting, state: State) -> None:
        """Take a way from a state on: to its end, or to its next part."""
        if waiting.place == len(waiting.parts):
            self._end(waiting.owner, state)
            return
        task = (waiting.parts[waiting.place], state)
        if task not in self.results:
            self._open(task)
        after = waiting._replace(place=waiting.place + 1)
        self._waiting[task].append(after)
        for end in list(self.results[task]):
            self._put(after, end)

    def _end(self, task: Task, state: State) -> None:
        if state not in self.results[task]:
            self.results[task][state] = None
            for waiting in self._waiting[task]:
                self._put(waiting, state)

    def _applied(self, number: int, objects: tuple[int, ...], state: State) -> State | None:
        action = self._problem.actions[number]
        if not self._holds(action.condition, objects, state):
            return None
        added: set[Call] = set()
        deleted: set[Call] = set()
        for change in action.changes:
            found: list[tuple[int, ...]] = [objects]
            for _, mask in change.variables:
                found = [(*values, value) for values in found for value in bits(mask)]
            for values in found:
                if self._holds(change.condition, values, state):
                    fact = (change.literal.predicate, objects_of(change.literal.terms, values))
                    (added if change.literal.positive else deleted).add(fact)
        return state - deleted | added

    def _holds(self, condition: Condition, values: Sequence[int], state: State) -> bool:
        known = dict(enumerate(values))
        return all(self._is_true(part, known, state) for part in (*condition.literals, *condition.formulas))

    def _is_true(self, formula: Residual, values: dict[int, int], state: State) -> bool:
        match formula:
            case Literal(predicate=predicate, terms=terms, positive=positive):
                objects = objects_of(terms, values)
                if predicate == EQUAL:
                    return (objects[0] == objects[1]) == positive
                if self._problem.is_rigid[predicate]:
                    return (objects in self._rigid[predicate]) == positive
                return ((predicate, objects) in state) == positive
            case Member(term=term, objects=allowed):
                return bool(allowed >> (values[term] if term >= 0 else ~term) & 1)
            case Junction(is_and=is_and, parts=parts):
                return (all if is_and else any)(self._is_true(part, values, state) for part in parts)
            case Quantified(is_all=is_all, variable=variable, objects=allowed, body=body):
                inner = ({**values, variable: value} for value in bits(allowed))
                return (all if is_all else any)(self._is_true(body, each, state) for each in inner)
        raise TypeError(formula)

    def calls(self) -> Iterator[Task]:
        """Yield every call met in a state that is one of the author's own tasks or actions."""
        for task in self.results:
            if task[0][0] != self._problem.root and task[0][0] < self._problem.first_artificial:
                yield task
