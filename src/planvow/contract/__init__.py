"""What every planner promises: one interface, one plan model, errors as values, replay (seed 004).

Names are imported when they are first used. `ClaudeAdapter` comes from the registry, like every planner that lives
above this layer: importing `planvow.contract` needs no SDK.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from planvow._lazy import lazily

if TYPE_CHECKING:  # what type checkers and editors see; at run time `_HOMES` says the same
    from planvow.contract import registry
    from planvow.contract.cost import CostModel, simulate
    from planvow.contract.failure import PlannerErrorCode
    from planvow.contract.inputs import PlannerInputs, normalize_context, normalize_goal, plan_input_hash
    from planvow.contract.interface import (
        DeterminismMode,
        PlannerError,
        PlannerInterface,
        PlannerOutput,
        keeps_contract,
        safe_plan,
        unwrap,
    )
    from planvow.contract.memo import MemoPlanner
    from planvow.contract.normalise import normalise_plan, plan_hash, structural_signature
    from planvow.contract.plan import OnError, Plan, Step
    from planvow.contract.registry import PLANNER_REGISTRY, Registry, default_registry
    from planvow.contract.stub import PlanRule, StubPlanner
    from planvow.contract.validate import validate_plan

    ClaudeAdapter: type[PlannerInterface]

_HOMES = {
    "PlannerInterface": "interface",
    "PlannerOutput": "interface",
    "PlannerError": "interface",
    "DeterminismMode": "interface",
    "keeps_contract": "interface",
    "safe_plan": "interface",
    "unwrap": "interface",
    "PlannerErrorCode": "failure",
    "PlannerInputs": "inputs",
    "normalize_goal": "inputs",
    "normalize_context": "inputs",
    "plan_input_hash": "inputs",
    "Plan": "plan",
    "Step": "plan",
    "OnError": "plan",
    "validate_plan": "validate",
    "normalise_plan": "normalise",
    "plan_hash": "normalise",
    "structural_signature": "normalise",
    "PLANNER_REGISTRY": "registry",
    "Registry": "registry",
    "default_registry": "registry",
    "StubPlanner": "stub",
    "PlanRule": "stub",
    "MemoPlanner": "memo",
    "CostModel": "cost",
    "simulate": "cost",
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
    "keeps_contract",
    "normalise_plan",
    "normalize_context",
    "normalize_goal",
    "plan_hash",
    "plan_input_hash",
    "registry",
    "safe_plan",
    "simulate",
    "structural_signature",
    "unwrap",
    "validate_plan",
]


if not TYPE_CHECKING:  # or a checker would take any misspelt name
    _find = lazily(__name__, _HOMES)

    def __getattr__(name: str) -> Any:
        if name == "registry":
            return import_module("planvow.contract.registry")
        if name == "ClaudeAdapter":
            return _find("default_registry")().load("claude")
        return _find(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
