"""What was asked of people about a job, and what they answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planvow.cassette.ledger.notes import WHOLE_PLAN, NoteKind
from planvow.cassette.ledger.store import Store
from planvow.cassette.ledger.stored_rows import Row


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One word in the matter of a plan (`step_id` None) or a step: requirement, approval, denial or lapse.

    `seq` grows over the whole ledger: whoever watches asks for what came after the last one seen.
    """

    seq: int
    job_id: str
    ordinal: int
    step_id: str | None
    kind: NoteKind
    by: str | None
    reason: str
    expires_at: int | None
    signed: bool
    login: str | None
    at: int
    sha256: str


def approvals_of(store: Store, job_id: str) -> tuple[Decision, ...]:
    """Return every question about a job and every answer, in order."""
    store.check_known(job_id=job_id)
    return tuple(_decision(row) for row in store.rows("decisions_of_job", job_id=job_id))


def decisions_after(store: Store, seq: int = 0) -> tuple[Decision, ...]:
    """Return the decisions of the whole ledger that came after a place in their order: for those who watch."""
    return tuple(_decision(row) for row in store.rows("decisions_after", after=seq))


def _decision(row: Row) -> Decision:
    said: Mapping[str, Any] = json.loads(row["content"])
    return Decision(
        seq=row["seq"],
        job_id=row["job_id"],
        ordinal=row["ordinal"],
        step_id=said.get("step_id") if row["ordinal"] != WHOLE_PLAN else None,
        kind=NoteKind(row["kind"]),
        by=said.get("by"),
        reason=said.get("reason") or "",
        expires_at=said.get("expires_at"),
        signed="signature" in said,
        login=row["login"],
        at=row["created_at"],
        sha256=row["sha256"],
    )
