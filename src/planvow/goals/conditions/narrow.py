"""A part of the tools proves for all of them, where many may help.

The plan is the cheapest within the part. What lies outside stands beside it as calls that promise no less than any of
those they stand for: they give what any of them gives, take nothing away, and all values of a kind that come from
outside are one value, about which everything may hold at once. Where even so no plan is cheaper, none is: that is the
proof. Where one is, the rows that it turned to come in, and it begins again with four times as many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from heapq import nsmallest
from typing import Any, NamedTuple

from planvow.goals.conditions.goal import ConditionGoal
from planvow.goals.conditions.ground import Ground, Reach
from planvow.goals.conditions.part import Part, Rest
from planvow.goals.conditions.prices import Here
from planvow.goals.conditions.problem import Problem
from planvow.goals.conditions.rows import Asked, Row, asked_by
from planvow.goals.conditions.shelf import ToolShelf
from planvow.goals.conditions.terms import OUTSIDE, Call, Output
from planvow.goals.plan.bound import Move
from planvow.goals.plan.search import Limits, Proof, fewest_moves
from planvow.tools.tool import ToolEntry

WHOLE = 32
"""Where no more rows of tools may help than this, all are looked at."""
SHARE = 4
"""Else so many rows of each thing asked for at first,"""
MOST = 64
"""and so many at last; then all are looked at."""
_ANY = 1 << 59


class Best(NamedTuple):
    """What a plan within a part comes to."""

    weight: int
    calls: int


class Narrow:
    """One question to a shelf."""

    def __init__(
        self, goal: ConditionGoal, shelf: ToolShelf, facts: Mapping[str, Any], reach: Reach, limits: Limits
    ) -> None:
        self.goal, self.shelf, self.facts, self.reach, self.limits = goal, shelf, facts, reach, limits

    def part(
        self, best_of: Callable[[list[ToolEntry]], Best | None], whole: int = WHOLE, share: int = SHARE
    ) -> list[ToolEntry] | None:
        """Return tools whose best plan is best over the whole shelf; None where all must be looked at. `best_of` says
        what the best plan with some tools comes to, if there is one."""
        makers = self.shelf.makers(self.facts)
        if not Part(self.goal, makers, most=whole).too_many:
            return None
        here = self.shelf.prices(self.goal, self.facts)
        also: set[Row] = set()
        while share <= MOST:
            part = Part(self.goal, makers, share, also=also, here=here)
            if self._chooses(part):
                return None
            tools = self.shelf.tools_of(part)
            best = best_of(tools)
            used = self._hoped(part, here, tools, best)
            if not used:
                return None if used is None else tools
            for rest in used:
                also |= {*nsmallest(share, rest.rows, key=lambda row: (rest.rows[row], row.rank))}
            share *= 4
        return None

    def _chooses(self, part: Part) -> bool:
        """Say whether a call takes a value that its schema lists only as long as no tool has given another: what is
        left out would change which calls there are."""
        return any(True for row in part.rows for kind in row.chosen for _ in part.makers_of(kind))

    def _hoped(self, part: Part, here: Here, tools: list[ToolEntry], best: Best | None) -> list[Rest] | None:
        """Return what a better plan would turn to outside the part: nothing if there is none, None if nobody knows."""
        below = _ANY if best is None else best.weight - 1
        if below < 1:
            return []
        rests = part.rests(here, below)
        given = {one for rest in rests for one in rest.gives}
        kinds = [asked for asked in part.asked if isinstance(asked, str) and asked in given]
        hope = _Hope(self.goal, tools, rests, kinds, self.facts, self.reach)
        limits = Limits(max_calls=below, max_steps=self.limits.max_steps)
        found = fewest_moves(hope.moves, hope.start, hope.reached, limits)
        if found.moves:
            return hope.used(found.moves) or None
        short = best is not None and best.calls <= self.reach.depth + 1 and not self.shelf.costly
        complete = hope.cut_off is None or (short and not hope.too_many)
        return [] if complete and found.verdict is not Proof.BUDGET else None


class _Hope:
    """The problem of a part with what lies outside beside it."""

    def __init__(
        self,
        goal: ConditionGoal,
        tools: list[ToolEntry],
        rests: list[Rest],
        kinds: list[str],
        facts: Mapping[str, Any],
        reach: Reach,
    ) -> None:
        givers = [ToolEntry(name=OUTSIDE + kind, produces={"value": kind}) for kind in kinds]
        ground = Ground([*tools, *givers], goal.given, reach)
        self.cut_off, self.too_many = ground.cut_off, ground.too_many
        self._problem = Problem(goal, ground, facts)
        self.start, self.reached = self._problem.start, self._problem.reached
        inside = [number for number, call in enumerate(ground.calls) if not call.tool.startswith(OUTSIDE)]
        moves = self._problem.moves
        self.moves = [*(moves[number] for number in inside), *moves[len(ground.calls) :]]
        self._rests: dict[int, Rest] = {}
        """The moves that stand for rests, by number."""
        words = self._words(kinds)
        for rest in rests:
            self._add(rest, words)

    def _add(self, rest: Rest, words: Mapping[Asked | str, int]) -> None:
        """Add the calls of a rest: the first one outside pays for what stands behind it; another, that may have it in
        common with one before, for itself."""
        needs = adds = 0
        for asked in rest.needs:
            needs |= words.get(asked, 0)
        for given in rest.gives:
            adds |= words.get(given, 0)
        paid = self._problem.facts.bit(OUTSIDE, str(rest.sharing))
        self._put(Move(needs, adds | paid, 0, rest.first), rest)
        if rest.least < rest.first:
            self._put(Move(needs | paid, adds, 0, rest.least), rest)

    def _put(self, move: Move, rest: Rest) -> None:
        self._rests[len(self.moves)] = rest
        self.moves.append(move)

    def used(self, moves: Iterable[int]) -> list[Rest]:
        """Return the rests that these moves turn to."""
        return [self._rests[number] for number in moves if number in self._rests]

    def _words(self, kinds: list[str]) -> dict[Asked | str, int]:
        """Return the bits that may hold once something is there that was asked for."""
        facts, ground = self._problem.facts, self._problem.ground
        words: dict[Asked | str, int] = {kind: facts.have(Output(Call(OUTSIDE + kind, ()), "value")) for kind in kinds}
        asks = {name: [(asked_by(need), need) for need in tool.needs] for name, tool in ground.tools.items()}
        for call in ground.calls:
            names = call.names(ground.tools[call.tool]) if asks[call.tool] else {}
            for asked, need in asks[call.tool]:
                words[asked] = words.get(asked, 0) | facts.need(need.bound(names))
        goal = [asked_by(statement) for statement in self._problem.goal.statements]
        for end in self._problem.ends:
            for asked, statement in zip(goal, end.statements, strict=True):
                words[asked] = words.get(asked, 0) | facts.need(statement)
        return words
