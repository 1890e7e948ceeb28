"""What the goal planner knows besides its code: configuration, paths, tools, facts, and the data they come from."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from planvow.errors import InputError
from planvow.goals import (
    Fact,
    FactsMemory,
    GoalPlanner,
    ToolCapability,
    ToolGoal,
    ToolRegistry,
    WorldState,
    load_config,
)
from planvow.goals.errors import GoalConfigError
from planvow.goals.plan.index import tool_index
from planvow.goals.values.config import default_config
from planvow.goals.values.data import goal_from_data, meta_goal_from_data, world_from_data
from planvow.goals.values.paths import is_absolute, is_protected, looks_like_file, normal_path, resolve_path
from planvow.goals.values.values import MAX_FACTS, PlannedAction, Refused


def configured(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return load_config(path)


def test_a_file_adds_to_what_ships_and_wins_where_both_have_a_row(tmp_path):
    config = configured(
        tmp_path,
        'default_browser = "Firefox"\n'
        '[platforms]\narchive = "https://archive.example/{x}?q={query}"\n'
        '[platform_aliases]\n"The Archive" = "Archive"\n'
        '[apps]\nnames = ["Blender"]\n'
        '[protected]\npaths = ["C:\\\\Keep\\\\"]\nextensions = [".KEY"]\n'
        '[tools]\n"clock.read" = { can_achieve = ["system_query"] }\n',
    )
    goal = ToolGoal(goal_type="browser_search", platform="the  ARCHIVE", query="a b")
    [action] = GoalPlanner(config).plan(goal, WorldState(), config.tools).plan.actions
    assert action.args == {"app_name": "firefox", "url": "https://archive.example/{x}?q=a%20b"}
    assert "youtube" in config.platforms
    assert "blender" in config.apps
    assert is_protected("c:/keep/x", config.protected_paths)
    assert is_protected("/w/id.key", (), config.protected_extensions)
    query = ToolGoal(goal_type="system_query", query="time")
    assert GoalPlanner(config).plan(query, WorldState(), config.tools).status == "success"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("platform = 3", "unknown key"),
        ("[protected]\npath = []", "unknown key"),
        ("browsers = 3", "expected a table"),
        ("platforms = []", "expected a table"),
        ("tools = 1", "expected a table"),
        ('[apps]\nnames = "x"', "expected a list"),
        ("[apps]\nnames = [1]", "expected text"),
        ("[app_aliases]\nx = 1", "expected text"),
        ('[platforms]\nx = "https://x.example"', "{query}"),
        ('[platforms]\nx = "javascript:{query}"', "http address"),
        ('[homepages]\nx = "file:///x"', "http address"),
        ('default_platform = "gogle"', "google"),
        ('default_browser = "lynx"', "not known"),
        ('[platform_aliases]\nx = "nowhere"', "not known"),
        ('[action_aliases]\nzap = "destroy"', "not known"),
        ('[implied_types]\nzap = "planet"', "not known"),
        ('[protected]\npaths = ["relative"]', "absolute"),
        ('[protected]\nextensions = ["sys"]', "endings"),
        ("[tools]\nx = { can = [] }", "expected can_achieve"),
        ('[tools]\nx = { can_achieve = "word" }', "set of words"),
        ("not toml at all", "not TOML"),
    ],
)
def test_a_mistake_in_a_file_is_named(tmp_path, text, said):
    with pytest.raises(GoalConfigError) as caught:
        configured(tmp_path, text)
    assert said in str(caught.value)


def test_the_example_in_the_documentation_can_be_used(tmp_path):
    page = Path(__file__).resolve().parents[3] / "docs/howto/plan-goals.md"
    [example] = re.findall(r"^```toml\n(.*?)^```", page.read_text("utf-8"), re.M | re.S)
    config = configured(tmp_path, example)
    assert (config.default_browser, config.action_aliases["zap"]) == ("firefox", "delete")
    for key in ("preferred_tools", "queries", "tools", "homepages", "app_aliases"):
        assert f"[{key}]" in example


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(GoalConfigError):
        load_config(tmp_path / "none.toml")


def test_what_ships_cannot_be_changed():
    with pytest.raises(InputError):
        default_config().platforms["x"] = "y"
    with pytest.raises(dataclasses.FrozenInstanceError):
        default_config().browsers = ()


@pytest.mark.parametrize("path", ["/a", "C:/a", "c:\\a", "\\\\server\\share"])
def test_absolute_paths_of_both_kinds(path):
    assert is_absolute(path)


@pytest.mark.parametrize("path", ["a", "./a", "../a", "C:a", "~", ""])
def test_relative_paths(path):
    assert not is_absolute(path)


@pytest.mark.parametrize(
    ("path", "normal"),
    [("/a/./b//c/", "/a/b/c"), ("/a/../b", "/b"), ("/..", None), ("C:\\a\\..\\b", "C:/b"), ("C:\\..", None),
     ("\\\\s\\x", "//s/x"), ("//etc", "/etc"), ("/a\\b", "/a\\b")],
)  # fmt: skip
def test_normal_paths(path, normal):
    assert normal_path(path) == normal


@pytest.mark.parametrize(
    ("path", "is_file"),
    [
        ("/w/a.txt", True),
        ("/w/.env", True),
        ("/w/a", False),
        ("/w/a.txt/", False),
        ("/w/v1.", False),
        ("a\\b.md", True),
    ],
)
def test_what_looks_like_a_file(path, is_file):
    assert looks_like_file(path) is is_file


PLACES = default_config().protected_paths


@pytest.mark.parametrize(
    "path",
    ["/", "/etc", "/ETC/passwd", "/usr/bin", "C:/", "c:/windows/x", "C:/Windows./x", "C:/Windows /x", "//?/C:/x"],
)
def test_protected_places(path):
    assert is_protected(path, PLACES)


@pytest.mark.parametrize("path", ["/home/ann", "/etcetera", "D:/", "C:/work", "/w/usr"])
def test_places_that_are_not_protected(path):
    assert not is_protected(path, PLACES)


def test_what_holds_a_protected_place_cannot_be_taken_away(tmp_path):
    assert not is_protected("/home/ann", ["/home/ann/keep"])
    assert is_protected("/home/ann", ["/home/ann/keep"], with_what_is_inside=True)
    config = configured(tmp_path, '[protected]\npaths = ["/home/ann/keep"]\n')
    for action, more, code in [
        ("delete", {}, "protected_path"),
        ("rename", {"new_name": "eve"}, "protected_path"),
        ("move", {"destination": "/home/eve"}, "protected_path"),
        ("create", {}, None),
    ]:
        goal = ToolGoal(goal_type="file_operation", action=action, object_type="folder", target="/home/ann", **more)
        assert GoalPlanner(config).plan(goal, WorldState(), config.tools).reason_code == code


@pytest.mark.parametrize(
    ("said", "more", "path"),
    [
        ("/x", {}, "/x"),
        ("a", {}, "/w/a"),
        ("a", {"parent": "/p"}, "/p/a"),
        ("a", {"anchor": "desktop"}, "/d/a"),
        ("a", {"anchor": "drive:e"}, "E:/a"),
        ("~/a", {"parent": "/p"}, "/h/a"),
        ("a/../b", {}, "/w/a/../b"),
    ],
)
def test_the_resolver_makes_paths_absolute(said, more, path):
    assert resolve_path(said, {"workspace": "/w", "desktop": "/d", "home": "/h"}, **more) == path


@pytest.mark.parametrize(
    ("said", "anchors", "code"),
    [("a", {}, "relative_path"), ("../a", {"workspace": "/w"}, "escaping_path"),
     ("a\\..\\..\\b", {"workspace": "/w"}, "escaping_path"),
     ("C:a", {"workspace": "/w"}, "relative_path"), ("~/a", {"workspace": "/w"}, "relative_path")],
)  # fmt: skip
def test_the_resolver_refuses_what_it_cannot_place(said, anchors, code):
    refused = resolve_path(said, anchors)
    assert isinstance(refused, Refused)
    assert refused.code == code


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"action": "rename", "target": "/w/a.txt", "new_name": "a.sys"}, "protected_path"),
        ({"action": "move", "target": "/w/a", "destination": "/w/a/b", "object_type": "folder"}, "invalid_target"),
        ({"action": "mkdir", "target": "/w/a", "object_type": "file"}, "contradiction"),
        ({"action": "read", "target": "/w/a", "object_type": "folder"}, "contradiction"),
        ({"action": "write", "target": "/w/a", "content": "\ud800"}, "invalid_text"),
        ({"action": "create", "target": "/w/a\u2028b"}, "invalid_target"),
    ],
)
def test_more_bad_file_goals(more, code):
    result = GoalPlanner().plan(ToolGoal(goal_type="file_operation", **more), WorldState(), default_config().tools)
    assert (result.status, result.reason_code) == ("rejected", code)


@pytest.mark.parametrize(
    "target",
    ["cafe", "deadbeef", "https://a.example:99999", "https://a.example\\@b.example", "a.example:0", "x\x00.example"],
)
def test_more_bad_addresses(target):
    result = GoalPlanner().plan(
        ToolGoal(goal_type="browser_navigate", target=target), WorldState(), default_config().tools
    )
    assert (result.status, result.reason_code) == ("rejected", "invalid_target")


@pytest.mark.parametrize("target", ["a.example:8080?x=1", "https://[::1]:8000/x", "10.0.0.1"])
def test_addresses_with_ports_and_numbers(target):
    result = GoalPlanner().plan(
        ToolGoal(goal_type="browser_navigate", target=target), WorldState(), default_config().tools
    )
    assert result.status == "success"


def test_a_registry_has_each_name_once_and_is_indexed_once():
    registry = ToolRegistry.default()
    assert registry.index() is registry.index()
    before = registry.index()
    registry.register(ToolCapability(name="clock"))
    assert registry.index() is not before
    assert [tool.name for tool in registry.capabilities()] == sorted(tool.name for tool in registry.capabilities())
    with pytest.raises(InputError):
        registry.register(ToolCapability(name="clock"))
    with pytest.raises(InputError, match="clock"):
        registry.get("clok")


def test_plans_are_made_of_what_is_registered():
    query = ToolGoal(goal_type="system_query", query="time")
    registry = ToolRegistry([ToolCapability(name="lamp", can_achieve={"light"})])
    earlier = registry.index()
    registry.register(ToolCapability(name="clock", can_achieve={"system_query"}))
    assert [tool.name for tool in registry.capabilities()] == ["clock", "lamp"]
    for tools in (registry.capabilities(), registry.index()):
        [action] = GoalPlanner().plan(query, WorldState(), tools).plan.actions
        assert action.tool == "clock"
    assert GoalPlanner().plan(query, WorldState(), earlier).status == "no_capability", "nothing is found out later"


def test_an_index_is_read_as_it_is_and_knows_only_what_was_given():
    index = ToolRegistry.default().index()
    assert tool_index(index) is index
    assert tool_index([ToolCapability(name="clock")]).by_name.keys() == {"clock"}
    assert tool_index(None).by_name == {}


@pytest.mark.parametrize(
    "rows",
    [{}, [3], [{}], [{"name": ""}], [{"name": "a", "can": []}], [{"name": "a", "effects": "x"}],
     [{"name": "a", "effects": [1]}], [{"name": "a"}, {"name": "a"}]],
)  # fmt: skip
def test_capability_files_with_mistakes_are_refused(rows):
    with pytest.raises(InputError):
        ToolRegistry.from_data(rows)


@pytest.mark.parametrize(
    "rows",
    [
        [{"name": "a", "inputSchema": {}}],
        {"tools": [{"name": "a", "inputSchema": {}}]},
        [{"type": "function", "function": {"name": "a"}}],
        [{"name": "a", "input_schema": {}}],
        {"openapi": "3.1.0", "paths": {}},
    ],
)
def test_a_tool_list_of_others_leads_to_the_planner_that_takes_it(rows):
    with pytest.raises(InputError) as refused:
        ToolRegistry.from_data(rows)
    assert "planvow tools plan" in refused.value.hint
    with pytest.raises(InputError) as refused:
        ToolRegistry.from_data([{"name": "a", "can_achieve": [], "colour": "red"}])
    assert refused.value.hint is None


def fact(predicate="free", value=1, at=0, **more):
    return Fact(subject="disk", predicate=predicate, value=value, timestamp=at, **more)


def test_memory_keeps_the_latest_of_each_fact_and_forgets_the_old():
    memory = FactsMemory([fact(value=2, at=20), fact(value=1, at=10), fact("size", 9, at=0, session="s")])
    assert len(memory) == 2
    assert [f.value for f in memory.recall(now_s=20)] == [2, 9]
    assert [f.value for f in memory.recall(now_s=20, window_s=5)] == [2]
    assert [f.value for f in memory.recall(now_s=20, session="s")] == [9]
    assert memory.world(now_s=20, running_apps=["x"]).words() >= {"app_running:x", "disk.free", "disk.size=9"}
    assert memory.forget_before(30 * 24 * 3600 + 15) == 1
    assert len(memory) == 1


def test_a_world_holds_its_newest_facts_in_one_order():
    facts = [
        Fact(subject=f"s{i}", predicate="p", value={"b": i, "a": {1, 2}}, timestamp=i) for i in range(MAX_FACTS + 5)
    ]
    world = WorldState(recent_facts=facts)
    assert len(world.recent_facts) == MAX_FACTS
    assert min(f.timestamp for f in world.recent_facts) == 5
    assert WorldState(recent_facts=list(reversed(facts))) == world


@pytest.mark.parametrize(
    "build",
    [
        lambda: WorldState(running_apps="chrome"),
        lambda: WorldState(browser_running="yes"),
        lambda: WorldState(recent_facts=[3]),
        lambda: WorldState(active_window=3),
        lambda: fact(at="now"),
        lambda: Fact(subject=1, predicate="p", value=0),
        lambda: PlannedAction(action_id="a1", tool="t", expected_effect="e", depends_on="a1"),
        lambda: PlannedAction(action_id="a1", tool=None, expected_effect="e"),
        lambda: ToolGoal(goal_type="app_launch", target=3),
        lambda: ToolGoal(goal_type="app_launch", recursive="yes"),
        lambda: goal_from_data({"target": "x"}),
        lambda: goal_from_data({"goal_type": "app_launch", "tarket": "x"}),
        lambda: goal_from_data(3),
        lambda: meta_goal_from_data({"goals": 3}),
        lambda: meta_goal_from_data({"goals": [], "more": 1}),
        lambda: meta_goal_from_data([]),
        lambda: meta_goal_from_data({"goals": [{"goal_type": "app_launch"}], "meta_type": []}),
        lambda: meta_goal_from_data({"goals": [{"goal_type": "app_launch"}], "dependencies": [1]}),
        lambda: meta_goal_from_data([{"goal_type": "app_launch", "goal_id": "Not An Id"}]),
        lambda: world_from_data({"recent_facts": [{"subject": "a"}]}),
        lambda: world_from_data({"running_apps": [1]}),
        lambda: world_from_data({"moon": 1}),
    ],
)  # fmt: skip
def test_values_that_are_not_what_they_should_be_are_refused(build):
    with pytest.raises(InputError):
        build()


def test_goals_as_data():
    one = {"goal_type": "app_launch", "target": "x"}
    assert meta_goal_from_data(one).meta_type == "single"
    assert meta_goal_from_data([one, one]).meta_type == "independent_multi"
    ordered = meta_goal_from_data({"goals": [one, one], "dependencies": {"1": [0]}})
    assert (ordered.meta_type, ordered.dependencies) == ("dependent_multi", {1: (0,)})
    said = meta_goal_from_data({"goals": [one, one], "dependencies": {"1": [0]}, "meta_type": "dependent_multi"})
    assert said == ordered
    world = world_from_data({"browser_running": True, "recent_facts": [{"subject": "a", "predicate": "b", "value": 1}]})
    assert world.words() == {"browser_running", "a.b", "a.b=1"}
