"""Causality in schedule time: a step that needs what another writes must not run before it, nor beside it.

Imports only the base. Two steps are tied when one reads what the other writes or both write the same; a walk through a
predicate touches all of it, and so does the absence of a fact. What a method read counts as read by every step below
it. Tied steps must not overlap and must stand in the order of the plan. What a command ignores ties nothing; what it
reads or writes at one moment only is touched at that moment; beside an ordered command nothing runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from planvow.canonical import canonical_json
from planvow.contract.checking.tree import Derivation
from planvow.verdict import Fault

Row = Mapping[str, Any]
Key = tuple[str, str]
"""A predicate and a subject; WHOLE stands for every subject."""
WHOLE = ""  # no subject is written like this: canonical text is never empty
_ANY = "*"  # nor like this: something of the predicate


class _Latest:
    """Which step is the last to be done with something, for every thing and every predicate."""

    def __init__(self) -> None:
        self._ends: dict[Key, tuple[int, int]] = {}

    def note(self, key: Key, end: int, number: int) -> None:
        for name in (key, (key[0], _ANY)):
            if name not in self._ends or self._ends[name][0] < end:
                self._ends[name] = end, number

    def running(self, key: Key, start: int) -> int | None:
        """Return a step that is not done with it by then; the whole of a predicate meets any part of it."""
        names = ((key[0], _ANY),) if key[1] == WHOLE else (key, (key[0], WHOLE))
        for name in names:
            end, number = self._ends.get(name, (start, 0))
            if end > start:
                return number
        return None


class _Access:
    """What one step touches, and when."""

    def __init__(self, step: Row, seen: Iterable[Key], asked: Row) -> None:
        name = str(step["command"][0])
        without = asked["ignored_predicates"].get(name, ())
        told = asked["moments"].get(name, {"conditions": {}, "effects": {}})
        self._span = step["start"], step["end"]
        self._moments = {"reads": told["conditions"], "writes": told["effects"]}
        self.reads = sorted(key for key in set(seen) if key[0] not in without)
        self.writes = sorted({key for key in map(_key, step["writes"]) if key[0] not in without})

    def span(self, what: str, key: Key) -> tuple[int, int]:
        """Return from when until when something is read or written."""
        start, end = self._span
        moment = self._moments[what].get(key[0])
        return (start, start) if moment == "start" else (end, end) if moment == "end" else (start, end)


def causality_faults(derivation: Derivation) -> Iterator[Fault]:
    """Yield the steps that run before, or beside, a step that they depend on."""
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
            seen = set(above) | touched(step) | (touched(step["duration"]) if step["duration"] else set())
            yield from _step_faults(number, _Access(step, seen, derivation.asked), readers, writers)
    yield from _ordered_faults(derivation)


def _step_faults(number: int, access: _Access, readers: _Latest, writers: _Latest) -> Iterator[Fault]:
    for latest, what, keys, text in (
        (writers, "reads", access.reads, "reads {} before step {} is done writing it"),
        (writers, "writes", access.writes, "writes {} before step {} is done writing it"),
        (readers, "writes", access.writes, "writes {} before step {} is done reading it"),
    ):
        for key in keys:
            other = latest.running(key, access.span(what, key)[0])
            if other is not None:
                yield _fault(number, text.format(_shown(key), other))
    for latest, what, keys in ((readers, "reads", access.reads), (writers, "writes", access.writes)):
        for key in keys:
            latest.note(key, access.span(what, key)[1], number)


def _ordered_faults(derivation: Derivation) -> Iterator[Fault]:
    ordered = set(derivation.asked["ordered"])
    latest: int | None = None
    barrier: int | None = None
    for number, step in enumerate(derivation.document["steps"], start=1):
        limit = latest if step["command"][0] in ordered else barrier
        if limit is not None and step["start"] < limit:
            yield _fault(number, f"starts at {step['start']}, beside a command that runs beside nothing")
        latest = step["end"] if latest is None else max(latest, step["end"])
        if step["command"][0] in ordered:
            barrier = latest


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
