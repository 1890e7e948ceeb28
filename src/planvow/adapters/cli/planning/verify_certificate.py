"""`planvow verify CERTIFICATE.json`: what holds, at which level, and what that does not prove."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import keep_stdout_for_results, print_json, print_result
from planvow.adapters.machine.files import read_json
from planvow.adapters.machine.modules import load_domain, load_problem
from planvow.contract.checking.check import check_certificate
from planvow.contract.checking.verdict import FAITHFUL, REEXECUTED
from planvow.errors import EXIT_REFUSED, InputError, RefusedError
from planvow.hddl.parsing.files import read_file
from planvow.hddl.verify.no_plan import FORMAT as NO_PLAN
from planvow.kernel.domain.terms import item_json
from planvow.service.declare.setting import Setting
from planvow.service.operations.verifying import VERIFY, VerifyAnswer, VerifyQuestion
from planvow.verdict import Verdict

MAX_BYTES = 64 * 1024 * 1024
"""A larger certificate is refused before it is read: as Python data it would take many times its size."""


@dataclass(frozen=True, kw_only=True)
class Against:
    """What a certificate is held against, besides itself."""

    minizinc: bool = False
    domain: str | None = None
    problem: Path | None = None
    request: Path | None = None
    replan: bool = False


def verify_certificate(path: Path, against: Against, *, as_json: bool) -> None:
    """Check a certificate and answer with every checker's verdict, the level reached and what it does not prove."""
    held = _read(path)
    if isinstance(held, dict) and held.get("format") == NO_PLAN:
        if against.domain is not None and against.problem is not None:
            from planvow.adapters.cli.planning.verify_hddl import verify_hddl

            verify_hddl([Path(against.domain), against.problem, path], as_json=as_json)
            return
        raise InputError(
            "a proof that there is no plan is held against the files it is about",
            place=str(path),
            hint=f"planvow verify DOMAIN.hddl PROBLEM.hddl {path}",
        )
    document = _certificate(held, against, str(path))
    keep_stdout_for_results()
    found = VERIFY(*_asked(document, against))
    verdicts, missing = found.whole
    if as_json:
        told = found.output
        print_json(
            {
                "accepted": told.accepted,
                "level": told.level,
                "not_proved": told.not_proved,
                "verdicts": told.verdicts,
            }
        )
    else:
        _show(verdicts, found.output)
    if not found.output.accepted:
        raise typer.Exit(EXIT_REFUSED)
    if missing is not None:
        raise missing


def _asked(document: Any, against: Against) -> tuple[VerifyQuestion, Setting]:
    """Return the question, and the domain it names: a Python file is loaded only if there is something to run."""
    given: dict[str, Any] = {"certificate": document, "minizinc": against.minizinc, "replan": against.replan}
    if against.request is not None:
        given["request"] = read_json(against.request)
    if against.domain is None or not check_certificate(document).accepted:
        return VerifyQuestion(**given), Setting()
    path, _, name = against.domain.partition(":") if not Path(against.domain).is_file() else (against.domain, "", "")
    if Path(path).suffix.lower() == ".hddl":
        given |= {"hddl_domain": read_file(path), "hddl_problem": _hddl_problem(Path(path), against.problem)}
        return VerifyQuestion(**given), Setting(called={"domain": path, "problem": str(against.problem)})
    known = load_problem(Path(path), name) if name else load_domain(Path(path))
    return VerifyQuestion(**given, domain=path), Setting(domains={path: known})


def _hddl_problem(domain: Path, problem: Path | None) -> str:
    if problem is None:
        raise InputError(
            "the actions of an HDDL domain run over the objects of a problem",
            place="--domain",
            hint=f"add --problem PROBLEM.hddl, or check the plan itself: planvow verify {domain} PROBLEM.hddl PLAN",
        )
    return read_file(problem)


def _read(path: Path) -> Any:
    if str(path) != "-" and path.is_file() and path.stat().st_size > MAX_BYTES:
        size = path.stat().st_size
        raise InputError(f"{size} bytes; a certificate is read up to {MAX_BYTES} bytes", place=str(path))
    return read_json(path)


def _certificate(data: Any, against: Against, place: str) -> Any:
    """Return the certificate that a file holds, or that of an answer that was printed: its plan, not a new one."""
    from planvow.adapters.cli.options.printed import (
        inputs_of,
        is_printed_plan,
        output_of,
        printed_recording,
        solved_again,
    )

    if is_printed_plan(data):
        keep_stdout_for_results()
        again = solved_again(against.domain, place=place)
        if data["plan"] != [item_json(step) for step in again.plan]:
            raise RefusedError("this is not the plan that the domain's code gives", place=f"{place}: $.plan")
        return again.certificate().document
    recording = printed_recording(data, place=place)
    if recording is None:
        return data
    from planvow.contract import default_registry
    from planvow.contract.certificate.of_contract import certify_output

    keep_stdout_for_results()
    return certify_output(
        default_registry().create(recording.maker), inputs_of(recording), output_of(recording)
    ).document


def _show(verdicts: list[Verdict], told: VerifyAnswer) -> None:
    for verdict in verdicts:
        words = "accepted" if verdict.accepted else f"REJECTED  {verdict.fault}"
        print_result(f"{verdict.checker:12} {verdict.level:11} {words}")
    if told.level is None:
        return
    print_result(f"level        {told.level}")
    if told.level == REEXECUTED and not any(verdict.level == FAITHFUL for verdict in verdicts):
        print_result("not faithful what was asked was not compared: --request REQUEST or --domain MODULE.py:problem")
    for words in told.not_proved:
        print_result(f"not proved   {words}")
