"""`planvow verify`: is this plan right? Sends each kind of file to its own checker, loaded when it is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from planvow.adapters.cli.frame.lazy import examples
from planvow.errors import InputError

app = typer.Typer()


@app.command(
    epilog=examples(
        "planvow verify tea.json --domain examples/robot_tea.py",
        "planvow verify examples/hddl/tea-domain.hddl examples/hddl/tea-problem.hddl tea.plan",
    )
)
def verify(
    files: Annotated[
        list[Path], typer.Argument(help="CERTIFICATE.json, or DOMAIN.hddl PROBLEM.hddl PLAN.", metavar="FILE")
    ],
    minizinc: Annotated[
        bool, typer.Option("--minizinc", help="Ask the MiniZinc solver as well (certificates).")
    ] = False,
    domain: Annotated[
        Path | None,
        typer.Option("--domain", help="Run the commands again with this MODULE.py or DOMAIN.hddl (certificates)."),
    ] = None,
    problem: Annotated[
        Path | None, typer.Option("--problem", help="The PROBLEM.hddl that goes with --domain DOMAIN.hddl.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Check a plan with code that shares nothing with the planner. Exit code 0: right; 1: wrong, and why."""
    if files[0].suffix.lower() == ".hddl":
        from planvow.adapters.cli.planning.verify_hddl import verify_hddl

        for option, given in (("--minizinc", minizinc), ("--domain", domain), ("--problem", problem)):
            if given:
                raise InputError(
                    "this is for certificates, not for plans in the IPC format",
                    place=option,
                    hint="planvow plan DOMAIN.hddl PROBLEM.hddl --certificate FILE writes a certificate",
                )
        verify_hddl(files, as_json=as_json)
    elif len(files) == 1:
        from planvow.adapters.cli.planning.verify_certificate import verify_certificate

        verify_certificate(files[0], minizinc=minizinc, domain=domain, problem=problem, as_json=as_json)
    else:
        raise InputError(
            "expected one certificate, or DOMAIN.hddl PROBLEM.hddl PLAN",
            place=str(files[0]),
            hint="the ending of the first file decides what is checked",
        )
