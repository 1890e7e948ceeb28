"""How far is it still? A relaxed plan for a state and an agenda, after Höller's relaxed composition with FF.

In the relaxed problem nothing is ever deleted, and tasks are facts as well: an action makes its effects and
«action done» true, a method makes «task done» true once its subtasks are done and its own preconditions hold.
Rules fire in breadth-first order from the state; the rules that first made each needed fact true, traced back from
the agenda and the goal, form the relaxed plan, whose size is the estimate. Only actions below the tasks of the
agenda take part. A negated precondition is a fact of its own.

Sources: Höller et al., A Generic Method to Guide HTN Progression Search with Classical Heuristics (ICAPS 2018);
Hoffmann and Nebel, FF.
"""

from __future__ import annotations

from planvow.hddl.grounded.problem import GroundMethod, GroundProblem, Item
from planvow.hddl.grounded.relaxation import Rules, relaxation
from planvow.hddl.lifted.agenda import Agenda
from planvow.hddl.lifted.schema import bits

WORK_PER_EXPANSION = 150
"""Conditions met by an estimate that count as one unit of effort: about the cost of a lifted expansion."""


class RelaxedPlan:
    """Estimates for one ground problem."""

    def __init__(self, ground: GroundProblem) -> None:
        self._deadline = ground.problem.deadline
        self._facts = len(ground.fact_numbers)
        self._items = len(ground.items)
        negated = ground.goal_must_not
        for item in ground.items:
            negated |= item.must_not if item.is_action else 0
            for method in item.methods:
                negated |= method.must_not
            for _, must_not, _, _, _ in item.conditional:
                negated |= must_not
        self._false = {number: self._facts + index for index, number in enumerate(bits(negated))}
        self._first_item = self._facts + len(self._false)
        atoms = self._first_item + len(ground.items) + 1
        self._rules = Rules(atoms, [], [], [], list(bits(negated)), self._facts)
        self._methods: dict[int, GroundMethod] = {}
        for item in ground.items:
            self._deadline.spend(1 + len(item.methods))
            if item.is_action:
                self._add_action(item)
            for method in item.methods:
                self._add_method(item, method)
        self.goal = self.atoms(ground.goal_must, ground.goal_must_not)
        self._below = self._tasks_below(ground)
        self._relaxation = relaxation(self._rules)

    @property
    def work(self) -> int:
        """Conditions of rules met so far: the measure of effort."""
        return self._relaxation.work

    def done(self, item: Item) -> int:
        """Return the atom that says that a task is done."""
        return self._first_item + item.serial

    def estimate(self, state: int, agenda: Agenda, below: int) -> int:
        """Return the size of a relaxed plan, or UNREACHABLE. `below` has the items under the agenda's tasks."""
        goals = list(self.goal)
        while agenda.task is not None:
            goals.append(self._first_item + agenda.task.serial)
            agenda = agenda.rest
        return self.estimate_goals(state, goals, below)

    def estimate_goals(self, state: int, goals: list[int], below: int) -> int:
        """Return the size of a relaxed plan that reaches all goals, a goal listed twice counted once more."""
        before = self._relaxation.work
        found = self._relaxation.estimate(state, goals, below)
        self._deadline.spend(1 + (self._relaxation.work - before) // WORK_PER_EXPANSION)
        return found

    def preferred(self, task: Item) -> GroundMethod | None:
        """Return the method by which the relaxed plan of the last estimate does a task."""
        return self._methods.get(self._relaxation.supporter(self.done(task)))

    def _add_action(self, item: Item) -> None:
        body = self.atoms(item.must, item.must_not)
        self._add_rule(item, body, [*self.atoms(item.adds, item.deletes), self.done(item)])
        for must, must_not, _, bit, becomes in item.conditional:
            head = self.atoms(bit, 0) if becomes else self.atoms(0, bit)
            self._add_rule(item, [*body, *self.atoms(must, must_not)], head)

    def _add_method(self, item: Item, method: GroundMethod) -> None:
        """Add the rule of a method, without what its subtasks must find: that was true before they were done."""
        if item in method.subtasks:
            return  # to be done, the task would have to be done before
        must, must_not = method.must, method.must_not
        for subtask in method.subtasks:
            must &= ~subtask.must
            must_not &= ~subtask.must_not
        self._methods[len(self._rules.bodies)] = method
        self._add_rule(item, self.atoms(must, must_not) + [self.done(s) for s in method.subtasks], [self.done(item)])

    def _add_rule(self, item: Item, body: list[int], heads: list[int]) -> None:
        self._rules.bodies.append(list(dict.fromkeys(body)))
        self._rules.heads.append(heads)
        self._rules.owners.append(self._bit(item))

    def atoms(self, true: int, false: int) -> list[int]:
        """Return the atoms for facts that hold and facts that do not."""
        return [*bits(true), *(self._false[number] for number in bits(false) if number in self._false)]

    def below(self, item: Item) -> int:
        """Return the items (as bits) that decomposing an item may bring about, itself included."""
        return 1 << self._bit(item) if item.is_action else self._below[item.serial]

    def _bit(self, item: Item) -> int:
        """Return the bit of an item; those that are found last, and below most others, have the low ones."""
        return self._items - item.serial

    def _tasks_below(self, ground: GroundProblem) -> dict[int, int]:
        """Return, by serial, what is below every compound task."""
        below: dict[int, int] = {}
        children: dict[int, list[int]] = {}
        for task in ground.tasks:
            subtasks = {subtask.serial: subtask for method in task.methods for subtask in method.subtasks}
            self._deadline.spend(1 + len(subtasks))
            own = bytearray(self._items // 8 + 1)
            for item in (task, *subtasks.values()):
                if item is task or item.is_action:
                    bit = self._bit(item)
                    own[bit >> 3] |= 1 << (bit & 7)
            below[task.serial] = int.from_bytes(own, "little")
            children[task.serial] = [serial for serial, item in subtasks.items() if not item.is_action]
        changed = True
        while changed:
            changed = False
            for task in reversed(ground.tasks):
                self._deadline.spend(1 + len(children[task.serial]))
                found = below[task.serial]
                for serial in children[task.serial]:
                    found |= below[serial]
                if found != below[task.serial]:
                    below[task.serial] = found
                    changed = True
        return below
