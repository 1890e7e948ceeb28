"""`planvow verify DOMAIN.hddl PROBLEM.hddl FILE`: a plan in the IPC-2020 format, a certificate, or a proof of none."""

from __future__ import annotations

from pathlib import Path

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import print_json, print_result
from planvow.adapters.machine.files import parse_json
from planvow.errors import EXIT_REFUSED, InputError
from planvow.hddl.parsing.files import read_file
from planvow.service.declare.setting import Setting
from planvow.service.operations.verifying import VERIFY, VerifyQuestion


def verify_hddl(files: list[Path], *, as_json: bool) -> None:
    """Print the verdict; exit 1 when the plan is wrong."""
    if len(files) != 3:
        raise InputError(f"expected three files, DOMAIN.hddl PROBLEM.hddl PLAN, found {len(files)}")
    domain, problem, text = map(read_file, files)
    document = parse_json(text, place=str(files[2])) if text.lstrip().startswith("{") else None
    if isinstance(document, dict) and str(document.get("format")).startswith("certificate/"):
        from planvow.adapters.cli.planning.verify_certificate import Against, verify_certificate

        verify_certificate(files[2], Against(domain=str(files[0]), problem=files[1]), as_json=as_json)
        return
    if document is not None:  # what `plan --json` printed, or a proof
        from planvow.adapters.cli.options.printed import printed_hddl_text

        text = printed_hddl_text(document, place=str(files[2])) or text
    plan = text or "\n"  # an empty file is a wrong plan; no text at all would be no question
    called = dict(zip(("domain", "problem", "plan"), map(str, files), strict=True))
    asked = VerifyQuestion(hddl_domain=domain, hddl_problem=problem, hddl_plan=plan)
    (verdict,), _ = VERIFY(asked, Setting(called=called)).whole
    condition = verdict.fault.condition if verdict.fault else None
    if as_json:
        print_json({"valid": verdict.accepted, "fault": condition, "reason": verdict.reason, "place": verdict.place})
    elif verdict.accepted:
        is_proof = verdict.checker == "no-plan"
        print_result("valid: there is no plan" if is_proof else "valid: the plan solves the problem")
    else:
        print_result(f"invalid: {verdict.reason}\n  fault: {condition}\n  place: {verdict.place}")
    if not verdict.accepted:
        raise typer.Exit(EXIT_REFUSED)
