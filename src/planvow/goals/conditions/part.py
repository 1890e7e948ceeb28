"""Some of the tools that may help towards a goal, and what all the others could add to them at best.

From the goal backwards: what brings about what is asked, and what that asks for in turn; of each thing asked only so
many rows, the cheapest first. The rows that are left out are told by what they give (`Rest`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nsmallest
from itertools import chain
from operator import attrgetter

from planvow.canonical import canonical_json, to_jsonable
from planvow.goals.conditions.goal import ConditionGoal
from planvow.goals.conditions.rows import EACH, Asked, Makers, Row, Shown, asked_by


@dataclass
class Rest:
    """Rows outside a part that give and need the same of what the part asks for, after as many other calls outside."""

    gives: frozenset[Asked | str]
    needs: frozenset[Asked]
    waits: int
    rows: list[Row] = field(default_factory=list)

    @property
    def cost(self) -> int:
        return min(row.first.cost or 0 for row in self.rows)


class Part:
    """The rows that a goal leads to, so many of each thing asked for; `also` are rows that come in beyond that."""

    def __init__(
        self,
        goal: ConditionGoal,
        makers: list[Makers],
        share: int | None = None,
        *,
        most: int | None = None,
        also: Collection[Row] = (),
    ) -> None:
        self.goal, self._makers, self._share, self._also = goal, makers, share, also
        self.asked: dict[Asked | str, None] = {}
        self.rows: dict[Row, None] = {}
        self.too_many = not self._choose(most)

    def _choose(self, most: int | None) -> bool:
        """Take in the rows; stop and say so where there are more than so many."""
        todo: list[Asked | str] = [asked_by(statement) for statement in self.goal.statements]
        todo += [*self.goal.wants, *(name for statement in self.goal.statements for name in statement.names)]
        while todo:
            asked = todo.pop()
            if asked in self.asked:
                continue
            self.asked[asked] = None
            for row in self._some(asked):
                if row not in self.rows:
                    self.rows[row] = None
                    todo.extend(row.asks)
                    if most is not None and len(self.rows) > most:
                        return False
        return True

    def _some(self, asked: Asked | str) -> Iterable[Row]:
        rows = (row for row, _ in self.makers_of(asked))
        if self._share is None:
            return rows
        every = [*rows]
        return [*nsmallest(self._share, every, key=attrgetter("rank")), *(row for row in every if row in self._also)]

    def makers_of(self, asked: Asked | str) -> Iterable[tuple[Row, str]]:
        """Return the rows, or tools of a row, that give this."""
        return chain.from_iterable(some.of(asked) for some in self._makers)

    @cached_property
    def named(self) -> dict[Row, set[str]]:
        """The tools of each row that the goal speaks of, or that it speaks of all."""
        found: dict[Row, set[str]] = {row: set() for row in self.rows}
        for asked in self.asked:
            for row, name in self.makers_of(asked):
                if row in self.rows:
                    found[row].add(name)
        return found

    @cached_property
    def taken(self) -> dict[Row, set[str]]:
        """The tools of the part: of each row those that the goal speaks of; where it speaks of all, those with
        something of their own that it asks about, and the first of the others."""
        return {row: {*row.bearing_on(self.keys)} if EACH in named else named for row, named in self.named.items()}

    @cached_property
    def keys(self) -> set[tuple[str, ...]]:
        """The keys that are asked about."""
        return {asked[0] for asked in self.asked if not isinstance(asked, str)}

    def rests(self, shown: Mapping[str, object], longest: int) -> list[Rest]:
        """Return what lies outside, in a world that shows this; no plan of interest has more calls than `longest`."""
        gives: dict[Row, list[Asked | str]] = {}
        for asked in self.asked:
            for row, _ in self.makers_of(asked):
                if row not in self.rows:
                    gives.setdefault(row, []).append(asked)
        waiting = _Waiting(self, shown)
        rests: dict[tuple[frozenset[Asked | str], frozenset[Asked], int], Rest] = {}
        for row, given in gives.items():
            needs = frozenset([asked for _, asked in row.firm if asked in self.asked])
            sort = frozenset(given), needs, waiting.of(row, longest)
            if sort not in rests:
                rests[sort] = Rest(*sort)
            rests[sort].rows.append(row)
        return [*rests.values()]


class _Waiting:
    """After how many calls outside a part, at least, a row outside it can be called: nothing is ever lost."""

    def __init__(self, part: Part, shown: Mapping[str, object]) -> None:
        self._part = part
        self._shown: set[Shown] = {(key, canonical_json(to_jsonable(value))) for key, value in shown.items()}
        self._known: dict[Row, int] = {}
        self._there: dict[Asked | str, int] = {}

    def of(self, row: Row, longest: int) -> int:
        known = self._known.get(row)
        if known is None:
            known = self._known[row] = 0  # what leads back to itself waits for nothing, as far as is said
            for shown, asked in row.firm:
                if shown not in self._shown:
                    known = max(known, self._after(asked, longest))
            for kind in row.kinds:
                if kind not in self._part.goal.given:
                    known = max(known, self._after(kind, longest))
            self._known[row] = known
        return known

    def _after(self, asked: Asked | str, longest: int) -> int:
        """Return after how many calls outside there is this, as far as that is below `longest`."""
        least = self._there.get(asked)
        if least is None:
            least = longest
            for row, name in self._part.makers_of(asked):
                taken = self._part.taken.get(row)
                if taken is not None and (name == EACH or name in taken):
                    least = 0
                    break
                least = min(least, 1 if taken is not None or longest < 2 else 1 + self.of(row, longest - 1))
            self._there[asked] = least
        return least
