"""`planvow agent`: run, resume, why, runs, diff, settle, approve, deny and repair."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from planvow.adapters.cli.agents.loading import load_agent
from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.guard import HELP_OPTIONS
from planvow.adapters.cli.frame.lazy import PlainGroup, examples
from planvow.adapters.cli.frame.output import keep_stdout_for_results, note, print_json, print_result
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, location, opened
from planvow.adapters.cli.options.working_tree import HERE
from planvow.adapters.machine.files import read_json
from planvow.adapters.telemetry.opentelemetry_spans import begin_telemetry
from planvow.agent.record.jobs import run_ids
from planvow.agent.record.view import Run, view
from planvow.agent.record.wanted import want_repair
from planvow.agent.run.people import approve_step, deny_step
from planvow.agent.run.settle import settle as settle_step
from planvow.cassette.ledger.store import Store
from planvow.cassette.work.values import new_worker_id
from planvow.errors import EXIT_REFUSED
from planvow.service.declare.document import data_of
from planvow.service.declare.setting import Setting
from planvow.service.operations.comparing import DIFF, DiffQuestion
from planvow.service.operations.explaining import EXPLAIN, ExplainQuestion

app = typer.Typer(
    cls=PlainGroup,
    help="Agents: plan, run tools, repair, and go on from the ledger after any crash.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=HELP_OPTIONS,
)

Module = Annotated[
    str,
    typer.Argument(
        metavar="MODULE.py[:problem]", help="A Python file: tools, and a problem or a planner and a goal; it is run."
    ),
]
RunId = Annotated[str, typer.Argument(metavar="RUN", help="Id of a run; `planvow agent runs` lists them.")]
Number = Annotated[int, typer.Argument(metavar="STEP", help="Number of a step in the run.")]
By = Annotated[str, typer.Option("--by", help="Who says so.")]
Concurrency = Annotated[int, typer.Option(min=1, help="Steps that may run at once, where their order allows it.")]
MaxSeconds = Annotated[float | None, typer.Option(help="Interrupt after this long; resume goes on.")]


@app.command(epilog=examples("planvow agent run examples/bring_lamp.py --run-id lamp"))
def run(
    module: Module,
    run_id: Annotated[
        str | None, typer.Option("--run-id", help="Name of the run; the same name goes on with it.")
    ] = None,
    concurrency: Concurrency = 1,
    max_seconds: MaxSeconds = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Plan, run the tools, repair until all is done or nothing helps. Exit 0: done; 1: not, with the reason."""
    keep_stdout_for_results()
    begin_telemetry()
    place = location(repo_root, store)
    agent, wanted = load_agent(module, location=place, concurrency=concurrency, quiet=as_json)
    with _told_how_to_go_on(module, run_id):
        done = agent.run(wanted.todo, wanted.state, run_id=run_id, deadline=max_seconds, **wanted.options)
    _report(done, as_json)


@app.command(epilog=examples("planvow agent resume examples/bring_lamp.py lamp"))
def resume(
    module: Module,
    run_id: RunId,
    replan: Annotated[bool, typer.Option("--replan", help="If the code has changed, plan the rest anew.")] = False,
    observed: Annotated[
        Path | None, typer.Option(help='JSON file with what was seen meanwhile: {"at": {"lamp": "hall"}}.')
    ] = None,
    concurrency: Concurrency = 1,
    max_seconds: MaxSeconds = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Go on with a run from what the ledger says: after a crash, an answer, or on another machine."""
    keep_stdout_for_results()
    begin_telemetry()
    place = location(repo_root, store)
    agent, _ = load_agent(module, location=place, concurrency=concurrency, quiet=as_json)
    seen = None if observed is None else read_json(observed)
    changed = "replan" if replan else "refuse"
    with _told_how_to_go_on(module, run_id):
        done = agent.resume(run_id, observed=seen, changed=changed, deadline=max_seconds)
    _report(done, as_json)


@contextmanager
def _told_how_to_go_on(module: str, run_id: str | None) -> Iterator[None]:
    """Say after Ctrl-C that nothing is lost: whoever pressed it sees a step begin and nothing more."""
    try:
        yield
    except KeyboardInterrupt:
        where = "" if run_id else "; planvow agent runs names RUN"
        note(f"planvow: interrupted; planvow agent resume {module} {run_id or 'RUN'} goes on{where}")
        raise


@app.command(epilog=examples("planvow agent why lamp", "planvow agent why lamp 2"))
def why(
    run_id: RunId,
    step: Annotated[
        int | None, typer.Argument(metavar="STEP", help="Number of a step; without: the whole run.")
    ] = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Say why a step is there and what became of it, from the ledger alone."""
    asked = ExplainQuestion(run_id=run_id, step=step)
    told = EXPLAIN(asked, Setting(ledger=location(repo_root, store))).output
    if as_json:
        print_json(data_of(told))
        return
    print_result(told.text)
    for number in told.open_doubts or ():
        print_result(f"Nobody knows whether step {number} happened: planvow agent settle {run_id} {number} says so.")


@app.command(epilog=examples("planvow agent runs"))
def runs(repo_root: RepoRoot = HERE, store: StoreLocation = None, as_json: AsJson = False) -> None:
    """List the runs of agents, oldest first."""
    with opened(repo_root, store) as ledger:
        found = [view(ledger, run_id) for run_id in run_ids(ledger)]
    if as_json:
        print_json({"runs": [run.as_dict() for run in found]})
    else:
        print_result("\n".join(str(run).splitlines()[0] for run in found) or "there is no run of an agent here")


@app.command(epilog=examples("planvow agent diff lamp lamp"))
def diff(
    first: RunId,
    second: Annotated[str, typer.Argument(metavar="OTHER", help="Id of another run.")],
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Say what differs between two runs, the first reason first. Exit 0: nothing; 1: something."""
    asked = DiffQuestion(first=first, second=second)
    found = DIFF(asked, Setting(ledger=location(repo_root, store)))
    if as_json:
        print_json({"reason": found.output.reason, "differences": found.output.differences})
    else:
        print_result(str(found.whole))
    if not found.output.same:
        raise typer.Exit(EXIT_REFUSED)


@app.command()
def settle(
    run_id: RunId,
    step: Number,
    happened: Annotated[bool, typer.Option("--happened/--did-not-happen", help="What you found out.")],
    by: By,
    note: Annotated[str, typer.Option(help="How you know.")] = "",
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Answer for a step of which nobody knows whether it happened; `resume` goes on then."""
    with opened(repo_root, store) as ledger:
        said: dict[str, Any] = {"happened": happened, "by": by, "note": note, "output": None}
        settle_step(ledger, run_id, step, worker_id=new_worker_id(), **said)
        answer = f"step {step} of {run_id} {'happened' if happened else 'did not happen'}, says {by}"
        _answered(ledger, run_id, answer, as_json)


@app.command()
def approve(
    run_id: RunId,
    by: By,
    step: Annotated[int | None, typer.Option(help="Number of the step; without: all that the run waits for.")] = None,
    note: Annotated[str, typer.Option(help="Why.")] = "",
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Approve what a run waits for; `resume` goes on then."""
    with opened(repo_root, store) as ledger:
        what = approve_step(ledger, run_id, step, by=by, note=note)
        _answered(ledger, run_id, f"approved by {by}: {what}", as_json)


@app.command()
def deny(
    run_id: RunId,
    by: By,
    reason: Annotated[str, typer.Option(help="Why.")],
    step: Annotated[int | None, typer.Option(help="Number of the step; without: the first that is asked.")] = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Deny what a run waits for; `resume` then looks for a way without it."""
    with opened(repo_root, store) as ledger:
        what = deny_step(ledger, run_id, step, by=by, reason=reason)
        _answered(ledger, run_id, f"denied by {by}: {what} ({reason})", as_json)


@app.command()
def repair(
    run_id: RunId,
    by: By,
    reason: Annotated[str, typer.Option(help="Why.")],
    observed: Annotated[
        Path | None, typer.Option(help='JSON file with what is the case now: {"open": {"shop": true}}.')
    ] = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Ask for what is left of a run to be planned anew, also of one that was given up; `resume` does it."""
    seen = None if observed is None else read_json(observed)
    with opened(repo_root, store) as ledger:
        want_repair(ledger, run_id, by=by, reason=reason, observed=seen)
        _answered(ledger, run_id, f"{by} asked for a repair: {reason}", as_json)


def _answered(ledger: Store, run_id: str, answer: str, as_json: bool) -> None:
    """Say what somebody answered; as JSON, where the run stands with it."""
    if as_json:
        print_json(view(ledger, run_id).as_dict())
    else:
        print_result(answer)


def _report(run: Run, as_json: bool) -> None:
    if as_json:
        print_json(run.as_dict())
    else:
        print_result(str(run))
        for question in run.waiting:
            print_result(f"  waiting: {question.text}")
    if not run.success:
        raise typer.Exit(EXIT_REFUSED)
