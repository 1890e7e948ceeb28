"""One layer of the hierarchy after the other, as clauses.

Of a task that stands at a position one method is chosen, and not two; its subtasks stand at the positions below.
Something stands at a position only because a method put it there, so there is never more than one thing, and nothing
has to be said about that.

Sources: Behnke, Höller and Biundo, totSAT (AAAI 2018); Schreiber et al., Tree-REX (ICAPS 2019); Schreiber, Lilotane
(JAIR 2021).
"""

from __future__ import annotations

from collections.abc import Mapping

from planvow.hddl.grounded.problem import GroundProblem, Item
from planvow.hddl.sat.changes import Changes
from planvow.hddl.sat.clauses import FALSE, TRUE, Clauses
from planvow.hddl.sat.layers import Choice, Position, Truths, slots_below


class Encoding:
    """Makes positions and writes the clauses about what stands at them."""

    def __init__(self, ground: GroundProblem, clauses: Clauses) -> None:
        self._clauses = clauses
        self._changes = Changes(ground, clauses)
        facts = (1 << len(ground.fact_numbers)) - 1
        self.beginning = Truths(ground.init, facts & ~ground.init)
        self.root = Position({ground.root: TRUE}, False, self.beginning)
        self.root.open = TRUE
        self._changes.begin(self.root)

    def expand(self, position: Position, truths: Truths) -> list[Position]:
        """Return the positions below one, of which `truths` is known by now."""
        if position.is_primitive:
            return self._kept(position, truths)
        for item, literal in position.items.items():
            if not item.is_action:
                position.choices[item] = self._choose(item, literal, position, truths)
        made: list[Position] = []
        for slot in slots_below(position):
            allowed = {}
            impossible: dict[int, None] = {}  # in the order in which they are met
            for item, sources in slot.sources.items():
                if item.is_possible and truths.allows(item.must, item.must_not):
                    allowed[item] = sources
                else:
                    impossible.update(dict.fromkeys(sources))
            self._strike(position, impossible)
            if not allowed:
                position.below.append(None)
                continue
            items = {item: self._clauses.any_of(sources) for item, sources in allowed.items()}
            made.append(Position(items, slot.may_be_empty, truths))
            position.below.append(made[-1])
            truths = made[-1].truths_after()
        if not made:
            made = [Position({}, True, truths)]
        self._changes.follow(position, made)
        return made

    def _kept(self, position: Position, truths: Truths) -> list[Position]:
        """Return a position where nothing is to be decomposed, without what cannot be there by now."""
        kept = {}
        for item, literal in position.items.items():
            if truths.allows(item.must, item.must_not):
                kept[item] = literal
            else:
                self._clauses.implies(literal, FALSE)
        same = Position(kept, position.may_be_empty, truths)
        same.before, same.after, same.changing = position.before, position.after, position.changing
        same.open = position.open
        position.below = [same]
        return [same]

    def _choose(self, item: Item, literal: int, position: Position, truths: Truths) -> list[Choice]:
        """Say that a task that stands at a position is decomposed by one method that can find what it needs."""
        methods = [method for method in item.methods if truths.allows(method.needs, method.needs_not)]
        if len(methods) == 1:
            choices = [Choice(methods[0], literal)]
        else:
            choices = [Choice(method, self._clauses.variable()) for method in methods]
            self._clauses.one_of([-literal, *(choice.literal for choice in choices)])
            for choice in choices:
                self._clauses.implies(choice.literal, literal)
            self._clauses.at_most_one([choice.literal for choice in choices])
        for method, chosen in choices:
            self._changes.requires(chosen, method.must, method.must_not, method.test, position.before)
        return choices

    def _strike(self, position: Position, impossible: Mapping[int, None]) -> None:
        """Rule out the methods, and the actions, with these literals."""
        for literal in impossible:
            self._clauses.implies(literal, FALSE)
        if impossible:
            for item, choices in position.choices.items():
                position.choices[item] = [choice for choice in choices if choice.literal not in impossible]
