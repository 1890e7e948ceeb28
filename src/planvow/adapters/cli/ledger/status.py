"""`cassette status`: the jobs of a ledger as a table, once or live."""

from __future__ import annotations

import time
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import note, print_json, print_result
from planvow.adapters.cli.frame.table import Column, table, terminal_width
from planvow.adapters.cli.frame.visible import visible
from planvow.adapters.cli.ledger.moments import moment_text
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, looked_at
from planvow.adapters.cli.options.working_tree import HERE
from planvow.cassette.ledger.model import JobStatus, StepState, StepStatus
from planvow.cassette.ledger.store import Store

REFRESH_SECONDS = 0.5
COUNTS = ("pending", "held", "leased", "committed", "failed", "dead", "skipped", "cancelled")


def status(
    run_id: Annotated[str | None, typer.Option("--run-id", help="Only this run.")] = None,
    job_id: Annotated[str | None, typer.Option("--job-id", help="Only this job, with its steps.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Refresh until every job is finished.")] = False,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Show jobs and how many of their steps stand where."""
    with looked_at(repo_root, store) as ledger:
        ledger.check_known(run_id=run_id, job_id=job_id)
        for warning in ledger.warnings():
            note(warning)
        if as_json:
            jobs = ledger.jobs(run_id=run_id, job_id=job_id)
            steps = {"steps": ledger.steps(job_id)} if job_id is not None else {}
            print_json({"jobs": [{**vars(job), "state": job.state} for job in jobs], **steps})
        elif watch:
            _watch(ledger, run_id, job_id)
        else:
            print_result(_text(ledger, run_id, job_id))


def _watch(ledger: Store, run_id: str | None, job_id: str | None) -> None:
    from rich.live import Live
    from rich.text import Text

    with Live(auto_refresh=False) as live:
        while True:
            live.update(Text(visible(_text(ledger, run_id, job_id))), refresh=True)
            if not ledger.has_open_steps(run_id=run_id, job_id=job_id):
                return
            time.sleep(REFRESH_SECONDS)


# What stands where is told by "done" and the state alone where there is little room.
JOB_COLUMNS = (
    Column(name="job", is_id=True),
    Column(name="run", weight=4),
    Column(name="request", weight=5),
    Column(name="planner", weight=6),
    Column(name="state"),
    Column(name="done"),
    *(Column(name=name, weight=3 if name in ("failed", "cancelled") else 7) for name in COUNTS),
    Column(name="priority", weight=8),
    Column(name="created", weight=2),
)
STEP_COLUMNS = (
    Column(name="step"),
    Column(name="op"),
    Column(name="status"),
    Column(name="token", weight=4),
    Column(name="attempts", weight=3),
    Column(name="worker", weight=2),
    Column(name="id", weight=1, is_id=True),
)


def _text(ledger: Store, run_id: str | None, job_id: str | None) -> str:
    jobs = ledger.jobs(run_id=run_id, job_id=job_id)
    if not jobs:
        return "no jobs"
    width = terminal_width()
    text = table(JOB_COLUMNS, [_job_row(job) for job in jobs], width)
    if job_id is not None:
        text += "\n\n" + table(STEP_COLUMNS, [_step_row(step) for step in ledger.steps(job_id)], width)
    return text


def _job_row(job: JobStatus) -> tuple[str, ...]:
    counts = (str(getattr(job, name) or "·") for name in COUNTS)
    done = f"{job.committed} of {job.steps}"
    made = moment_text(job.created_at)
    ids = (job.job_id, job.run_id, job.request_id, job.planner_id)
    return (*ids, job.state, done, *counts, str(job.priority or "·"), made)


def _step_row(step: StepState) -> tuple[str, ...]:
    return (
        str(step.ordinal),
        step.op,
        "HELD" if step.questions and step.status is StepStatus.PENDING else step.status.value,
        str(step.fence),
        str(step.attempts),
        step.worker_id or "·",
        step.step_id,
    )
