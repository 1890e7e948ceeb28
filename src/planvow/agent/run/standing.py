"""Where the latest plan of a run stands, read from the ledger: the world, the steps, and who is waited for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from planvow.agent.loop.facts import Facts
from planvow.agent.loop.move import Question, Standing
from planvow.agent.loop.world import PlanInHand, World
from planvow.agent.record.jobs import REST, AgentJob
from planvow.agent.record.lost import DEVIATION
from planvow.agent.record.private import seen_in
from planvow.agent.record.view import approvals_asked
from planvow.agent.tools.bind import BoundTool
from planvow.cassette.dossier import approvals_of
from planvow.cassette.ledger.model import Outcome, Receipt, StepState, StepStatus
from planvow.cassette.ledger.notes import WHOLE_PLAN, NoteKind
from planvow.cassette.ledger.store import Store


def world_after(
    store: Store,
    hand: PlanInHand,
    receipts: Iterable[Receipt],
    besides: Mapping[int, Facts],
    settled: Mapping[int, bool],
) -> World:
    """Return the world that a job's receipts lead to, what was seen between them, and what was said afterwards."""
    world = World(hand)
    world.saw(0, besides.get(0, ()))
    for receipt in receipts:
        facts = seen_in(store, receipt)
        if receipt.outcome is Outcome.SUCCESS:
            world.succeeded(receipt.ordinal, facts)
        else:
            world.saw(receipt.ordinal, facts)
        world.saw(receipt.ordinal, besides.get(receipt.chain_seq, ()))
    for ordinal in sorted(settled):
        if settled[ordinal] and ordinal not in world.done:
            world.succeeded(ordinal, ())
    return world


def standing_of(
    store: Store,
    job: AgentJob,
    world: World,
    receipts: Iterable[Receipt],
    questions: tuple[Question, ...],
    tools: Mapping[str, BoundTool],
) -> Standing:
    """Return where a job stands. `questions` are the doubts that came up while it was worked on."""
    steps = store.steps(job.job_id)
    failures = {r.ordinal: r.body for r in receipts if r.outcome is Outcome.FAILURE}
    errors = {ordinal: _words(body) for ordinal, body in failures.items()}
    denied = _cancelled(store, job.job_id, steps)
    if any(_is_lost(step) and step.ordinal not in errors for step in steps):
        for decision in approvals_of(store, job.job_id):
            if decision.kind == NoteKind.DENIAL:
                errors[decision.ordinal] = said = f"{decision.by} denied it: {decision.reason}"
                denied = said if decision.ordinal == WHOLE_PLAN else denied
    if any(step.questions for step in steps):
        questions += approvals_asked(store, job.job_id)
    return Standing(
        steps=steps,
        broken=world.broken,
        questions=questions,
        repairs=job.origin.repairs,
        errors=errors,
        denied=denied,
        broken_off=frozenset(n for n, body in failures.items() if _is_excused(job, n, body)),
        may_repeat=frozenset(step.ordinal for step in steps if _may_repeat(job, step, tools)),
    )


def _cancelled(store: Store, job_id: str, steps: Sequence[StepState]) -> str | None:
    if not any(step.status is StepStatus.CANCELLED for step in steps):
        return None
    by = [action for action in store.actions(job_id) if action.kind == "CANCEL"]
    return f"{by[-1].made_by} cancelled it: {by[-1].why}" if by else "it was cancelled"


def _may_repeat(job: AgentJob, step: StepState, tools: Mapping[str, BoundTool]) -> bool:
    """Whether a step that did not keep its promise may be tried once more, and its tool allows that."""
    bound = tools.get(step.op)
    is_second = job.origin.kind == REST and not job.origin.banned
    return bound is not None and bound.tool.may_run_twice and not (is_second and step.ordinal == 1)


def _is_excused(job: AgentJob, ordinal: int, body: Mapping[str, Any]) -> bool:
    """Whether a failure asks for no repair of its own: the step was not run, or its plan says that it may fail."""
    return (body.get("error") or {}).get("code") == DEVIATION or job.steps[ordinal - 1]["on_error"] == "continue"


def _is_lost(step: StepState) -> bool:
    return step.status in (StepStatus.FAILED, StepStatus.DEAD)


def _words(body: Mapping[str, Any]) -> str:
    error = body.get("error")
    return f"{error['code']} {error['message']}".strip() if isinstance(error, Mapping) else "no reason was given"
