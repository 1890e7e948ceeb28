"""What one call looked at and changed in a state, by place: all that an order between steps can rest on.

A **place** is a predicate and a subject; whether there is a triple is part of what is seen there. Beside places, a call
may look at a predicate as a whole (how many subjects, which ones, in which order) or write it as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import NamedTuple

Place = tuple[str, Hashable]

EVERYTHING = ""
"""Stands for the state itself where a predicate's name is expected: its subjects are the predicates there are."""


class Accesses(NamedTuple):
    """Places and predicates that one call read and wrote; what it wrote itself before is no read."""

    reads: tuple[Place, ...] = ()
    scans: tuple[str, ...] = ()
    """Predicates that were looked at as a whole."""
    walks: tuple[str, ...] = ()
    """Those of them whose subjects were seen one after the other, so that their order counts."""
    writes: tuple[Place, ...] = ()
    wholes: tuple[str, ...] = ()
    """Predicates that were set, cleared or removed as a whole."""
    births: tuple[str, ...] = ()
    """Predicates that got a new subject, which stands behind all others in their order."""

    def without(self, predicates: Collection[str]) -> Accesses:
        """Return what is left when some predicates do not matter."""
        if not predicates:
            return self
        return Accesses(
            reads=_kept(self.reads, predicates),
            scans=_named(self.scans, predicates),
            walks=_named(self.walks, predicates),
            writes=_kept(self.writes, predicates),
            wholes=_named(self.wholes, predicates),
            births=_named(self.births, predicates),
        )

    def predicates(self) -> set[str]:
        """Return the names of everything that was touched."""
        return {place[0] for place in (*self.reads, *self.writes)}.union(self.scans, self.wholes)


NOTHING = Accesses()


def _kept(places: Iterable[Place], ignored: Collection[str]) -> tuple[Place, ...]:
    return tuple(place for place in places if place[0] not in ignored)


def _named(predicates: Iterable[str], ignored: Collection[str]) -> tuple[str, ...]:
    return tuple(predicate for predicate in predicates if predicate not in ignored)
