"""`cassette status`: the jobs of a ledger as a table, once or live."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import typer

from planvow.adapters.cli.frame.output import note, print_json, print_result
from planvow.adapters.cli.frame.visible import visible
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, opened
from planvow.adapters.cli.options.working_tree import HERE
from planvow.cassette.ledger.model import JobStatus, StepState, StepStatus
from planvow.cassette.ledger.store import Store

REFRESH_SECONDS = 0.5
COUNTS = ("pending", "held", "leased", "committed", "failed", "dead", "skipped")


def status(
    run_id: Annotated[str | None, typer.Option("--run-id", help="Only this run.")] = None,
    job_id: Annotated[str | None, typer.Option("--job-id", help="Only this job, with its steps.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Refresh until every job is finished.")] = False,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Show jobs and how many of their steps stand where."""
    with opened(repo_root, store) as ledger:
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


def _text(ledger: Store, run_id: str | None, job_id: str | None) -> str:
    jobs = ledger.jobs(run_id=run_id, job_id=job_id)
    if not jobs:
        return "no jobs"
    text = table(("job", "run", "request", "planner", "state", *COUNTS, "created"), [_job_row(job) for job in jobs])
    if job_id is not None:
        rows = [_step_row(step) for step in ledger.steps(job_id)]
        text += "\n\n" + table(("step", "op", "status", "token", "attempts", "worker", "id"), rows)
    return text


def _job_row(job: JobStatus) -> tuple[str, ...]:
    counts = (str(getattr(job, name) or "·") for name in COUNTS)
    made = datetime.fromtimestamp(job.created_at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    return (job.job_id, job.run_id, job.request_id, job.planner_id, job.state, *counts, made)


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


def table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return columns as wide as their widest entry."""
    widths = [max(len(row[column]) for row in (heading, *rows)) for column in range(len(heading))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (heading, *rows)]
    return "\n".join(line.rstrip() for line in lines)
