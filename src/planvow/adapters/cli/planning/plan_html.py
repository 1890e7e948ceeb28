"""`planvow plan --html`: the plan as one HTML file, made of the console's components."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from planvow.adapters.machine.files import write_text
from planvow.canonical import canonical_json
from planvow.errors import MissingExtraError
from planvow.hddl.language.model import HddlProblem
from planvow.hddl.language.plan_format import format_plan
from planvow.hddl.solve.outcome import Outcome
from planvow.hddl.verify.no_plan import check_no_plan
from planvow.service.common.hddl_view import NOT_CERTIFIED, explanation_text, plan_details
from planvow.service.declare.document import data_of
from planvow.service.declare.setting import Setting
from planvow.service.operations.explaining import details_of
from planvow.service.operations.verifying import VERIFY, VerifyQuestion
from planvow.status import Status


def write_report(path: Path, result: Any, title: str) -> None:
    """Write the report of a result; the certificate in it is checked, and its domain's code run again."""
    told: dict[str, Any] = {}
    if result.success:
        told = {"details": details_of(result), **_certified(result)}
    why = result.explain_text() if result.success else result.explanation.text(solved=False)
    _write(path, status=result.status.value, reason=result.reason, explanation=why, title=title, **told)


def write_hddl_report(
    path: Path,
    problem: HddlProblem,
    outcome: Outcome,
    result: Any,
    proof: Mapping[str, Any] | None,
    interrupt: Callable[[], bool] | None = None,
) -> None:
    """Write the report of an HDDL plan in its own terms, or of why there is none with the proof of that, checked."""
    why = explanation_text(problem, outcome, result, interrupt)
    told: dict[str, Any] = {}
    if outcome.plan is not None:
        details = plan_details(problem, outcome.plan, result)
        told = {
            "details": details,
            **_certified(result),
            "texts": {"plan in the IPC format": format_plan(outcome.plan)},
        }
        told["verdict"]["verdicts"] = [*details["verdicts"], *told["verdict"]["verdicts"]]
    elif proof is not None:
        verdict = check_no_plan(problem, proof)
        told["verdict"] = {"accepted": verdict.accepted, "verdicts": [verdict.as_dict()], "not_proved": ()}
        told["texts"] = {"proof": canonical_json(proof)}
    elif outcome.status is Status.NO_PLAN:
        told["remark"] = NOT_CERTIFIED
    _write(path, status=outcome.status.value, reason=outcome.reason, explanation=why, title=problem.name, **told)


def _certified(result: Any) -> dict[str, Any]:
    """Return the certificate of a result, and what its checkers say about it."""
    document = result.certificate().document
    question = VerifyQuestion(certificate=document, domain="asked")
    verdict = data_of(VERIFY(question, Setting(domains={"asked": result.problem})).output)
    return {"certificate": document, "verdict": verdict}


def report_writer() -> Callable[..., str]:
    """Return what writes reports, or raise MissingExtraError: asked before planning, which may take long."""
    try:
        from planvow.adapters.console.report import report
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "planvow":
            raise
        raise MissingExtraError("jinja2", extra="http", purpose="planvow plan --html") from None
    return report


def _write(path: Path, **told: Any) -> None:
    write_text(path, report_writer()(**told))
