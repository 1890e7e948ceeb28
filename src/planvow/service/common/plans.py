"""Plans as every operation answers with them: steps of the contract, a hash, and the documents behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from planvow.contract.plan.normalise import document_hash
from planvow.contract.plan.plan import build_plan
from planvow.service.declare.document import Refusal, document
from planvow.status import Status

if TYPE_CHECKING:
    from planvow.contract.errors import PlannerFailedError
    from planvow.kernel.answer.result import Result

Documents = dict[tuple[str, str], Callable[[], Any]]


@document
class PlanStep:
    """One step: which skill with which parameters, after which others."""

    step_id: str
    skill: str
    params: dict[str, Any]
    depends_on: list[str]


@document
class PlanAnswer:
    """A plan, or why there is none."""

    status: str
    """solved, satisfied (nothing to do), no_plan (proved), budget_exceeded, interrupted, …"""
    reason: str
    planner: str
    planner_version: str
    steps: list[PlanStep]
    plan_hash: str | None = None
    """Read plan://HASH and certificate://HASH, or give it to verify, explain, diff and post_plan."""
    refusal: Refusal | None = None


def step_lines(steps: Sequence[Mapping[str, Any]]) -> list[PlanStep]:
    """Return the steps of a contract plan for an answer."""
    return [
        PlanStep(
            step_id=step["step_id"], skill=step["skill"], params=step["params"], depends_on=list(step["depends_on"])
        )
        for step in steps
    ]


def contract_plan(result: Result) -> dict[str, Any]:
    """Return a result of the engine in the common plan model."""
    from planvow.contract.planners.htn import plan_steps

    return build_plan({"steps": plan_steps(result)}).as_dict()


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
