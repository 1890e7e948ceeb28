"""The goal planner against brute force: fewest actions, executable, explicit, deterministic; never an exception."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from planvow.canonical import full_hash
from planvow.goals import GoalPlanner, ToolCapability, ToolGoal, WorldState
from planvow.goals.values.values import GOAL_TYPES

WORDS = ["browser_running", "w1", "w2", "w3", "w4"]
some_words = st.frozensets(st.sampled_from(WORDS), max_size=3)
GOAL = ToolGoal(goal_type="browser_search", query="x")


@st.composite
def capabilities(draw):
    tools = []
    for i in range(draw(st.integers(0, 6))):
        achieves = draw(st.sampled_from([frozenset(), frozenset({"browser_search"})]))
        tools.append(
            ToolCapability(name=f"t{i}", can_achieve=achieves, requires=draw(some_words), effects=draw(some_words))
        )
    return tools


def fewest_by_brute_force(tools, holding):
    """Try every sequence of distinct tools whose last achieves the goal."""
    for length in range(1, min(6, len(tools)) + 1):
        for sequence in permutations(tools, length):
            words = set(holding)
            if "browser_search" not in sequence[-1].can_achieve:
                continue
            for tool in sequence:
                if not tool.requires <= words:
                    break
                words |= tool.effects
            else:
                return length
    return None


@settings(max_examples=250, deadline=None)
@given(capabilities(), st.booleans())
def test_the_plan_is_minimal_and_executable(tools, browser_running):
    world = WorldState(browser_running=browser_running)
    before = full_hash(world)
    result = GoalPlanner().plan(GOAL, world, tools)
    expected = fewest_by_brute_force(tools, world.words())
    assert full_hash(world) == before
    assert GoalPlanner().plan(GOAL, world, list(reversed(tools))) == result, "the order of the tools must not matter"
    if expected is None:
        assert result.status in ("no_capability", "blocked")
        return
    assert result.status == "success"
    assert result.plan.total_actions == expected
    by_name = {tool.name: tool for tool in tools}
    done: dict[str, frozenset[str]] = {}
    for action in result.plan.actions:
        needs = by_name[action.tool].requires - world.words()
        provided = frozenset().union(*(done[a] for a in action.depends_on)) if action.depends_on else frozenset()
        assert needs <= provided, "every requirement comes from the world or from a named dependency"
        done[action.action_id] = by_name[action.tool].effects
    assert result.plan.goal_achieved_by == result.plan.actions[-1].action_id


hostile = (
    st.none() | st.text(max_size=40) | st.sampled_from(["/", "..", "/../x", "C:\\", "javascript:x", "a.b", "\ud800"])
)


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(GOAL_TYPES),
    st.fixed_dictionaries(
        dict.fromkeys(
            ["platform", "query", "target", "action", "object_type", "content", "destination", "new_name"], hostile
        )
    ),
)
def test_no_goal_is_ever_answered_with_an_exception(goal_type, fields):
    result = GoalPlanner().plan(ToolGoal(goal_type=goal_type, **fields), WorldState(), GoalPlanner().config.tools)
    assert result.status in ("success", "no_capability", "rejected")
    full_hash(result)
