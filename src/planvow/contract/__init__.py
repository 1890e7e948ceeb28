"""What every planner promises: one interface, one plan model, errors as values, replay (seed 004).

Names are imported when they are first used. `ClaudeAdapter` comes from the registry, like every planner that lives
above this layer: importing `planvow.contract` needs no SDK.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from planvow._lazy import lazily

if TYPE_CHECKING:  # what type checkers and editors see; at run time `_HOMES` says the same
    from planvow.contract.failure import PlannerErrorCode
    from planvow.contract.interface.inputs import PlannerInputs, normalize_context, normalize_goal, plan_input_hash
    from planvow.contract.interface.interface import (
        DeterminismMode,
        PlannerError,
        PlannerInterface,
        PlannerOutput,
        unwrap,
    )
    from planvow.contract.interface.keeping import keeps_contract, safe_plan
    from planvow.contract.plan.normalise import normalise_plan, plan_hash, structural_signature
    from planvow.contract.plan.plan import OnError, Plan, Step
    from planvow.contract.plan.validate import validate_plan
    from planvow.contract.planners import registry
    from planvow.contract.planners.memo import MemoPlanner
    from planvow.contract.planners.registry import PLANNER_REGISTRY, Registry, default_registry
    from planvow.contract.planners.stub import PlanRule, StubPlanner
    from planvow.contract.running.cost import CostModel, estimate

    ClaudeAdapter: type[PlannerInterface]

_HOMES = {
    "PlannerInterface": "interface.interface",
    "PlannerOutput": "interface.interface",
    "PlannerError": "interface.interface",
    "DeterminismMode": "interface.interface",
    "keeps_contract": "interface.keeping",
    "safe_plan": "interface.keeping",
    "unwrap": "interface.interface",
    "PlannerErrorCode": "failure",
    "PlannerInputs": "interface.inputs",
    "normalize_goal": "interface.inputs",
    "normalize_context": "interface.inputs",
    "plan_input_hash": "interface.inputs",
    "Plan": "plan.plan",
    "Step": "plan.plan",
    "OnError": "plan.plan",
    "validate_plan": "plan.validate",
    "normalise_plan": "plan.normalise",
    "plan_hash": "plan.normalise",
    "structural_signature": "plan.normalise",
    "PLANNER_REGISTRY": "planners.registry",
    "Registry": "planners.registry",
    "default_registry": "planners.registry",
    "StubPlanner": "planners.stub",
    "PlanRule": "planners.stub",
    "MemoPlanner": "planners.memo",
    "CostModel": "running.cost",
    "estimate": "running.cost",
}

__all__ = [
    "PLANNER_REGISTRY",
    "ClaudeAdapter",
    "CostModel",
    "DeterminismMode",
    "MemoPlanner",
    "OnError",
    "Plan",
    "PlanRule",
    "PlannerError",
    "PlannerErrorCode",
    "PlannerInputs",
    "PlannerInterface",
    "PlannerOutput",
    "Registry",
    "Step",
    "StubPlanner",
    "default_registry",
    "estimate",
    "keeps_contract",
    "normalise_plan",
    "normalize_context",
    "normalize_goal",
    "plan_hash",
    "plan_input_hash",
    "registry",
    "safe_plan",
    "structural_signature",
    "unwrap",
    "validate_plan",
]


if not TYPE_CHECKING:  # or a checker would take any misspelt name
    _find = lazily(__name__, _HOMES)

    def __getattr__(name: str) -> Any:
        if name == "registry":
            return import_module("planvow.contract.planners.registry")
        if name == "ClaudeAdapter":
            return _find("default_registry")().load("claude")
        return _find(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
