"""Plans as operations answer with them: steps of the contract, and a hash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from planvow.contract.plan.plan import build_plan
from planvow.service.declare.document import Refusal, document

if TYPE_CHECKING:
    from planvow.kernel.answer.result import Result


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
