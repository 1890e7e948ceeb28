"""`planvow replan MODULE.py --failed N`: the rest of a plan when a step of it failed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import failure_line, keep_stdout_for_results, note, print_json, print_result
from planvow.adapters.cli.frame.paragraphs import counted
from planvow.adapters.machine.files import read_json
from planvow.adapters.machine.modules import named_problem
from planvow.errors import EXIT_REFUSED
from planvow.service.declare.setting import Setting
from planvow.service.operations.repairing import REPLAN, ReplanQuestion

app = typer.Typer()


@app.command(epilog=examples("planvow replan examples/robot_tea.py --failed 2 --try-again"))
def replan(
    module: Annotated[str, typer.Argument(metavar="MODULE.py[:problem]", help="A Python file; it is executed.")],
    failed: Annotated[int, typer.Option(min=1, help="Number of the step that failed; those before it were done.")],
    observed: Annotated[
        Path | None, typer.Option(help='JSON file with what was seen: {"at": {"lamp": "hall"}}.')
    ] = None,
    try_again: Annotated[bool, typer.Option("--try-again", help="Allow the failed command in the new plan.")] = False,
    max_seconds: Annotated[float | None, typer.Option(help="Interrupt after this long; never changes a plan.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Keep what was done and plan the rest from what was observed. Exit code 0: a plan; 1: none."""
    keep_stdout_for_results()
    asked = ReplanQuestion(
        failed_step=failed,
        observed=None if observed is None else read_json(observed),
        try_again=try_again,
        max_seconds=max_seconds,
    )
    result = REPLAN(asked, Setting(domains={"": named_problem(module)}, says_why=False)).whole
    if as_json:
        print_json(result.as_dict())
    elif result.success:
        note(f"{result.status}: {counted(len(result.plan), 'step')} left")
        print_result("".join(" ".join(map(str, step)) + "\n" for step in result.plan) or "(nothing to do)")
    else:
        print_result(failure_line(result))
    if not result.success:
        raise typer.Exit(EXIT_REFUSED)
