"""`planvow plan --html`: the plan as one HTML file, made of the console's components."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from planvow.adapters.machine.files import write_text
from planvow.errors import MissingExtraError
from planvow.service.declare.document import data_of
from planvow.service.declare.setting import Setting
from planvow.service.operations.explaining import details_of
from planvow.service.operations.verifying import VERIFY, VerifyQuestion


def write_report(path: Path, result: Any, title: str, *, explanation: str | None = None) -> None:
    """Write the report of a result; the certificate in it is checked, and its domain's code run again."""
    try:
        from planvow.adapters.console.report import report
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "planvow":
            raise
        raise MissingExtraError(error.name or "jinja2", extra="http", purpose="planvow plan --html") from None
    document, verdict, details = None, None, dict[str, Any]()
    if result.success:
        document, details = result.certificate().document, details_of(result)
        question = VerifyQuestion(certificate=document, domain="asked")
        verdict = data_of(VERIFY(question, Setting(domains={"asked": result.problem})).output)
    why = result.explain_text() if result.success else result.explanation.text(solved=False)
    text = report(
        certificate=document,
        details=details,
        verdict=verdict,
        status=result.status.value,
        reason=result.reason,
        explanation=explanation or why,
        title=title,
    )
    write_text(path, text)
