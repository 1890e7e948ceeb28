"""Goals as conditions: what cannot be meant is refused."""

from __future__ import annotations

import pytest

from planvow.errors import InputError, PlanvowError
from planvow.goals.conditions.goal import read_goal
from planvow.service.declare.setting import Setting
from planvow.service.operations.goals import PLAN_GOAL, GoalQuestion, goal_text


@pytest.mark.parametrize(("one", "other"), [("lamp=on", "lamp=off"), ("lamp", "!lamp"), ("level=1", "level")])
def test_a_key_cannot_have_two_values_at_once(one, other):
    with pytest.raises(InputError, match=f"{one} and {other} cannot both be so"):
        read_goal(f"{one}, {other}")
    with pytest.raises(InputError, match=f"{one} and {other} cannot both be so"):
        goal_text(GoalQuestion(conditions=[one, other]))


def test_the_same_twice_is_said_once():
    assert read_goal("lamp=on, door, lamp=on").conditions == {"lamp": "on", "door": True}


def hand_on(number):
    schema = {"type": "object", "properties": {f"v{number}": {}}, "required": [f"v{number}"]}
    return {"name": f"t{number}", "input_schema": schema, "produces": {"out": f"v{number + 1}"}}


def test_who_reaches_the_limit_of_depth_is_told_what_raises_it():
    tools = {"format": "planvow-tools/1", "tools": [*map(hand_on, range(8))]}
    asked = {"tools": tools, "given": {"v0": 1}, "wants": ["v8"]}
    with pytest.raises(PlanvowError, match=r"limit on depth \(6\)") as refused:
        PLAN_GOAL(GoalQuestion(**asked), Setting())
    assert "--depth" in str(refused.value.hint)
    assert len(PLAN_GOAL(GoalQuestion(**asked, depth=8), Setting()).output.steps) == 8
