"""Ground tasks made on demand, and agendas that know what they need.

An agenda is a linked list of ground tasks still to do, hash-consed: equal lists are one object. Every agenda carries
the facts that must hold now for it to be carried out at all, found by regression, once, when it is made:

    needs(task · rest) = must(task) ∪ (needs(rest) ∖ what the task may add)

and the goal is what the empty agenda needs. A search node whose state lacks a needed fact is pruned with two `&`
operations, however far ahead in the agenda the need arises. An action that surely deletes what the rest needs
makes a dead agenda.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from planvow.hddl.lifted.facts import Facts, Key
from planvow.hddl.lifted.joins import Joiner, Names, Rule
from planvow.hddl.lifted.lookahead import Lookahead, Pattern
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.lifted.schema import EQUAL, Change, Condition, Literal, bits, objects_of

WISHED_TASKS = 6
"""How many of the next tasks an agenda adds up the needs of, whether or not earlier ones may meet them."""


class GroundAction:
    """A primitive task with its objects: masks over the numbered facts."""

    __slots__ = (
        "conditional",
        "is_possible",
        "may_add",
        "may_delete",
        "must",
        "must_not",
        "objects",
        "serial",
        "sure",
        "task",
        "test",
    )
    is_action = True

    def __init__(self, task: int, objects: tuple[int, ...], serial: int) -> None:
        self.task = task
        self.objects = objects
        self.serial = serial
        self.is_possible = True
        self.must = self.must_not = 0
        self.may_add = self.may_delete = 0
        self.sure: list[tuple[int, bool]] = []
        """Numbers of the facts changed without condition, and whether they become true. Deletes stand first."""
        self.conditional: list[tuple[int, int, Callable[[], bool] | None, int, bool]] = []
        self.test: Callable[[], bool] | None = None


class GroundTask:
    """A compound task with its objects."""

    __slots__ = (
        "_facts",
        "_seen",
        "adds",
        "deletes",
        "expand",
        "is_possible",
        "may",
        "must",
        "must_not",
        "objects",
        "serial",
        "task",
    )
    is_action = False

    def __init__(self, task: int, objects: tuple[int, ...], serial: int, facts: Facts) -> None:
        self.task = task
        self.objects = objects
        self.serial = serial
        self.is_possible = True
        self.must = self.must_not = 0
        self.adds: list[Pattern] = []
        self.deletes: list[Pattern] = []
        self.may = (0, 0)
        self.expand: Callable[..., Iterator[Any]] | None = None
        self._facts = facts
        self._seen = 0
        """How many facts were numbered when `may` was worked out."""

    def may_change(self) -> tuple[int, int]:
        """Return the numbered facts the task may add and may delete. Facts numbered later count from then on."""
        facts, seen = self._facts, self._seen
        if seen != len(facts.atoms):
            adds, deletes = self.may
            newest = facts.newest
            for pattern in self.adds:
                if newest[pattern.predicate] >= seen:
                    adds |= facts.matching(*pattern)
            for pattern in self.deletes:
                if newest[pattern.predicate] >= seen:
                    deletes |= facts.matching(*pattern)
            self.may = (adds, deletes)
            self._seen = len(facts.atoms)
        return self.may


class Agenda:
    """A task and the agenda after it. `length` is 0 for the empty one, whose task is None."""

    __slots__ = ("is_dead", "length", "must", "must_not", "rest", "serial", "task", "wish", "wish_not")

    def __init__(self, task: Any, rest: Any, must: int, must_not: int, serial: int, is_dead: bool) -> None:
        self.task = task
        self.rest = rest
        self.must = must
        self.must_not = must_not
        self.serial = serial
        self.is_dead = is_dead
        self.length: int = rest.length + 1 if rest is not None else 0
        self.wish, self.wish_not = must, must_not
        following, steps = self, WISHED_TASKS
        while following.task is not None and steps:
            self.wish |= following.task.must
            self.wish_not |= following.task.must_not
            following, steps = following.rest, steps - 1


class AgendaBook:
    """Makes agendas, each only once. The empty one needs the goal."""

    def __init__(self, must: int, must_not: int, is_possible: bool) -> None:
        self.empty = Agenda(None, None, must, must_not, 0, not is_possible)
        self._agendas: dict[tuple[int, int], Agenda] = {}

    def put(self, tasks: Sequence[Any], rest: Agenda) -> Agenda:
        """Return the agenda with `tasks` in front of `rest`."""
        agendas = self._agendas
        for task in reversed(tasks):
            key = (task.serial, rest.serial)
            found = agendas.get(key)
            if found is None:
                found = agendas[key] = self._joined(task, rest, len(agendas) + 1)
            rest = found
        return rest

    def _joined(self, task: Any, rest: Agenda, serial: int) -> Agenda:
        is_dead = rest.is_dead or not task.is_possible
        if task.is_action:
            adds, deletes = task.may_add, task.may_delete
            for number, becomes in task.sure:
                bit = 1 << number
                if (rest.must_not if becomes else rest.must & ~adds) & bit:
                    is_dead = True
        else:
            adds, deletes = task.may_change()
        must = task.must | (rest.must & ~adds)
        must_not = task.must_not | (rest.must_not & ~deletes)
        return Agenda(task, rest, must, must_not, serial, is_dead or bool(must & must_not))


class _Table(dict[Key, Any]):
    """The ground tasks of one schema by the key of their objects, made when first asked for."""

    def __init__(self, make: Callable[[Key], Any]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Key) -> Any:
        made = self[key] = self._make(key)
        return made


class Workshop:
    """Makes ground tasks and agendas over one current state."""

    def __init__(self, problem: NormalProblem, lookahead: Lookahead) -> None:
        self.problem = problem
        self.lookahead = lookahead
        self.facts = Facts(problem)
        self._joiner = Joiner(problem, self.facts)
        self._expanders: dict[int, Callable[..., Iterator[Any]]] = {}
        self._testers: dict[int, Callable[..., bool]] = {}
        self._serial = 0
        self.tables = [_Table(self._maker(task)) for task in range(len(problem.task_names))]
        self.goal_test = self._test_of(problem.goal, ())
        self.book = AgendaBook(*self._masks(problem.goal.literals, ()))

    def children(self, task: GroundTask) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """Yield (method number, subtasks) for every way to decompose a task in the current state."""
        expand = self._expanders.get(task.task)
        if expand is None:
            expand = self._expanders[task.task] = self._joiner.generator(self._rules(task.task), self._subtasks)
        return expand(*task.objects)

    def _rules(self, task: int) -> list[Rule]:
        return [
            self.lookahead.rule(number)
            for number, method in enumerate(self.problem.methods)
            if method.task == task and self.lookahead.can_finish(method)
        ]

    def _subtasks(self, rule: Rule, names: Names) -> str:
        """Return the text of a tuple of ground tasks."""
        parts = [
            f"{self._joiner.given(f'task_{task}', self.tables[task])}[{self._joiner.key(terms, names)}], "
            for task, terms in self.problem.methods[rule.number].subtasks
        ]
        return f"({''.join(parts)})"

    def apply(self, action: GroundAction) -> list[int] | None:
        """Carry out an action; return the flipped facts for `undo`, or None when a precondition fails."""
        facts = self.facts
        state = facts.state
        if action.must & ~state or action.must_not & state or (action.test is not None and not action.test()):
            return None
        changes: Iterable[tuple[int, bool]] = action.sure
        if action.conditional:
            happening = [
                (number, becomes)
                for must, must_not, test, number, becomes in action.conditional
                if not (must & ~state or must_not & state) and (test is None or test())
            ]
            changes = sorted([*action.sure, *happening], key=lambda change: change[1])  # deletes first: adding wins
        flipped = []
        for number, becomes in changes:
            if bool(facts.state >> number & 1) != becomes:
                facts.flip(number)
                flipped.append(number)
        return flipped

    def undo(self, flipped: list[int]) -> None:
        """Take back what `apply` did."""
        for number in reversed(flipped):
            self.facts.flip(number)

    def _maker(self, task: int) -> Callable[[Key], Any]:
        is_single = len(self.problem.task_domains[task]) == 1
        make = self._ground_action if task < self.problem.action_count else self._ground_task
        return lambda key: make(task, (key,) if is_single else key)

    def _next_serial(self) -> int:
        self._serial += 1
        return self._serial

    def _ground_task(self, task: int, objects: tuple[int, ...]) -> GroundTask:
        made = GroundTask(task, objects, self._next_serial(), self.facts)
        must = self.lookahead.must_of(task, objects, self.facts.holds)
        made.must, made.must_not, made.is_possible = self._masks(must or (), objects)
        made.is_possible = made.is_possible and must is not None
        for patterns, ground in ((self.lookahead.may_add, made.adds), (self.lookahead.may_delete, made.deletes)):
            for pattern in patterns[task]:
                ground.append(Pattern(pattern.predicate, tuple(_object(e, objects) for e in pattern.elements)))
        return made

    def _ground_action(self, task: int, objects: tuple[int, ...]) -> GroundAction:
        made = GroundAction(task, objects, self._next_serial())
        schema = self.problem.actions[task]
        made.must, made.must_not, made.is_possible = self._masks(schema.condition.literals, objects)
        made.test = self._test_of(schema.condition, objects)
        for change in schema.changes:
            for values in _choices(change, objects):
                self._add_change(made, change, values)
        added = {number for number, becomes in made.sure if becomes}
        made.sure = [c for c in made.sure if c[1] or c[0] not in added]
        return made

    def _add_change(self, made: GroundAction, change: Change, values: tuple[int, ...]) -> None:
        literal = change.literal
        number = self.facts.number(literal.predicate, objects_of(literal.terms, values))
        must, must_not, is_possible = self._masks(change.condition.literals, values)
        if not is_possible:
            return
        if literal.positive:
            made.may_add |= 1 << number
        else:
            made.may_delete |= 1 << number
        test = self._test_of(change.condition, values)
        if must or must_not or test:
            made.conditional.append((must, must_not, test, number, literal.positive))
        else:
            made.sure.append((number, literal.positive))

    def _masks(self, literals: Iterable[Literal], values: Sequence[int]) -> tuple[int, int, bool]:
        """Return the facts that must and must not hold, and whether the rigid literals do hold."""
        must = must_not = 0
        for literal in literals:
            objects = objects_of(literal.terms, values)
            if literal.predicate == EQUAL:
                if (objects[0] == objects[1]) != literal.positive:
                    return 0, 0, False
            elif self.problem.is_rigid[literal.predicate]:
                if self.facts.holds(literal.predicate, objects) != literal.positive:
                    return 0, 0, False
            elif literal.positive:
                must |= 1 << self.facts.number(literal.predicate, objects)
            else:
                must_not |= 1 << self.facts.number(literal.predicate, objects)
        return must, must_not, not must & must_not

    def _test_of(self, condition: Condition, values: tuple[int, ...]) -> Callable[[], bool] | None:
        if not condition.formulas:
            return None
        test = self._testers.get(id(condition))
        if test is None:
            test = self._testers[id(condition)] = self._joiner.tester(condition.formulas, len(values))
        return lambda: test(*values)


def _object(element: Any, objects: Sequence[int]) -> Any:
    """Return the object an element of a pattern stands for in a ground task, or the wildcard as it is."""
    if isinstance(element, int):
        return objects[element] if element >= 0 else ~element
    return element


def _choices(change: Change, objects: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the objects of an action extended by every choice for the change's own variables."""
    found = [objects]
    for _, mask in change.variables:
        found = [(*values, value) for values in found for value in bits(mask)]
    yield from found
