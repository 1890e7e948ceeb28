"""Why times do not fit: the bounds that contradict each other, complete for programs and short for people.

A conflict is a circle of bounds that adds up to less than nothing: some say how much time must pass, some how much may.
It is the latest chain there is, so none of its bounds can be left out. People are told by how much, which limits
cannot be kept, and what takes the time. Bounds that nobody stated ("inside its task") and that take no time are left
out of that; what somebody stated is always named, however short. Of a long chain the ends are told and the middle is
counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from planvow.temporal.durations import format_ticks, ticks_in_words

NAMED = 200
"""How many constraints a conflict names at most."""
TOLD = 24
"""How many lines people are told at most of what takes the time."""


class Link(NamedTuple):
    """One bound and the constraint that it comes from."""

    bound: int
    name: str
    is_limit: bool
    """It says how much time may pass; otherwise how much must pass, and `bound` is that, below zero."""
    is_implied: bool
    """Nobody stated it: it follows from how the points hang together."""

    def __str__(self) -> str:
        name, amount = self.name, format_ticks(self.bound if self.is_limit else -self.bound)
        stated = name.endswith(f" {amount}") or (self.bound == 0 and not self.is_limit)
        return name if stated else f"{name} ({amount})"


Cell = tuple["Chain", int, Any, bool]
"""A bound and the chain behind it: (chain, by how much later, source, whether as a limit). It never changes."""
Chain = Cell | None


class Conflict:
    """Why a constraint does not fit: a chain of constraints that contradict each other.

    Going once around the chain, the bounds add up to `excess` ticks less than nothing. The chain is walked through, and
    put into words, when somebody asks.

    >>> network = Stn()
    >>> network.add("leave", "arrive", lo=10, hi=20) is None
    True
    >>> network.add("leave", "arrive", lo=30).excess
    10
    """

    def __init__(self, chain: Chain, new: Cell, excess: int, *, is_through_origin: bool) -> None:
        """Take the chain that a new bound closes: to the origin, or else only to the new bound itself."""
        self._chain, self._new, self._is_through_origin = chain, new, is_through_origin
        self.excess = excess

    @cached_property
    def sources(self) -> tuple[Any, ...]:
        """What the bounds of the chain come from, each as often as it is there."""
        return tuple(cell[2] for cell in self._cells)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The chain, from the new bound on, backwards in time and once around."""
        return tuple(Link(-w, source.name, is_limit, source.is_implied) for _, w, source, is_limit in self._cells)

    @cached_property
    def _cells(self) -> tuple[Cell, ...]:
        walked: list[Cell] = []
        place, chain = 0, self._chain
        while chain is not None:
            if chain is self._new:
                place = len(walked)
            walked.append(chain)
            chain = None if chain is self._new and not self._is_through_origin else chain[0]
        return (*walked[place:], *walked[:place])

    @property
    def names(self) -> tuple[str, ...]:
        """The constraints, each once."""
        return tuple(dict.fromkeys(source.name for source in self.sources))

    def __str__(self) -> str:
        sources = self.sources
        if len(sources) > NAMED:
            half = NAMED // 2
            left_out = f"… {len(sources) - NAMED:,} more …"
            first, last = ([source.name for source in part] for part in (sources[:half], sources[-half:]))
            return " + ".join(dict.fromkeys([*first, left_out, *last]))
        names = self.names
        return " contradicts ".join(names) if len(names) < 3 else " + ".join(names)

    def for_people(self) -> str:
        """Return by how much which limit is missed, and below it, a line each, what takes the time.

        It is "at least" so much: more may be still to come.
        """
        # The chain leads from the later to the earlier; people read the other way, up to the limit.
        first = next((k for k, cell in enumerate(self._cells) if cell[3]), 0)
        in_order = (*self._cells[first:], *self._cells[:first])[::-1]
        limits = [cell for cell in in_order if cell[3]]
        passing = [cell for cell in in_order if not cell[3]]
        if not limits:
            return _lines("each would have to come before the other", passing)
        told = [cell for cell in passing if cell[1] or not cell[2].is_implied] or passing
        spent = sum(cell[1] for cell in told)
        missed = f"at least {ticks_in_words(self.excess)} too late for: {_limits(limits)}"
        return _lines(missed, told, *([f"together {format_ticks(spent)}"] if spent and len(told) > 1 else []))


def _text(cell: Cell) -> str:
    _, w, source, is_limit = cell
    return str(Link(-w, source.name, is_limit, source.is_implied))


def _limits(cells: Sequence[Cell]) -> str:
    texts = list(dict.fromkeys(map(_text, cells[:TOLD])))
    return " and ".join([*texts, f"{len(cells) - TOLD:,} more"] if len(cells) > TOLD else texts)


def _lines(head: str, cells: Sequence[Cell], *last: str) -> str:
    """Return a head and below it the bounds, of those that take no time each once."""
    half = TOLD // 2
    listed: list[Cell | None] = list(cells)
    if len(listed) > TOLD:
        listed = [*cells[:half], None, *cells[-half:]]
    lines: list[str] = []
    for cell in listed:
        text = f"… {len(cells) - TOLD:,} more …" if cell is None else _text(cell)
        if cell is None or cell[1] or text not in lines:
            lines.append(text)
    return "".join([head, *(f"\n    {line}" for line in (*lines, *last))])
