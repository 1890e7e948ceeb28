"""Asking a planner of the contract about sentences the rules doubt: goal types are its skills, its steps the goals.

The planner may be a model behind recordings (`contract/planners/llm.py`); here it only keeps the contract. What
it answers is checked like any other data, and anything that is not a group of goals counts as no answer: the rules'
doubt then stands. Nothing asks a model unless it is given one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

from planvow.contract.interface.interface import PlannerInterface, PlannerOutput
from planvow.contract.plan.normalise import read_plan
from planvow.errors import PlanvowError
from planvow.goals.values.data import goal_from_data
from planvow.goals.values.metagoal import MetaGoal
from planvow.goals.values.values import GOAL_TYPES, ToolGoal

AGENT_ID = "goal-interpreter"
_FIELDS = tuple(
    f.name for f in fields(ToolGoal) if f.name not in ("goal_type", "goal_id", "recursive", "resolved_path")
)
_MANIFEST = tuple(
    {
        "skill_id": goal_type,
        "description": f"A {goal_type} goal.",
        "input_schema": {
            "type": "object",
            "properties": {name: {"type": "string"} for name in _FIELDS},
            "additionalProperties": False,
        },
    }
    for goal_type in GOAL_TYPES
)


def reading_with(planner: PlannerInterface) -> Callable[[str], MetaGoal | None]:
    """Return what `GoalInterpreter(model=…)` takes: a sentence in, the goals the planner sees in it out, or None."""

    def read(text: str) -> MetaGoal | None:
        answer = planner.plan(AGENT_ID, text, tool_manifest=_MANIFEST)
        if not isinstance(answer, PlannerOutput):
            return None
        try:
            steps = read_plan(answer.plan).steps
            place = {step.step_id: number for number, step in enumerate(steps)}
            goals = [
                goal_from_data({**step.params, "goal_type": step.skill, "goal_id": step.step_id}) for step in steps
            ]
            needs = {number: tuple(place[need] for need in step.depends_on) for number, step in enumerate(steps)}
            return MetaGoal.of(goals, needs)
        except PlanvowError:
            return None

    return read
