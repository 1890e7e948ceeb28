"""Tools on a shelf: those that lack something for good are not looked at, unless the world shows it."""

from __future__ import annotations

from dataclasses import replace

from planvow.goals import ConditionGoal, Limits, plan_calls
from planvow.goals.conditions.shelf import ToolShelf
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


def test_of_tools_that_differ_only_in_what_no_one_asks_about_the_first_serves():
    noisy = [ToolEntry(name=f"hit{n}", effects=("lock=broken", f"noise.{n}=heard")) for n in range(3)]
    shelf = ToolShelf([PUSH, *noisy])
    assert names(shelf.helping(GOAL, {})) == ["hit0", "push"]
    quiet = ConditionGoal(conditions={"door": "open", "noise.2": "heard"})
    assert names(shelf.helping(quiet, {})) == ["hit0", "hit2", "push"]
    assert [step.skill for step in plan_calls(quiet, shelf).steps] == ["hit2", "push"]


def test_what_is_asked_about_may_be_what_a_tool_takes_away():
    loud = ToolEntry(name="hit_hard", effects=("lock=broken", "hinge=false"))
    push = ToolEntry(name="push", requires=("lock=broken", "hinge"), effects=("door=open",))
    shelf = ToolShelf([push, loud, ToolEntry(name="hit_soft", effects=("lock=broken",))])
    assert [step.skill for step in plan_calls(GOAL, shelf, {"hinge": True}).steps] == ["hit_soft", "push"]


def test_a_tool_that_needs_a_further_value_stands_in_for_none_that_does_not():
    schema = {"type": "object", "properties": {"tone": {"type": "string"}}}
    first = ToolEntry(name="a_hit", input_schema=schema, effects=("lock=broken", "noise.{tone}=heard"))
    shelf = ToolShelf([PUSH, first, ToolEntry(name="hit", input_schema=schema, effects=("lock=broken",))])
    assert [step.skill for step in plan_calls(GOAL, shelf).steps] == ["hit", "push"]


DEAR = [
    ToolEntry(name="survey", cost=900, effects=("site.surveyed",)),
    ToolEntry(name="build", cost=90_000, requires=("site.surveyed",), effects=("house.status=built",)),
]


def test_a_dear_plan_is_not_a_long_one():
    found = plan_calls(ConditionGoal(conditions={"house.status": "built"}), DEAR)
    assert ([step.skill for step in found.steps], found.cost, found.proof) == (
        ["survey", "build"],
        90_900,
        "proved_minimal",
    )
    none = plan_calls(ConditionGoal(conditions={"house.status": "sold"}), DEAR)
    assert (none.status, none.proof) == ("no_plan", "no_plan")


def test_a_plan_of_more_calls_than_allowed_is_refused_whatever_it_costs():
    goal = ConditionGoal(conditions={"house.status": "built"})
    found = plan_calls(goal, DEAR, limits=Limits(max_calls=1))
    assert (found.status, found.proof, found.steps) == ("budget_exceeded", "chain_limit", ())
    free = [replace(tool, cost=0) for tool in DEAR]
    paid = [*free, ToolEntry(name="buy", cost=9, effects=("house.status=built",))]
    for tools in (free, paid):
        assert plan_calls(goal, tools, limits=Limits(max_calls=1)).proof == "chain_limit"
        assert len(plan_calls(goal, tools, limits=Limits(max_calls=2)).steps) == 2


def test_of_tools_that_differ_in_their_cost_alone_the_cheapest_serves():
    dear = [
        ToolEntry(name=f"a{number}", cost=9 - number, effects=("door=open", f"seen.{number}")) for number in range(9)
    ]
    assert names(ToolShelf(dear).helping(GOAL)) == ["a8"]
    found = plan_calls(GOAL, [*dear, ToolEntry(name="b", cost=1, effects=("door=open",))])
    assert ([step.skill for step in found.steps], found.cost) == (["a8"], 1)
    also = ConditionGoal(conditions={"door": "open", "seen.0": True})
    assert ([step.skill for step in plan_calls(also, dear).steps], plan_calls(also, dear).cost) == (["a0"], 9)
