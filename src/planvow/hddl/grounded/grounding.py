"""Grounding: which tasks, methods, actions and facts can occur at all.

From the root task down, and with facts that are only ever added (delete relaxation): a task that is called is
joined with the facts reached so far; every method found calls its subtasks; an action whose preconditions are all
reached adds its effects; new facts wake the methods and actions that waited for them. Afterwards, from the actions
up, what can never be completed is thrown away, and once more from the root down what is no longer called.

Methods are rules of a Datalog program over the facts and over the calls of tasks, evaluated semi-naively: one
generated join (`joins`) for each literal of each method, entered with each new fact. The work is counted; past the
budget the grounding is given up.

Sources: Behnke et al., On Succinct Groundings of HTN Planning Problems (AAAI 2020); Helmert, the PDDL translator's
exploration.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from planvow.hddl.lifted.facts import Key, key_of
from planvow.hddl.lifted.joins import Joiner, Names, Rule
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.lifted.schema import EQUAL, Literal, MethodSchema, bits

Call = tuple[int, tuple[int, ...]]
Trigger = Callable[..., Iterator[Any]] | None


class GroundingLimitReached(Exception):
    """The grounding needs more work than the budget allows. Caught inside the package; nothing was proved."""


class Reached:
    """The facts and calls reached so far, as tables and indexes that only grow."""

    def __init__(self, problem: NormalProblem) -> None:
        self._problem = problem
        self.tables: list[dict[Key, None]] = [
            dict.fromkeys(map(key_of, facts)) if problem.is_rigid[number] else {}
            for number, facts in enumerate(problem.init)
        ]
        self.tables += [{} for _ in problem.task_names]
        self._indexes: list[list[tuple[tuple[int, ...], tuple[int, ...], dict[Key, Any]]]] = [[] for _ in self.tables]

    def index(self, predicate: int, bound: tuple[int, ...]) -> dict[Key, Any]:
        """Return the index of a predicate by bound positions. All are asked for before the first fact is added."""
        for positions, _, index in self._indexes[predicate]:
            if positions == bound:
                return index
        index = {}
        arity = self._arity(predicate)
        free = tuple(position for position in range(arity) if position not in bound)
        self._indexes[predicate].append((bound, free, index))
        for key in self.tables[predicate]:
            self._enter(index, (key,) if arity == 1 else key, bound, free)
        return index

    def add(self, predicate: int, objects: tuple[int, ...]) -> None:
        """Note that a fact or a call was reached."""
        self.tables[predicate][key_of(objects)] = None
        for bound, free, index in self._indexes[predicate]:
            self._enter(index, objects, bound, free)

    def _arity(self, predicate: int) -> int:
        predicates = len(self._problem.predicates)
        if predicate < predicates:
            return self._problem.arities[predicate]
        return len(self._problem.task_domains[predicate - predicates])

    @staticmethod
    def _enter(index: dict[Key, Any], objects: tuple[int, ...], bound: tuple[int, ...], free: tuple[int, ...]) -> None:
        group = index.setdefault(key_of(objects[position] for position in bound), {})
        group[key_of(objects[position] for position in free)] = None


class Rules(Protocol):
    """What a grounder asks about methods."""

    def rule(self, number: int) -> Rule: ...

    def can_finish(self, method: MethodSchema) -> bool: ...


class Grounder:
    """Explores the relaxed problem from the root; the results are read by `ground_problem`."""

    def __init__(self, problem: NormalProblem, lookahead: Rules, limit: int) -> None:
        self._problem = problem
        self._lookahead = lookahead
        self._limit = limit
        self.spent = 0
        self._reached = Reached(problem)
        self._queue: deque[Call] = deque()
        """Facts, and calls under their task's predicate number, that wait to be entered."""
        self._known: set[Call] = set()
        self._triggers: list[Trigger] = []
        """For every predicate and task the joins that a new fact or call of it enters; empty before the start."""
        self._waiting: dict[Call, list[int]] = {}
        self._missing: list[int] = []
        self.calls: dict[Call, int] = {}
        """Every ground task or action called, numbered in the order of discovery."""
        self.call_list: list[Call] = []
        self.methods: dict[tuple[int, tuple[int, ...]], None] = {}
        """(method number, objects of its variables)."""
        self.applicable: set[int] = set()
        """Numbers of the actions whose preconditions can be reached."""

    def explore(self) -> None:
        """Reach all that can be reached, or raise GroundingLimitReached."""
        while not self.advance(self._limit):
            pass

    def advance(self, units: int) -> bool:
        """Go on for about so many units; return whether all is reached, or raise GroundingLimitReached."""
        stop = self.spent + units
        if not self._triggers:
            self._begin()
        while self._queue and self.spent < stop:
            item = self._queue.popleft()
            self._reached.add(*item)
            self._enter(item)
        return not self._queue

    def _begin(self) -> None:
        """Write the joins and reach what holds at the beginning."""
        self._triggers = self._written_triggers()
        self._reach_initial()
        self.call(self._problem.root, ())

    def _reach_initial(self) -> None:
        for predicate, facts in enumerate(self._problem.init):
            if not self._problem.is_rigid[predicate]:
                for objects in facts:
                    self._reach((predicate, objects))

    def _enter(self, item: Call) -> None:
        """Follow a fact or call that is new."""
        trigger = self._triggers[item[0]]
        for found in trigger(*item[1]) if trigger is not None else ():
            self._spend()
            if found is not None and found not in self.methods:
                self.methods[found] = None
                self._call_subtasks(*found)
        for number in self._waiting.pop(item, ()):
            self._missing[number] -= 1
            if self._missing[number] == 0:
                self._apply(number)

    def call(self, task: int, objects: tuple[int, ...]) -> int:
        """Return the number of a ground task, discovering it if it is new."""
        number = self.calls.get((task, objects))
        if number is None:
            self._spend()
            number = self.calls[task, objects] = len(self.calls)
            self.call_list.append((task, objects))
            self._missing.append(0)
            if task >= self._problem.action_count:
                self._queue.append((len(self._problem.predicates) + task, objects))
            else:
                self._await(number, task, objects)
        return number

    def is_reachable(self, predicate: int, objects: tuple[int, ...]) -> bool:
        """Whether a fact can ever be true."""
        return key_of(objects) in self._reached.tables[predicate]

    def facts(self) -> Iterator[Call]:
        """Yield every fact reached that actions can change."""
        return (fact for fact in self._known if fact[0] < len(self._problem.predicates))

    def subtasks(self, method: int, values: tuple[int, ...]) -> Iterator[Call]:
        """Yield the calls of a ground method."""
        for task, terms in self._problem.methods[method].subtasks:
            yield task, tuple(values[term] if term >= 0 else ~term for term in terms)

    def _spend(self) -> None:
        self.spent += 1
        self._problem.deadline.spend()
        if self.spent > self._limit:
            raise GroundingLimitReached

    def _reach(self, fact: Call) -> None:
        if fact not in self._known:
            self._known.add(fact)
            self._queue.append(fact)

    def _call_subtasks(self, method: int, values: tuple[int, ...]) -> None:
        for task, objects in self.subtasks(method, values):
            self.call(task, objects)

    def _await(self, number: int, task: int, objects: tuple[int, ...]) -> None:
        """Let an action wait for the preconditions that are not reached yet; for ever, if a rigid one fails."""
        missing: dict[Call, None] = {}
        for literal in self._problem.actions[task].condition.literals:
            fact = tuple(objects[term] if term >= 0 else ~term for term in literal.terms)
            if literal.predicate == EQUAL:
                is_fine = (fact[0] == fact[1]) == literal.positive
            elif self._problem.is_rigid[literal.predicate]:
                is_fine = self.is_reachable(literal.predicate, fact) == literal.positive
            else:
                is_fine = True
                if literal.positive and not self.is_reachable(literal.predicate, fact):
                    missing[literal.predicate, fact] = None
            if not is_fine:
                return
        self._missing[number] = len(missing)
        for waited in missing:
            self._waiting.setdefault(waited, []).append(number)
        if not missing:
            self._apply(number)

    def _apply(self, number: int) -> None:
        self.applicable.add(number)
        task, objects = self.call_list[number]
        for change in self._problem.actions[task].changes:
            if change.literal.positive:
                found = [objects]
                for _, mask in change.variables:
                    found = [(*values, value) for values in found for value in bits(mask)]
                for values in found:
                    terms = change.literal.terms
                    self._reach((change.literal.predicate, tuple(values[t] if t >= 0 else ~t for t in terms)))

    def _written_triggers(self) -> list[Trigger]:
        """Write one join for each way into each method: by the call of its task, or by one of its literals."""
        problem = self._problem
        predicates = len(problem.predicates)
        joiner = Joiner(problem, self._reached, copies=False)
        domains = (*problem.predicate_domains, *problem.task_domains)
        rules: list[list[Rule]] = [[] for _ in domains]
        for number, method in enumerate(problem.methods):
            if not self._lookahead.can_finish(method):
                continue
            rule = self._lookahead.rule(number)
            body = [literal for literal in rule.literals if self._is_kept(literal)]
            body.append(Literal(predicates + method.task, method.arguments))
            for position, literal in enumerate(body):
                if literal.predicate == EQUAL or (
                    literal.predicate < predicates and problem.is_rigid[literal.predicate]
                ):
                    continue
                others = tuple(other for index, other in enumerate(body) if index != position)
                entry = Rule(number, literal.terms, domains[literal.predicate], rule.domains, others, ())
                rules[literal.predicate].append(entry)
        return [joiner.generator(entries, values_text) if entries else None for entries in rules]

    def _is_kept(self, literal: Literal) -> bool:
        """Whether a literal means something when facts only grow: all but negated fluent ones."""
        return literal.positive or literal.predicate == EQUAL or self._problem.is_rigid[literal.predicate]


def values_text(rule: Rule, names: Names) -> str:
    """Return the text of the tuple of all variables' objects."""
    return "(" + "".join(f"{names[variable]}, " for variable in range(len(rule.domains))) + ")"
