"""Plans of the goal planner in the common plan model and back, losing nothing (seed 003 ↔ seed 004).

A step's id is the action's id, its skill the tool, its dependencies the action's; its params hold the arguments and
the expected effect. Text in the arguments is escaped, because a plan's executor reads `{{…}}` as a placeholder and a
goal's text means only itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from planvow.canonical import to_jsonable
from planvow.contract.plan.normalise import read_plan
from planvow.contract.plan.placeholders import escape
from planvow.contract.plan.plan import Plan
from planvow.errors import InputError
from planvow.goals.plan.orchestrator import PlanGraph
from planvow.goals.values.values import GoalPlan, PlannedAction
from planvow.step import Step

ACHIEVED = "goal_achieved"
_ESCAPED = '{{"{{"}}'


def to_contract(plan: GoalPlan | PlanGraph) -> Plan:
    """Return a plan, or a graph of several plans, in the common plan model."""
    if isinstance(plan, PlanGraph):
        return Plan(steps=tuple(_step(action) for action in plan.nodes))
    steps = [_step(action) for action in plan.actions]
    if plan.goal_achieved_by != steps[-1].step_id:  # the last one needs no mark
        steps = [replace(s, output_key=ACHIEVED) if s.step_id == plan.goal_achieved_by else s for s in steps]
    return Plan(steps=tuple(steps))


def from_contract(plan: Plan | Mapping[str, Any]) -> GoalPlan:
    """Return a single goal's plan from the common plan model; the last step achieves the goal, unless one is marked."""
    steps = read_plan(plan).steps
    actions = tuple(_action(step) for step in steps)
    achieved_by = next((step.step_id for step in steps if step.output_key == ACHIEVED), steps[-1].step_id)
    return GoalPlan(actions=actions, goal_achieved_by=achieved_by, total_actions=len(actions))


def _step(action: PlannedAction) -> Step:
    return Step(
        step_id=action.action_id,
        skill=action.tool,
        params={"args": _map_text(to_jsonable(action.args), escape), "expected_effect": escape(action.expected_effect)},
        depends_on=action.depends_on,
        retry_count=0,  # an assistant's action is seen by a person; it is never silently done twice
    )


def _action(step: Step) -> PlannedAction:
    params = step.params
    if set(params) != {"args", "expected_effect"} or not isinstance(params["expected_effect"], str):
        raise InputError("expected the params args and expected_effect", place=step.step_id)
    return PlannedAction(
        action_id=step.step_id,
        tool=step.skill,
        args=_map_text(params["args"], _unescaped),
        expected_effect=_unescaped(params["expected_effect"]),
        depends_on=step.depends_on,
    )


def _unescaped(text: str) -> str:
    return text.replace(_ESCAPED, "{{")


def _map_text(value: Any, change: Any) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_map_text(part, change) for part in value]
    if isinstance(value, dict):
        return {key: _map_text(part, change) for key, part in value.items()}
    return value
