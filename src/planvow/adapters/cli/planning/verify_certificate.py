"""`planvow verify CERTIFICATE.json`: up to three opinions on a plan, none of them the planner's."""

from __future__ import annotations

from pathlib import Path

import typer

from planvow.adapters.cli.frame.output import keep_stdout_for_results, print_json, print_result, read_json
from planvow.contract.certificate.check import check_certificate
from planvow.errors import EXIT_REFUSED, InputError
from planvow.kernel.domain.domain import Domain
from planvow.verdict import Verdict


def verify_certificate(path: Path, *, minizinc: bool, domain: Path | None, problem: Path | None, as_json: bool) -> None:
    """Check a certificate and answer with every checker's verdict."""
    document = read_json(path)
    verdicts = [check_certificate(document)]
    if minizinc:
        from planvow.adapters.checkers.minizinc import check_with_minizinc

        verdicts.append(check_with_minizinc(document))
    if domain is not None:
        from planvow.contract.certificate.reexecute import check_by_running

        keep_stdout_for_results()
        verdicts.append(check_by_running(document, _domain(domain, problem)))
    accepted = all(verdict.accepted for verdict in verdicts)
    if as_json:
        print_json({"accepted": accepted, "verdicts": [_as_dict(verdict) for verdict in verdicts]})
    else:
        for verdict in verdicts:
            print_result(f"{verdict.checker:12} {'accepted' if verdict.accepted else f'REJECTED  {verdict.fault}'}")
    if not accepted:
        raise typer.Exit(EXIT_REFUSED)


def _domain(path: Path, problem: Path | None) -> Domain:
    """Load the domain whose commands are run again: a Python file, or an HDDL domain with its problem."""
    if path.suffix.lower() != ".hddl":
        from planvow.adapters.machine.modules import load_domain

        return load_domain(path)
    if problem is None:
        raise InputError(
            "the actions of an HDDL domain run over the objects of a problem",
            place="--domain",
            hint=f"add --problem PROBLEM.hddl, or check the plan itself: planvow verify {path} PROBLEM.hddl PLAN",
        )
    from planvow.hddl.bind.binding import bind
    from planvow.hddl.parsing.files import load_problem

    return bind(load_problem(path, problem)).domain


def _as_dict(verdict: Verdict) -> dict[str, object]:
    return {"checker": verdict.checker, "accepted": verdict.accepted, "fault": verdict.fault}
