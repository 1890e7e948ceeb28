"""One job with everything that belongs to it, as stored rows: the thing that is checked, exported and checked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from planvow.cassette.errors import UnknownStepError
from planvow.cassette.ledger.chain import covering_dossier, head_hash, tail_hash
from planvow.cassette.ledger.store import Store
from planvow.cassette.ledger.stored_rows import object_in

Row = Mapping[str, Any]
MANIFEST = "dossier/1"
STATE_CHANGE = "state-change/1"


@dataclass(frozen=True, kw_only=True)
class JobRows:
    """A job's rows of every table, in their natural order."""

    message: Row
    job: Row
    plan: Row
    steps: Sequence[Row]
    dependencies: Sequence[Row]
    states: Sequence[Row]
    events: Sequence[Row]
    receipts: Sequence[Row]
    actions: Sequence[Row] = ()
    dossier: Row | None = None
    notes: Sequence[Row] = ()
    documents: Mapping[str, str] = field(default_factory=dict)
    """The texts that the dossier and the notes name, by hash, as they are stored."""
    kept_apart: Sequence[str] = ()
    """The hashes of private texts that are still there."""

    @property
    def job_id(self) -> str:
        return str(self.job["job_id"])

    @property
    def finished(self) -> bool:
        return all(state["status"] not in ("PENDING", "LEASED") for state in self.states)

    def head(self) -> str:
        """Return the hash of what was posted, computed from the rows."""
        pairs = [(row["ordinal"], row["needs_ordinal"]) for row in self.dependencies]
        head = head_hash(self.message, self.job, self.plan, self.steps, pairs)
        return head if self.dossier is None else covering_dossier(head, self.dossier["manifest_sha256"])

    def leaves(self, notes: int | None = None) -> tuple[str, ...]:
        """Return what a seal covers of a finished job: head, receipts, notes (all, or so many of them), tail.

        Notes may still come when a job is sealed: an erasure, or what somebody observed later.
        """
        links = [str(row["sha256"]) for row in (*self.receipts, *self.notes[:notes])]
        return (self.head(), *links, tail_hash(self.job_id, self.events, self.states, self.actions))


def load_job(store: Store, job_id: str, known: dict[str, str] | None = None) -> JobRows:
    """Read one job. Documents that are `known` already are taken from there, and others added: jobs share them."""
    jobs = store.rows("rows_job", job_id=job_id)
    messages = store.rows("rows_message", job_id=job_id)
    plans = store.rows("rows_plan", job_id=job_id)
    if not (jobs and messages and plans):
        raise UnknownStepError(f"there is no complete job {job_id}")
    dossiers = store.rows("rows_dossier", job_id=job_id)
    notes = store.rows("rows_notes", job_id=job_id)
    return JobRows(
        message=messages[0],
        job=jobs[0],
        plan=plans[0],
        steps=store.rows("rows_steps", job_id=job_id),
        dependencies=store.rows("rows_dependencies", job_id=job_id),
        states=store.rows("rows_states", job_id=job_id),
        events=store.rows("rows_events", job_id=job_id),
        receipts=store.rows("receipts_of_job", job_id=job_id),
        actions=store.rows("rows_actions", job_id=job_id),
        dossier=dossiers[0] if dossiers else None,
        notes=notes,
        documents=_documents(store, dossiers, notes, {} if known is None else known),
        kept_apart=[row["sha256"] for row in store.rows("rows_kept_apart", job_id=job_id)] if dossiers else (),
    )


def _documents(store: Store, dossiers: Sequence[Row], notes: Sequence[Row], known: dict[str, str]) -> dict[str, str]:
    """Return the texts that a job's rows name, those that its manifest lists, and the states these differ from."""
    found: dict[str, str] = {}
    wanted = [*(row["manifest_sha256"] for row in dossiers), *(row["document_sha256"] for row in notes)]
    while wanted:
        sha256 = wanted.pop()
        if sha256 in found:
            continue
        if sha256 not in known:
            for row in store.rows("document", sha256=sha256):
                known[sha256] = row["content"]
        if sha256 in known:
            found[sha256] = known[sha256]
            wanted += named_documents(known[sha256])
    return found


@lru_cache(maxsize=256)
def named_documents(text: str) -> tuple[str, ...]:
    """Return the hashes of further documents that a document names: a manifest its parts, a state the one before it."""
    content = object_in(text)
    parts = content.get("documents") if content.get("format") == MANIFEST else None
    base = content.get("base") if content.get("format") == STATE_CHANGE else None
    named = [*parts.values()] if isinstance(parts, Mapping) else []
    return tuple(name for name in (*named, base) if isinstance(name, str))
