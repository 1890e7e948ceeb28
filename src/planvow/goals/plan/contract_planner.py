"""The planner `goal` of the contract registry: a wish in words or as data in, tool calls out, full determinism.

The goal is a sentence for the interpreter, or JSON for exactly one goal or a group. The tools are `capabilities` (as in
a capabilities file), or else those that ship with planvow; of these, only the ones a manifest names, if there is one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from planvow.contract.errors import InvalidGoalError
from planvow.contract.failure import PlannerErrorCode
from planvow.contract.interface.inputs import PlannerInputs
from planvow.contract.interface.interface import Answer, DeterminismMode, PlannerError, PlannerOutput
from planvow.contract.interface.keeping import keeps_contract
from planvow.contract.running.cost import FREE
from planvow.errors import InputError, expect
from planvow.goals.plan.convert import to_contract
from planvow.goals.plan.orchestrator import GoalOrchestrator, OrchestratorResult
from planvow.goals.plan.planner import VERSION, GoalPlanner
from planvow.goals.plan.tools import ToolRegistry
from planvow.goals.understand.interpreter import UNDERSTOOD, GoalInterpreter
from planvow.goals.values.config import GoalConfig, config_from_data
from planvow.goals.values.data import meta_goal_from_data, world_from_data
from planvow.goals.values.metagoal import MetaGoal
from planvow.goals.values.paths import is_absolute
from planvow.goals.values.values import WorldState

_KNOWN = ("world", "workspace", "capabilities", "anchors", "config")
DEFAULT_WORKSPACE = "/workspace"
_CODES = {
    "no_capability": PlannerErrorCode.NO_SKILLS_AVAILABLE,
    "blocked": PlannerErrorCode.GENERATION_FAILED,
    "rejected": PlannerErrorCode.INVALID_GOAL,
}


class RegisteredGoalPlanner:
    """Goals, keeping the planner contract."""

    determinism = DeterminismMode.FULL
    cost_model = FREE

    def __init__(self, config: GoalConfig | None = None) -> None:
        self._planner = GoalPlanner(config)
        self._interpreter = GoalInterpreter(self._planner.config)

    @property
    def planner_id(self) -> str:
        return "goal"

    @property
    def version(self) -> str:
        return VERSION

    def get_determinism_mode(self) -> str:
        return DeterminismMode.FULL

    @keeps_contract
    def plan(self, inputs: PlannerInputs) -> Answer:
        """Plan a wish; what cannot be planned is an error that says what would unblock it."""
        inputs.allow_extra(_KNOWN)
        if "config" not in inputs.extra:
            return self._planned(inputs)
        config = config_from_data(inputs.extra["config"], place="extra.config")
        return RegisteredGoalPlanner(config)._planned(inputs)  # it counts for this request alone

    def _planned(self, inputs: PlannerInputs) -> Answer:
        world = world_from_data(inputs.extra["world"]) if "world" in inputs.extra else WorldState()
        workspace = inputs.extra.get("workspace", DEFAULT_WORKSPACE)
        if not isinstance(workspace, str) or not is_absolute(workspace):
            raise InputError("workspace is an absolute path", place="extra.workspace")
        orchestrator = GoalOrchestrator(self._planner, anchors={**_anchors(inputs), "workspace": workspace})
        tools = self._tools(inputs)
        result = orchestrator.plan(self._meta_goal(inputs, tools), world, tools.index())
        if result.graph is None:
            return _error(result)
        metadata = {
            "status": "partial" if result.failed_goals else "solved",
            "warnings": list(result.warnings),
            "failed_goals": [{"index": f.index, "reason": f.reason} for f in result.failed_goals],
            "input_tokens": 0,
            "output_tokens": 0,
            "cost_cents": 0,
        }
        return PlannerOutput(plan=to_contract(result.graph).as_dict(), metadata=metadata, deterministic=True)

    def _meta_goal(self, inputs: PlannerInputs, tools: ToolRegistry) -> MetaGoal:
        goal = inputs.goal
        if goal.lstrip().startswith(("{", "[")):
            try:
                return meta_goal_from_data(json.loads(goal))
            except (ValueError, RecursionError):
                raise InvalidGoalError("expected a sentence, or goals as JSON", place="goal") from None
        interpreter = self._interpreter
        if "capabilities" in inputs.extra:  # tools of one's own lend their verbs
            interpreter = GoalInterpreter(
                self._planner.config, tools=tools.capabilities(), descriptions=tools.descriptions
            )
        found = interpreter.interpret(goal)
        if found.status != UNDERSTOOD or found.meta_goal is None:
            choices = f" (did you mean: {'; '.join(found.choices)}?)" if found.choices else ""
            raise InvalidGoalError(f"{found.status}: {found.reason}{choices}", place="goal")
        return found.meta_goal

    def _tools(self, inputs: PlannerInputs) -> ToolRegistry:
        if "capabilities" in inputs.extra:
            tools = ToolRegistry.from_data(inputs.extra["capabilities"])
        else:
            tools = ToolRegistry.default(self._planner.config)
        if inputs.skills is None:
            return tools
        allowed = ToolRegistry(tool for tool in tools.capabilities() if tool.name in inputs.skills)
        allowed.descriptions.update(
            (name, tools.descriptions[name]) for name in inputs.skills if name in tools.descriptions
        )
        return allowed


def _anchors(inputs: PlannerInputs) -> dict[str, str]:
    """Return the folders that words such as "the desktop" stand for."""
    given = inputs.extra.get("anchors", {})
    expect(given, Mapping, "extra.anchors", "an object of absolute paths")
    for name, path in given.items():
        if not isinstance(path, str) or not is_absolute(path):
            raise InputError("an anchor is an absolute path", place=f"extra.anchors.{name}")
    return dict(given)


def _error(result: OrchestratorResult) -> PlannerError:
    first = result.failed_goals[0]
    code = _CODES[result.status]
    if first.reason_code not in (
        "no_tool",
        "unmet_requirement",
        "chain_limit",
        "no_plan",
        "budget_exceeded",
        "dependency_failed",
    ):
        code = PlannerErrorCode.INVALID_GOAL
    return PlannerError(
        code=code,
        message=result.reason or first.reason,
        details={
            "status": result.status,
            "failed_goals": [
                {"index": f.index, "reason": f.reason, "reason_code": f.reason_code, "blocker": f.blocker}
                for f in result.failed_goals
            ],
        },
    )
