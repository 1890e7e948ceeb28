"""`planvow verify DOMAIN.hddl PROBLEM.hddl PLAN`: judge a plan in the IPC-2020 format."""

from __future__ import annotations

from pathlib import Path

import typer

from planvow.adapters.cli.frame.output import print_json, print_result
from planvow.adapters.cli.options.printed import printed_hddl_text
from planvow.adapters.machine.files import parse_json
from planvow.errors import EXIT_REFUSED, InputError
from planvow.hddl.parsing.files import load_problem, read_file
from planvow.hddl.verify.verifier import verify_text


def verify_hddl(files: list[Path], *, as_json: bool) -> None:
    """Print the verdict; exit 1 when the plan is wrong."""
    if len(files) != 3:
        raise InputError(f"expected three files, DOMAIN.hddl PROBLEM.hddl PLAN, found {len(files)}")
    problem = load_problem(files[0], files[1])
    verdict = verify_text(problem, _plan_text(files[2]), file=str(files[2]))
    condition = verdict.fault.condition if verdict.fault else None
    if as_json:
        print_json({"valid": verdict.accepted, "fault": condition, "reason": verdict.reason, "place": verdict.place})
    elif verdict.accepted:
        print_result("valid: the plan solves the problem")
    else:
        print_result(f"invalid: {verdict.reason}\n  fault: {condition}\n  place: {verdict.place}")
    if not verdict.accepted:
        raise typer.Exit(EXIT_REFUSED)


def _plan_text(path: Path) -> str:
    """Return a plan in the IPC format: the file itself, or what `plan --json` printed."""
    text = read_file(path)
    if not text.lstrip().startswith("{"):
        return text
    return printed_hddl_text(parse_json(text, place=str(path)), place=str(path)) or text
