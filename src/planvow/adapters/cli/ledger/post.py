"""`cassette post PLAN.json`: a plan from anywhere into the ledger, for workers to run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import print_json, print_result
from planvow.adapters.cli.frame.paragraphs import counted
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, location
from planvow.adapters.cli.options.working_tree import HERE
from planvow.adapters.machine.files import read_json
from planvow.service.declare.document import data_of
from planvow.service.declare.setting import Setting
from planvow.service.records.posting import POST_PLAN, PostAnswer, PostQuestion


def post(
    plan: Annotated[Path, typer.Argument(metavar="PLAN.json", help="What `planvow ask --json` printed, or a plan.")],
    run_id: Annotated[str, typer.Option("--run-id", help="The run it belongs to.")],
    why: Annotated[str, typer.Option(help="What it is for, kept with it.")] = "",
    approval: Annotated[str, typer.Option(help="Why a person must agree before it runs.")] = "",
    idempotency_key: Annotated[str, typer.Option(help="The same key posts once; default: the plan's hash.")] = "",
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Store a plan as a job. Nothing runs until a worker takes it up."""
    asked = PostQuestion(
        run_id=run_id, plan=read_json(plan), why=why, approval=approval, idempotency_key=idempotency_key
    )
    setting = Setting(ledger=location(repo_root, store), client="the command line")
    found: PostAnswer = POST_PLAN(asked, setting).output
    if as_json:
        print_json(data_of(found))
        return
    held = "; it waits for an approval" if found.waiting else ""
    print_result(
        f"{found.job_id}: {counted(len(found.step_ids), 'step')} stored{'' if found.created else ' before'}{held}"
    )
