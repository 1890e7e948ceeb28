"""A person's answer about a call of which nobody knows whether it happened.

It becomes a receipt like any other: the step is done as the person says, or it is put back with the doubt removed.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from planvow.agent.errors import NothingToSettleError
from planvow.agent.record.jobs import read_run
from planvow.agent.record.lost import lost_calls, note_settled
from planvow.agent.record.private import Veil
from planvow.agent.record.view import StepHistory, numbered, step_of
from planvow.agent.run.stepper import untouched
from planvow.agent.run.unknown import SETTLED, open_fences
from planvow.cassette.dossier import Privacy
from planvow.cassette.errors import LeaseError
from planvow.cassette.ledger.model import MAX_STEPS, Claim, Outcome, StepStatus, check_name
from planvow.cassette.ledger.store import Store
from planvow.cassette.work.encode import encode


def open_doubts(store: Store, run_id: str) -> tuple[StepHistory, ...]:
    """Return the steps that wait and of which nobody knows whether an earlier call happened."""
    jobs = read_run(store, run_id)
    open_steps = {}
    for job in jobs:
        receipts, steps = store.receipts(job.job_id), store.steps(job.job_id)
        waiting = [step for step in steps if step.status is StepStatus.PENDING]
        doubted = [step for step in waiting if open_fences(step.ordinal, step.fence, receipts)]
        if job is jobs[-1]:  # what was lost with an earlier plan was settled before the next one was made
            doubted += lost_calls(store, job.job_id, steps, receipts)
        open_steps.update({(step.job_id, step.ordinal): step for step in doubted})
    return tuple(entry for entry in numbered(store, jobs) if (entry.job.job_id, entry.step.ordinal) in open_steps)


def settle(
    store: Store, run_id: str, number: int, *, happened: bool, by: str, note: str, output: Any, worker_id: str
) -> None:
    """Record what a person says about a step of a run; refuse it where nobody is asked."""
    check_name("by", by)
    step = step_of(numbered(store, read_run(store, run_id)), number, run_id).step
    if not any(entry.step.number == number for entry in open_doubts(store, run_id)):
        words = "is being worked on" if step.status is StepStatus.LEASED else f"is {step.status.value.lower()}"
        raise NothingToSettleError(f"nobody is asked about step {number}: it {words}")
    if step.status is not StepStatus.PENDING:
        note_settled(
            store, step.job_id, store.step_ids(step.job_id)[step.ordinal - 1], happened=happened, by=by, note=note
        )
        return
    claim = _taken(store, step.job_id, step.ordinal, worker_id)
    body: dict[str, Any] = {
        "op": claim.op,
        "step_id": claim.step_id,
        SETTLED: {"happened": happened, "by": by, "note": note},
    }
    veil = Veil(Privacy())
    veil.learn_job(store, step.job_id)
    if happened:
        body, apart = veil.kept(claim.op, {**body, "output": encode(output).data}, ())
        with store.transaction():
            for text in apart:
                store.keep_apart(claim.job_id, claim.worker_id, text)
            store.complete(claim, Outcome.SUCCESS, body)
    else:
        store.complete(claim, Outcome.ABORTED, {**body, "reason": f"{by} says that it did not happen"})


def _taken(store: Store, job_id: str, ordinal: int, worker_id: str) -> Claim:
    """Lease one step; others that come with it are handed back."""
    claims = store.claim_many(worker_id, limit=MAX_STEPS, job_id=job_id)
    wanted = None
    for claim in claims:
        if claim.ordinal == ordinal:
            wanted = claim
        else:
            with suppress(LeaseError):
                store.complete(claim, Outcome.ABORTED, untouched(claim, "another step was meant").body)
    if wanted is None:
        raise NothingToSettleError(f"step {ordinal} of its plan cannot be settled now: somebody holds it")
    return wanted
