"""What every search leaves beside its answer: the documents behind a plan, the refusal where there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from planvow.contract.plan.normalise import document_hash
from planvow.service.declare.document import Refusal

if TYPE_CHECKING:
    from planvow.contract.errors import PlannerFailedError
    from planvow.status import Status

Documents = dict[tuple[str, str], Callable[[], Any]]


def refusal_for(status: Status, reason: str, change: str) -> Refusal:
    """Return the refusal of a search that found nothing."""
    from planvow.contract.failure import error_class
    from planvow.contract.interface.interface import error_for_status

    failed = error_for_status(status, reason)
    kind: type[PlannerFailedError] = error_class(failed.code)
    return Refusal(code=kind.code, reason=reason, change=change, retryable=failed.retryable)


def documents_of(
    plan: Mapping[str, Any], planner: tuple[str, str], certify: Callable[[], Any], question: Mapping[str, Any]
) -> Documents:
    """Return what can be read of a plan afterwards: itself, its certificate, and what was asked for it."""
    name = document_hash(plan)
    stored = {"plan": plan, "plan_hash": name, "planner": planner[0], "planner_version": planner[1]}
    return {
        ("plan", name): lambda: stored,
        ("certificate", name): certify,
        ("question", name): lambda: dict(question),
    }
