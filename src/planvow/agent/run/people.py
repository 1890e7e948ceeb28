"""What people say about a run: approvals and denials of its steps."""

from __future__ import annotations

from typing import Any

from planvow.agent.errors import NothingToSettleError
from planvow.agent.record.jobs import AgentJob, read_run
from planvow.agent.record.view import numbered, step_of
from planvow.cassette.dossier import Question, approve, deny, open_questions
from planvow.cassette.ledger.store import Store


def approve_step(store: Store, run_id: str, number: int | None, **said: Any) -> None:
    """Approve a step by its number, or without one whatever the run waits for."""
    for question in _asked(store, run_id, number):
        approve(store, question.job_id, question.step_id, plan_hash=question.plan_hash, **said)


def deny_step(store: Store, run_id: str, number: int | None, **said: Any) -> None:
    """Deny a step by its number, or without one the first thing that the run waits for."""
    question = _asked(store, run_id, number)[0]
    deny(store, question.job_id, question.step_id, plan_hash=question.plan_hash, **said)


def _asked(store: Store, run_id: str, number: int | None) -> tuple[Question, ...]:
    jobs: tuple[AgentJob, ...] = read_run(store, run_id)
    questions = open_questions(store, job_id=jobs[-1].job_id)
    if number is not None:
        step = step_of(numbered(store, jobs), number, run_id).step
        steps = store.step_ids(step.job_id)
        wanted = (step.job_id, steps[step.ordinal - 1])
        questions = tuple(asked for asked in questions if (asked.job_id, asked.step_id) == wanted)
    if not questions:
        what = f"step {number} of run" if number is not None else "run"
        raise NothingToSettleError(f"nothing of {what} {run_id!r:.80} waits for an approval")
    return questions
