"""The goal planner: one understood wish, a snapshot of the world and a list of tools become the fewest tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planvow._lazy import lazily

if TYPE_CHECKING:  # what type checkers and editors see; at run time `_HOMES` says the same
    from planvow.goals.config import GoalConfig, load_config
    from planvow.goals.interpreter import GoalInterpreter, Interpretation
    from planvow.goals.memory import FactsMemory
    from planvow.goals.metagoal import MetaGoal
    from planvow.goals.orchestrator import GoalOrchestrator, OrchestratorResult, PlanGraph
    from planvow.goals.planner import SUPPORTED_GOAL_TYPES, GoalPlanner
    from planvow.goals.seed_names import ACTION_ALIASES, FILE_OPERATION_TOOLS
    from planvow.goals.tools import ToolRegistry
    from planvow.goals.values import Fact, Goal, Plan, PlannedAction, PlanResult, ToolCapability, WorldState

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

__all__ = [
    "ACTION_ALIASES",
    "FILE_OPERATION_TOOLS",
    "SUPPORTED_GOAL_TYPES",
    "Fact",
    "FactsMemory",
    "Goal",
    "GoalConfig",
    "GoalInterpreter",
    "GoalOrchestrator",
    "GoalPlanner",
    "Interpretation",
    "MetaGoal",
    "OrchestratorResult",
    "Plan",
    "PlanGraph",
    "PlanResult",
    "PlannedAction",
    "ToolCapability",
    "ToolRegistry",
    "WorldState",
    "load_config",
]


if not TYPE_CHECKING:  # or a checker would take any misspelt name
    __getattr__ = lazily(__name__, _HOMES)
