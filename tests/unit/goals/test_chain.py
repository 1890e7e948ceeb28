"""Chains of tools: the shortest is proved, effort is bounded, and what cannot be is named."""

from __future__ import annotations

import pytest

from planvow.goals import Fact, Goal, GoalPlanner, ToolCapability, WorldState
from planvow.goals.plan.chain import MAX_ACTIONS, ToolIndex, effects_of, shortest_chain
from planvow.goals.values.config import default_config

GOAL = Goal(goal_type="browser_search", query="x")


def tool(name, needs=(), gives=(), achieves=()):
    return ToolCapability(name=name, requires=set(needs), effects=set(gives), can_achieve=set(achieves))


def search(*needs):
    return tool("s", needs, achieves=["browser_search"])


def planned(*tools, world=None):
    return GoalPlanner().plan(GOAL, world or WorldState(), tools)


def tools_of(result):
    return [action.tool for action in result.plan.actions]


def test_at_most_six_calls_are_ever_made():
    needs = [f"w{i}" for i in range(MAX_ACTIONS)]
    result = planned(search(*needs), *(tool(f"t{n}", gives=[n]) for n in needs))
    assert (result.status, result.reason_code) == ("blocked", "chain_limit")
    six = planned(search(*needs[1:]), *(tool(f"t{n}", gives=[n]) for n in needs))
    assert six.plan.total_actions == MAX_ACTIONS


def test_a_chain_of_six_in_a_row_is_found_and_one_of_seven_is_not():
    row = [tool(f"t{i}", [f"w{i + 1}"] if i < 4 else [], [f"w{i}"]) for i in range(5)]
    assert planned(search("w0"), *row).plan.total_actions == 6
    longer = [tool(f"t{i}", [f"w{i + 1}"] if i < 5 else [], [f"w{i}"]) for i in range(6)]
    assert planned(search("w0"), *longer).reason_code == "chain_limit"


def test_names_decide_between_equally_short_chains():
    result = planned(search("a"), tool("zeta", gives=["a"]), tool("alpha", gives=["a"]))
    assert tools_of(result) == ["alpha", "s"]


def test_a_preferred_tool_wins_among_equals_only():
    other = tool("a.search", achieves=["browser_search"])
    launcher = tool("system.apps.launch.shell", achieves=["browser_search"])
    assert tools_of(planned(other, launcher)) == [launcher.name]
    demanding = tool("system.apps.launch.shell", ["a"], achieves=["browser_search"])
    assert tools_of(planned(other, demanding, tool("t", gives=["a"]))) == [other.name]


def test_a_preferred_tool_is_named_for_file_words_as_well():
    goal = Goal(goal_type="file_operation", action="rename", target="/w/a.txt", new_name="b.txt")
    tools = [*default_config().tools, tool("a.rename", achieves=["rename_file"])]
    assert tools_of(GoalPlanner().plan(goal, WorldState(), tools)) == ["files.rename"]


def test_two_entries_of_one_name_count_only_for_what_both_promise():
    honest = tool("t", ["needed"], ["a", "b"])
    other = tool("t", [], ["a", "c"])
    for pair in ([honest, other], [other, honest]):
        [kept] = ToolIndex(pair).by_name.values()
        assert kept == tool("t", ["needed"], ["a"])


def test_a_launcher_that_starts_an_app_starts_no_browser():
    launcher = tool("launch", gives=["browser_running", "app_running"])
    result = planned(search("app_running:notepad", "browser_running"), launcher)
    assert [dict(a.args) for a in result.plan.actions[:2]] == [{"app_name": "notepad"}, {"app_name": "chrome"}]
    assert result.plan.actions[2].depends_on == ("a1", "a2")
    both = planned(search("app_running:firefox", "browser_running"), launcher)
    assert both.plan.total_actions == 2
    assert "browser_running" in effects_of(launcher, "youtube_search_visible", ("firefox",))


@pytest.mark.parametrize(
    ("tools", "blocker"),
    [
        ([search("a"), tool("t", ["b"], ["a"]), tool("u", ["a"], ["b"])], "a"),
        ([search("a"), tool("t", ["a"], ["a"])], "a"),
        ([search("a"), tool("t", ["b"], ["a"]), tool("u", ["deep"], ["b"])], "deep"),
        ([tool("s", ["a"], ["a"], ["browser_search"])], "a"),
        ([search("app_running:x"), tool("launch", ["power"], ["app_running"])], "power"),
    ],
    ids=["circle", "self", "deep", "goal tool", "launcher"],
)
def test_what_nothing_brings_about_is_named(tools, blocker):
    result = planned(*tools)
    assert (result.status, result.reason_code, result.blocker) == ("blocked", "unmet_requirement", blocker)


def test_a_tool_that_could_be_called_some_day_is_not_blamed():
    row = [tool(f"t{i}", [f"w{i + 1}"] if i < 8 else [], [f"w{i}"]) for i in range(9)]
    result = planned(tool("r", ["never"], achieves=["browser_search"]), search("w0"), *row)
    assert (result.reason_code, result.blocker) == ("chain_limit", None)


HOSTILE = {
    "a circle of 10,000": [search("w0"), *(tool(f"t{i}", [f"w{(i + 1) % 10_000}"], [f"w{i}"]) for i in range(10_000))],
    "10,000 dead ends": [search("w0"), *(tool(f"t{i}", [f"n{i}"], ["w0"]) for i in range(10_000))],
    "10,000 dead goals": [tool(f"s{i}", [f"w{i}"], [], ["browser_search"]) for i in range(10_000)],
    "all need all": [
        search(*(f"w{i}" for i in range(50))),
        *(tool(f"t{i}", [f"w{k}" for k in range(50) if k != i], [f"w{i}"]) for i in range(50)),
    ],
    "many almost alike": [
        search(*(f"w{i}" for i in range(7))),
        *(tool(f"t{i}_{k}", gives=[f"w{i}", f"x{k}"]) for i in range(7) for k in range(30)),
    ],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_registries_get_a_reason_and_not_an_exception(name):
    result = planned(*HOSTILE[name])
    assert result.status == "blocked"
    assert result.reason


def test_search_costs_what_the_chain_costs_and_not_what_the_registry_holds():
    chain = [search("w0"), *(tool(f"t{i}", [f"w{i + 1}"] if i < 2 else [], [f"w{i}"]) for i in range(3))]
    noise = [tool(f"n{i}", [f"a{i}"], [f"b{i}"], [f"c{i}"]) for i in range(2000)]
    small = shortest_chain("browser_search", ToolIndex(chain), frozenset())
    assert shortest_chain("browser_search", ToolIndex(chain + noise), frozenset()) == small


def test_a_browser_that_is_not_installed_is_not_used():
    world = WorldState(recent_facts=[Fact(subject="chrome", predicate="installed", value=False)])
    assert planned(search(), world=world).plan.actions[0].args["app_name"] == "firefox"


def test_a_fact_whose_value_is_zero_is_a_fact():
    fact = Fact(subject="queue", predicate="length", value=0)
    assert WorldState(recent_facts=[fact]).words() == {"queue.length"}
    gone = Fact(subject="queue", predicate="length", value=False)
    assert WorldState(recent_facts=[gone]).words() == frozenset()
