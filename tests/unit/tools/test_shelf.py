"""Tools on a shelf: those that lack something for good are not looked at, unless the world shows it."""

from __future__ import annotations

from planvow.goals import ConditionGoal, plan_calls
from planvow.goals.conditions.ground import ToolShelf
from planvow.tools import ToolEntry

GOAL = ConditionGoal(conditions={"door": "open"})
KEY = ToolEntry(name="a_key", requires=("key.at_hand",), effects=("door=open",))
PUSH = ToolEntry(name="push", requires=("lock=broken",), effects=("door=open",))
HIT = ToolEntry(name="hit", effects=("lock=broken",))


def names(tools):
    return [tool.name for tool in tools]


def test_a_tool_whose_need_nobody_meets_is_left_aside():
    shelf = ToolShelf([KEY, PUSH, HIT])
    assert names(shelf.helping(GOAL, {})) == ["hit", "push"]
    assert names(shelf.helping(GOAL)) == ["a_key", "hit", "push"]


def test_the_world_brings_it_back():
    shelf = ToolShelf([KEY, PUSH, HIT])
    assert [step.skill for step in plan_calls(GOAL, shelf, {"key.at_hand": True}).steps] == ["a_key"]
    assert [step.skill for step in plan_calls(GOAL, shelf, {"key.at_hand": "yes"}).steps] == ["hit", "push"]


def test_a_need_that_something_is_not_so_is_met_by_silence():
    shelf = ToolShelf([ToolEntry(name="walk", requires=("!alarm", "guard=false"), effects=("door=open",))])
    assert names(shelf.helping(GOAL, {})) == ["walk"]


def test_why_there_is_no_plan_is_told_with_the_tools_that_were_left_aside():
    found = plan_calls(GOAL, [KEY])
    assert "no order of calls makes door=open so" in found.reason
