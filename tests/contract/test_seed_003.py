"""Seed 003 as written: the litmus, the guarantees, the failure modes and the contract violations."""

from __future__ import annotations

import dataclasses
import inspect
import typing

import pytest

from planvow.canonical import full_hash
from planvow.errors import ContractViolation, InputError
from planvow.goals import (
    ACTION_ALIASES,
    FILE_OPERATION_TOOLS,
    SUPPORTED_GOAL_TYPES,
    Fact,
    Goal,
    GoalPlanner,
    Plan,
    PlannedAction,
    PlanResult,
    ToolCapability,
    WorldState,
)
from planvow.goals.values.config import default_config

TOOLS = default_config().tools
WORLD = WorldState(
    browser_running=False, browser_last_url=None, active_window=None, running_apps=frozenset(), recent_facts=()
)


def planned(goal, world=WORLD, tools=TOOLS):
    return GoalPlanner().plan(goal, world, tools)


def only_action(result):
    assert result.status == "success", result.reason
    [action] = result.plan.actions
    return action


def test_litmus():
    goal = Goal(goal_type="browser_search", platform="youtube", query="nvidia")
    assert planned(goal) == PlanResult(
        status="success",
        plan=Plan(
            actions=[
                PlannedAction(
                    action_id="a1",
                    tool="system.apps.launch.shell",
                    args={"app_name": "chrome", "url": "https://youtube.com/results?search_query=nvidia"},
                    expected_effect="youtube_search_visible",
                )
            ],
            goal_achieved_by="a1",
            total_actions=1,  # NOT 2
        ),
    )


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (Goal, ["goal_type", "platform", "query", "target", "action", "object_type", "goal_id"]),
        (WorldState, ["browser_running", "browser_last_url", "active_window", "running_apps", "recent_facts"]),
        (ToolCapability, ["name", "can_achieve", "requires", "effects"]),
        (PlanResult, ["status", "plan", "reason"]),
        (Plan, ["actions", "goal_achieved_by", "total_actions"]),
        (PlannedAction, ["action_id", "tool", "args", "expected_effect", "depends_on"]),
    ],
)
def test_values_have_the_seeds_fields_first_and_are_frozen(kind, names):
    assert [field.name for field in dataclasses.fields(kind)][: len(names)] == names
    assert kind.__dataclass_params__.frozen


def test_only_the_goal_type_of_a_goal_is_mandatory():
    goal = Goal(goal_type="app_launch")
    assert {value for name, value in vars(goal).items() if name not in ("goal_type", "recursive")} == {None}
    with pytest.raises(TypeError):
        Goal()


def test_plan_takes_goal_world_state_and_capabilities():
    positional = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = inspect.signature(GoalPlanner.plan).parameters.values()
    names = [p.name for p in parameters if p.kind is positional]
    assert names == ["self", "goal", "world_state", "capabilities"]


def test_lists_and_sets_are_taken_as_tuples_and_frozen_sets():
    tool = ToolCapability(name="t", can_achieve={"a"}, requires=["b"], effects=set())
    assert (tool.can_achieve, tool.requires, tool.effects) == (frozenset("a"), frozenset("b"), frozenset())
    world = WorldState(running_apps={"x"}, recent_facts=[])
    assert (type(world.running_apps), type(world.recent_facts)) == (frozenset, tuple)


def test_the_seeds_tables_of_file_words_hold():
    assert {"mkdir": "create", "make": "create", "rm": "delete"}.items() <= ACTION_ALIASES.items()
    seeds = {
        ("create", "folder"): "files.create_folder",
        ("create", "file"): "files.create_file",
        ("delete", "folder"): "files.delete_folder",
        ("delete", "file"): "files.delete_file",
    }
    assert seeds.items() <= FILE_OPERATION_TOOLS.items()


def test_g2_no_action_is_redundant():
    tools = [
        ToolCapability(name="search", can_achieve={"browser_search"}, requires={"a", "b"}),
        ToolCapability(name="a", effects={"a"}),
        ToolCapability(name="b", effects={"b"}),
        ToolCapability(name="both", effects={"a", "b"}),
    ]
    plan = planned(Goal(goal_type="browser_search", query="x"), tools=tools).plan
    assert [action.tool for action in plan.actions] == ["both", "search"]


def test_what_is_true_already_is_planned_all_the_same():
    world = WorldState(running_apps={"notepad"})
    assert only_action(planned(Goal(goal_type="app_launch", target="notepad"), world)).args == {"app_name": "notepad"}


def test_g1_merging_happens_here():
    action = only_action(planned(Goal(goal_type="browser_search", platform="YouTube", query="nvidia")))
    assert action.args["url"] == "https://youtube.com/results?search_query=nvidia"


def test_g3_a_tool_that_is_not_there_is_never_returned():
    goal = Goal(goal_type="browser_search", query="nvidia")
    for tools in ([], None):
        result = planned(goal, tools=tools)
        assert (result.status, result.plan) == ("no_capability", None)
        assert "browser_search" in result.reason


def test_g4_dependencies_are_explicit():
    tools = [
        ToolCapability(name="search", can_achieve={"browser_search"}, requires={"browser_running", "account.ready"}),
        ToolCapability(name="open", effects={"browser_running"}),
        ToolCapability(name="sign_in", requires={"browser_running"}, effects={"account.ready"}),
    ]
    plan = planned(Goal(goal_type="browser_search", query="x"), tools=tools).plan
    assert [(a.action_id, a.tool, a.depends_on) for a in plan.actions] == [
        ("a1", "open", ()),
        ("a2", "sign_in", ("a1",)),
        ("a3", "search", ("a1", "a2")),
    ]


def test_g5_the_world_is_unchanged():
    apps, sizes = {"notepad"}, [1, 2]
    world = WorldState(running_apps=apps, recent_facts=[Fact(subject="disk", predicate="free", value=sizes)])
    before = full_hash(world)
    planned(Goal(goal_type="app_launch", target="calculator"), world)
    apps.clear()
    sizes.append(3)
    assert full_hash(world) == before
    with pytest.raises(dataclasses.FrozenInstanceError):
        world.browser_running = True


def test_planning_changes_none_of_its_inputs():
    goal = Goal(goal_type="file_operation", action="mkdir", target="/w/reports")
    world = WorldState(running_apps={"notepad"})
    tools = [
        ToolCapability(name="make", can_achieve={"create_folder"}, requires={"disk.free=true"}),
        ToolCapability(name="clean", effects={"disk.free"}),
    ]
    planner = GoalPlanner()
    inputs = [goal, world, tools, planner.config, planner.limits]
    before = full_hash(inputs)
    assert planner.plan(goal, world, tools).plan.total_actions == 2
    assert full_hash(inputs) == before


def test_the_planner_reads_no_sentence():
    with pytest.raises(InputError, match="goal"):
        planned("open notepad")


def test_g6_same_inputs_same_plan():
    goal = Goal(goal_type="browser_search", platform="github", query="htn")
    assert len({full_hash(planned(goal)) for _ in range(1000)}) == 1


def test_what_the_world_shows_needs_no_action():
    tools = [ToolCapability(name="search", can_achieve={"browser_search"}, requires={"browser_running"})]
    goal = Goal(goal_type="browser_search", query="x")
    assert planned(goal, tools=tools).blocker == "browser_running"
    assert only_action(planned(goal, WorldState(browser_running=True), tools)).tool == "search"


def test_a_fact_key_meets_a_requirement():
    tools = [ToolCapability(name="q", can_achieve={"system_query"}, requires={"disk.free"})]
    goal = Goal(goal_type="system_query", query="disk space")
    world = WorldState(recent_facts=[Fact(subject="disk", predicate="free", value=12)])
    assert planned(goal, tools=tools).status == "blocked"
    assert only_action(planned(goal, world, tools)).args == {"query": "disk space"}


def test_an_app_that_must_run_is_launched_first():
    tools = [
        *TOOLS,
        ToolCapability(name="type_text", can_achieve={"system_query"}, requires={"app_running:notepad"}),
    ]
    actions = planned(Goal(goal_type="system_query", query="x"), tools=tools).plan.actions
    assert [(a.tool, dict(a.args)) for a in actions] == [
        ("system.apps.launch.shell", {"app_name": "notepad"}),
        ("type_text", {"query": "x"}),
    ]


def test_system_query_is_supported_only_when_a_capability_says_so():
    query = Goal(goal_type="system_query", query="time")
    assert planned(query).status == "no_capability"
    assert "system_query" not in SUPPORTED_GOAL_TYPES
    clock = ToolCapability(name="clock", can_achieve={"system_query"})
    assert only_action(planned(query, tools=[*TOOLS, clock])).tool == "clock"


def test_what_ships_plans_every_supported_goal_type():
    goals = [
        Goal(goal_type="browser_search", query="x"),
        Goal(goal_type="browser_navigate", target="example.org"),
        Goal(goal_type="app_launch", target="notepad"),
        Goal(goal_type="file_operation", action="mkdir", target="/w/reports"),
    ]
    assert {goal.goal_type for goal in goals} == SUPPORTED_GOAL_TYPES
    assert [planned(goal).status for goal in goals] == ["success"] * 4


def test_goal_types_are_a_closed_set():
    for known in ("browser_search", "browser_navigate", "app_launch", "file_operation", "system_query"):
        assert Goal(goal_type=known).goal_type == known
    with pytest.raises(InputError):
        Goal(goal_type="time_travel")


def test_a_goal_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Goal(goal_type="app_launch").target = "x"


@pytest.mark.parametrize(
    ("target", "url"),
    [
        ("example.org", "https://example.org"),
        ("http://example.org/a?b=c#d", "http://example.org/a?b=c#d"),
        ("localhost:8000/x", "https://localhost:8000/x"),
        ("youtube", "https://youtube.com"),
    ],
)
def test_navigate_adds_https(target, url):
    action = only_action(planned(Goal(goal_type="browser_navigate", target=target)))
    assert action.args == {"app_name": "chrome", "url": url}


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("javascript:alert(1)", "forbidden_scheme"),
        ("file:///etc/passwd", "forbidden_scheme"),
        ("data:text/html,x", "forbidden_scheme"),
        ("https://ann:secret@example.org/x", "credentials"),
        ("ann@example.org", "credentials"),
        ("http://ann:secret@host:99999", "credentials"),
        ("https://google.com@evil.example", "credentials"),
        ("someword", "invalid_target"),
        ("two words.com", "invalid_target"),
        ("https://", "invalid_target"),
        ("https://[", "invalid_target"),
        ("", "missing_parameter"),
        (None, "missing_parameter"),
    ],
)
def test_bad_addresses_are_rejected(target, code):
    result = planned(Goal(goal_type="browser_navigate", target=target))
    assert (result.status, result.reason_code) == ("rejected", code)


@pytest.mark.parametrize(
    ("query", "encoded"),
    [
        ("a & b", "a%20%26%20b"),
        ("c#", "c%23"),
        ("1+1", "1%2B1"),
        ("and/or", "and%2For"),
        ("grün", "gr%C3%BCn"),
        ("a\nb", "a%20b"),
        ("a\u202eb", "ab"),
        ("\ud800", "%3F"),
        ("{query} %s", "%7Bquery%7D%20%25s"),
    ],
)
def test_queries_are_encoded_whatever_they_hold(query, encoded):
    action = only_action(planned(Goal(goal_type="browser_search", platform="google", query=query)))
    assert action.args["url"] == f"https://www.google.com/search?q={encoded}"


def test_an_unknown_platform_is_searched_on_google_with_a_warning():
    result = planned(Goal(goal_type="browser_search", platform="Foobook", query="cats"))
    assert only_action(result).args["url"].endswith("q=foobook%20cats")
    assert only_action(result).expected_effect == "google_search_visible"
    assert result.warnings
    site = planned(Goal(goal_type="browser_search", platform="news.example.org", query="cats"))
    assert only_action(site).args["url"].endswith("q=site%3Anews.example.org%20cats")


@pytest.mark.parametrize(("said", "name"), [("VS Code", "vscode"), ("calc", "calculator"), (" My App ", "My App")])
def test_apps_are_launched_by_their_own_names(said, name):
    action = only_action(planned(Goal(goal_type="app_launch", target=said)))
    assert (action.args, action.expected_effect) == ({"app_name": name}, f"app_running:{name}")


@pytest.mark.parametrize("target", ["rm -rf /; x", "$(reboot)", "a|b", "../bin/sh", None, ""])
def test_an_app_is_a_name_and_nothing_else(target):
    assert planned(Goal(goal_type="app_launch", target=target)).status == "rejected"


def file_goal(action, target="/home/ann/x", **more):
    return planned(Goal(goal_type="file_operation", action=action, target=target, **more))


@pytest.mark.parametrize(
    ("action", "target", "more", "tool"),
    [
        ("mkdir", "/w/reports", {}, "files.create_folder"),
        ("make", "/w/reports", {}, "files.create_folder"),
        ("create", "/w/notes.txt", {}, "files.create_file"),
        ("new", "/w/.env", {}, "files.create_file"),
        ("touch", "/w/notes", {}, "files.create_file"),
        ("create", "/w/v1.0/", {}, "files.create_folder"),
        ("rm", "/w/notes.txt", {"object_type": "file"}, "files.delete_file"),
        ("rmdir", "/w/old", {}, "files.delete_folder"),
        ("ren", "/w/a.txt", {"new_name": "b.txt"}, "files.rename"),
        ("mv", "/w/a.txt", {"destination": "/w/b"}, "files.move"),
        ("cp", "C:\\w\\a.txt", {"destination": "D:/w"}, "files.copy"),
        ("read", "/w/a.txt", {}, "files.read"),
        ("write", "/w/a.txt", {"content": ""}, "files.write"),
        ("append", "/w/a.txt", {"content": "x"}, "files.append"),
        ("ls", "/w", {}, "files.list"),
    ],
)
def test_file_actions_and_their_aliases(action, target, more, tool):
    assert only_action(file_goal(action, target, **more)).tool == tool


def test_files_are_created_with_safe_arguments():
    assert only_action(file_goal("mkdir", "/w/a")).args == {"path": "/w/a", "parents": True, "exist_ok": True}
    assert only_action(file_goal("touch", "/w/a")).args == {"path": "/w/a", "create_parents": True, "content": ""}
    assert only_action(file_goal("rmdir", "/w/a")).args == {"path": "/w/a", "recursive": False}


@pytest.mark.parametrize(
    ("action", "target", "more", "code"),
    [
        ("delete", "/w/a.txt", {}, "missing_parameter"),
        ("create", "a.txt", {}, "relative_path"),
        ("create", "../a.txt", {}, "relative_path"),
        ("create", "/../etc/x", {}, "escaping_path"),
        ("create", "/w/../../x", {}, "escaping_path"),
        ("create", "/etc/passwd", {}, "protected_path"),
        ("create", "/w/../etc/passwd", {}, "protected_path"),
        ("delete", "/", {"object_type": "folder"}, "protected_path"),
        ("delete", "c:\\windows\\system32", {"object_type": "folder"}, "protected_path"),
        ("create", "/w/driver.sys", {}, "protected_path"),
        ("create", "/w/a\x00b", {}, "invalid_target"),
        ("create", "/w/a\u202etxt.exe", {}, "invalid_target"),
        ("create", "", {}, "missing_parameter"),
        ("create", "/w/x", {"object_type": "planet"}, "unknown_type"),
        ("explode", "/w/x", {}, "unknown_action"),
        (None, "/w/x", {}, "missing_parameter"),
        ("rename", "/w/x", {}, "missing_parameter"),
        ("rename", "/w/x", {"new_name": "../y"}, "invalid_target"),
        ("move", "/w/x", {}, "missing_parameter"),
        ("move", "/w/x", {"destination": "y"}, "relative_path"),
        ("write", "/w/x", {}, "missing_parameter"),
    ],
)
def test_bad_file_goals_are_rejected(action, target, more, code):
    result = file_goal(action, target, **more)
    assert (result.status, result.reason_code) == ("rejected", code)


def action(action_id="a1", depends_on=()):
    return PlannedAction(action_id=action_id, tool="t", args={}, expected_effect="e", depends_on=depends_on)


def one_action():
    return Plan(actions=[action()], goal_achieved_by="a1", total_actions=1)


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: Plan(actions=[], goal_achieved_by="a1", total_actions=0), "at least one action"),
        (lambda: Plan(actions=[action()], goal_achieved_by="a2", total_actions=1), "names no action"),
        (lambda: Plan(actions=[action()], goal_achieved_by="a1", total_actions=2), "total_actions says 2"),
        (lambda: Plan(actions=[action(), action()], goal_achieved_by="a1", total_actions=2), "the same id"),
        (
            lambda: Plan(actions=[action("a1", ["a2"]), action("a2", ["a1"])], goal_achieved_by="a2", total_actions=2),
            "does not come before",
        ),
        (lambda: Plan(actions=[action("a1", ["a1"])], goal_achieved_by="a1", total_actions=1), "does not come before"),
        (lambda: Plan(actions=[action("a1", ["zz"])], goal_achieved_by="a1", total_actions=1), "which is no action"),
        (lambda: PlanResult(status="success"), "success needs plan"),
        (lambda: PlanResult(status="blocked"), "blocked needs a reason"),
        (lambda: PlanResult(status="blocked", plan=one_action(), reason="x"), "blocked has no plan"),
        (lambda: PlanResult(status="fine", reason="x"), "status is one of"),
        (lambda: PlanResult(status="partial", reason="x"), "partial needs plan"),
        (lambda: PlanResult(status="partial", plan=one_action(), reason="x"), "says what it leaves out"),
    ],
)
def test_contract_violations_are_hard_errors(build, said):
    with pytest.raises(ContractViolation, match=said):
        build()


def test_arguments_of_an_action_cannot_be_changed():
    args = {"list": [1]}
    made = PlannedAction(action_id="a1", tool="t", args=args, expected_effect="e")
    args["list"].append(2)
    assert made.args == {"list": [1]}
    with pytest.raises(InputError):
        typing.cast(dict, made.args)["x"] = 1
