"""The goal planner against an independent breadth-first search: the same answer and the same length, on registries of
up to 500 tools. `bench/goals.py` does the same with 5,000."""

from __future__ import annotations

import pytest

from planvow.goals import GoalOrchestrator, GoalPlanner, MetaGoal, ToolGoal
from planvow.goals.plan import narrow
from tool_registries import (
    GOAL_WORD,
    UNDECIDED,
    fewest_calls,
    fewest_calls_for_all,
    random_registry,
    random_world,
    with_second_goal,
)

GOAL = ToolGoal(goal_type="system_query", query="x")
REGISTRIES = 100


@pytest.fixture(params=["as it is", "in small parts"], autouse=True)
def looked_at(request, monkeypatch):
    """Plan as always, and again with parts so small that almost every registry is wider."""
    if request.param == "in small parts":
        monkeypatch.setattr(narrow, "WHOLE", 8)
        monkeypatch.setattr(narrow, "SHARE", 1)


def carried_out(actions, tools, world):
    """Carry a plan out in the reverse of its order as far as its dependencies allow: nothing may rest on luck."""
    by_name = {tool.name: tool for tool in tools}
    state = {_setting(word) for word in world.words()}
    left, done = list(reversed(actions)), set()
    while left:
        action = next(a for a in left if done.issuperset(a.depends_on))
        left.remove(action)
        tool = by_name[action.tool]
        assert {_setting(word) for word in tool.requires} <= state, f"{action.tool} lacks something"
        gives = {_setting(word) for word in tool.effects}
        state = {s for s in state if s[0] not in {key for key, _ in gives}} | gives
        done.add(action.action_id)


def _setting(word):
    key, _, value = word.partition("=")
    return key, value or "true"


def test_status_and_length_are_those_of_a_breadth_first_search():
    lengths = []
    for seed in range(REGISTRIES):
        tools, world = random_registry(seed), random_world(seed)
        expected = fewest_calls(tools, world)
        if expected == UNDECIDED:
            continue
        result = GoalPlanner().plan(GOAL, world, tools)
        found = result.plan.total_actions if result.plan else None
        assert (found, result.proof) == (expected, "proved_minimal" if expected else "no_plan"), f"registry {seed}"
        if result.plan:
            carried_out(result.plan.actions, tools, world)
            lengths.append(found)
        assert GoalPlanner().plan(GOAL, world, tools[::-1]) == result, "the order of the tools must not matter"
    assert len(lengths) > REGISTRIES / 2
    assert sum(length > 6 for length in lengths) >= REGISTRIES / 5


def test_two_goals_together_take_as_many_calls_as_a_breadth_first_search_finds():
    goals = MetaGoal.of([GOAL, ToolGoal(goal_type="browser_search", query="y")])
    decided = shared = 0
    for seed in range(REGISTRIES):
        tools = with_second_goal(random_registry(seed, most_tools=16), seed, "browser_search")
        world = random_world(seed)
        expected = fewest_calls_for_all(tools, (GOAL_WORD, "browser_search"), world)
        if expected == UNDECIDED:
            continue
        result = GoalOrchestrator().plan(goals, world, tools)
        if expected is None:
            assert result.status != "success", f"registry {seed}"
            continue
        assert (result.status, len(result.graph.nodes)) == ("success", expected), f"registry {seed}"
        carried_out(result.graph.nodes, tools, world)
        decided += 1
        alone = [GoalPlanner().plan(goal, world, tools).plan.total_actions for goal in goals.goals]
        shared += sum(alone) > expected
    assert decided >= REGISTRIES / 5
    assert shared >= REGISTRIES / 10
