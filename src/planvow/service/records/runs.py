"""Runs in the ledger: which there are, and where one stands."""

from __future__ import annotations

from typing import Any

from planvow.agent.record.jobs import INTENT
from planvow.agent.record.view import view
from planvow.cassette.dossier.approvals import Question, open_questions
from planvow.cassette.ledger.model import JobStatus
from planvow.cassette.operate.look import jobs_before
from planvow.service.declare.document import document
from planvow.service.declare.operation import Answer, Operation, Right
from planvow.service.declare.setting import Setting
from planvow.service.records.audit import CalledLine, calls_of


@document
class RunsQuestion:
    """One run, or the latest of all."""

    run_id: str = ""
    """Empty: list the latest runs."""
    limit: int = 20
    after: str = ""
    """The `next` of the answer before, for older runs."""


@document
class JobLine:
    """A stored plan and how far it is."""

    job_id: str
    run_id: str
    request_id: str
    planner: str
    plan_hash: str
    state: str
    """waiting, held (for an approval), running, committed, failed or cancelled"""
    steps: int
    committed: int
    failed: int
    created_at: int
    parent_job_id: str | None = None


@document
class StepLine:
    """A step of a run and where it stands."""

    job_id: str
    number: int
    step_id: str
    op: str
    status: str
    attempts: int
    worker_id: str | None = None


@document
class QuestionLine:
    """What waits for a person's approval; without a step, the whole plan."""

    job_id: str
    reason: str
    plan_hash: str
    step_id: str | None = None
    op: str | None = None


@document
class RunsAnswer:
    """Jobs, newest first; of one run also its steps and what waits for a person."""

    jobs: list[JobLine]
    steps: list[StepLine] | None = None
    waiting: list[QuestionLine] | None = None
    called: list[CalledLine] | None = None
    """Who posted or answered it from outside."""
    status: str | None = None
    """Of a run of an agent: where it stands."""
    reason: str | None = None
    next: str | None = None
    """Give it as `after` for older ones."""


def runs(asked: RunsQuestion, setting: Setting) -> Answer:
    """List runs, or say where one stands."""
    with setting.open_ledger() as ledger:
        if not asked.run_id:
            return Answer(output=_page(ledger, asked))
        ledger.check_known(run_id=asked.run_id)
        with ledger.snapshot():
            jobs = ledger.jobs(run_id=asked.run_id)
            steps = [(job.job_id, state) for job in jobs for state in ledger.steps(job.job_id)]
            waiting = open_questions(ledger, run_id=asked.run_id)
            called = [line for job in jobs for line in calls_of(ledger, job.job_id)]
            seen = view(ledger, asked.run_id) if any(job.intent == INTENT for job in jobs) else None
    output = RunsAnswer(
        jobs=[job_line(job) for job in reversed(jobs)],
        steps=[
            StepLine(
                job_id=job_id,
                number=state.ordinal,
                step_id=state.step_id,
                op=state.op,
                status=state.status.value,
                attempts=state.attempts,
                worker_id=state.worker_id,
            )
            for job_id, state in steps
        ],
        waiting=[question_line(question) for question in waiting],
        called=called,
        status=None if seen is None else seen.status.value,
        reason=None if seen is None else seen.reason,
    )
    return Answer(output=output, whole=seen)


def _page(ledger: Any, asked: RunsQuestion) -> RunsAnswer:
    limit = max(1, min(asked.limit, 500))
    rows = jobs_before(ledger, asked.after or None, limit + 1)
    more = rows[limit - 1].job_id if len(rows) > limit else None
    return RunsAnswer(jobs=[job_line(job) for job in rows[:limit]], next=more)


def job_line(job: JobStatus) -> JobLine:
    """Return a job as answers have it."""
    return JobLine(
        job_id=job.job_id,
        run_id=job.run_id,
        request_id=job.request_id,
        planner=job.planner_id,
        plan_hash=job.plan_hash,
        state=job.state,
        steps=job.steps,
        committed=job.committed,
        failed=job.failed + job.dead,
        created_at=job.created_at,
        parent_job_id=job.parent_job_id,
    )


def question_line(question: Question) -> QuestionLine:
    """Return what waits for a person as answers have it."""
    return QuestionLine(
        job_id=question.job_id,
        step_id=question.step_id,
        op=question.op,
        reason=question.reason,
        plan_hash=question.plan_hash,
    )


RUNS = Operation(
    name="runs",
    summary="List stored runs, or with run_id show its steps and what waits for approval.",
    question=RunsQuestion,
    output=RunsAnswer,
    run=runs,
    right=Right.READ,
    commands=("planvow runs",),
)
