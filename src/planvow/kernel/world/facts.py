"""The facts of a state as a tree of hashes: one root for the whole state, short proofs for a few facts.

A leaf is a triple as JSON. That a predicate has subjects, however many, is a triple of its own (`#table`), and so is
what is known about a triple (`#about`). Leaves are sorted by predicate and subject, so that a gap between neighbours
shows that something is not there, and all triples of one predicate stand side by side. The tree is made once per sealed
state and kept with it.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from planvow.canonical import canonical_json, to_jsonable
from planvow.hash_tree import HashTree
from planvow.kernel.world.state import State
from planvow.kernel.world.values import value_to_json

ABOUT = "#about"
"""The predicate under which the metadata of triples stands: `["#about", [predicate, subject], metadata]`."""
TABLE = "#table"
"""The predicate that says which predicates have subjects: `["#table", predicate, true]`; a scalar has none."""


class Facts:
    """All triples of a state, in the order of the tree."""

    def __init__(self, state: State) -> None:
        triples = type(state).triples(state)
        rows: list[tuple[str, str, Any]] = [(canonical_json([p, _plain(s)]), p, s) for p, s, _ in triples]
        for predicate, held in vars(state).items():
            if isinstance(held, dict):
                rows.append((canonical_json([TABLE, predicate]), TABLE, predicate))
        for predicate, subject in state._metadata:
            if state.get_metadata(subject, predicate):
                rows.append((canonical_json([ABOUT, _plain((predicate, subject))]), ABOUT, (predicate, subject)))
        rows.sort(key=lambda row: row[0])  # two equal keys cannot be: canonical text is one to one
        self._state = state
        self._rows = rows
        self._keys = [row[0] for row in rows]
        self.tree = HashTree(canonical_json(self.triple(place)).encode() for place in range(len(rows)))

    def __len__(self) -> int:
        return len(self._rows)

    def triple(self, place: int) -> list[object]:
        """Return the fact at a place as JSON data."""
        _, predicate, subject = self._rows[place]
        if predicate == TABLE:
            return [TABLE, subject, True]
        if predicate == ABOUT:
            value: Any = dict(self._state.get_metadata(subject[1], subject[0]))
        else:
            value = self._state.get_predicate(subject, predicate)
        return [predicate, _plain(subject), _plain(value)]

    def place(self, key: str) -> tuple[int, bool]:
        """Return where a fact with this key stands or would stand, and whether it is there."""
        place = bisect_left(self._keys, key)
        return place, place < len(self._keys) and self._keys[place] == key

    def range_of(self, predicate: str) -> tuple[int, int]:
        """Return the places of a predicate's facts: from, to."""
        prefix = canonical_json([predicate])[:-1] + ","
        return bisect_left(self._keys, prefix), bisect_left(self._keys, prefix[:-1] + "-")


def facts_of(state: State) -> Facts:
    """Return the facts of a sealed state; they are kept with it."""
    kept: Facts | None = getattr(state, "_facts", None)
    if kept is None:
        kept = Facts(state)
        object.__setattr__(state, "_facts", kept)
    return kept


def _plain(value: object) -> object:
    return value if type(value) is str or type(value) is int else to_jsonable(value_to_json(value))
