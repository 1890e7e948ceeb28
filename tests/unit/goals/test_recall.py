"""What earlier runs taught, read off a ledger: with age and source, for the next request."""

from __future__ import annotations

import pytest

from planvow.cassette import SqliteStore, Worker, WorkerOptions
from planvow.cassette.jobs.from_contract import stored_plan
from planvow.contract import Plan
from planvow.goals import ConditionGoal, GoalPlanner, ToolCapability, ToolGoal, plan_calls
from planvow.goals.plan.convert import to_contract
from planvow.goals.run.recall import memory_of_goals, memory_of_tools, recalled
from planvow.tools import ToolEntry

WINDOW = 3600


def takes(*names):
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": [*names]}


TOOLS = (
    ToolEntry(name="sign_in", effects=("ready", "session.open")),
    ToolEntry(name="sign_out", effects=("!session.open",)),
    ToolEntry(
        name="order", input_schema=takes("customer"), requires=("session.open",), produces={"order_id": "order_id"},
        effects=("order.{order_id}.status=open",),
    ),
    ToolEntry(
        name="pay", input_schema=takes("order_id"), requires=("session.open", "order.{order_id}.status=open"),
        effects=("order.{order_id}.status=paid",),
    ),
)  # fmt: skip
OUTPUTS = {"order": {"order_id": "o7"}}
ORDERED = ConditionGoal(wants=("order_id",), given={"customer": "ann"})
PAID = {"order.{order_id}.status": "paid"}


def run(path, steps, planner_id, outputs):
    """Store a plan and let a worker run it; outputs that are exceptions are raised."""

    def perform(step):
        answer = outputs.get(step.claim.op, {})
        if isinstance(answer, Exception):
            raise answer
        return answer

    with SqliteStore(path) as store:
        number = len(store.jobs())
        stored = stored_plan(
            Plan(steps=tuple(steps)), planner_id=planner_id, planner_version="1.0.0", request_id=f"q{number}"
        )
        posted = store.post("r", {"number": number}, stored)
    handlers = {step.skill: perform for step in steps}
    Worker(lambda: SqliteStore(path), handlers, WorkerOptions(job_id=posted.job_id, run_id="r")).run()
    return posted.job_id


def recall(path, *, later=0):
    with SqliteStore(path) as store:
        now_s = store.now_ms() // 1000 + later
        memory = memory_of_tools(store, TOOLS, now_s=now_s, window_s=WINDOW)
    return recalled(memory, now_s=now_s, window_s=WINDOW)


def test_what_steps_brought_is_known_to_the_next_request_with_its_age_and_source(tmp_path):
    ledger = tmp_path / "cassette.db"
    job_id = run(ledger, plan_calls(ORDERED, TOOLS).steps, "tools", OUTPUTS)
    facts, values, found = recall(ledger)
    assert facts == {"ready": True, "session.open": True, "order.o7.status": "open"}
    assert values == {"order_id": "o7"}
    assert {fact.source_tool for fact in found} == {"sign_in", "order"}
    assert {fact.session for fact in found} == {job_id}
    second = plan_calls(ConditionGoal(conditions=PAID, given=values), TOOLS, facts)
    assert [(step.skill, dict(step.params)) for step in second.steps] == [("pay", {"order_id": "o7"})]
    run(ledger, plan_calls(ConditionGoal(conditions={"session.open": None}), TOOLS, facts).steps, "tools", {})
    assert recall(ledger)[0]["session.open"] is False
    assert recall(ledger, later=2 * WINDOW) == ({}, {}, []), "long ago is not now"


def test_a_step_that_failed_and_a_dry_run_teach_nothing(tmp_path):
    failing, dry = tmp_path / "failing.db", tmp_path / "dry.db"
    steps = plan_calls(ConditionGoal(conditions={"session.open": True}), TOOLS).steps
    run(failing, steps, "tools", {"sign_in": ValueError("no")})
    run(dry, steps, "tools", {"sign_in": {"status": "dry_run"}})
    assert recall(failing) == recall(dry) == ({}, {}, [])


CAPABILITIES = (
    ToolCapability(name="sign_in", effects={"session.open"}),
    ToolCapability(name="ask", can_achieve={"system_query"}, requires={"session.open"}),
)
QUESTION = ToolGoal(goal_type="system_query", query="x")


@pytest.mark.parametrize(("later", "calls"), [(0, ["ask"]), (2 * WINDOW, ["sign_in", "ask"])])
def test_a_second_wish_uses_what_the_first_one_brought(tmp_path, later, calls):
    ledger = tmp_path / "cassette.db"
    first = GoalPlanner().plan(QUESTION, memory_world(ledger, 0), CAPABILITIES).plan
    assert [action.tool for action in first.actions] == ["sign_in", "ask"]
    run(ledger, to_contract(first).steps, "goal", {"sign_in": {"status": "done"}, "ask": {"status": "done"}})
    second = GoalPlanner().plan(QUESTION, memory_world(ledger, later), CAPABILITIES).plan
    assert [action.tool for action in second.actions] == calls


def memory_world(path, later):
    with SqliteStore(path) as store:
        now_s = store.now_ms() // 1000 + later
        memory = memory_of_goals(store, CAPABILITIES, now_s=now_s, window_s=WINDOW)
    return memory.world(now_s=now_s)
