"""Tools on a shelf against a walk past every tool, which shares nothing with the shelf but how keys are read."""

from __future__ import annotations

import pytest

from planvow.goals import plan_calls
from planvow.goals.conditions import shelf
from planvow.goals.conditions.ground import Reach
from planvow.goals.conditions.keys import OPEN, key_pattern, value_word
from planvow.goals.conditions.shelf import ToolShelf
from planvow.goals.conditions.terms import filled, kind_of
from planvow.tools.statements import NOTHING
from tool_worlds import random_crowd, random_world

CASES = [*map(random_crowd, range(90)), *map(random_world, range(40))]


def same(one, other):
    return len(one) == len(other) and all(a == b or OPEN in (a, b) for a, b in zip(one, other, strict=True))


def makes(tool, asked):
    if isinstance(asked, str):
        return asked in tool.produces.values()
    key, value = asked
    return any(
        same(key_pattern(effect), key) and (value in (OPEN, value_word(effect)) or value_word(effect) == OPEN)
        for effect in tool.brings
    )


def asks(statements, kinds):
    return {(key_pattern(one), value_word(one)) for one in statements} | {*kinds}


def lacks(tool, tools, facts):
    """The first need that no tool meets is shown by the world, or the tool is of no use in it."""
    for need in tool.needs:
        if need.names or need.value is NOTHING or need.value is False:
            continue
        if not any(makes(other, (key_pattern(need), value_word(need))) for other in tools):
            return not (
                need.key in facts and facts[need.key] == need.value and type(facts[need.key]) is type(need.value)
            )
    return False


def walked(case, facts):
    """The tools a goal needs, by a walk: those that make what is asked for, in turn, and of those that are alike for it
    the cheapest, and of these the first."""
    tools = [tool for tool in case.tools if facts is None or not lacks(tool, case.tools, facts)]
    names = [name for one in case.goal.statements for name in one.names]
    asked, found = asks(case.goal.statements, [*case.goal.wants, *names]), []
    while new := [tool for tool in tools if tool not in found and any(makes(tool, one) for one in asked)]:
        found += new
        for tool in new:
            asked |= asks(tool.needs, (kind_of(tool, name) for name in filled(tool)))
    keys = [one[0] for one in asked if not isinstance(one, str)]
    alike, serving = [], []
    for tool in sorted(found, key=lambda tool: (tool.cost or 0, tool.name)):
        bearing = [e for e in tool.effects if any(same(key_pattern(s), k) for s in [_read(tool, e)] for k in keys)]
        sort = (tool.requires, dict(tool.takes), dict(tool.input_schema), filled(tool), bearing)
        if tool.produces or sort not in alike:
            serving.append(tool.name)
        if not tool.produces:
            alike.append(sort)
    return sorted(serving)


def _read(tool, text):
    return tool.brings[tool.effects.index(text)]


@pytest.mark.parametrize("few", [2, shelf.FEW])
def test_a_shelf_finds_the_tools_that_a_walk_past_all_of_them_finds(few, monkeypatch):
    monkeypatch.setattr(shelf, "FEW", few)
    rows = 0
    for number, case in enumerate(CASES):
        made = ToolShelf(case.tools)
        rows += any(len(row.own) > 1 for row in made.rows)
        for facts in (case.facts, None):
            assert [tool.name for tool in made.helping(case.goal, facts)] == walked(case, facts), number
    assert rows > 10


def test_how_a_shelf_is_parted_into_rows_shows_in_no_plan(monkeypatch):
    def plans():
        reach = Reach(depth=3, calls=500)
        return [plan_calls(case.goal, case.tools, case.facts, reach=reach) for case in CASES[:80]]

    usual = plans()
    monkeypatch.setattr(shelf, "FEW", 2)
    assert plans() == usual
    assert sum(bool(plan.steps) for plan in usual) > 20
