"""What people say about a run: approvals and denials of its steps."""

from __future__ import annotations

from typing import Any

from planvow.agent.errors import NothingToSettleError
from planvow.agent.record.jobs import AgentJob, read_run
from planvow.agent.record.view import numbered, step_of
from planvow.cassette.dossier import Question, approve, deny, open_questions
from planvow.cassette.ledger.store import Store
from planvow.kernel.domain.terms import item_text


def approve_step(store: Store, run_id: str, number: int | None, **said: Any) -> str:
    """Approve a step by its number, or without one whatever the run waits for; say what that was."""
    questions = _asked(store, run_id, number)
    for question in questions:
        approve(store, question.job_id, question.step_id, plan_hash=question.plan_hash, **said)
    return ", ".join(_in_words(store, run_id, question) for question in questions)


def deny_step(store: Store, run_id: str, number: int | None, **said: Any) -> str:
    """Deny a step by its number, or without one the first thing that the run waits for; say what that was."""
    question = _asked(store, run_id, number)[0]
    deny(store, question.job_id, question.step_id, plan_hash=question.plan_hash, **said)
    return _in_words(store, run_id, question)


def _in_words(store: Store, run_id: str, asked: Question) -> str:
    """Return what a question is about: a step by its number and call, or the plan."""
    if asked.step_id is None:
        return "the plan"
    place = (asked.job_id, store.step_ids(asked.job_id).index(asked.step_id) + 1)
    steps = [entry.step for entry in numbered(store, read_run(store, run_id))]
    (step,) = (step for step in steps if (step.job_id, step.ordinal) == place)
    return f"step {step.number}, {item_text(step.command)}"


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
