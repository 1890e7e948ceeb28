"""What every planner promises: one interface, one plan model, errors as values, replay (seed 004).

Names are imported when they are first used. `ClaudeAdapter` comes from the registry, like every planner that lives
above this layer: importing `planvow.contract` needs no SDK.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

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

__all__ = ["ClaudeAdapter", *_HOMES, "registry"]


def __getattr__(name: str) -> Any:
    if name == "registry":
        return import_module("planvow.contract.registry")
    if name == "ClaudeAdapter":
        return import_module("planvow.contract.registry").default_registry().load("claude")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'planvow.contract' has no attribute {name!r}")
    return getattr(import_module(f"planvow.contract.{home}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
