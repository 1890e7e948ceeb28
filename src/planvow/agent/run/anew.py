"""Going on with other code: what was done stays done, and the rest is read off the documents alone.

The derivation cannot be found again with code that has changed, so the stored certificate stands in for it: its tree
says which items of the agenda are not wholly done, its steps what the done ones wrote.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from planvow.agent.loop.facts import Facts, facts_data, facts_from_data
from planvow.agent.loop.move import Question
from planvow.agent.loop.times import items_left
from planvow.agent.record.jobs import AgentJob
from planvow.agent.record.lost import DEVIATION, done_in
from planvow.agent.record.private import seen_in
from planvow.agent.record.tree import mark_done, run_tree
from planvow.agent.record.view import commands_of
from planvow.agent.run.crew import POLL_SECONDS
from planvow.agent.run.stepper import Stepper, untouched
from planvow.agent.run.unknown import open_leases
from planvow.cassette.dossier import Privacy, observe
from planvow.cassette.dossier.read import values_by_name
from planvow.cassette.errors import LeaseError, PrivateLeakError
from planvow.cassette.ledger.model import MAX_STEPS, Outcome, StepStatus
from planvow.cassette.ledger.notes import NoteKind
from planvow.cassette.ledger.schedule import Decider
from planvow.cassette.ledger.store import Store
from planvow.kernel.repair.acting_step import write
from planvow.kernel.world.state import State


async def close_off(
    store: Store, job: AgentJob, stepper: Stepper, worker_id: str, lease_ms: int, why: str
) -> Question | None:
    """End what is left of a job that is planned anew; return the question that must be answered first, if any."""
    commands = commands_of(job)
    while store.has_open_steps(job_id=job.job_id):
        claims = store.claim_many(worker_id, limit=MAX_STEPS, job_id=job.job_id, lease_ms=lease_ms)
        if not claims:
            steps = store.steps(job.job_id)
            if any(step.status is StepStatus.LEASED for step in steps) or not any(step.questions for step in steps):
                await asyncio.sleep(POLL_SECONDS)  # somebody holds the others until the end of a lease
            else:  # they wait for an answer about a plan that nobody wants any more
                store.cancel(job.job_id, Decider(made_by=worker_id, why="the rest is planned anew"))
            continue
        receipts = store.receipts(job.job_id)
        question: Question | None = None
        for claim in claims:
            ending = None
            if open_leases(claim, receipts) and claim.op in stepper.tools:
                ending = await stepper.resolve(claim, commands[claim.ordinal - 1])
            error = {"code": DEVIATION, "class": "permanent", "message": why}
            body: Any = {"op": claim.op, "step_id": claim.step_id, "error": error, "decision": "it was not run"}
            outcome = Outcome.FAILURE
            if ending is not None:
                outcome, body, question = ending.outcome, ending.body, ending.question or question
            with suppress(LeaseError):
                store.complete(claim, outcome, body)
        if question is not None:
            return question
    return None


def rest_of(store: Store, jobs: Sequence[AgentJob]) -> tuple[tuple[Any, ...], State, int]:
    """Return the items of a run's agenda that are not wholly done, the world as its documents tell it, and the time."""
    tree, kept = run_tree(store, jobs)
    last = kept[-1]
    state = last.asked.state
    besides = seen_besides(store, last.job_id)
    _lay(state, besides.get(0, ()))
    assert last.certificate is not None
    for receipt in store.receipts(last.job_id):
        if receipt.outcome is Outcome.SUCCESS:
            _lay(state, facts_from_data(last.certificate["steps"][receipt.ordinal - 1]["writes"]))
        _lay(state, seen_in(store, receipt))
        _lay(state, besides.get(receipt.chain_seq, ()))
    done = done_in(store, last.job_id)
    for ordinal in sorted(done - {receipt.ordinal for receipt in store.receipts(last.job_id)}):
        _lay(state, facts_from_data(last.certificate["steps"][ordinal - 1]["writes"]))
    mark_done(tree, done)
    ends = [last.certificate["steps"][ordinal - 1]["end"] for ordinal in done]
    return items_left(tree.unfinished()), state, max((end for end in ends if end is not None), default=0)


def seen_besides(store: Store, job_id: str) -> dict[int, Facts]:
    """Return what was noted about a job besides its receipts, by the receipt after which that was."""
    found: dict[int, Facts] = defaultdict(tuple)
    for row in store.rows("rows_notes", job_id=job_id):
        if row["kind"] == NoteKind.OBSERVATION and not row["ordinal"]:
            note = json.loads(store.rows("document", sha256=row["document_sha256"])[0]["content"])
            said = note.get("observation")
            if "private" in note:
                said = values_by_name(store, job_id, {"seen": note["private"]})["seen"]
            if isinstance(said, dict) and "facts" in said:
                found[row["after_receipt"]] += facts_from_data(said["facts"])
    return dict(found)


def note_seen(store: Store, job_id: str, facts: Facts, privacy: Privacy, worker_id: str) -> None:
    """Note what somebody saw besides. What is private can be kept only by somebody who holds a step of the job."""
    said = {"facts": facts_data(facts)}
    if privacy.predicates.isdisjoint(fact.predicate for fact in facts):
        observe(store, job_id, None, said)
        return
    claims = store.claim_many(worker_id, limit=1, job_id=job_id)
    if not claims:
        hint = "resume without it, and give it when a step waits to be run"
        raise PrivateLeakError("what was seen is private, and no step of this run can be held now", hint=hint)
    observe(store, job_id, None, said, worker_id=worker_id)
    store.complete(claims[0], Outcome.ABORTED, untouched(claims[0], "something was noted").body)


def _lay(state: State, facts: Facts) -> None:
    for triple in facts:
        write(state, triple)
