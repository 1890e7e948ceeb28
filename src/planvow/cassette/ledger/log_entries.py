"""What stands in the ledger's log: the texts that are hashed for its entries, and the values that go with it.

An entry is a post, a move of a step together with the receipt it rests on, a note, an operator's action, or an archive.
Its hash is the SHA-256 of a flat list that starts with a tag, as everywhere in the ledger; its leaf in the tree is a
line: kind, number and hash.
PostgreSQL builds the same texts (`0006_decisions.sql`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planvow.cassette.ledger.chain import list_hash

Row = Mapping[str, Any]

POST, EVENT, NOTE, ACTION, ARCHIVE = "post", "event", "note", "action", "archive"
GROWING = {POST: "posts", EVENT: "events", NOTE: "notes", ACTION: "actions"}
"""The kinds of rows that get their places in the order of their numbers, with their name in the plural."""
EVENT_ENTRY = ("job_id", "seq", "ordinal", "from_status", "to_status", "fence", "worker_id", "at", "receipt_sha256")
ACTION_ENTRY = (
    "seq", "action_kind", "job_id", "ordinal", "fence", "worker_id", "priority", "starts_at", "step_keys",
    "details_json", "made_by", "why", "login", "at",
)  # fmt: skip
ARCHIVE_ENTRY = (
    "archive_id", "run_id", "bundle_sha256", "jobs", "jobs_sha256", "entries", "places_sha256", "created_at",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """The log at one moment: how many entries it has and the root over them. `added` counts those new in it."""

    log_id: str
    tree_size: int
    root: str
    created_at: int
    added: int = 0


def entry_of(kind: str, row: Row) -> list[Any]:
    """Return the list that is hashed for an entry, from the row it stands for."""
    tag = f"log-{kind}/1"
    if kind == POST:
        return [tag, row["seq"], row["job_id"], row["head_sha256"]]
    if kind == NOTE:
        return [tag, row["seq"], row["job_id"], row["note_sha256"]]
    fields = {EVENT: EVENT_ENTRY, ACTION: ACTION_ENTRY, ARCHIVE: ARCHIVE_ENTRY}[kind]
    return [tag, *(row[name] for name in fields)]


def entry_leaf(kind: str, row: Row) -> str:
    """Return the leaf of an entry."""
    return list_hash(entry_of(kind, row))


def leaf_line(kind: str, seq: int, leaf_sha256: str) -> bytes:
    """Return what the log's tree has for an entry: which row it stands for, and the hash of that."""
    return f"{kind} {seq} {leaf_sha256}".encode()


def row_of(entry: Sequence[Any]) -> tuple[str, int]:
    """Return kind and number of the row that a hashed list stands for; ValueError where it is no such list."""
    for kind in (*GROWING, ARCHIVE):
        if entry[0] == f"log-{kind}/1":
            return kind, entry[2 if kind == EVENT else 1]
    raise ValueError("it is no entry of a log")


def archived_jobs_hash(jobs: Iterable[Row]) -> str:
    """Return the hash over the jobs of an archive, in the order of their ids."""
    return list_hash(["archived-jobs/1", *([job["job_id"], job["message_id"]] for job in jobs)])


def archived_places_hash(places: Iterable[Row]) -> str:
    """Return the hash over the places in the log that an archive's rows had, as ranges in their order."""
    return list_hash(["archived-places/1", *([place["first_index"], place["last_index"]] for place in places)])


def ranges_of(indexes: Iterable[int]) -> list[tuple[int, int]]:
    """Return sorted places as ranges, both ends included."""
    found: list[tuple[int, int]] = []
    for index in indexes:
        if found and found[-1][1] == index - 1:
            found[-1] = (found[-1][0], index)
        else:
            found.append((index, index))
    return found
