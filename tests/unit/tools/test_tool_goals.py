"""Goals as conditions: what cannot be meant is refused."""

from __future__ import annotations

import pytest

from planvow.errors import InputError
from planvow.goals.conditions.goal import read_goal
from planvow.service.operations.goals import GoalQuestion, goal_text


@pytest.mark.parametrize(("one", "other"), [("lamp=on", "lamp=off"), ("lamp", "!lamp"), ("level=1", "level")])
def test_a_key_cannot_have_two_values_at_once(one, other):
    with pytest.raises(InputError, match=f"{one} and {other} cannot both be so"):
        read_goal(f"{one}, {other}")
    with pytest.raises(InputError, match=f"{one} and {other} cannot both be so"):
        goal_text(GoalQuestion(conditions=[one, other]))


def test_the_same_twice_is_said_once():
    assert read_goal("lamp=on, door, lamp=on").conditions == {"lamp": "on", "door": True}
