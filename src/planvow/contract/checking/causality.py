"""Causality in schedule time: a step that needs what another writes must not run before it, nor beside it.

Imports only the base. Two steps are tied when one reads what the other writes or both write the same; a walk through a
predicate touches all of it, and so does the absence of a fact. What a method read counts as read by every step below
it. Tied steps must not overlap and must stand in the order of the plan. A command's ignored predicates tie nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from planvow.canonical import canonical_json
from planvow.contract.checking.tree import Derivation
from planvow.contract.checking.verdict import Fault

Row = Mapping[str, Any]
Key = tuple[str, str]
"""A predicate and a subject; WHOLE stands for every subject."""
WHOLE = ""  # no subject is written like this: canonical text is never empty


class _Latest:
    """Which step ends last among those that touched something, for every thing and every predicate."""

    def __init__(self) -> None:
        self._ends: dict[Key, tuple[int, int]] = {}

    def note(self, keys: set[Key], end: int, number: int) -> None:
        for predicate, subject in keys:
            for key in ((predicate, subject), (predicate, "*")):  # "*": something of this predicate
                if key not in self._ends or self._ends[key][0] < end:
                    self._ends[key] = end, number

    def running(self, key: Key, start: int) -> int | None:
        """Return a step that touched this and has not ended by then; the whole of a predicate meets any part of it."""
        names = ((key[0], "*"),) if key[1] == WHOLE else (key, (key[0], WHOLE))
        for name in names:
            end, number = self._ends.get(name, (start, 0))
            if end > start:
                return number
        return None


def causality_faults(derivation: Derivation) -> Iterator[Fault]:
    """Yield the steps that run before, or beside, a step that they depend on."""
    ignored: Mapping[str, list[str]] = derivation.asked["ignored_predicates"]
    above: dict[Key, int] = {}  # what the methods above have read, and how many of them did
    readers, writers = _Latest(), _Latest()
    number = 0
    for node_id, entering in derivation.turns:
        node = derivation.nodes[node_id]
        if node["call"] is not None:
            _count(above, touched(node["call"]), 1 if entering else -1)
        elif node["kind"] == "command" and entering:
            number += 1
            step = derivation.steps[node_id]
            without = set(ignored.get(str(step["command"][0]), ()))
            seen = set(above) | touched(step) | (touched(step["duration"]) if step["duration"] else set())
            seen = {key for key in seen if key[0] not in without}
            changed = {key for key in map(_key, step["writes"]) if key[0] not in without}
            start = step["start"]
            for latest, keys, what in (
                (writers, seen, "reads {}, which step {} writes until after it has begun"),
                (writers, changed, "writes {}, which step {} writes too until after it has begun"),
                (readers, changed, "writes {}, which step {} still reads when it begins"),
            ):
                for key in sorted(keys):
                    other = latest.running(key, start)
                    if other is not None:
                        yield _fault(number, what.format(_shown(key), other))
            readers.note(seen, step["end"], number)
            writers.note(changed, step["end"], number)


def touched(row: Row) -> set[Key]:
    """Return what the reads of a step or of a method's call touch."""
    return {_key(triple) for triple in row["reads"]} | {(predicate, WHOLE) for predicate in row["scans"]}


def _count(above: dict[Key, int], keys: set[Key], change: int) -> None:
    for key in keys:
        above[key] = above.get(key, 0) + change
        if not above[key]:
            del above[key]


def _key(triple: list[Any]) -> Key:
    return triple[0], canonical_json(triple[1])


def _shown(key: Key) -> str:
    return f"all of {key[0]}" if key[1] == WHOLE else f"{key[0]}[{key[1]}]"


def _fault(number: int, message: str) -> Fault:
    return Fault(condition="causality", place=f"step {number}", message=message)
