"""`planvow verify`: is this plan right? Sends each kind of file to its own checker, loaded when it is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from planvow.errors import InputError

app = typer.Typer()


@app.command()
def verify(
    files: Annotated[list[Path], typer.Argument(help="DOMAIN.hddl PROBLEM.hddl PLAN", metavar="FILE…")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Check a plan with code that shares nothing with the planner. Exit code 0: right; 1: wrong, and why."""
    if files[0].suffix.lower() == ".hddl":
        from planvow.adapters.cli.verify_hddl import verify_hddl

        verify_hddl(files, as_json=as_json)
    else:
        raise InputError(
            "expected DOMAIN.hddl PROBLEM.hddl PLAN",
            place=str(files[0]),
            hint="the first file decides what is checked; it must end in .hddl",
        )
