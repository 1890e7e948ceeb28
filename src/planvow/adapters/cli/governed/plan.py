"""`cortex plan`: compile a request, look at the plan, or store it for workers (seed 002, CLI reference).

`cortex plan request` and `cortex plan verify` are other names for `cortex plan` and `cassette plan-verify`.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import note, print_error, print_json
from planvow.adapters.cli.ledger.plan_verify import plan_verify
from planvow.adapters.cli.options.ledger import StoreLocation
from planvow.adapters.cli.options.working_tree import (
    DEFAULT_KIND,
    HERE,
    DataFolder,
    IntentsFile,
    RepoRoot,
    SubstrateKind,
    load_intents,
    repository,
)
from planvow.adapters.databases.opening import is_postgres, open_ledger
from planvow.adapters.machine.files import file_fault, parse_json, read_text
from planvow.errors import EXIT_REFUSED, InputError, PlanvowError
from planvow.governed.compile.post import ledger_path, post_request_and_plan
from planvow.service.declare.setting import Setting
from planvow.service.operations.requests import COMPILE_REQUEST, RequestQuestion, request_planner

app = typer.Typer(invoke_without_command=True)


@app.callback()
def plan(
    context: typer.Context,
    request_file: Annotated[
        Path | None, typer.Option("--request-file", help="Plan request as JSON; - for standard input.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print plan_output and write nothing.")] = False,
    repo_root: RepoRoot = HERE,
    substrate: SubstrateKind = DEFAULT_KIND,
    data: DataFolder = None,
    intents: IntentsFile = None,
    idempotency_key: Annotated[str | None, typer.Option(help="Default: the request's request_id.")] = None,
    allow_unresolved: Annotated[
        bool, typer.Option("--allow-unresolved", help="With --dry-run: let unknown references through, marked.")
    ] = False,
    store: StoreLocation = None,
    _as_json: Annotated[
        bool, typer.Option("--json", help="The answer is JSON anyway; errors become JSON too.")
    ] = False,
) -> None:
    """Compile a request into steps. Exit 0 on success, 1 on any failure."""
    if context.invoked_subcommand is not None:
        return
    try:
        request = _read_request(request_file)
        if allow_unresolved and not dry_run:
            raise InputError("a plan with unresolved references is for looking at only", hint="add --dry-run")
        place = repository(repo_root, data)
        setting = Setting(root=place.root, data=place.data_folder, intents=load_intents(intents))
        if dry_run:
            asked = RequestQuestion(request=request, substrate=substrate, allow_unresolved=allow_unresolved)  # type: ignore[arg-type]
            print_json(COMPILE_REQUEST(asked, setting).whole)
            return
        with (
            request_planner(setting, substrate) as planner,
            open_ledger(store) if store and is_postgres(store) else nullcontext() as opened,
        ):
            posted = post_request_and_plan(
                request.get("run_id", "") if isinstance(request, dict) else "",
                request,
                idempotency_key,
                repo_root=place.root,
                substrate=substrate,
                planner=planner,
                store=opened,
                ledger=Path(store) if store else ledger_path(place.root, place.data_folder),
            )
    except (PlanvowError, OSError) as error:
        fault = file_fault(error) if isinstance(error, OSError) else error
        if fault is None:
            raise
        print_error(fault)
        raise typer.Exit(EXIT_REFUSED) from None
    print_json(
        {
            "message_id": posted.message_id,
            "job_id": posted.job_id,
            "step_ids": posted.step_ids,
            "plan_hash": posted.plan_hash,
        }
    )
    count = len(posted.step_ids)
    note(f"{count} step{'' if count == 1 else 's'} stored{'' if posted.created else ' before'}")


app.command("request")(plan)
app.command("verify")(plan_verify)


def _read_request(request_file: Path | None) -> Any:
    if request_file is None:
        raise InputError("name the request: --request-file FILE, or - for standard input")
    text = sys.stdin.read() if str(request_file) == "-" else read_text(request_file)
    return parse_json(text, place=str(request_file))
