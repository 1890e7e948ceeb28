"""What happened to a job so far, and posting the plan that replaces its rest.

Nothing stored is edited: the new plan is a new job whose parent is the old one. The prefix that was executed is what
a planner's repair starts from; its steps are not part of the new plan, so they are not run again.

Ruling 13; seed 001, replanning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planvow.cassette.dossier.decisions import approvals_of
from planvow.cassette.dossier.model import Dossier
from planvow.cassette.dossier.post import store_plan_with_dossier
from planvow.cassette.errors import UnknownStepError
from planvow.cassette.ledger.model import Outcome, Posted, Source, StepStatus, StoredPlan
from planvow.cassette.ledger.notes import WHOLE_PLAN, NoteKind
from planvow.cassette.ledger.store import Store

DENIED = "DENIED"
"""The code of the error of a step that a person denied."""


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a job got: ordinals that were committed, and the first that failed for good with its error."""

    job_id: str
    committed: tuple[int, ...]
    failed: int | None
    error: Mapping[str, Any] | None


def progress(store: Store, job_id: str) -> Progress:
    """Return what a job has done, from its states and receipts."""
    store.check_known(job_id=job_id)
    steps = store.steps(job_id)
    failed = next((s.ordinal for s in steps if s.status in (StepStatus.FAILED, StepStatus.DEAD)), None)
    errors = [
        receipt.body.get("error")
        for receipt in store.receipts(job_id)
        if receipt.ordinal == failed and receipt.outcome is Outcome.FAILURE
    ]
    return Progress(
        job_id=job_id,
        committed=tuple(s.ordinal for s in steps if s.status is StepStatus.COMMITTED),
        failed=failed,
        error=errors[-1] if errors else _denial(store, job_id, failed),
    )


def _denial(store: Store, job_id: str, failed: int | None) -> Mapping[str, Any] | None:
    """Return a denial as the error of the step that it kept from running."""
    said = [decision for decision in approvals_of(store, job_id) if decision.kind is NoteKind.DENIAL]
    for decision in said:
        if decision.ordinal in (WHOLE_PLAN, failed):
            return {"code": DENIED, "message": decision.reason, "by": decision.by}
    return None


def post_replan(
    store: Store, run_id: str, plan: StoredPlan, *, reason: str, dossier: Dossier | None = None, **more: Any
) -> Posted:
    """Store the plan that replaces the rest of `plan.parent_job_id`; asking twice gives the same job.

    With a dossier it is stored like any other plan (`store_plan_with_dossier`, which also takes what is `more`).
    """
    if plan.parent_job_id is None:
        raise UnknownStepError("a replacement plan names the job it replaces (parent_job_id)")
    so_far = progress(store, plan.parent_job_id)
    payload = {
        "replan_of": plan.parent_job_id,
        "reason": reason,
        "committed": list(so_far.committed),
        "failed": so_far.failed,
        "request": store.request(plan.parent_job_id),
    }
    if isinstance(payload["request"], Mapping) and "input" in payload["request"]:
        payload["input"] = payload["request"]["input"]  # placeholders of the new plan read it where they always do
    key = f"replan:{plan.parent_job_id}"
    given: dict[str, Any] = {"idempotency_key": key, "source": Source.PLANNER}
    if dossier is None:
        return store.post(run_id, payload, plan, **given)
    return store_plan_with_dossier(store, run_id, plan, dossier, payload=payload, **given, **more)
