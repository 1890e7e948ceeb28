"""What the playground runs in the browser: one question in, everything worth seeing out, as JSON."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

from planvow.adapters.machine.modules import load_problem
from planvow.errors import PlanvowError
from planvow.kernel import solve
from planvow.service.common.hddl_view import drawn, explanation_text, kernel_result
from planvow.service.declare.setting import Setting
from planvow.service.operations.hddl import HddlQuestion, solve_hddl
from planvow.status import Status


def answer(kind: str, first: str, second: str) -> str:
    """Plan for a Python module (`python`) or for a domain and a problem (`hddl`)."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            told = _python(first) if kind == "python" else _hddl(first, second)
    except PlanvowError as error:
        lines = [f"{error.code}: {error.message}"]
        lines += [f"  {word}: {value}" for word, value in (("at", error.place), ("hint", error.hint)) if value]
        told = {"status": "invalid", "tabs": {"Error": "\n".join(lines)}}
    if printed.getvalue():
        told["tabs"]["Printed"] = printed.getvalue()
    return json.dumps(told)


def _python(source: str) -> dict[str, Any]:
    path = Path("domain.py")
    path.write_text(source, encoding="utf-8")
    result = solve(load_problem(path))
    why = result.explain_text() if result.success else result.explanation.text(solved=False)
    return _told(result.status, result, why)


def _hddl(domain: str, problem: str) -> dict[str, Any]:
    names = {"domain": "domain.hddl", "problem": "problem.hddl"}
    given = solve_hddl(HddlQuestion(domain=domain, problem=problem), Setting(called=names))
    read, outcome = given.whole
    result = kernel_result(read, outcome)
    told = _told(outcome.status, result, explanation_text(read, outcome, result))
    drawing = drawn(read, outcome)
    if drawing is not None:
        told["tabs"]["Tree"] = drawing
    if given.output.plan is not None:
        told["tabs"]["Plan"] = given.output.plan
    return told


def _told(status: Status, result: Any, why: str) -> dict[str, Any]:
    if not status.is_success:
        return {"status": str(status.value), "tabs": {"Reasons": why}}
    lines = [" ".join(map(str, step)) for step in result.plan]
    tabs = {"Tree": result.to_text(), "Reasons": why, "Plan": "\n".join(lines) or "(nothing to do)"}
    if result.time_allocations:
        tabs["Timeline"] = result.to_timeline()
    certificate = result.certificate()
    verdict = certificate.verify()
    found = "accepted by the checker" if verdict.accepted else f"rejected: {verdict}"
    tabs["Certificate"] = f"{found}\n\n{json.dumps(certificate.document, indent=1, ensure_ascii=False)}"
    return {"status": str(status.value), "steps": len(lines), "hash": certificate.document["hash"], "tabs": tabs}
