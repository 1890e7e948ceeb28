"""Whether the log is whole and says what the ledger says. Read once, from its first entry to its last.

Every entry stands for a row: its leaf is computed anew from that row, whose own hashes are checked with its job. A row
that is gone must be named by an archive. The roots that come out on the way are held against the checkpoints in the
ledger and against those that somebody kept elsewhere: whoever writes history anew can make the former fit, not the
latter. What has no place yet is counted; nobody would miss it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

from planvow.cassette.ledger.log_entries import (
    ACTION,
    ARCHIVE,
    EVENT,
    GROWING,
    NOTE,
    POST,
    Checkpoint,
    archived_jobs_hash,
    archived_places_hash,
    entry_leaf,
    leaf_line,
)
from planvow.cassette.ledger.store import Store
from planvow.hash_tree import GrowingTree
from planvow.verdict import Fault

Row = Mapping[str, Any]

PLACE = "log"
ROWS = {POST: "post", EVENT: "move", NOTE: "note", ACTION: "action", ARCHIVE: "archive"}


class LogCheck:
    """One check of one log inside a snapshot. `counts` tells what there was."""

    def __init__(self, store: Store, kept: Sequence[Checkpoint] = ()) -> None:
        self._store = store
        self._kept = sorted(kept, key=lambda checkpoint: checkpoint.tree_size)
        self._tree = GrowingTree()
        self._broken = False  # from here on no root can be right, which is said once
        self.counts = dict.fromkeys(("entries", "checkpoints", "uncovered", "archived"), 0)

    def faults(self) -> Iterator[Fault]:
        """Yield everything that is wrong."""
        first = self._store.rows("log_first")
        log_id = first[0]["leaf_sha256"] if first else None
        stored = _Turn(self._store.stream("checkpoints"))
        kept = _Turn({"checkpoint": known, "tree_size": known.tree_size} for known in self._kept)
        places = _Places(self._store.stream("archived_places"))
        yield from self._check_views()
        for row in self._store.stream("log_entries"):
            yield from self._check_entry(row, places)
            size = self._tree.size
            for checkpoint in stored.at(size):
                self.counts["checkpoints"] += 1
                if checkpoint["root"] != self._tree.root and not self._broken:
                    yield Fault(place=f"checkpoint {size}", message="the log does not have this root")
            for known in kept.at(size):
                yield from self._check_kept(known["checkpoint"], log_id)
        for known in kept.rest():
            yield from self._check_missing(known["checkpoint"])
        yield from self._check_end(stored)
        yield from self._check_archives()
        yield from self._check_left_out()
        self.counts["entries"] = self._tree.size

    def _check_views(self) -> Iterator[Fault]:
        """Two checkpoints of one size say the same, or two people were shown two histories."""
        for one, other in pairwise(self._kept):
            if one.tree_size == other.tree_size and (one.log_id, one.root) != (other.log_id, other.root):
                message = "two were kept with different roots: somebody was shown another history"
                yield Fault(place=f"kept checkpoint {one.tree_size}", message=message)

    def _check_entry(self, row: Row, places: _Places) -> Iterator[Fault]:
        index, kind = row["log_index"], row["kind"]
        place = f"log entry {index}"
        if index != self._tree.size and not self._broken:
            self._broken = True
            yield Fault(place=PLACE, message=f"entry {self._tree.size} is missing: the next one has the place {index}")
        archived = places.has(index)
        if kind not in ROWS:
            yield Fault(place=place, message=f"it stands for a {kind!r:.40}, which is nothing a ledger has")
        elif archived and (row["found"] is not None or kind == ARCHIVE):
            yield Fault(place=place, message=f"its {ROWS[kind]} was archived, but is here")
        elif row["found"] is None and not archived:
            yield Fault(place=place, message=f"its {ROWS[kind]} (number {row['seq']}) is gone, and no archive has it")
        elif row["found"] is not None and entry_leaf(kind, row) != row["leaf_sha256"]:
            yield Fault(place=place, message=f"its {ROWS[kind]} (number {row['seq']}) is not what was logged")
        self._tree.add(leaf_line(kind, row["seq"], row["leaf_sha256"]))

    def _check_kept(self, known: Checkpoint, log_id: str | None) -> Iterator[Fault]:
        place = f"kept checkpoint {known.tree_size}"
        if known.root != self._tree.root or self._broken:
            other = "" if known.log_id == log_id else "; it begins with another entry: another ledger, or written anew"
            yield Fault(place=place, message=f"the first {known.tree_size} entries are not those of then{other}")
        elif known.log_id != log_id:
            yield Fault(place=place, message="it names another first entry than the log has")

    def _check_missing(self, known: Checkpoint) -> Iterator[Fault]:
        place = f"kept checkpoint {known.tree_size}"
        yield Fault(place=place, message=f"it covers {known.tree_size} entries, only {self._tree.size} are here")

    def _check_end(self, stored: _Turn) -> Iterator[Fault]:
        for checkpoint in stored.rest():
            self.counts["checkpoints"] += 1
            place = f"checkpoint {checkpoint['tree_size']}"
            yield Fault(place=place, message=f"it covers more than the log has ({self._tree.size} entries)")
        if stored.last != (self._tree.size or None) and not self._broken:
            yield Fault(place=PLACE, message="the last checkpoint does not cover the log")
        end = self._store.rows("log_end")
        peaks = "".join(peak.hex() for peak in self._tree.peaks)
        if [(row["tree_size"], row["peaks"]) for row in end] != [(self._tree.size, peaks)] and not self._broken:
            yield Fault(place=PLACE, message="where it ends is written down otherwise")

    def _check_archives(self) -> Iterator[Fault]:
        jobs = _Turn(self._store.stream("archived_jobs"), "archive_id")
        places = _Turn(self._store.stream("archived_places_by_archive"), "archive_id")
        number = 0
        for number, archive in enumerate(self._store.stream("archives"), 1):
            place = f"archive {archive['archive_id']}"
            if archive["archive_id"] != number:
                yield Fault(place=place, message=f"the archives have number {number} here")
            its_jobs, its_places = jobs.at(archive["archive_id"]), places.at(archive["archive_id"])
            entries = sum(row["last_index"] - row["first_index"] + 1 for row in its_places)
            if (len(its_jobs), entries) != (archive["jobs"], archive["entries"]):
                yield Fault(place=place, message=f"it names {len(its_jobs)} jobs and {entries} entries")
            if archived_jobs_hash(its_jobs) != archive["jobs_sha256"]:
                yield Fault(place=place, message="its jobs do not have the hash stored beside it")
            if archived_places_hash(its_places) != archive["places_sha256"]:
                yield Fault(place=place, message="its places in the log do not have the hash stored beside it")
        self.counts["archived"] = number
        if next(jobs.rest(), None) is not None or next(places.rest(), None) is not None:
            yield Fault(place=PLACE, message="jobs or places belong to an archive that does not exist")
        for job_id, _ in groupby(self._store.stream("archived_jobs_still_here"), key=lambda row: row["job_id"]):
            yield Fault(place=job_id, message="was archived, but is here")

    def _check_left_out(self) -> Iterator[Fault]:
        left = self._store.rows("log_left_out")[0]
        self.counts["uncovered"] = left["uncovered"]
        for name in GROWING.values():
            if left[name]:
                message = f"{left[name]} {name} have no place in it, though it has later ones"
                yield Fault(place=PLACE, message=message)


class _Turn:
    """Rows in the order of a number, handed out where their turn comes. `last` is the number of the last of all."""

    def __init__(self, rows: Iterator[Row], number: str = "tree_size") -> None:
        self._rows = rows
        self._number = number
        self._next = next(rows, None)
        self.last: int | None = None

    def at(self, number: int) -> list[Row]:
        """Return the rows with this number; they must not come before it."""
        found = []
        while self._next is not None and self._next[self._number] == number:
            found.append(self._take())
        return found

    def rest(self) -> Iterator[Row]:
        while self._next is not None:
            yield self._take()

    def _take(self) -> Row:
        assert self._next is not None
        row, self._next = self._next, next(self._rows, None)
        self.last = row[self._number]
        return row


class _Places:
    """The places in the log whose rows were archived, asked for in their order."""

    def __init__(self, ranges: Iterator[Row]) -> None:
        self._ranges = ranges
        self._next = next(ranges, None)

    def has(self, index: int) -> bool:
        while self._next is not None and self._next["last_index"] < index:
            self._next = next(self._ranges, None)
        return self._next is not None and self._next["first_index"] <= index
