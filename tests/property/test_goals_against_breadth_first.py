"""The goal planner against an independent breadth-first search: the same answer and the same length, on registries of
up to 500 tools. `bench/goals.py` does the same with 5,000."""

from __future__ import annotations

from planvow.goals import Goal, GoalPlanner
from tool_registries import UNDECIDED, fewest_calls, random_registry, random_world

GOAL = Goal(goal_type="system_query", query="x")
REGISTRIES = 100


def carried_out(plan, tools, world):
    """Carry a plan out in the reverse of its order as far as its dependencies allow: nothing may rest on luck."""
    by_name = {tool.name: tool for tool in tools}
    state = {_setting(word) for word in world.words()}
    left, done = list(reversed(plan.actions)), set()
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
            carried_out(result.plan, tools, world)
            lengths.append(found)
        assert GoalPlanner().plan(GOAL, world, tools[::-1]) == result, "the order of the tools must not matter"
    assert len(lengths) > REGISTRIES / 2
    assert sum(length > 6 for length in lengths) >= REGISTRIES / 5
