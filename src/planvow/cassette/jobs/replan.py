"""What happened to a job so far, and posting the plan that replaces its rest.

Nothing stored is edited: the new plan is a new job whose parent is the old one. The prefix that was executed is what
a planner's repair starts from; its steps are not part of the new plan, so they are not run again.

Ruling 13; seed 001, replanning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planvow.cassette.errors import UnknownStepError
from planvow.cassette.ledger.model import Outcome, Posted, Source, StepStatus, StoredPlan
from planvow.cassette.ledger.store import Store


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
        error=errors[-1] if errors else None,
    )


def post_replan(store: Store, run_id: str, plan: StoredPlan, *, reason: str) -> Posted:
    """Store the plan that replaces the rest of `plan.parent_job_id`; asking twice gives the same job."""
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
    return store.post(run_id, payload, plan, idempotency_key=key, source=Source.PLANNER)
