"""Several goals in one graph: edges only where they are meant, partial answers, and browsers opened once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from planvow.errors import InputError
from planvow.goals import Fact, GoalInterpreter, GoalOrchestrator, MetaGoal, ToolCapability, ToolGoal, WorldState
from planvow.goals.values.config import default_config
from planvow.goals.values.metagoal import DEPENDENT, INDEPENDENT, SINGLE

TOOLS = default_config().tools


def orchestrated(meta, tools=TOOLS, world=None, **anchors):
    orchestrator = GoalOrchestrator(anchors={"workspace": "/w", **anchors})
    meta = meta if isinstance(meta, MetaGoal) else MetaGoal.of(meta)
    return orchestrator.plan(meta, world or WorldState(), tools)


def said(sentence, **more):
    return orchestrated(GoalInterpreter().interpret(sentence).meta_goal, **more)


def launch(app, **more):
    return ToolGoal(goal_type="app_launch", target=app, **more)


def search(query="x", **more):
    return ToolGoal(goal_type="browser_search", query=query, **more)


def folder(path, **more):
    return ToolGoal(goal_type="file_operation", action="create", object_type="folder", target=path, **more)


def file(path, **more):
    return ToolGoal(goal_type="file_operation", action="create", object_type="file", target=path, **more)


def test_a_single_goal_passes_through_with_its_prefix():
    result = orchestrated([search()])
    assert result.status == "success"
    assert result.graph.execution_order == ("g0_a1",)
    assert result.graph.edges == ()


def test_independent_goals_have_no_edges():
    graph = orchestrated([launch("notepad"), launch("calculator")]).graph
    assert graph.edges == ()
    assert graph.goal_actions == {0: ("g0_a1",), 1: ("g1_a1",)}


def test_a_file_inside_a_new_folder_waits_for_it_and_stands_in_it():
    graph = said("create folder reports and inside it a file notes.txt").graph
    assert graph.edges == (("g0_a1", "g1_a1"),)
    assert [node.args["path"] for node in graph.nodes] == ["/w/reports", "/w/reports/notes.txt"]


def test_three_levels_of_folders():
    graph = said("create folder a and inside it folder b and inside it a file c.txt").graph
    assert [node.args["path"] for node in graph.nodes] == ["/w/a", "/w/a/b", "/w/a/b/c.txt"]
    assert graph.edges == (("g0_a1", "g1_a1"), ("g1_a1", "g2_a1"))


def test_a_given_path_is_inherited_too():
    graph = orchestrated([folder("a", resolved_path="/else/a"), file("b.txt", scope="inside:a")]).graph
    assert graph.nodes[1].args["path"] == "/else/a/b.txt"


def test_then_means_after():
    graph = said("create folder logs, then open notepad").graph
    assert graph.edges == (("g0_a1", "g1_a1"),)
    three = said("open notepad and calculator, then create folder logs").graph
    assert three.edges == (("g0_a1", "g2_a1"), ("g1_a1", "g2_a1"))


def test_what_is_inside_something_that_makes_no_folder_is_refused():
    for parent in (file("a.txt"), launch("a"), ToolGoal(goal_type="file_operation", action="rmdir", target="a")):
        result = orchestrated([parent, file("b.txt", scope="inside:g0")])
        assert result.status == "partial"
        assert result.failed_goals[0].reason_code == "invalid_scope"


def test_a_failed_goal_takes_those_with_it_that_need_it_and_no_other():
    result = orchestrated([folder("/etc/x"), file("b.txt", scope="inside:g0"), launch("notepad")])
    assert result.status == "partial"
    assert [(f.index, f.reason_code) for f in result.failed_goals] == [(0, "protected_path"), (1, "dependency_failed")]
    assert "dependency failed: g0" in result.failed_goals[1].reason
    assert result.graph.goal_actions == {2: ("g2_a1",)}


@pytest.mark.parametrize(
    ("goals", "tools", "status"),
    [
        ([search(), launch("x")], (), "no_capability"),
        ([search("")], TOOLS, "rejected"),
        ([search(""), folder("/etc")], TOOLS, "rejected"),
        ([search(""), ToolGoal(goal_type="system_query", query="time")], TOOLS, "blocked"),
        ([ToolGoal(goal_type="system_query", query="time"), launch("x", scope="after:g0")], TOOLS, "no_capability"),
        ([search()], [ToolCapability(name="s", can_achieve={"browser_search"}, requires={"z"})], "blocked"),
    ],
)
def test_when_all_fail_the_status_is_theirs_or_blocked(goals, tools, status):
    result = orchestrated(goals, tools)
    assert (result.status, result.graph) == (status, None)
    assert result.reason
    assert len(result.failed_goals) == len(goals)


def test_a_goal_is_planned_in_the_world_its_dependencies_leave_behind():
    tools = [
        *TOOLS,
        ToolCapability(
            name="sign_in", can_achieve={"system_query"}, requires={"browser_running"}, effects={"me.known"}
        ),
    ]
    query = ToolGoal(goal_type="system_query", query="me", scope="after:g0")
    assert len(orchestrated([search(), query], tools).graph.nodes) == 2
    independent = orchestrated([search(), ToolGoal(goal_type="system_query", query="me")], tools).graph
    assert independent.edges == (("g0_a1", "g1_a1"),), "what another goal brings about anyway is used, and waited for"
    after_an_app = orchestrated([launch("notepad"), query], tools).graph
    assert len(after_an_app.nodes) == 3, "launching an app opens no browser"
    watch = ToolCapability(name="watch", can_achieve={"system_query"}, requires={"youtube_search_visible"})
    seen = orchestrated([search(platform="youtube"), query], [*TOOLS, watch])
    assert (seen.status, len(seen.graph.nodes)) == ("success", 2), "what the page shows is there for who waits for it"


SIGN_IN = (
    ToolCapability(name="ask", can_achieve={"system_query"}, requires={"session.open"}),
    ToolCapability(name="sign_in", effects={"session.open"}),
)


def query(text, **more):
    return ToolGoal(goal_type="system_query", query=text, **more)


def shape(graph):
    return [(node.action_id, node.tool, node.depends_on) for node in graph.nodes]


def test_what_two_goals_need_is_called_once():
    graph = orchestrated([query("a"), query("b")], SIGN_IN).graph
    assert shape(graph) == [("g0_a1", "sign_in", ()), ("g0_a2", "ask", ("g0_a1",)), ("g1_a1", "ask", ("g0_a1",))]
    assert graph.goal_actions == {0: ("g0_a1", "g0_a2"), 1: ("g0_a1", "g1_a1")}


def test_the_same_goal_twice_is_one_unless_it_waits_for_itself():
    graph = orchestrated([query("a"), query("a")], SIGN_IN).graph
    assert shape(graph) == [("g0_a1", "sign_in", ()), ("g0_a2", "ask", ("g0_a1",))]
    assert graph.goal_actions == {0: ("g0_a1", "g0_a2"), 1: ("g0_a1", "g0_a2")}
    again = orchestrated([query("a"), query("a", scope="after:g0")], SIGN_IN).graph
    assert [node.tool for node in again.nodes] == ["sign_in", "ask", "ask"]
    later = orchestrated([query("a"), launch("x"), query("a", scope="after:g1")], [*TOOLS, *SIGN_IN]).graph
    assert len(later.nodes) == 4, "the second waits for something that the first does not wait for"


def test_the_fewest_calls_for_all_goals_may_not_be_the_fewest_for_each():
    tools = [
        ToolCapability(name="ask", can_achieve={"system_query"}, requires={"p"}),
        ToolCapability(name="search", can_achieve={"browser_search"}, requires={"q"}),
        ToolCapability(name="a.p", effects={"p"}),
        ToolCapability(name="a.q", effects={"q"}),
        ToolCapability(name="z.both", effects={"p", "q"}),
    ]
    assert [node.tool for node in orchestrated([query("x")], tools).graph.nodes] == ["a.p", "ask"]
    graph = orchestrated([query("x"), search("y")], tools).graph
    assert shape(graph) == [("g0_a1", "z.both", ()), ("g0_a2", "ask", ("g0_a1",)), ("g1_a1", "search", ("g0_a1",))]


def test_a_shared_call_waits_only_for_what_all_its_goals_wait_for():
    goals = [launch("notepad"), query("a", scope="after:g0"), query("b")]
    graph = orchestrated(goals, [*TOOLS, *SIGN_IN]).graph
    assert shape(graph) == [
        ("g0_a1", "system.apps.launch.shell", ()),
        ("g1_a1", "sign_in", ()),
        ("g1_a2", "ask", ("g0_a1", "g1_a1")),
        ("g2_a1", "ask", ("g1_a1",)),
    ]


def test_goals_that_undo_each_other_are_put_in_an_order_or_left_out():
    tools = [
        ToolCapability(name="lock", can_achieve={"system_query"}, requires={"door"}, effects={"door=false"}),
        ToolCapability(name="enter", can_achieve={"browser_search"}, requires={"door"}),
    ]
    world = WorldState(recent_facts=[Fact(subject="house", predicate="door", value=True)])
    tools = [
        replace(tool, requires={"house.door"}, effects={f"house.{effect}" for effect in tool.effects}) for tool in tools
    ]
    graph = orchestrated([query("lock"), search("x")], tools, world).graph
    assert shape(graph) == [("g1_a1", "enter", ()), ("g0_a1", "lock", ("g1_a1",))]
    locked = orchestrated([query("lock"), search("x", scope="after:g0")], tools, world)
    assert (locked.status, [failure.index for failure in locked.failed_goals]) == ("partial", [1])


def test_effects_reach_through_goals_in_between():
    tools = [*TOOLS, ToolCapability(name="q", can_achieve={"system_query"}, requires={"browser_running"})]
    goals = [
        search(),
        launch("notepad", scope="after:g0"),
        ToolGoal(goal_type="system_query", query="x", scope="after:g1"),
    ]
    assert [n.tool for n in orchestrated(goals, tools).graph.nodes][-1] == "q"
    assert len(orchestrated(goals, tools).graph.nodes) == 3


def test_every_action_that_rests_on_nothing_of_its_goal_waits_for_the_goals_before():
    tools = [
        *TOOLS,
        ToolCapability(name="both", can_achieve={"system_query"}, requires={"p", "q"}),
        ToolCapability(name="p", effects={"p"}),
        ToolCapability(name="q", requires={"p"}, effects={"q"}),
    ]
    graph = orchestrated(
        [launch("notepad"), ToolGoal(goal_type="system_query", query="x", scope="after:g0")], tools
    ).graph
    assert [(n.action_id, n.depends_on) for n in graph.nodes] == [
        ("g0_a1", ()),
        ("g1_a1", ("g0_a1",)),
        ("g1_a2", ("g1_a1",)),
        ("g1_a3", ("g1_a1", "g1_a2")),
    ]


def test_the_order_respects_every_edge():
    result = said("create folder a and inside it folder b and inside it a file c.txt, then open notepad")
    place = {action_id: i for i, action_id in enumerate(result.graph.execution_order)}
    assert all(place[before] < place[after] for before, after in result.graph.edges)


def test_opening_the_browser_and_a_page_is_one_call():
    graph = said("open firefox and search nvidia on youtube").graph
    [node] = graph.nodes
    assert node.args == {"app_name": "firefox", "url": "https://youtube.com/results?search_query=nvidia"}
    assert graph.goal_actions == {0: ("g1_a1",), 1: ("g1_a1",)}, "goals keep their numbers"


def test_only_pages_after_the_launch_are_opened_with_it():
    graph = orchestrated([search("a"), launch("firefox"), search("b")]).graph
    assert [node.args["app_name"] for node in graph.nodes] == ["chrome", "firefox"]


def test_a_page_inherits_what_the_launch_waited_for():
    goals = [folder("a"), launch("chrome", scope="after:g0"), search(scope="after:g1")]
    graph = orchestrated(goals).graph
    assert graph.edges == (("g0_a1", "g2_a1"),)


def test_a_launch_stays_when_something_else_waits_for_it_or_no_page_is_opened():
    waiting = orchestrated([launch("chrome"), folder("a", scope="after:g0"), search()]).graph
    assert len(waiting.nodes) == 3
    two = orchestrated([launch("chrome"), launch("firefox"), search()]).graph
    assert len(two.nodes) == 3
    failing = orchestrated([launch("chrome"), search("")])
    assert failing.status == "partial"
    assert [node.args for node in failing.graph.nodes] == [{"app_name": "chrome"}]


def test_an_unknown_anchor_and_a_climbing_path_are_refused_with_the_reason():
    desktop = orchestrated([file("a.txt", scope="desktop")])
    assert (desktop.status, desktop.failed_goals[0].reason_code) == ("rejected", "relative_path")
    assert "desktop" in desktop.reason
    assert orchestrated([file("a.txt", scope="desktop")], desktop="/d").graph.nodes[0].args["path"] == "/d/a.txt"
    climbing = orchestrated([file("../a.txt")])
    assert climbing.failed_goals[0].reason_code == "escaping_path"
    moving = ToolGoal(goal_type="file_operation", action="move", target="a.txt", destination="../b")
    assert orchestrated([moving]).failed_goals[0].reason_code == "escaping_path"


def test_warnings_of_all_goals_are_kept():
    assert len(orchestrated([search(platform="foo"), search(platform="bar")]).warnings) == 2


@pytest.mark.parametrize(
    "build",
    [
        lambda: MetaGoal(meta_type=SINGLE, goals=[]),
        lambda: MetaGoal(meta_type=SINGLE, goals=[search(), search()]),
        lambda: MetaGoal(meta_type="pair", goals=[search()]),
        lambda: MetaGoal(meta_type=INDEPENDENT, goals=[search(), search()], dependencies={1: [0]}),
        lambda: MetaGoal(meta_type=DEPENDENT, goals=[search(), search()], dependencies={0: [1]}),
        lambda: MetaGoal(meta_type=DEPENDENT, goals=[search(), search()], dependencies={1: [1]}),
        lambda: MetaGoal(meta_type=DEPENDENT, goals=[search(), search()], dependencies={2: [0]}),
        lambda: MetaGoal(meta_type=INDEPENDENT, goals=[folder("a"), file("b", scope="inside:a")]),
        lambda: MetaGoal.of([search(goal_id="x"), search(goal_id="x")]),
        lambda: MetaGoal.of([search(goal_id="g1"), search()]),
        lambda: MetaGoal.of([file("b", scope="inside:a"), folder("a")]),
        lambda: MetaGoal.of([file("b", scope="inside:nowhere")]),
        lambda: MetaGoal.of([file("b", scope="insid:a")]),
        lambda: MetaGoal.of([file("b", scope="drive:")]),
    ],
)
def test_groups_that_contradict_themselves_are_rejected(build):
    with pytest.raises(InputError):
        build()


def test_sub_goals_are_only_there_for_groups():
    assert MetaGoal.of([search()]).sub_goals == ()
    pair = MetaGoal.of([search(), launch("x")])
    assert (pair.meta_type, pair.sub_goals) == (INDEPENDENT, pair.goals)
    row = MetaGoal.of([search(), launch("x", scope="after:g0")])
    assert (row.meta_type, row.sub_goals) == (DEPENDENT, row.goals)


def test_a_scope_names_a_goal_by_id_target_last_name_or_action():
    for name in ("g0", "deep/a", "a", "create", "A"):
        meta = MetaGoal.of([folder("deep/a"), launch("x", scope=f"after:{name}")])
        assert meta.dependencies == {1: (0,)}
        assert meta.meta_type == DEPENDENT


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("open notepad", SINGLE),
        ("open youtube and search nvidia", SINGLE),
        ("open notepad and calculator", INDEPENDENT),
        ("create folder logs, then open notepad", DEPENDENT),
        ("create folder reports and inside it a file notes.txt", DEPENDENT),
    ],
)
def test_a_sentence_is_classified_as_one_goal_or_several(sentence, kind):
    assert GoalInterpreter().interpret(sentence).meta_goal.meta_type == kind
