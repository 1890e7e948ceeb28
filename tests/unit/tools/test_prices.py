"""Least prices of what tools ask for, and what must be spent outside a part before one of its rows can be called."""

from __future__ import annotations

import pytest

from planvow.goals import ConditionGoal, Limits, plan_calls
from planvow.goals.conditions.behind import Behind
from planvow.goals.conditions.ground import Reach
from planvow.goals.conditions.narrow import Best, Narrow
from planvow.goals.conditions.planner import narrowed
from planvow.goals.conditions.prices import NEVER
from planvow.goals.conditions.problem import weight
from planvow.goals.conditions.rows import EACH, asked_by
from planvow.goals.conditions.shelf import ToolShelf
from planvow.goals.plan.search import Proof
from planvow.status import Status
from planvow.tools import ToolEntry
from planvow.tools.statements import read_statement

DONE = ConditionGoal(conditions={"done": True})
ANY = 1 << 59
TOOLS = [
    ToolEntry(name="key", effects=("key",), cost=2),
    ToolEntry(name="map", effects=("map",), cost=5),
    ToolEntry(name="open", requires=("key", "map"), effects=("open",), cost=1),
    ToolEntry(name="force", effects=("open",), cost=9),
    ToolEntry(name="act", requires=("open", "!wet"), effects=("done",)),
    ToolEntry(name="lost", requires=("lost",), effects=("lost", "found")),
    ToolEntry(
        name="mend",
        input_schema={"type": "object", "properties": {"part": {}}, "required": ["part"]},
        effects=("part.{part}.whole",),
        cost=3,
    ),
    ToolEntry(name="buy", produces={"part": "part"}, cost=4),
]


def asked(text):
    return asked_by(read_statement(text))


def price(text, facts=None, given=None):
    goal = ConditionGoal(conditions={"done": True}, given=given or {})
    return ToolShelf(TOOLS).prices(goal, facts or {}).of(asked(text))


def by_part(goal, tools, share=1):
    return narrowed(goal, ToolShelf(tools), {}, Limits(), Reach(), whole=0, share=share)


def called(plan):
    return [step.skill for step in plan.steps]


def test_a_thing_costs_its_cheapest_maker_after_the_dearest_thing_that_one_needs():
    assert price("map") == weight(5)
    assert price("open") == weight(5) + weight(1)  # not the key as well: whoever has one call behind both pays once
    assert price("done") == weight(5) + weight(1) + weight(None)
    assert price("part.7.whole") == weight(4) + weight(3)


def test_what_waits_for_itself_is_never_there():
    assert price("found") >= NEVER
    assert price("nobody.says") >= NEVER


@pytest.mark.parametrize(
    ("text", "facts", "given", "least"),
    [
        ("open", {"map": True}, {}, weight(2) + weight(1)),
        ("open", {"map": True, "key": True}, {}, weight(1)),
        ("open", {"map": "old"}, {}, weight(5) + weight(1)),
        ("open", {"open": True}, {}, 0),
        ("found", {"lost": True}, {}, weight(None)),
        ("part.7.whole", {}, {"part": "7"}, weight(3)),
        ("!wet", {"wet": True}, {}, 0),  # silence may meet it, so nothing is said
    ],
)
def test_what_the_world_shows_and_what_is_given_lowers_prices(text, facts, given, least):
    assert price(text, facts, given) == least


def test_prices_of_one_world_are_not_left_on_the_shelf_for_another():
    shelf = ToolShelf(TOOLS)
    assert shelf.prices(DONE, {"open": True}).of(asked("done")) == weight(None)
    assert shelf.prices(DONE, {}).of(asked("done")) == weight(5) + weight(1) + weight(None)


def behind(inside, below=ANY):
    shelf = ToolShelf(TOOLS)
    rows = {row.first.name: row for row in shelf.rows}
    return Behind({rows[name]: {EACH} for name in inside}, shelf.prices(DONE, {}), below), rows


def test_before_a_row_is_called_so_much_is_spent_outside_the_part_as_the_part_does_not_bring():
    for inside, least in (((), 6), (("map",), 3), (("map", "key"), 1), (("open",), 0)):
        found, rows = behind(inside)
        assert found.of(rows["act"]) // 10_000 == least, inside


def test_what_costs_more_than_the_plan_in_hand_stands_behind_nothing():
    found, rows = behind((), below=weight(5))
    assert found.of(rows["act"]) == NEVER


def test_rows_with_a_call_behind_them_in_common_are_tied_and_others_are_not():
    tools = [
        ToolEntry(name="root", effects=("root",)),
        ToolEntry(name="alone", effects=("alone",)),
        *(ToolEntry(name=f"of_root{n}", requires=("root",), effects=(f"leaf.{n}",)) for n in range(2)),
        ToolEntry(name="of_alone", requires=("alone",), effects=("leaf.2",)),
    ]
    shelf = ToolShelf(tools)
    rows = {name: row for row in shelf.rows for name in row.own}
    found = Behind({}, shelf.prices(DONE, {}), ANY)
    for name in ("of_root0", "of_root1", "of_alone"):
        assert found.of(rows[name]) == weight(None)
    found.tie_all()
    for number, name in enumerate(("of_root0", "of_root1", "of_alone")):
        found.tie(number, rows[name], name)
    assert found.tied(0) == found.tied(1) != found.tied(2)


def test_a_call_that_several_outside_a_part_have_behind_them_is_paid_once():
    """Each half has a dearer way inside the part; only together are the halves outside cheaper."""
    goal = ConditionGoal(conditions={"left": True, "right": True})
    halves = ("left", "right")
    tools = [
        ToolEntry(name="root", effects=("root",), cost=5),
        *(ToolEntry(name=f"z_{half}", requires=("root",), effects=(half,), cost=1) for half in halves),
        *(ToolEntry(name=f"a_{half}", effects=(half,), cost=4) for half in halves),
    ]
    found = by_part(goal, tools)
    assert (sorted(called(found)), found.cost) == (["root", "z_left", "z_right"], 7)


def ways():
    """Ways to the goal that each need a call of their own: the cheaper the one, the dearer the other, but for one."""
    return [
        tool
        for n in range(300)
        for tool in (
            ToolEntry(name=f"key{n}", effects=(f"key.{n}",), cost=300 - n),
            ToolEntry(name=f"way{n}", requires=(f"key.{n}",), effects=("done",), cost=n + 1 if n != 150 else 100),
        )
    ]


def test_a_cheap_call_behind_a_dear_one_is_not_taken_for_a_cheap_way():
    found = by_part(DONE, ways())
    assert found is not None, "a part proves it"
    assert (called(found), found.cost, found.proof) == (["key150", "way150"], 250, Proof.MINIMAL)


def test_a_part_begins_with_what_is_cheapest_with_all_that_stands_behind_it():
    parts = []

    def best_of(tools):
        parts.append([tool.name for tool in tools])
        return Best(weight(250) + 1, 2)

    Narrow(DONE, ToolShelf(ways()), {}, Reach(), Limits()).part(best_of, 0, 1)
    assert parts == [["key150", "way150"]]


def test_two_ways_outside_with_nothing_in_common_each_pay_for_what_stands_behind_them():
    """One of them alone is cheaper than the plan in hand, both are not: so a part proves it."""
    halves = ("left", "right")
    tools = [
        tool
        for half in halves
        for n in range(100)
        for tool in (
            ToolEntry(name=f"key_{half}{n:02}", effects=(f"key.{half}.{n}",), cost=5 if n else 4),
            ToolEntry(name=f"way_{half}{n:02}", requires=(f"key.{half}.{n}",), effects=(half,), cost=1),
        )
    ]
    found = by_part(ConditionGoal(conditions=dict.fromkeys(halves, True)), tools)
    assert found is not None, "a part proves it"
    assert (len(found.steps), found.cost, found.proof) == (4, 10, Proof.MINIMAL)


def test_that_nothing_reaches_the_goal_is_proved_by_a_part_and_told_with_tools_near_it():
    ways = [
        ToolEntry(name=f"way{n:03}", requires=(f"ring.{(n + 1) % 200}",), effects=("done", f"ring.{n}"))
        for n in range(200)
    ]
    assert by_part(DONE, ways).status is Status.NO_PLAN
    found = plan_calls(DONE, ways)
    assert (found.proof, found.reason) == (Proof.NO_PLAN, "no order of calls makes done so")
