"""What stands behind rows of tools outside a part: what must be spent there before they can be called, and which of
them may have that in common.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from planvow.goals.conditions.prices import NEVER, Here
from planvow.goals.conditions.rows import EACH, Asked, Row

_DEEP = 50
"""So many calls behind one another are followed."""
_Knot = int | Row | tuple[Row, str] | Asked | str
"""A number that somebody chose, a row, a tool of a row, or something asked for."""


class Behind:
    """What must be spent outside a part, at least, before a row there can be called, if nothing is ever lost.

    `named` are the rows of the part with those of their tools that it has; each, where one of them stands for the
    others. No plan of interest costs more than `below`.
    """

    def __init__(self, named: Mapping[Row, Collection[str]], here: Here, below: int) -> None:
        self._named, self._here, self._below = named, here, below
        self._known: dict[Row, int] = {}
        self._there: dict[Asked | str, int] = {}
        self._outside: dict[Asked | str, list[tuple[Row, str, int]]] = {}
        self._tied: dict[_Knot, _Knot] = {}

    def of(self, row: Row, deep: int = _DEEP) -> int:
        """Return what must be spent before a row can be called."""
        known = self._known.get(row)
        if known is None:
            known = self._known[row] = 0  # what leads back to itself waits for nothing, as far as is said
            for asked in row.waits_for if deep else ():
                least = self._there.get(asked)
                if least is None:
                    least = self._there[asked] = self._least(asked, deep - 1)
                if least > known:
                    known = least
            self._known[row] = known
        return known

    def _least(self, asked: Asked | str, deep: int) -> int:
        """Return what must be spent before there is this: nothing where the world or the part has it."""
        if not self._here.of(asked):
            return 0
        outside = []
        for row, name in self._here.makers_of(asked):
            named = self._named.get(row)
            if named is not None and (name == EACH or name in named or EACH in named):
                return 0
            price = row.price(name)
            if self._here.before(row) + price <= self._below:
                outside.append((row, name, price))
        self._outside[asked] = outside
        return min([self.of(row, deep) + price for row, _, price in outside], default=NEVER)

    def tie_all(self) -> None:
        """Tie what must be there to those who may bring it."""
        for asked, outside in self._outside.items():
            for row, name, _ in outside:
                self.tie(asked, row, name)

    def tie(self, knot: _Knot, row: Row, name: str) -> None:
        """Tie something to a tool of a row, and to all that stands behind it."""
        tool: _Knot = row if row.common or name == EACH or len(row.own) == 1 else (row, name)
        self._join(knot, tool)
        for asked in row.waits_for:
            if self._there.get(asked):
                self._join(tool, asked)

    def tied(self, knot: _Knot) -> _Knot:
        """Return one for all that is tied to this."""
        while (other := self._tied.get(knot, knot)) is not knot:
            self._tied[knot] = self._tied.get(other, other)
            knot = other
        return knot

    def _join(self, one: _Knot, other: _Knot) -> None:
        first, second = self.tied(one), self.tied(other)
        if first != second:
            self._tied[second] = first
