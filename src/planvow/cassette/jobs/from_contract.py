"""Any registered planner's plan as a stored plan (seed 004 to ledger)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from planvow.cassette.ledger.model import StoredPlan
from planvow.contract.interface.interface import PlannerOutput
from planvow.contract.plan.normalise import document_hash
from planvow.contract.plan.plan import Plan, build_plan
from planvow.execution import execution_order


def stored_plan(
    plan: Plan,
    *,
    planner_id: str,
    planner_version: str,
    request_id: str,
    intent: str = "",
    budgets: Mapping[str, Any] | None = None,
    parent_job_id: str | None = None,
) -> StoredPlan:
    """Return a contract plan ready to be posted, its steps in execution order."""
    by_id = {step.step_id: step for step in plan.steps}
    document = plan.as_dict()
    return StoredPlan(
        planner_id=planner_id,
        planner_version=planner_version,
        plan_hash=document_hash(document),
        plan=document,
        steps=tuple(replace(by_id[step_id], output_key=by_id[step_id].key) for step_id in execution_order(plan.steps)),
        request_id=request_id,
        intent=intent,
        budgets=budgets or {},
        parent_job_id=parent_job_id,
    )


def stored_output(
    output: PlannerOutput,
    *,
    request_id: str,
    intent: str = "",
    budgets: Mapping[str, Any] | None = None,
    parent_job_id: str | None = None,
) -> StoredPlan:
    """Return what a planner of the contract answered, ready to be posted; the plan says who planned it."""
    plan = build_plan(output.plan)
    return stored_plan(
        plan,
        planner_id=plan.metadata["planner"],
        planner_version=plan.metadata["planner_version"],
        request_id=request_id,
        intent=intent,
        budgets=budgets,
        parent_job_id=parent_job_id,
    )
