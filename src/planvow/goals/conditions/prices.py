"""What each thing that tools ask for costs at least, and from when on each tool can be called, if nothing is ever lost.

A tool can be called once the dearest thing it asks for is there; a thing costs what the cheapest of its makers does,
its own price included. No plan gets anything for less, so what has no price here is never there at all. The prices in a
world that shows nothing are known with the shelf; another world only makes some things cheaper, and only those are
looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from itertools import chain

from planvow.canonical import canonical_json, to_jsonable
from planvow.goals.conditions.keys import NOT_TRUE, OPEN, Pattern
from planvow.goals.conditions.rows import Asked, Makers, Row

NEVER = 1 << 60
"""The price of what is never there."""
_ALWAYS = "\0always"
"""What tools wait for that wait for nothing; no kind has such a name."""


class Prices:
    """The prices of all that rows of tools ask for, in a world that shows nothing."""

    def __init__(self, rows: Iterable[Row], makers: Makers) -> None:
        self.makers = makers
        self.asks: dict[Asked | str, int] = {_ALWAYS: 0}
        """The number of each thing asked for."""
        self._needs: dict[frozenset[int], int] = {}
        """The number of each sort of rows: those that ask for the same."""
        self.sort_of = {row: self._sort(row) for row in rows}
        self._users: list[list[tuple[int, frozenset[int]]]] = [[] for _ in self.asks]
        for needs, sort in self._needs.items():
            for one in needs:
                self._users[one].append((sort, needs))
        self._gives: list[dict[int, int]] = [{} for _ in self._needs]
        """The effects that rows of each sort have, by number, and what the cheapest tool for it weighs."""
        self._meets: list[list[int]] = []
        """The things asked for that each effect may be."""
        self.made = [[*makers.groups(asked)] for asked in self.asks]
        """Who makes each thing asked for, those together that have the same effect."""
        self._join()
        self.named: dict[Pattern, list[int]] = {}
        """The things asked for that hold names, by what comes before the first of them."""
        for asked, one in self.asks.items():
            if not isinstance(asked, str) and OPEN in (*asked[0], asked[1]):
                self.named.setdefault(_before_names(asked[0]), []).append(one)
        self.of_ask, self.of_sort = [NEVER] * len(self.asks), [NEVER] * len(self._needs)
        self.spread(self.of_ask, self.of_sort, [self.asks[_ALWAYS]])

    def _sort(self, row: Row) -> int:
        needs = frozenset([self.asks.setdefault(one, len(self.asks)) for one in row.waits_for or [_ALWAYS]])
        return self._needs.setdefault(needs, len(self._needs))

    def _join(self) -> None:
        effects: dict[int, int] = {}
        for one, made in enumerate(self.made):
            for alike in made:
                effect = effects.setdefault(id(alike), len(self._meets))
                if effect == len(self._meets):
                    self._meets.append([])
                    for row, name in alike:
                        gives = self._gives[self.sort_of[row]]
                        gives[effect] = min(gives.get(effect, NEVER), row.price(name))
                self._meets[effect].append(one)

    def spread(self, of_ask: list[int], of_sort: list[int], given: Iterable[int]) -> None:
        """Lower the prices to what they are where these things cost nothing."""
        line = [(0, one) for one in given if of_ask[one]]
        for _, one in line:
            of_ask[one] = 0
        heapify(line)
        while line:
            price, one = heappop(line)
            if price > of_ask[one]:
                continue
            for sort, needs in self._users[one]:
                ready = max([of_ask[need] for need in needs])
                if ready < of_sort[sort]:
                    of_sort[sort] = ready
                    self._give(of_ask, sort, ready, line)

    def _give(self, of_ask: list[int], sort: int, ready: int, line: list[tuple[int, int]]) -> None:
        for effect, price in self._gives[sort].items():
            then = ready + price
            for one in self._meets[effect]:
                if then < of_ask[one]:
                    of_ask[one] = then
                    heappush(line, (then, one))


class Here:
    """The prices in a world that shows something, with values that are given."""

    def __init__(self, prices: Prices, shown: Mapping[str, object], given: Iterable[str]) -> None:
        self._prices = prices
        self._given = {*given}
        self._shown = {tuple(key.split(".")): canonical_json(to_jsonable(value)) for key, value in shown.items()}
        self._of_ask, self._of_sort = prices.of_ask.copy(), prices.of_sort.copy()
        prices.spread(self._of_ask, self._of_sort, self._there())

    def _there(self) -> Iterator[int]:
        """Yield what is asked for and may be there from the start."""
        asks, named = self._prices.asks, self._prices.named
        yield from (asks[kind] for kind in self._given if kind in asks)
        for key in self._shown:
            if (key, self._shown[key]) in asks:
                yield asks[key, self._shown[key]]
            for end in range(len(key) + 1):
                yield from named.get(key[:end], ())

    def makers_of(self, asked: Asked | str) -> Iterable[tuple[Row, str]]:
        """Return who makes something that a row asks for."""
        made = self._prices.made[self._prices.asks[asked]]
        return made[0] if len(made) == 1 else chain.from_iterable(made)

    def before(self, row: Row) -> int:
        """Return what must be spent before a tool of this row can be called."""
        return self._of_sort[self._prices.sort_of[row]]

    def of(self, asked: Asked | str) -> int:
        """Return what must be spent before there is this."""
        one = self._prices.asks.get(asked)
        if one is not None:
            return self._of_ask[one]
        if self._is_there(asked):
            return 0
        return min((self.before(row) + row.price(name) for row, name in self._prices.makers.of(asked)), default=NEVER)

    def _is_there(self, asked: Asked | str) -> bool:
        if isinstance(asked, str):
            return asked in self._given
        key, value = asked
        if OPEN in (*key, value):
            start = _before_names(key)
            return any(shown[: len(start)] == start for shown in self._shown)
        return value == NOT_TRUE or self._shown.get(key) == value


def _before_names(key: Pattern) -> Pattern:
    """Return the parts before the first that is open: a value in its place may have dots in it."""
    return key[: key.index(OPEN)] if OPEN in key else key
