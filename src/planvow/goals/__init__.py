"""The goal planner: one understood wish, a snapshot of the world and a list of tools become the fewest tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planvow._lazy import lazily

if TYPE_CHECKING:  # what type checkers and editors see; at run time `_HOMES` says the same
    from planvow.goals.plan.orchestrator import GoalOrchestrator, OrchestratorResult, PlanGraph
    from planvow.goals.plan.planner import SUPPORTED_GOAL_TYPES, GoalPlanner
    from planvow.goals.plan.search import Limits
    from planvow.goals.plan.tools import ToolRegistry
    from planvow.goals.understand.interpreter import GoalInterpreter, Interpretation
    from planvow.goals.values.config import GoalConfig, load_config
    from planvow.goals.values.memory import FactsMemory
    from planvow.goals.values.metagoal import MetaGoal
    from planvow.goals.values.seed_names import ACTION_ALIASES, FILE_OPERATION_TOOLS
    from planvow.goals.values.values import (
        Fact,
        Goal,
        GoalPlan,
        Plan,
        PlannedAction,
        PlanResult,
        ToolCapability,
        ToolGoal,
        WorldState,
    )

_HOMES = {
    "ToolGoal": "values.values",
    "Goal": "values.values",
    "WorldState": "values.values",
    "Fact": "values.values",
    "ToolCapability": "values.values",
    "GoalPlan": "values.values",
    "Plan": "values.values",
    "PlannedAction": "values.values",
    "PlanResult": "values.values",
    "GoalPlanner": "plan.planner",
    "SUPPORTED_GOAL_TYPES": "plan.planner",
    "ACTION_ALIASES": "values.seed_names",
    "FILE_OPERATION_TOOLS": "values.seed_names",
    "MetaGoal": "values.metagoal",
    "GoalInterpreter": "understand.interpreter",
    "Interpretation": "understand.interpreter",
    "GoalOrchestrator": "plan.orchestrator",
    "OrchestratorResult": "plan.orchestrator",
    "PlanGraph": "plan.orchestrator",
    "FactsMemory": "values.memory",
    "ToolRegistry": "plan.tools",
    "Limits": "plan.search",
    "GoalConfig": "values.config",
    "load_config": "values.config",
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
    "GoalPlan",
    "GoalPlanner",
    "Interpretation",
    "Limits",
    "MetaGoal",
    "OrchestratorResult",
    "Plan",
    "PlanGraph",
    "PlanResult",
    "PlannedAction",
    "ToolCapability",
    "ToolGoal",
    "ToolRegistry",
    "WorldState",
    "load_config",
]


if not TYPE_CHECKING:  # or a checker would take any misspelt name
    __getattr__ = lazily(__name__, _HOMES)
