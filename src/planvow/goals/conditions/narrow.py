"""A part of the tools proves for all of them, where many may help.

The plan is the cheapest within the part. What lies outside stands beside it as calls that promise no less than any of
those they stand for: they give what any of them gives, take nothing away, and all values of a kind that come from
outside are one value, about which everything may hold at once. Where even so no plan is cheaper, none is: that is the
proof. Where one is, the rows that it turned to come in, and it begins again with four times as many.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from heapq import nsmallest
from operator import attrgetter
from typing import Any, NamedTuple

from planvow.goals.conditions.goal import ConditionGoal
from planvow.goals.conditions.ground import Ground, Reach
from planvow.goals.conditions.part import Part, Rest
from planvow.goals.conditions.problem import Problem, weight
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
        also: set[Row] = set()
        while share <= MOST:
            part = Part(self.goal, makers, share, also=also)
            if self._chooses(part):
                return None
            tools = self.shelf.tools_of(part)
            best = best_of(tools)
            used = self._hoped(part, tools, best)
            if not used:
                return tools if best is not None and used is not None else None
            also |= {row for rest in used for row in nsmallest(share, rest.rows, key=attrgetter("rank"))}
            share *= 4
        return None

    def _chooses(self, part: Part) -> bool:
        """Say whether a call takes a value that its schema lists only as long as no tool has given another: what is
        left out would change which calls there are."""
        return any(True for row in part.rows for kind in row.chosen for _ in part.makers_of(kind))

    def _hoped(self, part: Part, tools: list[ToolEntry], best: Best | None) -> list[Rest] | None:
        """Return what a better plan would turn to outside the part: nothing if there is none, None if nobody knows."""
        below = _ANY if best is None else best.weight - 1
        if below < 1:
            return []
        rests = part.rests(self.facts, self.limits.max_calls if best is None else best.calls)
        given = {one for rest in rests for one in rest.gives}
        kinds = [asked for asked in part.asked if isinstance(asked, str) and asked in given]
        hope = _Hope(self.goal, tools, rests, kinds, self.facts, self.reach)
        hope.wait_for(self.shelf.standing_in(part, tools))
        moves = [*hope.moves, *self._before(hope, rests)]
        limits = Limits(max_calls=below, max_steps=self.limits.max_steps)
        found = fewest_moves(moves, hope.start, hope.reached, limits)
        if found.moves:
            numbers = (number - hope.first for number in found.moves)
            return [rests[number] for number in numbers if 0 <= number < len(rests)] or None
        short = best is not None and best.calls <= self.reach.depth + 1 and not self.shelf.costly
        complete = hope.cut_off is None or (short and not hope.too_many)
        return [] if complete and found.verdict is not Proof.BUDGET else None

    def _before(self, hope: _Hope, rests: list[Rest]) -> list[Move]:
        """Return the calls outside that others outside wait for: the cheapest there could be."""
        price = weight(self.shelf.least)
        most = max((rest.waits for rest in rests), default=0)
        return [Move(hope.waited(k - 1), hope.waited(k), 0, price) for k in range(1, most + 1)]


class _Hope:
    """The problem of a part with what lies outside beside it; the rests are the moves from number `first`."""

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
        self._calls = [ground.calls[number] for number in inside]
        moves = self._problem.moves
        self.moves = [*(moves[number] for number in inside), *moves[len(ground.calls) :]]
        self.first = len(self.moves)
        words = self._words(kinds)
        for rest in rests:
            adds = 0
            for k in range(1, rest.waits + 2):
                adds |= self.waited(k)
            for given in rest.gives:
                adds |= words.get(given, 0)
            needs = self.waited(rest.waits)
            for asked in rest.needs:
                needs |= words.get(asked, 0)
            self.moves.append(Move(needs, adds, 0, weight(rest.cost)))

    def wait_for(self, tools: set[str]) -> None:
        """Let calls of these tools count as calls outside."""
        for number, call in enumerate(self._calls):
            if call.tool in tools:
                move = self.moves[number]
                self.moves[number] = move._replace(adds=move.adds | self.waited(1))

    def waited(self, calls: int) -> int:
        """Return the bit that says a call outside was made that so many, it among them, stand behind one another."""
        return self._problem.facts.bit(OUTSIDE, str(calls)) if calls else 0

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
