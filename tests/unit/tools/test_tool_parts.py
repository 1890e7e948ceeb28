"""Many tools that may help: a part of them proves for all, and what it left out comes in where it is cheaper."""

from __future__ import annotations

from planvow.goals import ConditionGoal, Limits, plan_calls
from planvow.goals.conditions.ground import Reach
from planvow.goals.conditions.planner import narrowed
from planvow.goals.conditions.shelf import ToolShelf
from planvow.goals.plan.search import Proof
from planvow.tools import ToolEntry

DONE = ConditionGoal(conditions={"done": True})


def takes(**schemas):
    return {"type": "object", "properties": schemas, "required": [*schemas]}


def chain(name, length, **last):
    """A tool after calls of its own, one behind the other."""
    before = [
        ToolEntry(name=f"{name}_pre{n}", requires=(f"{name}.{n - 1}",) if n else (), effects=(f"{name}.{n}",))
        for n in range(length)
    ]
    return [*before, ToolEntry(name=name, requires=(f"{name}.{length - 1}",), **last)]


def by_part(goal, tools, facts=None):
    return narrowed(goal, ToolShelf(tools), facts or {}, Limits(), Reach(), whole=0, share=1)


def called(plan):
    return [step.skill for step in plan.steps]


def test_thousands_of_tools_that_give_a_value_of_the_kind_asked_for_are_planned_over():
    pay = ToolEntry(name="pay", input_schema=takes(order={}), effects=("order.{order}.paid",))
    fill = ToolEntry(name="fill", input_schema=takes(order={}), effects=("order.{order}.filled",))
    find = [ToolEntry(name=f"find{n:05}", produces={"order": "order"}) for n in range(8_000)]
    goal = ConditionGoal(conditions={"order.{order}.paid": True, "order.{order}.filled": True})
    found = plan_calls(goal, [pay, fill, *find])
    assert (called(found), found.proof) == (["find00000", "fill", "pay"], Proof.MINIMAL)


def test_of_many_ways_that_each_need_a_call_of_their_own_the_one_the_world_has_begun_is_taken():
    ways = [tool for n in range(300) for tool in chain(f"way{n:03}", 2, effects=("done",))]
    assert called(plan_calls(DONE, ways)) == ["way000_pre0", "way000_pre1", "way000"]
    assert called(plan_calls(DONE, ways, {"way250.0": True})) == ["way250_pre1", "way250"]
    assert called(plan_calls(DONE, ways, {"way250.1": True})) == ["way250"]


def test_a_cheaper_way_among_many_dearer_ones_is_found():
    ways = [tool for n in range(60) for tool in chain(f"way{n:03}", 1, effects=("done",), cost=9)]
    found = plan_calls(DONE, [*ways, *chain("z", 5, effects=("done",), cost=8)])
    assert (found.cost, called(found)[-1], len(found.steps)) == (8, "z", 6)


def test_two_values_from_outside_a_part_may_be_needed():
    """What holds of one of them takes nothing from the other."""
    tools = [
        *chain("a_find", 3, input_schema=takes(mode={"enum": [1, 2]}), produces={"thing": "thing"}),
        *(ToolEntry(name=f"find{n}", produces={"thing": "thing"}) for n in (1, 2)),
        *(
            ToolEntry(name=f"paint_{one}", input_schema=takes(thing={}), effects=(f"thing.{{thing}}.colour={one}",))
            for one in ("red", "blue")
        ),
        ToolEntry(
            name="pair",
            input_schema=takes(one={}, other={}),
            takes={"one": "thing", "other": "thing"},
            requires=("thing.{one}.colour=red", "thing.{other}.colour=blue"),
            effects=("done",),
        ),
    ]
    assert len(plan_calls(DONE, tools).steps) == 5
    assert len(by_part(DONE, tools).steps) == 5


def test_a_tool_that_another_stands_for_may_help_one_outside_the_part():
    goal = ConditionGoal(conditions={"open": True, "lit": True})
    openers = [ToolEntry(name=f"open{n:02}", effects=("open", f"own.{n}")) for n in range(20)]
    lamp = ToolEntry(name="lamp", requires=("own.7",), effects=("lit",))
    tools = [*openers, lamp, *chain("a_light", 1, effects=("lit",))]
    assert called(plan_calls(goal, tools)) == ["open07", "lamp"]
    assert called(by_part(goal, tools)) == ["open07", "lamp"]


def test_where_values_that_a_schema_lists_give_way_to_those_of_tools_all_are_looked_at():
    tools = [
        ToolEntry(name="act", input_schema=takes(mode={"enum": ["fast"]}, thing={}), effects=("done",)),
        ToolEntry(name="find", produces={"thing": "thing"}),
        ToolEntry(name="seek", produces={"thing": "thing"}),
    ]
    assert called(by_part(DONE, tools)) == ["find", "act"]
    assert by_part(DONE, [*tools, ToolEntry(name="think", produces={"mode": "mode"})]) is None
