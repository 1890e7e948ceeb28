"""Chains of tools: the shortest is proved, effort is bounded, and what cannot be is named."""

from __future__ import annotations

import pytest

from planvow.errors import InputError
from planvow.goals import Fact, GoalPlanner, ToolCapability, ToolGoal, WorldState
from planvow.goals.plan.callings import Wanted, problem_for
from planvow.goals.plan.index import ToolIndex, effects_of
from planvow.goals.plan.narrow import WHOLE, narrowed
from planvow.goals.plan.search import Limits
from planvow.goals.values.config import default_config

GOAL = ToolGoal(goal_type="browser_search", query="x")
DOOR = WorldState(recent_facts=[Fact(subject="front", predicate="door", value=True)])


def tool(name, needs=(), gives=(), achieves=()):
    return ToolCapability(name=name, requires=set(needs), effects=set(gives), can_achieve=set(achieves))


def search(*needs):
    return tool("s", needs, achieves=["browser_search"])


def planned(*tools, world=None, limits=None):
    return GoalPlanner(limits=limits).plan(GOAL, world or WorldState(), tools)


def tools_of(result):
    return [action.tool for action in result.plan.actions]


def test_a_plan_has_as_many_calls_as_it_needs_and_no_more_than_allowed():
    needs = [f"w{i}" for i in range(20)]
    tools = [search(*needs), *(tool(f"t{n}", gives=[n]) for n in needs)]
    assert planned(*tools).plan.total_actions == 21
    assert planned(*tools, limits=Limits(max_calls=21)).plan.total_actions == 21
    result = planned(*tools, limits=Limits(max_calls=20))
    assert (result.status, result.reason_code, result.proof) == ("blocked", "chain_limit", "chain_limit")
    assert "max_calls" in result.reason


def test_a_long_row_is_found_or_said_to_be_longer_than_allowed():
    row = [tool(f"t{i}", [f"w{i + 1}"] if i < 39 else [], [f"w{i}"]) for i in range(40)]
    assert planned(search("w0"), *row).plan.total_actions == 41
    assert planned(search("w0"), *row, limits=Limits(max_calls=40)).reason_code == "chain_limit"


@pytest.mark.parametrize("wrong", [{"max_calls": 0}, {"max_steps": True}, {"max_steps": "many"}])
def test_limits_are_whole_numbers(wrong):
    with pytest.raises(InputError):
        Limits(**wrong)


def crossing(size):
    """Tools that each bring two of the words that are needed: the fewest are hard to tell."""
    words = [f"w{i:02}" for i in range(size)]
    pairs = [(words[i], words[(i * 7 + k) % size]) for i in range(size) for k in (1, 3, 5)]
    return [search(*words), *(tool(f"t{i:03}", gives=pair) for i, pair in enumerate(pairs))]


def test_at_the_limit_of_search_a_plan_that_works_is_given_as_such():
    result = planned(*crossing(30), limits=Limits(max_steps=1))
    assert (result.status, result.proof) == ("success", "minimal_within_budget")
    assert "a shorter one is not ruled out" in result.warnings[0]
    assert planned(*crossing(8)).proof == "proved_minimal"


def test_at_the_limit_of_search_nothing_is_claimed_where_no_plan_is_known():
    # Each tool undoes what the one before brought about, so that no rough plan works.
    tools = [search("a", "b=1"), tool("t1", [], ["a", "b=0"]), tool("t2", ["a"], ["b=1", "a=false"])]
    tools += [tool("t3", ["b=1"], ["c"]), tool("t4", ["c"], ["a"])]
    assert tools_of(planned(*tools)) == ["t1", "t2", "t3", "t4", "s"]
    result = planned(*tools, limits=Limits(max_steps=1))
    assert (result.status, result.reason_code, result.plan) == ("blocked", "budget_exceeded", None)


def test_what_one_call_undoes_another_brings_back():
    close = tool("close", ["door"], ["door=false", "alarm"])
    opened = tool("open", [], ["door"])
    result = planned(search("door", "alarm"), close, opened)
    assert tools_of(result) == ["open", "close", "open", "s"]
    assert [a.depends_on for a in result.plan.actions] == [(), ("a1",), ("a2",), ("a2", "a3")]


def test_where_every_way_undoes_what_it_needs_no_plan_is_proved():
    result = planned(
        search("front.door", "alarm"), tool("close", ["front.door"], ["front.door=false", "alarm"]), world=DOOR
    )
    assert (result.status, result.reason_code, result.blocker) == ("blocked", "no_plan", None)


def test_only_a_tool_that_can_achieve_the_goal_word_ends_a_plan():
    provides = tool("a.provides", gives=["browser_search"])
    other = tool("b.other", achieves=["browser_navigate"])
    assert planned(provides, other).status == "no_capability"
    assert tools_of(planned(provides, other, search())) == ["s"]
    assert tools_of(planned(provides, tool("both", achieves=["app_launch", "browser_search"]))) == ["both"]


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
    goal = ToolGoal(goal_type="file_operation", action="rename", target="/w/a.txt", new_name="b.txt")
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
    dead = tool("r", ["never"], achieves=["browser_search"])
    assert tools_of(planned(dead, search("w0"), *row))[-1] == "s"
    result = planned(dead, search("w0"), *row, limits=Limits(max_calls=9))
    assert (result.reason_code, result.blocker) == ("chain_limit", None)


HOSTILE = {
    "a circle of 10,000": [search("w0"), *(tool(f"t{i}", [f"w{(i + 1) % 10_000}"], [f"w{i}"]) for i in range(10_000))],
    "10,000 dead ends": [search("w0"), *(tool(f"t{i}", [f"n{i}"], ["w0"]) for i in range(10_000))],
    "10,000 dead goals": [tool(f"s{i}", [f"w{i}"], [], ["browser_search"]) for i in range(10_000)],
    "all need all": [
        search(*(f"w{i}" for i in range(50))),
        *(tool(f"t{i}", [f"w{k}" for k in range(50) if k != i], [f"w{i}"]) for i in range(50)),
    ],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_registries_get_a_reason_and_not_an_exception(name):
    result = planned(*HOSTILE[name])
    assert result.status == "blocked"
    assert result.reason


def test_tools_that_differ_in_what_nobody_needs_are_one_to_the_search():
    needs = [f"w{i}" for i in range(20)]
    alike = [tool(f"t{n}_{k:02}", gives=[n, f"x{k}"]) for n in needs for k in range(30)]
    result = planned(search(*needs), *alike)
    assert result.proof == "proved_minimal"
    assert tools_of(result) == [*(f"t{n}_00" for n in sorted(needs)), "s"]


def test_search_costs_what_the_chain_costs_and_not_what_the_registry_holds():
    chain = [search("w0"), *(tool(f"t{i}", [f"w{i + 1}"] if i < 2 else [], [f"w{i}"]) for i in range(3))]
    noise = [tool(f"n{i}", [f"a{i}"], [f"b{i}"], [f"c{i}"]) for i in range(2000)]
    wanted = [Wanted("browser_search")]
    small = problem_for(wanted, ToolIndex(chain), frozenset(), ())
    assert problem_for(wanted, ToolIndex(chain + noise), frozenset(), ()) == small


def wide(apps, depth):
    """Apps that can each open the session, after so many calls of their own."""
    return [
        tool(f"app{app}.t{step}", [f"app{app}.w{step - 1}"] if step else [], [f"app{app}.w{step}"])
        for app in range(apps)
        for step in range(depth)
    ] + [
        tool(f"app{app}.open", [f"app{app}.w{depth - 1}"] if depth else [], ["session", f"x{app}"])
        for app in range(apps)
    ]


@pytest.mark.long
@pytest.mark.parametrize("depth", [0, 1, 4])
def test_of_thousands_of_usable_tools_few_are_looked_at_and_the_plan_is_proved(depth):
    index = ToolIndex([search("session"), *wide(2000, depth)])
    problem, found, _ = narrowed([Wanted("browser_search")], index, frozenset(), (), Limits())
    assert found.verdict == "proved_minimal"
    assert [problem.callings[number].tool.name for number in found.moves] == [
        *(f"app0.t{step}" for step in range(depth)),
        "app0.open",
        "s",
    ]
    assert len(problem.moves) < WHOLE


@pytest.mark.long
def test_the_one_short_way_among_thousands_is_found():
    short = [tool("zz.open", ["network"], ["session"]), tool("zz.net", gives=["network"])]
    result = planned(search("session"), *wide(2000, 4), *short)
    assert (tools_of(result), result.proof) == (["zz.net", "zz.open", "s"], "proved_minimal")


def test_what_thousands_of_tools_lack_is_named():
    lacking = [tool(f"app{app}.open", [f"key{app}"], ["session"]) for app in range(2000)]
    result = planned(search("session"), *lacking)
    assert (result.status, result.blocker, result.proof) == ("blocked", "key0", "no_plan")


def test_a_launcher_outside_the_part_is_thought_of():
    many = [tool(f"app{app}.open", [f"key{app}", "app_running:x"], ["session"]) for app in range(400)]
    keys = [tool(f"key{app}", gives=[f"key{app}"]) for app in range(400)]
    launcher = tool("launch", gives=["app_running"])
    result = planned(search("session"), *many, *keys, launcher)
    assert (tools_of(result), result.proof) == (["launch", "key0", "app0.open", "s"], "proved_minimal")


def test_chains_of_two_hundred_calls_are_found_by_what_every_plan_must_do():
    links = [tool(f"t{i}", [f"w{i - 1}"] if i else [], [f"w{i}"]) for i in range(200)]
    few_steps = Limits(max_calls=300, max_steps=1)  # a search would need more
    result = planned(search("w199"), *links, limits=few_steps)
    assert (len(tools_of(result)), result.proof) == (201, "proved_minimal")


def test_a_browser_that_is_not_installed_is_not_used():
    world = WorldState(recent_facts=[Fact(subject="chrome", predicate="installed", value=False)])
    assert planned(search(), world=world).plan.actions[0].args["app_name"] == "firefox"


@pytest.mark.parametrize("value", [False, None, 0, 0.0, "", "closed", "true", [], [True], {"open": True}])
def test_a_required_key_is_not_met_by_just_any_value(value):
    world = WorldState(recent_facts=[Fact(subject="session", predicate="open", value=value)])
    tools = [search("session.open"), tool("sign_in", gives=["session.open"])]
    assert tools_of(planned(*tools, world=world)) == ["sign_in", "s"]
    shown = WorldState(recent_facts=[Fact(subject="session", predicate="open", value=True)])
    assert tools_of(planned(*tools, world=shown)) == ["s"]


@pytest.mark.parametrize(
    ("word", "value", "other"),
    [
        ("order.status=paid", "paid", "open"),
        ('order.status="paid"', "paid", True),
        ("order.status=12", 12, "12"),
        ("order.status=12.0", 12, 13),
        ('order.status="12"', "12", 12),
        ("order.status=true", True, "true"),
        ("order.status=false", False, None),
        ('order.status=["a", 1]', ["a", 1], ["a"]),
    ],
)
def test_a_required_value_is_met_by_that_value_only(word, value, other):
    def world(of):
        return WorldState(recent_facts=[Fact(subject="order", predicate="status", value=of)])

    assert planned(search(word), world=world(value)).status == "success"
    assert planned(search(word), world=world(other)).blocker is not None
    assert planned(search(word)).blocker is not None


def test_of_facts_about_the_same_the_newest_counts():
    facts = [Fact(subject="door", predicate="open", value=v, timestamp=t) for v, t in ((True, 1), (False, 2))]
    assert WorldState(recent_facts=facts).words() == {"door.open=false"}
