"""`planvow verify`: is this plan right? Sends each kind of file to its own checker, loaded when it is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import examples
from planvow.errors import InputError

app = typer.Typer()


@app.command(
    epilog=examples(
        "planvow verify tea.json --domain examples/robot_tea.py:problem",
        "planvow verify examples/hddl/tea-domain.hddl examples/hddl/tea-problem.hddl tea.plan",
    )
)
def verify(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="CERTIFICATE.json, what --json printed, or DOMAIN.hddl PROBLEM.hddl and a plan, certificate or proof.",
            metavar="FILE",
        ),
    ],
    minizinc: Annotated[
        bool, typer.Option("--minizinc", help="Ask the MiniZinc solver as well (certificates).")
    ] = False,
    domain: Annotated[
        str | None,
        typer.Option(
            "--domain",
            help="Run commands and methods again with this code (it is executed): MODULE.py:problem also says whether "
            "that is what was asked, MODULE.py alone does not; or DOMAIN.hddl.",
        ),
    ] = None,
    request: Annotated[
        Path | None,
        typer.Option("--request", help="Hold the certificate against what was asked, as a file (certificates)."),
    ] = None,
    replan: Annotated[
        bool, typer.Option("--replan", help="Ask the planner again (certificates of plans from `planvow ask`).")
    ] = False,
    problem: Annotated[
        Path | None, typer.Option("--problem", help="The PROBLEM.hddl that goes with --domain DOMAIN.hddl.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Check a plan with code that shares nothing with the planner. Exit code 0: right; 1: wrong, and why."""
    if files[0].suffix.lower() == ".hddl":
        from planvow.adapters.cli.planning.verify_hddl import verify_hddl

        only_certificates = {
            "--minizinc": minizinc, "--domain": domain, "--problem": problem, "--request": request, "--replan": replan
        }  # fmt: skip
        for option, given in only_certificates.items():
            if given:
                raise InputError(
                    "this is for certificates, not for plans in the IPC format",
                    place=option,
                    hint="planvow plan DOMAIN.hddl PROBLEM.hddl --certificate FILE writes a certificate",
                )
        verify_hddl(files, as_json=as_json)
    elif len(files) == 1:
        from planvow.adapters.cli.planning.verify_certificate import Against, verify_certificate

        against = Against(minizinc=minizinc, domain=domain, problem=problem, request=request, replan=replan)
        verify_certificate(files[0], against, as_json=as_json)
    else:
        raise InputError(
            "expected one certificate, or DOMAIN.hddl PROBLEM.hddl PLAN",
            place=str(files[0]),
            hint="the ending of the first file decides what is checked",
        )
