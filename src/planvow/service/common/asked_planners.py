"""Planners that callers name. One that asks a model spends somebody's money, so it must be allowed."""

from __future__ import annotations

from functools import cache

from planvow.contract.interface.interface import PlannerInterface
from planvow.contract.planners.llm import ModelPlanner
from planvow.contract.planners.registry import MEMO_PREFIX, default_registry
from planvow.contract.running.cost import CostModel
from planvow.service.declare.errors import RightMissingError
from planvow.service.declare.setting import Setting


def asked_planner(setting: Setting, planner_id: str) -> PlannerInterface:
    """Return the planner that a question names, or raise: unknown, or not to be asked by this caller."""
    allowed = setting.paid_planners
    if allowed is not None and planner_id not in allowed and _is_paid(planner_id.removeprefix(MEMO_PREFIX)):
        hint = "use another planner, or a token with the right to operate; --allow-planner lets everybody ask it"
        raise RightMissingError(f"{planner_id} asks a model, which costs money", place="planner", hint=hint)
    return default_registry().create(planner_id)


@cache
def _is_paid(planner_id: str) -> bool:
    """Say whether a planner asks a model, or has a price."""
    registry = default_registry()
    made = registry.load(planner_id)
    asks = isinstance(made, type) and issubclass(made, ModelPlanner)
    rates = registry.described(planner_id).cost_model
    return asks or (rates is not None and rates != CostModel())
