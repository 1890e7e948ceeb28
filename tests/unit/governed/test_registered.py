"""The registered planner `governed`: the common contract over governed requests."""

from __future__ import annotations

import json

import pytest

from planvow.canonical import canonical_json
from planvow.cassette import SqliteStore, StepStatus
from planvow.cassette.jobs.from_contract import stored_plan
from planvow.cassette.work.values import WorkerOptions
from planvow.cassette.work.worker import Worker
from planvow.contract import default_registry
from planvow.contract.interface.interface import PlannerError, PlannerOutput
from planvow.contract.plan.plan import build_plan
from planvow.governed import RequestPlanner
from planvow.governed.run.operations import governed_handlers
from planvow.governed.run.workshop import Workshop
from planvow.governed.substrate.index import build_index


@pytest.fixture
def planner(tree, kind):
    build_index(tree.root, tree.sections)
    return default_registry().create("governed", repo_root=tree.root, substrate=kind)


def request(**inputs):
    return {"run_id": "r", "request_id": "q", "intent": "look", "inputs": inputs, "budgets": {"max_steps": 9}}


WRITE = {"op": "WRITE_FILE", "refs": {"file_path": "out.txt", "content": "{{ a }}  b\n"}}


def test_a_request_gives_the_steps_of_the_governed_plan(planner, tree, kind):
    asked = request(files=["calc.py"], ops=[WRITE])
    answer = planner.plan("agent", "as requested", request=asked)
    assert isinstance(answer, PlannerOutput), answer
    own = RequestPlanner(tree.root).plan_request(asked, substrate=kind)
    assert [s["step_id"] for s in answer.plan["steps"]] == [s["step_id"] for s in own["steps"]]
    assert answer.plan["steps"][1]["depends_on"] == own["steps"][1]["constraints"]["after"]
    assert answer.metadata["plan_hash"] == own["plan_hash"]
    assert answer.deterministic


def test_the_goal_may_be_the_request_as_json(planner):
    asked = request(notes=["n"])
    by_goal = planner.plan("agent", json.dumps(asked))
    assert canonical_json(by_goal.plan) == canonical_json(planner.plan("agent", "g", request=asked).plan)


@pytest.mark.parametrize(
    ("goal", "extra", "code"),
    [
        ("tidy up", {}, "PLANNER_INVALID_GOAL"),
        ("g", {"request": {}}, "PLANNER_INVALID_INPUT"),
        ("g", {"request": {**request(notes=["n"]), "budgets": {"max_steps": 0}}}, "PLANNER_BUDGET_EXCEEDED"),
        ("g", {"request": request(files=["nowhere"])}, "PLANNER_GENERATION_FAILED"),
        ("g", {"request": request(), "repo_root": "/nowhere/at/all"}, "PLANNER_INVALID_INPUT"),
        ("g", {"surprise": 1}, "PLANNER_INVALID_INPUT"),
    ],
)
def test_every_failure_is_a_value(planner, goal, extra, code):
    answer = planner.plan("agent", goal, **extra)
    assert isinstance(answer, PlannerError)
    assert answer.code == code


def test_nothing_to_do_is_a_satisfied_plan(planner):
    assert planner.plan("agent", "g", request=request()).metadata["status"] == "satisfied"


def test_its_plan_can_be_stored_through_the_common_model_and_run(planner, tree, kind, tmp_path_factory):
    answer = planner.plan("agent", "g", request=request(files=["calc.py"], ops=[WRITE]))
    ledger = tmp_path_factory.mktemp("ledger") / "cassette.db"
    kept = stored_plan(build_plan(answer.plan), planner_id="governed", planner_version="1.0", request_id="q")
    with SqliteStore(ledger) as store:
        job_id = store.post("r", {"goal": "g"}, kept).job_id
    shop = Workshop(root=tree.root, data_folder=tree.root / ".planvow", substrate=kind)
    Worker(lambda: SqliteStore(ledger), governed_handlers(shop), WorkerOptions(worker_id="w")).run()
    with SqliteStore(ledger) as store:
        assert [step.status for step in store.steps(job_id)] == [StepStatus.COMMITTED] * 2
    assert (tree.root / "out.txt").read_text() == "{{ a }}  b\n"
