"""Goal plans in the common plan model, through the registered planner, and in a ledger."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planvow.cassette import SqliteStore
from planvow.cassette.jobs.from_contract import stored_output, stored_plan
from planvow.cassette.work.values import WorkerOptions
from planvow.cassette.work.worker import Worker
from planvow.contract import default_registry, normalise_plan
from planvow.contract.interface.interface import PlannerError, PlannerOutput
from planvow.contract.plan.placeholders import references
from planvow.errors import InputError
from planvow.goals import FactsMemory, GoalPlan, GoalPlanner, PlannedAction, ToolCapability, ToolGoal, WorldState
from planvow.goals.plan.convert import from_contract, to_contract
from planvow.goals.run.handlers import LAUNCHER, goal_handlers
from planvow.goals.run.remember import remembering
from planvow.goals.run.workspace import Workspace
from planvow.goals.values.config import default_config

texts = st.text(max_size=12) | st.sampled_from(["{{a.b}}", "{{", "{{{", '{{"{{"}}', "}}{{", "{{input.x}}"])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def plans(draw):
    count = draw(st.integers(1, 4))
    actions = []
    for i in range(count):
        earlier = [f"a{k + 1}" for k in range(i)]
        actions.append(
            PlannedAction(
                action_id=f"a{i + 1}",
                tool=draw(st.sampled_from(["t", "system.apps.launch.shell"])),
                args=draw(st.dictionaries(st.text(max_size=5), values, max_size=3)),
                expected_effect=draw(texts),
                depends_on=draw(st.lists(st.sampled_from(earlier), unique=True)) if earlier else [],
            )
        )
    achieved = draw(st.sampled_from([a.action_id for a in actions]))
    return GoalPlan(actions=actions, goal_achieved_by=achieved, total_actions=count)


@settings(max_examples=200, deadline=None)
@given(plans())
@pytest.mark.long
def test_a_plan_comes_back_from_the_common_model_as_it_was(plan):
    common = to_contract(plan)
    assert from_contract(common) == plan
    assert from_contract(json.loads(json.dumps(common.as_dict()))) == plan
    assert to_contract(from_contract(common)) == common
    assert list(references(common.as_dict()["steps"][0]["params"])) == [], "a goal's text is never a placeholder"
    assert normalise_plan(common.as_dict()) == common.as_dict()


@pytest.mark.parametrize("params", [{}, {"args": {}}, {"args": {}, "expected_effect": 3}, {"url": "x"}])
def test_steps_that_are_no_actions_are_refused(params):
    with pytest.raises(InputError):
        from_contract({"steps": [{"step_id": "a1", "skill": "t", "params": params}]})


def planner():
    return default_registry().create("goal")


def test_the_registered_planner_takes_a_sentence():
    answer = planner().plan("agent", "open youtube and search nvidia")
    assert isinstance(answer, PlannerOutput)
    assert answer.deterministic
    [step] = answer.plan["steps"]
    assert step["skill"] == LAUNCHER
    assert step["params"]["args"]["url"] == "https://youtube.com/results?search_query=nvidia"
    assert (planner().planner_id, planner().get_determinism_mode()) == ("goal", "full")


def test_the_registered_planner_takes_json_a_world_and_a_manifest():
    goal = json.dumps({"goal_type": "system_query", "query": "time"})
    tools = [{"name": "clock", "can_achieve": ["system_query"], "requires": ["disk.free"]}]
    blocked = planner().plan("agent", goal, capabilities=tools)
    assert isinstance(blocked, PlannerError)
    assert blocked.details["failed_goals"][0]["blocker"] == "disk.free"
    world = {"recent_facts": [{"subject": "disk", "predicate": "free", "value": 1}]}
    answer = planner().plan("agent", goal, capabilities=tools, world=world)
    assert [step["skill"] for step in answer.plan["steps"]] == ["clock"]
    shipped = planner().plan("agent", "open notepad", tool_manifest=[{"skill_id": LAUNCHER}])
    assert isinstance(shipped, PlannerOutput)
    unnamed = planner().plan("agent", goal, capabilities=tools, world=world, tool_manifest=[{"skill_id": "other"}])
    assert unnamed.details["status"] == "no_capability"


def test_a_partial_plan_says_what_it_leaves_out():
    answer = planner().plan("agent", "open notepad and create folder /etc/x")
    assert answer.metadata["status"] == "partial"
    assert answer.metadata["failed_goals"][0]["index"] == 1


@pytest.mark.parametrize(
    ("goal", "more"),
    [
        ("", {}),
        ("open the pod bay doors", {}),
        ("{", {}),
        ("[" * 100_000, {}),
        ('{"goal_type": "time_travel"}', {}),
        ('{"goal_type": 3}', {}),
        ("[]", {}),
        ('{"goal_type": "browser_search"}', {}),
        ('{"goal_type": "app_launch", "target": "\\ud800"}', {}),
        ("open notepad", {"tool_manifest": []}),
        ("open notepad", {"capabilities": [{"name": "a", "can_achieve": 3}]}),
        ("open notepad", {"capabilities": [{"name": "a"}, {"name": "a"}]}),
        ("open notepad", {"world": 3}),
        ("open notepad", {"world": {"recent_facts": [{"subject": 1, "predicate": 2, "value": 3}]}}),
        ("open notepad", {"workspace": "relative"}),
        ("open notepad", {"unknown": 1}),
    ],
)
def test_whatever_comes_in_an_answer_comes_out(goal, more):
    answer = planner().plan("agent", goal, **more)
    if isinstance(answer, PlannerOutput):
        assert "\\ud800" in goal, "only this one can be planned, with a question mark in place of half a character"
    else:
        assert isinstance(answer, PlannerError)
        assert answer.code != "INTERNAL"
        assert answer.message


def test_a_goal_plan_is_stored_and_run_by_a_worker(tmp_path):
    root = tmp_path / "w"
    root.mkdir()
    answer = planner().plan("agent", "create folder a and inside it a file b.txt", workspace=str(root))
    path = tmp_path / "cassette.db"
    with SqliteStore(path) as store:
        posted = store.post("r", {"wish": "a folder"}, stored_output(answer, request_id="q"))
        assert store.plans(job_id=posted.job_id)[0].planner_id == "goal"
        assert store.step_ids(posted.job_id) == ("g0_a1", "g1_a1")
    handlers = goal_handlers(Workspace(root), dry_run=False)
    Worker(lambda: SqliteStore(path), handlers, WorkerOptions(job_id=posted.job_id, run_id="r")).run()
    assert (root / "a/b.txt").is_file()
    with SqliteStore(path) as store:
        assert [receipt.outcome.value for receipt in store.receipts(posted.job_id)] == ["SUCCESS", "SUCCESS"]


def launched(tmp_path, goal, **more):
    plan = GoalPlanner().plan(goal, WorldState(), default_config().tools).plan
    path = tmp_path / "cassette.db"
    with SqliteStore(path) as store:
        stored = stored_plan(to_contract(plan), planner_id="goal", planner_version="1.0.0", request_id="q")
        posted = store.post("r", {}, stored)
    opened = []
    handlers = goal_handlers(
        Workspace(tmp_path),
        opener=lambda app, url: opened.append((app, url)) or "opened",
        launchable=("chrome", "notepad"),
        **more,
    )
    Worker(lambda: SqliteStore(path), handlers, WorkerOptions(job_id=posted.job_id, run_id="r")).run()
    with SqliteStore(path) as store:
        [receipt] = store.receipts(posted.job_id)
    return opened, receipt


SEARCH = ToolGoal(goal_type="browser_search", query="x")
NOTEPAD = ToolGoal(goal_type="app_launch", target="notepad")


def test_a_launch_goes_to_the_opener_and_a_dry_run_does_not(tmp_path):
    opened, receipt = launched(tmp_path, SEARCH, dry_run=False)
    assert opened == [("chrome", "https://www.google.com/search?q=x")]
    assert receipt.outcome.value == "SUCCESS"
    (tmp_path / "dry").mkdir()
    opened, receipt = launched(tmp_path / "dry", SEARCH)
    assert opened == []
    assert receipt.body["output"]["status"] == "dry_run"


@pytest.mark.parametrize(
    ("goal", "world"),
    [
        (NOTEPAD, WorldState(running_apps={"notepad"})),
        (SEARCH, WorldState(browser_running=True, browser_last_url="https://www.google.com/search?q=x")),
    ],
)
def test_what_is_open_already_is_skipped(tmp_path, goal, world):
    opened, receipt = launched(tmp_path, goal, world=world, dry_run=False)
    assert opened == []
    assert receipt.body["output"]["status"] == "skipped"


@pytest.mark.parametrize(("now", "status"), [(True, "skipped"), (False, "done"), (None, "skipped")])
def test_whether_an_app_runs_is_seen_just_before_it_is_launched(tmp_path, now, status):
    world = WorldState(running_apps={"notepad"})  # what was true when the plan was made
    opened, receipt = launched(tmp_path, NOTEPAD, world=world, running=lambda _app: now, dry_run=False)
    assert receipt.body["output"]["status"] == status
    assert opened == ([("notepad", None)] if status == "done" else [])


def test_a_page_in_a_browser_that_was_closed_is_opened_again(tmp_path):
    world = WorldState(browser_running=True, browser_last_url="https://www.google.com/search?q=x")
    opened, _receipt = launched(tmp_path, SEARCH, world=world, running=lambda _app: False, dry_run=False)
    assert len(opened) == 1


def test_a_program_that_is_no_configured_app_is_not_launched(tmp_path):
    opened, receipt = launched(tmp_path, ToolGoal(goal_type="app_launch", target="reboot"), dry_run=False)
    assert opened == []
    assert receipt.outcome.value == "FAILURE"


def test_a_wish_that_the_rules_reject_is_an_invalid_goal_and_no_internal_error():
    answer = default_registry().create("goal").plan("agent", "delete the folder /etc")
    assert isinstance(answer, PlannerError)
    assert answer.code == "PLANNER_INVALID_GOAL"
    assert answer.details["status"] == "rejected"


ASKING = (
    ToolCapability(name="sign_in", effects={"session.open", "user.role=admin", "browser_running"}),
    ToolCapability(name="sign_out", can_achieve={"app_launch"}, effects={"session.open=false"}),
    ToolCapability(name="ask", can_achieve={"system_query"}, requires={"session.open", "user.role=admin"}),
)
QUESTION = ToolGoal(goal_type="system_query", query="x")


def performed(folder, goal, memory, outputs, *, now_s):
    """Plan in the world that the memory shows, and run the plan through a ledger; return the tools that were called."""
    folder.mkdir()
    plan = GoalPlanner().plan(goal, memory.world(now_s=now_s), ASKING).plan
    path = folder / "cassette.db"
    with SqliteStore(path) as store:
        stored = stored_plan(to_contract(plan), planner_id="goal", planner_version="1.0.0", request_id="q")
        posted = store.post("r", {}, stored)
    handlers = {tool.name: lambda step: outputs.get(step.claim.op, {"status": "done"}) for tool in ASKING}
    taught = remembering(handlers, memory, ASKING, now_s=lambda: now_s)
    Worker(lambda: SqliteStore(path), taught, WorkerOptions(job_id=posted.job_id, run_id="r")).run()
    return [action.tool for action in plan.actions]


@pytest.mark.long
def test_what_was_done_is_known_to_the_next_request_and_undone_by_a_later_one(tmp_path):
    memory = FactsMemory()
    assert performed(tmp_path / "1", QUESTION, memory, {}, now_s=100) == ["sign_in", "ask"]
    kept = {fact.key: (fact.value, fact.source_tool, fact.timestamp) for fact in memory.recall(now_s=100)}
    assert kept == {"session.open": (True, "sign_in", 100), "user.role": ("admin", "sign_in", 100)}
    assert performed(tmp_path / "2", QUESTION, memory, {}, now_s=200) == ["ask"]
    assert performed(tmp_path / "3", NOTEPAD, memory, {}, now_s=300) == ["sign_out"]
    assert performed(tmp_path / "4", QUESTION, memory, {}, now_s=400) == ["sign_in", "ask"]
    assert performed(tmp_path / "5", QUESTION, memory, {}, now_s=100_000) == ["sign_in", "ask"], "long ago is not now"


def test_only_running_a_plan_teaches_the_memory(tmp_path):
    memory = FactsMemory()
    GoalPlanner().plan(QUESTION, memory.world(now_s=1), ASKING)
    assert len(memory) == 0, "planning is not doing"
    dry = {"status": "dry_run"}
    performed(tmp_path / "1", QUESTION, memory, {"sign_in": dry, "ask": dry}, now_s=1)
    assert len(memory) == 0, "a dry run does nothing"


def test_facts_that_a_tool_returns_are_kept_and_what_is_none_is_left_aside(tmp_path):
    memory = FactsMemory()
    told = [{"subject": "disk", "predicate": "free", "value": 12}, {"subject": 3}, "hm", {"subject": "a"}]
    performed(tmp_path / "1", QUESTION, memory, {"ask": {"status": "done", "facts": told}}, now_s=7)
    [fact] = [fact for fact in memory.recall(now_s=7) if fact.source_tool == "ask"]
    assert (fact.key, fact.value, fact.timestamp) == ("disk.free", 12, 7)
