"""`planvow runs [RUN]`: what is stored, newest first, and where one run stands."""

from __future__ import annotations

from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import note, print_json, print_result
from planvow.adapters.cli.frame.table import Column, table, terminal_width
from planvow.adapters.cli.ledger.moments import moment_text
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, location
from planvow.adapters.cli.options.working_tree import HERE
from planvow.service.declare.document import data_of
from planvow.service.declare.setting import Setting
from planvow.service.records.runs import RUNS, RunsAnswer, RunsQuestion

app = typer.Typer()
JOBS = (
    Column(name="job", is_id=True),
    Column(name="run"),
    Column(name="planner", weight=2),
    Column(name="state"),
    Column(name="done"),
    Column(name="created", weight=1),
)
STEPS = (
    Column(name="job", is_id=True),
    Column(name="step"),
    Column(name="op"),
    Column(name="status"),
    Column(name="worker", weight=1),
)


@app.command(epilog=examples("planvow runs", "planvow runs lamp"))
def runs(
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="One run, with its steps; without: the latest.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=500, help="How many are listed.")] = 20,
    after: Annotated[str, typer.Option(help="List what is older than this job.")] = "",
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """List stored runs, newest first, or show one."""
    asked = RunsQuestion(run_id=run_id, limit=limit, after=after)
    found: RunsAnswer = RUNS(asked, Setting(ledger=location(repo_root, store))).output
    if as_json:
        print_json(data_of(found))
        return
    rows = [
        (job.job_id, job.run_id, job.planner, job.state, f"{job.committed} of {job.steps}", moment_text(job.created_at))
        for job in found.jobs
    ]
    print_result(table(JOBS, rows, terminal_width()) if rows else "there is no run here")
    if found.steps:
        lines = [(step.job_id, f"{step.number}", step.op, step.status, step.worker_id or "·") for step in found.steps]
        print_result("\n" + table(STEPS, lines, terminal_width()))
    for question in found.waiting or ():
        print_result(f"  waiting: {question.step_id or 'the plan'}: {question.reason}")
    if found.next:
        note(f"older ones: planvow runs --after {found.next}")
