"""One job as it is checked: rows that are read once and forgotten, whether they come from a database or from a bundle.

So a job of a hundred thousand steps, and a ledger of millions, are checked in the memory of a few rows. What has to be
held against each other comes in the same order: steps and states by their number, events and reports by their step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from planvow.cassette.ledger.chain import EVENT_FIELDS, JOB_FIELDS, MESSAGE_FIELDS, PLAN_FIELDS, HashedList
from planvow.cassette.ledger.job_rows import JobRows

Row = Mapping[str, Any]
Library = Callable[[str], str | None]


def no_library(_sha256: str) -> None:
    """Know no document."""


@dataclass(frozen=True, kw_only=True)
class JobParts:
    """A job's rows. `events` and `reports` (its receipts once more) come by step; `receipts` in the chain's order.

    `leaves` are those of its seal, and `moves` its events in the order they happened; both empty without a seal.
    """

    message: Row
    job: Row
    plan: Row
    steps: Iterable[Row]
    dependencies: Iterable[Row]
    states: Iterable[Row]
    events: Iterable[Row]
    receipts: Iterable[Row]
    reports: Iterable[Row]
    leaves: Iterable[Row] = ()
    moves: Iterable[Row] = ()
    actions: Iterable[Row] = ()
    dossiers: Iterable[Row] = ()
    notes: Iterable[Row] = ()
    kept_apart: Iterable[Row] = ()
    library: Library = no_library
    """Where the texts of documents are found by their hash."""

    @property
    def job_id(self) -> str:
        return str(self.job["job_id"])


def parts_of(rows: JobRows, leaves: Iterable[Row] = ()) -> JobParts:
    """Return a job that is here as a whole."""
    return JobParts(
        message=rows.message,
        job=rows.job,
        plan=rows.plan,
        steps=rows.steps,
        dependencies=rows.dependencies,
        states=rows.states,
        events=sorted(rows.events, key=_by_step),
        receipts=rows.receipts,
        reports=sorted(rows.receipts, key=_by_step),
        leaves=leaves,
        moves=rows.events,
        actions=rows.actions,
        dossiers=() if rows.dossier is None else (rows.dossier,),
        notes=rows.notes,
        kept_apart=[{"sha256": sha256} for sha256 in rows.kept_apart],
        library=rows.documents.get,
    )


def _by_step(row: Row) -> int:
    return int(row["ordinal"])


def begun_head(parts: JobParts) -> HashedList:
    """Return the hash of what was posted, up to where its steps begin."""
    head = HashedList(
        "job/1",
        [parts.message[name] for name in MESSAGE_FIELDS],
        [parts.job[name] for name in JOB_FIELDS],
        [parts.plan[name] for name in PLAN_FIELDS],
    )
    head.begin()
    return head


def begun_tail(parts: JobParts, *, decided: bool) -> HashedList:
    """Return the hash of what happened, up to where the final states begin; it is another one where people decided."""
    tail = HashedList("tail/2" if decided else "tail/1", parts.job_id)
    tail.begin()
    for event in parts.moves:
        tail.add([event[name] for name in EVENT_FIELDS])
    tail.end()
    tail.begin()
    return tail


class Histories:
    """The events and reports of one step after the other."""

    def __init__(self, events: Iterable[Row], reports: Iterable[Row]) -> None:
        self._events = _BySteps(events)
        self._reports = _BySteps(reports)

    def of(self, ordinal: int) -> tuple[list[Row], list[Row]]:
        """Return what belongs to a step; steps are asked for in their order."""
        return self._events.of(ordinal), self._reports.of(ordinal)

    def without_state(self) -> list[int]:
        """Return the numbers of steps that nobody asked for."""
        return sorted({*self._events.rest(), *self._reports.rest()})


class _BySteps:
    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = iter(rows)
        self._next = next(self._rows, None)
        self._strange: set[int] = set()

    def of(self, ordinal: int) -> list[Row]:
        found: list[Row] = []
        while self._next is not None and self._next["ordinal"] <= ordinal:
            if self._next["ordinal"] == ordinal:
                found.append(self._next)
            else:
                self._strange.add(self._next["ordinal"])
            self._next = next(self._rows, None)
        return found

    def rest(self) -> set[int]:
        left = () if self._next is None else (self._next,)
        self._strange.update(row["ordinal"] for row in chain(left, self._rows))
        self._next = None
        return self._strange


class SealedLeaves:
    """The leaves that a seal has of a job, held against what it should have, one after the other."""

    def __init__(self, leaves: Iterable[Row]) -> None:
        self._leaves: Iterator[Row] = iter(leaves)
        self._next = next(self._leaves, None)
        self._is_sealed = self._next is not None
        self._hold = True
        self._before: tuple[str, int] | None = None

    def expect(self, digest: str) -> None:
        if not self._is_sealed:
            return
        leaf, self._next = self._next, next(self._leaves, None)
        if leaf is None:
            self._hold = False
            return
        here = (leaf["run_id"], leaf["leaf_index"])
        follows = self._before is None or (self._before[0], self._before[1] + 1) == here
        self._hold &= follows and leaf["leaf_sha256"] == digest
        self._before = here

    def expect_if_there(self, digest: str) -> None:
        """Take the next leaf if it is this one."""
        if self._next is not None and self._next["leaf_sha256"] == digest:
            self.expect(digest)

    def hold(self) -> bool:
        """Say whether all were as expected, stood beside one another, and none is left."""
        return self._hold and self._next is None
