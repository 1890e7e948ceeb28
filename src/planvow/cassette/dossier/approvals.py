"""Asking people and answering for them: requirements, approvals, denials.

A decision is a document about one plan (its hash), one step or the plan as a whole, and the word it answers. The
database refuses it anywhere else and later. Who approved is what `by` says; on PostgreSQL the ledger adds the login it
came through, and a signature binds it to a key.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from planvow.canonical import canonical_bytes, canonical_json
from planvow.cassette.dossier.observe import ordinal_of
from planvow.cassette.errors import NothingToDecideError
from planvow.cassette.ledger.model import check_count, check_name
from planvow.cassette.ledger.notes import WHOLE_PLAN, NoteKind
from planvow.cassette.ledger.store import Store
from planvow.cassette.ledger.stored_rows import Row
from planvow.cassette.proof.beside import DECISION_TYPE
from planvow.cassette.proof.dsse import Signer, envelope


@dataclass(frozen=True, kw_only=True)
class Question:
    """A plan (`step_id` None) or a step that waits for a person. `lapsed`: there was an approval, and it ran out."""

    run_id: str
    job_id: str
    step_id: str | None
    op: str | None
    plan_hash: str
    reason: str
    lapsed: bool
    at: int
    sha256: str


def requirement(job_id: str, plan_hash: str, step_id: str | None, reason: str, by: str = "plan") -> dict[str, Any]:
    """Return the document of a question."""
    return _document(NoteKind.REQUIREMENT, job_id, plan_hash, step_id, None, by=by, reason=reason)


def require(store: Store, job_id: str, step_id: str, *, by: str, reason: str) -> str:
    """Let a step that nobody holds wait for a person from now on; return the note's hash."""
    with store.transaction():
        ordinal = ordinal_of(store, job_id, step_id)
        said = requirement(job_id, store.job(job_id).plan_hash, step_id, check_name("the reason", reason), by)
        return str(store.add_note(job_id, NoteKind.REQUIREMENT, ordinal, canonical_json(said))["sha256"])


def approve(
    store: Store,
    job_id: str,
    step_id: str | None = None,
    *,
    by: str,
    note: str = "",
    expires_at: int | None = None,
    plan_hash: str | None = None,
    signer: Signer | None = None,
) -> str:
    """Approve a step, or without one the plan as a whole; return the hash that receipts will repeat.

    `expires_at` is in milliseconds since 1970: what has not begun by then is a question again. `plan_hash` is what the
    person looked at; another plan is refused.
    """
    if expires_at is not None:
        check_count("expires_at", expires_at, at_least=1)
    return _decide(store, job_id, step_id, NoteKind.APPROVAL, by, note, plan_hash, signer, expires_at=expires_at)


def deny(
    store: Store,
    job_id: str,
    step_id: str | None = None,
    *,
    by: str,
    reason: str,
    plan_hash: str | None = None,
    signer: Signer | None = None,
) -> str:
    """Deny a step, or the plan as a whole, with a reason: it fails before it began, and its on_error is obeyed."""
    check_name("the reason", reason)
    return _decide(store, job_id, step_id, NoteKind.DENIAL, by, reason, plan_hash, signer)


def open_questions(store: Store, *, run_id: str | None = None, job_id: str | None = None) -> tuple[Question, ...]:
    """Return what waits for a person, oldest first."""
    rows = store.rows_where("open_questions", run_id=run_id, job_id=job_id)
    return tuple(_question(row) for row in rows)


def _question(row: Row) -> Question:
    said = json.loads(row["content"])
    return Question(
        run_id=row["run_id"],
        job_id=row["job_id"],
        step_id=row["step_id"],
        op=row["op"],
        plan_hash=row["plan_hash"],
        reason=said.get("reason") or "the approval has run out",
        lapsed=row["kind"] == NoteKind.LAPSE,
        at=row["created_at"],
        sha256=row["sha256"],
    )


def _decide(
    store: Store,
    job_id: str,
    step_id: str | None,
    kind: NoteKind,
    by: str,
    reason: str,
    plan_hash: str | None,
    signer: Signer | None,
    **more: Any,
) -> str:
    check_name("by", by)
    with store.transaction():
        ordinal = ordinal_of(store, job_id, step_id)
        stored = store.job(job_id).plan_hash
        if plan_hash not in (None, stored):
            raise NothingToDecideError(f"the plan of job {job_id} has the hash {stored}, not {plan_hash}")
        last = store.rows("last_word", job_id=job_id, ordinal=ordinal)
        if not last:
            what = "the plan as a whole" if ordinal == WHOLE_PLAN else f"step {step_id!r}"
            raise NothingToDecideError(f"nobody was asked about {what} of job {job_id}")
        said = _document(kind, job_id, stored, step_id, last[0]["sha256"], by=by, reason=reason, **more)
        if signer is not None:
            said["signature"] = envelope(DECISION_TYPE, canonical_bytes(said), signer)
        row = store.add_note(job_id, kind, ordinal, canonical_json(said), expires_at=more.get("expires_at"))
    return str(row["sha256"])


def _document(
    kind: NoteKind, job_id: str, plan_hash: str, step_id: str | None, answers: str | None, **more: Any
) -> dict[str, Any]:
    said = {"decision": kind.value, "job_id": job_id, "plan_hash": plan_hash, "step_id": step_id, "answers": answers}
    return {**said, **{name: value for name, value in more.items() if value is not None}}
