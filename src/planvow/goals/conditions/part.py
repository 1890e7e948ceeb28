"""Some of the tools that may help towards a goal, and what all the others could add to them at best.

From the goal backwards: what brings about what is asked, and what that asks for in turn; of each thing asked only so
many rows, the cheapest first. The rows that are left out are told by what they give (`Rest`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import nsmallest
from itertools import chain

from planvow.goals.conditions.behind import Behind
from planvow.goals.conditions.goal import ConditionGoal
from planvow.goals.conditions.prices import NEVER, Here
from planvow.goals.conditions.rows import EACH, Asked, Makers, Row, asked_by


@dataclass
class Rest:
    """Rows outside a part that give and need the same of what the part asks for."""

    gives: tuple[Asked | str, ...]
    needs: tuple[Asked, ...]
    rows: dict[Row, int] = field(default_factory=dict)
    """With what must be spent outside for each, it included."""
    least: int = NEVER
    """What the cheapest of them costs by itself."""
    sharing: int = 0
    """The same for rests whose rows may have calls behind them in common."""

    @cached_property
    def first(self) -> int:
        """What it costs to call one of them, and what stands behind it."""
        return min(self.rows.values())


class Part:
    """The rows that a goal leads to; of each thing asked for so many, those that have it for the least in a world with
    these prices. `also` are rows that come in beyond that."""

    def __init__(
        self,
        goal: ConditionGoal,
        makers: list[Makers],
        share: int | None = None,
        *,
        most: int | None = None,
        also: Collection[Row] = (),
        here: Here | None = None,
    ) -> None:
        self.goal, self._makers, self._share, self._also, self._here = goal, makers, share, also, here
        self.asked: dict[Asked | str, None] = {}
        self.rows: dict[Row, None] = {}
        self.too_many = not self._choose(most)

    def _choose(self, most: int | None) -> bool:
        """Take in the rows; stop and say so where there are more than so many."""
        todo: deque[Asked | str] = deque(asked_by(statement) for statement in self.goal.statements)
        todo += [*self.goal.wants, *(name for statement in self.goal.statements for name in statement.names)]
        while todo:
            asked = todo.popleft()
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
        if self._here is None or self._share is None:
            return (row for row, _ in self.makers_of(asked))
        dear: dict[Row, int] = {}
        for row, name in self.makers_of(asked):
            price = self._here.before(row) + row.price(name)
            if price < dear.get(row, NEVER):
                dear[row] = price
        chosen = nsmallest(self._share, dear, key=lambda row: (dear[row], row.rank))
        return [*chosen, *(row for row in self._also if row in dear)]

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

    def rests(self, here: Here, below: int) -> list[Rest]:
        """Return what lies outside, in a world with these prices; no plan of interest costs more than `below`."""
        gives: dict[Row, list[tuple[Asked | str, str]]] = {}
        prices: dict[Row, int] = {}
        for asked in self.asked:
            for row, name in self.makers_of(asked):
                if row not in self.rows:
                    price = row.price(name)
                    if here.before(row) + price <= below:
                        gives.setdefault(row, []).append((asked, name))
                        prices[row] = min(price, prices.get(row, price))
        behind = Behind(self.named, here, below)
        rests: dict[tuple[tuple[Asked | str, ...], tuple[Asked, ...]], Rest] = {}
        for row, price in prices.items():
            spent = behind.of(row) + price
            if spent <= below:
                needs = [asked for _, asked in row.firm if asked in self.asked]
                sort = tuple([asked for asked, _ in gives[row]]), tuple(needs)
                rest = rests.get(sort) or rests.setdefault(sort, Rest(*sort))
                rest.rows[row] = spent
                if price < rest.least:
                    rest.least = price
        return self._sharing([*rests.values()], gives, behind)

    def _sharing(
        self, rests: list[Rest], gives: Mapping[Row, list[tuple[Asked | str, str]]], behind: Behind
    ) -> list[Rest]:
        """Return rests with a number that is the same for those whose rows may have calls behind them in common."""
        if len(rests) == 1 or all(rest.first == rest.least for rest in rests):
            return rests
        behind.tie_all()
        for number, rest in enumerate(rests):
            for row in rest.rows:
                for _, name in gives[row]:
                    behind.tie(number, row, name)
        numbers = {behind.tied(number): number for number in range(len(rests))}
        return [replace(rest, sharing=numbers[behind.tied(number)]) for number, rest in enumerate(rests)]
