"""Why times do not fit: the bounds that contradict each other, complete for programs and short for people.

A conflict is a cycle of bounds that adds up to less than nothing: some say how much time must pass, some how much may.
People are told by how much, which limits cannot be kept, and what takes the time. Bounds that nobody stated ("inside
its task") and that take no time are left out of that; what somebody stated is always named, however short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from planvow.temporal.durations import format_ticks, ticks_in_words


class Link(NamedTuple):
    """One bound `later - earlier <= bound` and the constraint that it comes from."""

    bound: int
    name: str
    is_limit: bool
    """It says how much time may pass; otherwise how much must pass, and `bound` is that, below zero."""
    is_implied: bool
    """Nobody stated it: it follows from how the points hang together."""

    def __str__(self) -> str:
        amount = format_ticks(self.bound if self.is_limit else -self.bound)
        stated = self.name.endswith(f" {amount}") or (self.bound == 0 and not self.is_limit)
        return self.name if stated else f"{self.name} ({amount})"


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """Why a constraint does not fit: the shortest chain of constraints that contradict each other.

    Going once around the chain, the bounds add up to `excess` ticks less than nothing.
    """

    links: tuple[Link, ...]
    excess: int

    @property
    def names(self) -> tuple[str, ...]:
        """The constraints, each once."""
        return tuple(dict.fromkeys(link.name for link in self.links))

    def __str__(self) -> str:
        return " contradicts ".join(self.names) if len(self.names) < 3 else " + ".join(self.names)

    def for_people(self) -> str:
        """Return by how much which limit is missed, and below it, a line each, what takes the time.

        It is "at least" so much: a longer chain may miss the limit by more, and more may be still to come.
        """
        first = next((k for k, link in enumerate(self.links) if link.is_limit), 0)
        # The chain leads from the later to the earlier; people read the other way, up to the limit.
        in_order = (*self.links[first:], *self.links[:first])[::-1]
        limits = [link for link in in_order if link.is_limit]
        passing = [link for link in in_order if not link.is_limit]
        if not limits:
            return _lines("each would have to come before the other", passing)
        told = [link for link in passing if link.bound or not link.is_implied] or passing
        spent = -sum(link.bound for link in told)
        missed = f"at least {ticks_in_words(self.excess)} too late for: {' and '.join(map(str, limits))}"
        return _lines(missed, told, *([f"together {format_ticks(spent)}"] if spent and len(told) > 1 else []))


def _lines(head: str, links: Sequence[Link], *last: str) -> str:
    """Return a head and below it the links, of those that take no time each once."""
    lines = []
    for link in links:
        if link.bound or str(link) not in lines:
            lines.append(str(link))
    return "".join([head, *(f"\n    {line}" for line in (*lines, *last))])
