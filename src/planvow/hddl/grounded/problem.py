"""The ground problem: actions and methods over integer bit sets, and what every ground task must find and may change.

Built from what the grounder reached: tasks that no chain of methods can complete are dropped, then what the root
no longer calls. A fact that is true from the beginning and never deleted, or never reached, disappears from all
conditions; the rest are numbered. The two fixpoints of `lookahead` are computed again here, on ground tasks, where
they are sharper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from planvow.hddl.grounded.grounding import Call, Grounder
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.lifted.schema import (
    EQUAL,
    Condition,
    Junction,
    Literal,
    Member,
    Quantified,
    Residual,
    bits,
    objects_of,
)

EVERYTHING = -1
"""All facts: the must of a task about which nothing is known yet."""

Test = Callable[[int], bool]


class GroundMethod:
    """A way to decompose one ground task. `needs` and `needs_not` include what its subtasks must find at once."""

    __slots__ = ("must", "must_not", "needs", "needs_not", "number", "ordering", "subtasks", "task", "test")

    def __init__(self, number: int, task: Item, subtasks: tuple[Item, ...]) -> None:
        self.number = number
        self.task = task
        self.subtasks = subtasks
        self.must = self.must_not = self.needs = self.needs_not = 0
        self.test: Test | None = None


class Item:
    """A ground task: an action with its effects, or a compound task with its methods."""

    __slots__ = (
        "adds", "conditional", "deletes", "is_action", "is_possible", "may_add", "may_delete", "methods", "must",
        "must_not", "objects", "serial", "sure", "task", "test",
    )  # fmt: skip

    def __init__(self, call: Call, serial: int, is_action: bool) -> None:
        self.task, self.objects = call
        self.serial = serial
        self.is_action = is_action
        self.is_possible = True
        self.must = self.must_not = self.may_add = self.may_delete = 0
        self.adds = self.deletes = 0
        self.sure: list[tuple[int, bool]] = []
        self.conditional: list[tuple[int, int, Test | None, int, bool]] = []
        self.test: Test | None = None
        self.methods: list[GroundMethod] = []

    def may_change(self) -> tuple[int, int]:
        """Return the facts the task may add and may delete."""
        return self.may_add, self.may_delete

    def applied(self, state: int) -> int | None:
        """Return the state after an action, or None where it is not applicable."""
        if self.must & ~state or self.must_not & state or (self.test is not None and not self.test(state)):
            return None
        if not self.conditional:
            return state & ~self.deletes | self.adds
        adds, deletes = self.adds, self.deletes
        for must, must_not, test, bit, becomes in self.conditional:
            if not (must & ~state or must_not & state) and (test is None or test(state)):
                if becomes:
                    adds |= bit
                else:
                    deletes |= bit
        return state & ~deletes | adds


class GroundProblem:
    """All that can occur, in bit sets."""

    def __init__(self, problem: NormalProblem, grounder: Grounder) -> None:
        self.problem = problem
        self._grounder = grounder
        self.fact_numbers: dict[Call, int] = {}
        self.texts: dict[Test, str] = {}
        """What tests were made of: conditions over a state `s`."""
        self.init = 0
        self._initial = [set(facts) for facts in problem.init]
        methods = self._useful_methods()
        root = grounder.calls.get((problem.root, ()))
        if root is None:  # cannot be completed, as the upward grounder knows
            root = len(grounder.call_list)
            grounder.call_list.append((problem.root, ()))
        called = [root]
        known = {root}
        for number in called:  # grows while it is walked: from the root down, in the order of the methods
            problem.deadline.spend()
            for _, _, subtasks in methods.get(number, ()):
                for subtask in subtasks:
                    if subtask not in known:
                        known.add(subtask)
                        called.append(subtask)
        self.items: list[Item] = []
        by_number: dict[int, Item] = {}
        for number in called:
            problem.deadline.spend()
            task, objects = grounder.call_list[number]
            by_number[number] = Item((task, objects), len(self.items) + 1, task < problem.action_count)
            self.items.append(by_number[number])
        self.root = by_number[root]
        self.actions = [item for item in self.items if item.is_action]
        self.tasks = [item for item in self.items if not item.is_action]
        self._deletable, self._addable = self._changeable()
        for item in self.actions:
            problem.deadline.spend()
            self._fill_action(item)
        self.method_count = 0
        for number in called:
            for method, values, subtasks in methods.get(number, ()):
                problem.deadline.spend()
                self._add_method(method, values, by_number[number], tuple(by_number[s] for s in subtasks))
        self.goal_must, self.goal_must_not, self.goal_possible, self.goal_test = self._condition(problem.goal, ())
        self.is_solvable = bool(self.root.methods) and self.goal_possible

    def is_goal(self, state: int) -> bool:
        """Whether the problem's `:goal` holds."""
        if self.goal_must & ~state or self.goal_must_not & state:
            return False
        return self.goal_test is None or self.goal_test(state)

    def _useful_methods(self) -> dict[int, list[tuple[int, tuple[int, ...], tuple[int, ...]]]]:
        """Return, by task, (method, values, subtasks) of the methods all of whose subtasks can be completed."""
        grounder, problem = self._grounder, self.problem
        complete = set(grounder.applicable)
        waiting: dict[int, list[int]] = {}
        missing: list[int] = []
        entries: list[tuple[int, int, tuple[int, ...], tuple[int, ...]]] = []
        ready: list[int] = []
        for method, values in grounder.methods:
            problem.deadline.spend()
            schema = problem.methods[method]
            task = grounder.calls[schema.task, tuple(values[t] if t >= 0 else ~t for t in schema.arguments)]
            subtasks = tuple(grounder.calls[call] for call in grounder.subtasks(method, values))
            needed = {subtask for subtask in subtasks if subtask not in complete}
            for subtask in needed:
                waiting.setdefault(subtask, []).append(len(entries))
            missing.append(len(needed))
            if not needed:
                ready.append(len(entries))
            entries.append((task, method, values, subtasks))
        while ready:
            problem.deadline.spend()
            task = entries[ready.pop()][0]
            if task not in complete:
                complete.add(task)
                for entry in waiting.get(task, ()):
                    missing[entry] -= 1
                    if missing[entry] == 0:
                        ready.append(entry)
        found: dict[int, list[tuple[int, tuple[int, ...], tuple[int, ...]]]] = {}
        for (task, method, values, subtasks), lacking in zip(entries, missing):
            if lacking == 0:
                found.setdefault(task, []).append((method, values, subtasks))
        for group in found.values():
            group.sort(key=lambda entry: entry[0])  # the author's order of methods; stable within one
        return found

    def _changeable(self) -> tuple[set[Call], set[Call]]:
        """Return the facts that some action may delete and those that some action may add."""
        deletable: set[Call] = set()
        addable: set[Call] = set()
        for item in self.actions:
            self.problem.deadline.spend()
            for change in self.problem.actions[item.task].changes:
                target = addable if change.literal.positive else deletable
                for values in _choices(item.objects, change.variables):
                    target.add((change.literal.predicate, objects_of(change.literal.terms, values)))
        return deletable, addable

    def _fill_action(self, item: Item) -> None:
        schema = self.problem.actions[item.task]
        item.must, item.must_not, item.is_possible, item.test = self._condition(schema.condition, item.objects)
        for change in schema.changes:
            for values in _choices(item.objects, change.variables):
                must, must_not, is_possible, test = self._condition(change.condition, values)
                fact = (change.literal.predicate, objects_of(change.literal.terms, values))
                truth = self._constant(fact)
                if not is_possible or truth is change.literal.positive:
                    continue
                bit = 1 << self._number(fact)
                if change.literal.positive:
                    item.may_add |= bit
                else:
                    item.may_delete |= bit
                if must or must_not or test is not None:
                    item.conditional.append((must, must_not, test, bit, change.literal.positive))
                elif change.literal.positive:
                    item.adds |= bit
                else:
                    item.deletes |= bit
        item.deletes &= ~item.adds
        # What held already is not brought about: whoever made it so before says so.
        item.may_add &= ~item.must | item.may_delete
        item.may_delete &= ~item.must_not | item.may_add
        item.sure = [(number, False) for number in bits(item.deletes)] + [(number, True) for number in bits(item.adds)]

    def _add_method(self, number: int, values: tuple[int, ...], task: Item, subtasks: tuple[Item, ...]) -> None:
        method = GroundMethod(number, task, subtasks)
        condition = self.problem.methods[number].condition
        method.must, method.must_not, is_possible, method.test = self._condition(condition, values)
        if is_possible and all(subtask.is_possible for subtask in subtasks):
            task.methods.append(method)
            self.method_count += 1

    def _condition(self, condition: Condition, values: Sequence[int]) -> tuple[int, int, bool, Test | None]:
        """Return what must and must not hold, whether that is possible, and a test for the rest of the condition."""
        must = must_not = 0
        for literal in condition.literals:
            objects = objects_of(literal.terms, values)
            truth = self._truth(literal.predicate, objects)
            if truth is None:
                bit = 1 << self._number((literal.predicate, objects))
                if literal.positive:
                    must |= bit
                else:
                    must_not |= bit
            elif truth != literal.positive:
                return 0, 0, False, None
        if not condition.formulas:
            return must, must_not, not must & must_not, None
        text = self._formula(Junction(True, condition.formulas), dict(enumerate(values)))
        if text in ("True", "False"):
            return must, must_not, text == "True" and not must & must_not, None
        test: Test = eval(f"lambda s: bool({text})", {})
        self.texts[test] = text
        return must, must_not, not must & must_not, test

    def _formula(self, formula: Residual, values: dict[int, int]) -> str:
        """Return Python text over the state `s`: numbers and operators only."""
        match formula:
            case Literal(predicate=predicate, terms=terms, positive=positive):
                objects = objects_of(terms, values)
                truth = self._truth(predicate, objects)
                if truth is not None:
                    return str(truth == positive)
                bit = f"s >> {self._number((predicate, objects))} & 1"
                return f"({bit})" if positive else f"(not {bit})"
            case Member(term=term, objects=allowed):
                value = values[term] if term >= 0 else ~term
                return str(bool(allowed >> value & 1))
            case Quantified(is_all=is_all, variable=variable, objects=allowed, body=body):
                parts = [self._formula(body, {**values, variable: value}) for value in bits(allowed)]
                return _combined(is_all, parts)
            case Junction(is_and=is_and, parts=inner):
                return _combined(is_and, [self._formula(part, values) for part in inner])
        raise TypeError(formula)

    def _truth(self, predicate: int, objects: tuple[int, ...]) -> bool | None:
        if predicate == EQUAL:
            return objects[0] == objects[1]
        if self.problem.is_rigid[predicate]:
            return self._grounder.is_reachable(predicate, objects)
        return self._constant((predicate, objects))

    def _constant(self, fact: Call) -> bool | None:
        """Return the truth of a fact that never changes, or None."""
        if fact in self._addable or fact in self._deletable:
            is_initial = fact[1] in self._initial[fact[0]]
            if is_initial:
                return None if fact in self._deletable else True
            return None if fact in self._addable else False
        return fact[1] in self._initial[fact[0]]

    def _number(self, fact: Call) -> int:
        number = self.fact_numbers.get(fact)
        if number is None:
            number = self.fact_numbers[fact] = len(self.fact_numbers)
            if fact[1] in self._initial[fact[0]]:
                self.init |= 1 << number
        return number


def look_ahead(ground: GroundProblem) -> None:
    """Fill in what compound tasks must find and may change, and what methods need at once (subtasks in sequence)."""
    tasks = ground.tasks
    deadline = ground.problem.deadline
    changed = True
    while changed:
        changed = False
        for task in reversed(tasks):
            deadline.spend(1 + len(task.methods))
            adds, deletes = task.may_add, task.may_delete
            for method in task.methods:
                for subtask in method.subtasks:
                    adds |= subtask.may_add
                    deletes |= subtask.may_delete
            if adds != task.may_add or deletes != task.may_delete:
                task.may_add, task.may_delete = adds, deletes
                changed = True
    for task in tasks:
        task.must = task.must_not = EVERYTHING
    changed = True
    while changed:
        changed = False
        for task in reversed(tasks):
            deadline.spend(1 + len(task.methods))
            must = must_not = EVERYTHING
            for method in task.methods:
                needs = needs_not = 0
                for subtask in reversed(method.subtasks):
                    needs = subtask.must | (needs & ~subtask.may_add)
                    needs_not = subtask.must_not | (needs_not & ~subtask.may_delete)
                method.needs, method.needs_not = needs | method.must, needs_not | method.must_not
                must &= method.needs
                must_not &= method.needs_not
            if must != task.must or must_not != task.must_not:
                task.must, task.must_not = must, must_not
                changed = True
    for task in tasks:
        if task.must & task.must_not:
            task.is_possible = False
            task.must = task.must_not = 0


def _choices(objects: tuple[int, ...], variables: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    found = [objects]
    for _, mask in variables:
        found = [(*values, value) for values in found for value in bits(mask)]
    return found


def _combined(is_and: bool, parts: list[str]) -> str:
    """Join texts by `and` or `or`, without the parts that do not matter."""
    neutral, deciding = ("True", "False") if is_and else ("False", "True")
    if deciding in parts:
        return deciding
    kept = [part for part in dict.fromkeys(parts) if part != neutral]
    if not kept:
        return neutral
    return f"({(' and ' if is_and else ' or ').join(kept)})"
