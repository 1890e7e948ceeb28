"""What the ledger's hashes cover, and how.

A job's *head* covers its message, plan, steps and dependencies, and its dossier where it has one. Each receipt's hash
covers the hash before it, the first one the head: changing any stored byte breaks the chain at that place. Notes
(observations, approvals, erasures) are a second chain from the head. A job's *tail* covers the events and final states
of a finished job, which no receipt can. Heads, receipts, notes and tails are the leaves of a run's seal.

Every hash is SHA-256 over the canonical JSON (RFC 8785) of a flat list that starts with a tag. PostgreSQL builds the
same text for receipts inside the completing transaction (sql/postgres); the conformance suite compares the two.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any


def sha256_text(text: str) -> str:
    """Return the SHA-256 of a text's UTF-8 bytes."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def list_hash(values: Sequence[Any]) -> str:
    """Return the SHA-256 of a list of strings, integers, nulls and such lists.

    Without objects and floats the standard encoder writes exactly the RFC 8785 bytes, many times faster.
    """
    return sha256_text(_written(values))


_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class HashedList:
    """The hash of a list that is never there as a whole: what `list_hash` gives for the same values.

    `begin` and `end` stand for the brackets of a list inside.
    """

    def __init__(self, *values: Any) -> None:
        self._hash = hashlib.sha256(b"[")
        self._separator = b""
        for value in values:
            self.add(value)

    def add(self, value: Any) -> None:
        self._hash.update(self._separator + _written(value).encode("utf-8"))
        self._separator = b","

    def begin(self) -> None:
        self._hash.update(self._separator + b"[")
        self._separator = b""

    def end(self) -> None:
        self._hash.update(b"]")
        self._separator = b","

    def hexdigest(self) -> str:
        whole = self._hash.copy()
        whole.update(b"]")
        return whole.hexdigest()


def head_hash(
    message: Mapping[str, Any],
    job: Mapping[str, Any],
    plan: Mapping[str, Any],
    steps: Iterable[Mapping[str, Any]],
    dependencies: Iterable[tuple[int, int]],
) -> str:
    """Return the hash a job's chain begins with, from rows as they are stored."""
    return list_hash(
        [
            "job/1",
            [message[name] for name in MESSAGE_FIELDS],
            [job[name] for name in JOB_FIELDS],
            [plan[name] for name in PLAN_FIELDS],
            [[step[name] for name in STEP_FIELDS] for step in steps],
            [list(pair) for pair in dependencies],
        ]
    )


def covering_dossier(head_sha256: str, manifest_sha256: str) -> str:
    """Return the head of a job that was posted with a dossier, from the head it would have without."""
    return list_hash(["dossier/1", head_sha256, manifest_sha256])


MESSAGE_FIELDS = ("seq", "message_id", "run_id", "source", "idempotency_key", "payload_sha256", "created_at")
JOB_FIELDS = (
    "job_id",
    "message_id",
    "message_seq",
    "run_id",
    "intent",
    "ordinal",
    "step_count",
    "max_bytes",
    "created_at",
)
PLAN_FIELDS = (
    "job_id", "run_id", "request_id", "planner_id", "planner_version", "plan_hash", "index_hash", "budgets_json",
    "plan_sha256", "parent_job_id", "created_at",
)  # fmt: skip
STEP_FIELDS = (
    "ordinal", "step_id", "op", "payload_sha256", "on_error", "retry_count", "output_key", "max_attempts",
)  # fmt: skip
RECEIPT_FIELDS = (
    "prev_sha256", "job_id", "ordinal", "fence", "chain_seq", "worker_id", "outcome", "receipt_json_sha256",
    "bytes_used", "bytes_total", "retry_after_ms", "created_at",
)  # fmt: skip
NOTE_FIELDS = (
    "seq", "prev_sha256", "job_id", "note_seq", "kind", "ordinal", "document_sha256", "expires_at", "login",
    "after_receipt", "after_sha256", "after_event", "created_at",
)  # fmt: skip
EVENT_FIELDS = ("seq", "ordinal", "from_status", "to_status", "fence", "worker_id", "at")
STATE_FIELDS = (
    "ordinal", "run_id", "message_seq", "status", "fence", "attempts", "failures", "waiting_for", "not_before",
)  # fmt: skip


def receipt_hash(receipt: Mapping[str, Any]) -> str:
    """Return the hash of a receipt's row."""
    return list_hash(["receipt/1", *_of_receipt(receipt)])


_of_receipt = itemgetter(*RECEIPT_FIELDS)


def receipt_id(sha256: str) -> str:
    """Return the id of the receipt with this hash; the hash covers the fencing token."""
    return f"rcpt_{sha256[:32]}"


def note_hash(note: Mapping[str, Any]) -> str:
    """Return the hash of a note's row."""
    return list_hash(["note/1", *(note[name] for name in NOTE_FIELDS)])


def private_hash(salt: str, content: str) -> str:
    """Return what stands in the chains for a private text. Without the salt nobody can try out guesses."""
    return list_hash(["private/1", salt, content])


ACTION_FIELDS = (
    "seq", "kind", "ordinal", "fence", "worker_id", "priority", "starts_at", "step_keys", "details_json", "made_by",
    "why", "login", "at",
)  # fmt: skip


def tail_hash(
    job_id: str,
    events: Iterable[Mapping[str, Any]],
    states: Iterable[Mapping[str, Any]],
    actions: Sequence[Mapping[str, Any]] = (),
) -> str:
    """Return the hash over what happened to a finished job's steps, and over what people decided about it."""
    facts = [
        job_id,
        [[event[name] for name in EVENT_FIELDS] for event in events],
        [[state[name] for name in STATE_FIELDS] for state in states],
    ]
    if not actions:
        return list_hash(["tail/1", *facts])
    return list_hash(["tail/2", *facts, [[action[name] for name in ACTION_FIELDS] for action in actions]])
