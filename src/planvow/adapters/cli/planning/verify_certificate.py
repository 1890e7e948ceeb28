"""`planvow verify CERTIFICATE.json`: what holds, at which level, and what that does not prove."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from planvow.adapters.cli.frame.output import keep_stdout_for_results, print_json, print_result
from planvow.adapters.machine.files import read_json
from planvow.contract.checking.check import check_certificate
from planvow.contract.checking.verdict import FAITHFUL, LEVELS, REEXECUTED, still_unproved
from planvow.errors import EXIT_REFUSED, InputError, MissingExtraError, RefusedError
from planvow.kernel.domain.terms import item_json
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
    document = _certificate(_read(path), against, str(path))
    verdicts = [check_certificate(document)]
    missing = _ask_minizinc(document, verdicts) if against.minizinc else None
    if verdicts[0].accepted:
        keep_stdout_for_results()
        verdicts += _further(document, against)
    accepted = all(verdict.accepted for verdict in verdicts)
    reached = [level for level in LEVELS if any(v.level == level for v in verdicts)] if accepted else []
    unproved = still_unproved(verdicts) if accepted else ()
    if as_json:
        rows = [verdict.as_dict() for verdict in verdicts]
        level = reached[-1] if reached else None
        print_json({"accepted": accepted, "level": level, "not_proved": list(unproved), "verdicts": rows})
    else:
        _show(verdicts, reached, unproved)
    if not accepted:
        raise typer.Exit(EXIT_REFUSED)
    if missing is not None:
        raise missing


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


def _ask_minizinc(document: Any, verdicts: list[Verdict]) -> MissingExtraError | None:
    """Ask MiniZinc too; that it is not installed is said after what the others have to say."""
    from planvow.adapters.checkers.minizinc import check_with_minizinc

    try:
        verdicts.append(check_with_minizinc(document))
    except MissingExtraError as error:
        return error
    return None


def _further(document: Any, against: Against) -> list[Verdict]:
    found: list[Verdict] = []
    if against.request is not None:
        from planvow.contract.certificate.faithful import check_against_request

        found.append(check_against_request(document, read_json(against.request)))
    if against.domain is not None:
        found += _against_domain(document, against.domain, against.problem)
    if against.replan:
        from planvow.contract import default_registry
        from planvow.contract.certificate.of_contract import check_by_asking

        if document.get("kind") != "contract":
            hint = "--domain MODULE.py runs its commands and methods again"
            raise InputError("this certificate's plan did not go through the contract", place="--replan", hint=hint)
        found.append(check_by_asking(document, default_registry().create(document["planner"]["id"])))
    return found


def _against_domain(document: Any, target: str, hddl_problem: Path | None) -> list[Verdict]:
    """Run everything again; with a problem, see first that it is what was asked."""
    from planvow.contract.certificate.faithful import check_against_problem
    from planvow.contract.certificate.reexecute import check_by_running

    path, _, name = target.partition(":") if not Path(target).is_file() else (target, "", "")
    if Path(path).suffix.lower() == ".hddl":
        problem = _hddl_problem(Path(path), hddl_problem)
    elif name:
        from planvow.adapters.machine.modules import load_problem

        problem = load_problem(Path(path), name)
    else:
        from planvow.adapters.machine.modules import load_domain

        return [check_by_running(document, load_domain(Path(path)))]
    faithful = check_against_problem(document, problem)
    return [faithful, check_by_running(document, problem.domain, problem)] if faithful.accepted else [faithful]


def _hddl_problem(path: Path, problem: Path | None) -> Any:
    if problem is None:
        raise InputError(
            "the actions of an HDDL domain run over the objects of a problem",
            place="--domain",
            hint=f"add --problem PROBLEM.hddl, or check the plan itself: planvow verify {path} PROBLEM.hddl PLAN",
        )
    from planvow.hddl.bind.binding import bind
    from planvow.hddl.parsing.files import load_problem
    from planvow.kernel.search.problem import make_problem

    bound = bind(load_problem(path, problem))
    return make_problem(bound.domain, bound.state, bound.todo)


def _show(verdicts: list[Verdict], reached: list[str], unproved: tuple[str, ...]) -> None:
    for verdict in verdicts:
        words = "accepted" if verdict.accepted else f"REJECTED  {verdict.fault}"
        print_result(f"{verdict.checker:12} {verdict.level:11} {words}")
    if not reached:
        return
    print_result(f"level        {reached[-1]}")
    if REEXECUTED in reached and FAITHFUL not in reached:
        print_result("not faithful what was asked was not compared: --request REQUEST or --domain MODULE.py:problem")
    for words in unproved:
        print_result(f"not proved   {words}")
