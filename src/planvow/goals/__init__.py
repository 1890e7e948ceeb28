"""The goal planner: one understood wish, a snapshot of the world and a list of tools become the fewest tool calls."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "Goal": "values",
    "WorldState": "values",
    "Fact": "values",
    "ToolCapability": "values",
    "Plan": "values",
    "PlannedAction": "values",
    "PlanResult": "values",
    "GoalPlanner": "planner",
    "SUPPORTED_GOAL_TYPES": "planner",
    "ACTION_ALIASES": "seed_names",
    "FILE_OPERATION_TOOLS": "seed_names",
    "MetaGoal": "metagoal",
    "GoalInterpreter": "interpreter",
    "Interpretation": "interpreter",
    "GoalOrchestrator": "orchestrator",
    "OrchestratorResult": "orchestrator",
    "PlanGraph": "orchestrator",
    "FactsMemory": "memory",
    "ToolRegistry": "tools",
    "GoalConfig": "config",
    "load_config": "config",
}

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'planvow.goals' has no attribute {name!r}")
    return getattr(import_module(f"planvow.goals.{home}"), name)
