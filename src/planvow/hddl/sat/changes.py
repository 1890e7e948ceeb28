"""What holds when: literals for the facts before and after every position, and clauses for what changes them.

A point between two positions of a layer is a point of all later layers as well, so its literals are made once. A fact
that nothing between two points can change has the same literal at both.
"""

from __future__ import annotations

from collections.abc import Sequence

from planvow.hddl.grounded.problem import GroundProblem, Item, Test
from planvow.hddl.lifted.schema import bits
from planvow.hddl.sat.clauses import FALSE, TRUE, Clauses
from planvow.hddl.sat.layers import Position, Truths

Makers = dict[int, list[int]]
"""For every fact the literals of what makes it so."""


class Changes:
    """Writes the clauses about facts."""

    def __init__(self, ground: GroundProblem, clauses: Clauses) -> None:
        self._ground = ground
        self._clauses = clauses
        self._numbers: dict[int, tuple[int, ...]] = {}

    def begin(self, root: Position) -> None:
        """Give the root position what holds at the beginning and at the end: the goal."""
        ground, clauses = self._ground, self._clauses
        count = len(ground.fact_numbers)
        root.before = [TRUE if ground.init >> number & 1 else FALSE for number in range(count)]
        root.after = list(root.before)
        root.changing = root.may_change()
        for number in self.numbers(root.changing):
            root.after[number] = clauses.variable()
        self.requires(TRUE, ground.goal_must, ground.goal_must_not, ground.goal_test, root.after)

    def requires(self, literal: int, must: int, must_not: int, test: Test | None, facts: Sequence[int]) -> None:
        """Say that a condition holds among the facts where the literal does."""
        implies = self._clauses.implies
        for number in self.numbers(must):
            implies(literal, facts[number])
        for number in self.numbers(must_not):
            implies(literal, -facts[number])
        if test is not None:
            implies(literal, self._tested(test, facts))

    def follow(self, parent: Position, children: Sequence[Position]) -> None:
        """Fill in the points between the positions below one, and say how facts change at each."""
        later, laters = 0, []
        for child in reversed(children):
            laters.append(later)
            later |= child.may_change()
        laters.reverse()
        before = parent.before
        for index, child in enumerate(children):
            child.before = before
            if index + 1 < len(children):
                self._point(child, parent.after, laters[index], children[index + 1].truths)
            else:
                child.after = parent.after
                child.changing = self._differing(parent.changing, child)
                self._settle(child)
            self._change(parent, child)
            before = child.after

    def numbers(self, mask: int) -> tuple[int, ...]:
        """Return the numbers of the facts in a set."""
        found = self._numbers.get(mask)
        if found is None:
            found = self._numbers[mask] = tuple(bits(mask))
        return found

    def _point(self, child: Position, end: list[int], later: int, truths: Truths) -> None:
        """Make the literals after a position that has others after it."""
        child.changing = child.may_change()
        child.after = list(child.before)
        for number in bits(child.changing):
            bit = 1 << number
            if not later & bit:
                child.after[number] = end[number]
            elif not truths.true & bit:
                child.after[number] = FALSE
            elif not truths.false & bit:
                child.after[number] = TRUE
            else:
                child.after[number] = self._clauses.variable()

    @staticmethod
    def _differing(among: int, child: Position) -> int:
        found = 0
        for number in bits(among):
            if child.before[number] != child.after[number]:
                found |= 1 << number
        return found

    def _settle(self, child: Position) -> None:
        """Say of facts after a position what is known by now; the literals are older."""
        truths = child.truths_after()
        for number in bits(child.changing & ~truths.true):
            self._clauses.implies(child.after[number], FALSE)
        for number in bits(child.changing & ~truths.false):
            self._clauses.implies(-child.after[number], FALSE)

    def _change(self, parent: Position, child: Position) -> None:
        """Say what actions need and do, and that nothing changes by itself."""
        makers: tuple[Makers, Makers] = ({}, {})  # of what becomes false, of what becomes true
        compound: list[int] = []
        adds = deletes = 0
        for item, literal in child.items.items():
            if item.is_action:
                is_old = parent.items.get(item) == literal
                if not (is_old and child.before is parent.before):
                    self.requires(literal, item.must, item.must_not, item.test, child.before)
                self._apply(item, literal, child, makers)
            else:
                compound.append(literal)
                adds |= item.may_add
                deletes |= item.may_delete
        child.open = self._clauses.any_of(compound)
        add = self._clauses.one_of
        for number in bits(child.changing):
            before, after = child.before[number], child.after[number]
            bit = 1 << number
            add([before, -after, *makers[1].get(number, ()), child.open if adds & bit else FALSE])
            add([-before, after, *makers[0].get(number, ()), child.open if deletes & bit else FALSE])

    def _apply(self, item: Item, literal: int, child: Position, makers: tuple[Makers, Makers]) -> None:
        after = child.after
        limited = self._limited(item, child.before) if item.conditional else {}
        for number, becomes in item.sure:
            if number not in limited:
                self._clauses.implies(literal, after[number] if becomes else -after[number])
                makers[becomes].setdefault(number, []).append(literal)
        for number, (adds, deletes) in limited.items():
            for cause, becomes in ((adds, True), (self._clauses.all_of([deletes, -adds]), False)):
                happens = self._clauses.all_of([literal, cause])
                if happens != FALSE:
                    self._clauses.implies(happens, after[number] if becomes else -after[number])
                    makers[becomes].setdefault(number, []).append(happens)

    def _limited(self, item: Item, before: Sequence[int]) -> dict[int, tuple[int, int]]:
        """Return, for facts with conditional effects, when an action adds them and when it deletes them."""
        causes: dict[int, tuple[list[int], list[int]]] = {}
        for must, must_not, test, bit, becomes in item.conditional:
            number = bit.bit_length() - 1
            parts = [before[fact] for fact in self.numbers(must)] + [-before[fact] for fact in self.numbers(must_not)]
            if test is not None:
                parts.append(self._tested(test, before))
            causes.setdefault(number, ([], []))[not becomes].append(self._clauses.all_of(parts))
        for number, becomes in item.sure:
            if number in causes:
                causes[number][not becomes].append(TRUE)
        return {
            number: (self._clauses.any_of(adds), self._clauses.any_of(deletes))
            for number, (adds, deletes) in causes.items()
        }

    def _tested(self, test: Test, facts: Sequence[int]) -> int:
        return self._clauses.formula(self._ground.texts[test], facts)
