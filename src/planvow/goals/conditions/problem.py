"""A goal, a world and the calls that can be made, as moves over facts for the search of the goal planner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from planvow.goals.conditions.facts import Facts
from planvow.goals.conditions.goal import ConditionGoal
from planvow.goals.conditions.ground import Ground
from planvow.goals.conditions.terms import Call, Term
from planvow.goals.plan.bound import Move
from planvow.tools.statements import Statement

CALL = 1
COST = 10_000
"""One call weighs less than one unit of cost: cheapest first, then fewest calls."""


@dataclass(frozen=True)
class End:
    """One way to meet the goal: its statements, with values for the names in them, and the values wanted."""

    statements: tuple[Statement, ...]
    values: tuple[Term, ...]


class Problem:
    """The moves: one for each call, in order, and after them one for each way to meet the goal."""

    def __init__(self, goal: ConditionGoal, ground: Ground, shown: Mapping[str, Any]) -> None:
        self.goal, self.ground = goal, ground
        self.facts = Facts(shown)
        self.ends = self._ends()
        for call in ground.calls:
            self.facts.know(call, ground.tools[call.tool])
        for end in self.ends:
            for statement in end.statements:
                self.facts.mention(statement)
        self.moves = [self._move(call) for call in ground.calls] + [self._end(end) for end in self.ends]
        self.start = self.facts.start
        self.reached = self.facts.bit("goal", "reached")

    def _move(self, call: Call) -> Move:
        tool = self.ground.tools[call.tool]
        return Move(*self.facts.of_call(call, tool), weight(tool.cost))

    def _end(self, end: End) -> Move:
        needs = 0
        for statement in end.statements:
            needs |= self.facts.need(statement)
        for term in end.values:
            needs |= self.facts.have(term)
        return Move(needs, self.facts.bit("goal", "reached"), 0, 0)

    def _ends(self) -> list[End]:
        """Return the ways to meet the goal: one for each choice of values for the names in it."""
        names = tuple(dict.fromkeys(name for s in self.goal.statements for name in s.names))
        kinds = [*names, *(kind for kind in self.goal.wants if kind not in names)]
        columns = [self.ground.by_kind.get(kind, []) for kind in kinds]
        return [
            End(
                tuple(s.bound(dict(zip(kinds, (t.text for t in terms), strict=True))) for s in self.goal.statements),
                tuple(terms),
            )
            for terms in product(*columns)
        ]


def weight(cost: int | None) -> int:
    """Return what the search adds up for a call that costs so much."""
    return (cost or 0) * COST + CALL
