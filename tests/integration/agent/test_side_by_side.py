"""Steps that the order of a plan leaves free run side by side, and the outcome is that of the plan."""

from __future__ import annotations

import sqlite3
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planvow import Domain, State, plan
from planvow.adapters.databases.opening import open_ledger
from planvow.agent.record.jobs import agent_steps
from planvow.cassette import Worker, WorkerOptions
from planvow.cassette.jobs.from_contract import stored_plan
from planvow.cassette.proof.verify import verify_ledger
from planvow.cassette.work.pool import run_pool
from planvow.contract.plan.plan import build_plan
from side_worker import mixed

SIDE_WORKER = Path(__file__).parents[2] / "lab" / "side_worker.py"
REGISTERS = "abcdef"
domain = Domain("mixing")


@domain.command
def mix(state, name, target, sources):
    state.register[target] = mixed(name, [state.register.get(source) for source in sources])
    return state


MIXES = st.lists(
    st.tuples(st.sampled_from(REGISTERS), st.lists(st.sampled_from(REGISTERS), max_size=2)), min_size=1, max_size=14
)


def a_plan(mixes):
    """A plan whose steps are in no other order than what they read and write asks for."""
    agenda = [("mix", f"m{n}", target, tuple(sources)) for n, (target, sources) in enumerate(mixes)]
    return plan(domain, State(register={}), agenda)


def posted(store, result, run_id="run"):
    steps = agent_steps(result, {}, side_by_side=True)
    made = build_plan({"steps": [{**step, "params": _plain(step["params"])} for step in steps]})
    facts = {"planner_id": "htn", "planner_version": "1", "request_id": run_id}
    stored = stored_plan(made, **facts)
    many = {step.step_id: 1000 for step in stored.steps}
    return store.post(run_id, {}, type(stored)(**{**vars(stored), "max_attempts": many})).job_id


def _plain(params):
    return {**params, "sources": list(params["sources"])}


@pytest.mark.parametrize("workers", [1, 2, 8])
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mixes=MIXES)
def test_any_number_of_threads_comes_to_the_plans_final_state(tmp_path, workers, mixes):
    result = a_plan(mixes)
    world, lock = {}, threading.Lock()

    def handler(step):
        with lock:
            values = [world.get(source) for source in step.payload["sources"]]
            world[step.payload["target"]] = mixed(step.payload["name"], values)

    location = str(tmp_path / "threads.db")
    with open_ledger(location) as store:
        run_id = f"{workers}-{len(store.jobs())}"
        job_id = posted(store, result, run_id)
    options = WorkerOptions(job_id=job_id, concurrency=workers, poll_seconds=0.005)
    report = Worker(lambda: open_ledger(location), {"mix": handler}, options).run()
    assert report.committed == len(result.plan)
    assert world == dict(result.final_state.register)


@pytest.mark.long
@pytest.mark.parametrize("workers", [2, 8])
def test_killed_workers_come_to_the_plans_final_state(tmp_path, workers):
    mixes = [(REGISTERS[n * 7 % 6], [REGISTERS[n * 5 % 6], REGISTERS[(n * 3 + 1) % 6]][: n % 3]) for n in range(40)]
    result = a_plan(mixes)
    assert len(result.partial_order().levels) < len(mixes)
    ledger, world = str(tmp_path / "ledger.db"), str(tmp_path / "world.db")
    with open_ledger(ledger) as store:
        job_id = posted(store, result)
    with sqlite3.connect(world) as connection:
        connection.execute("CREATE TABLE registers (name TEXT PRIMARY KEY, value TEXT)")
        connection.execute("CREATE TABLE done (key TEXT PRIMARY KEY)")
    killed = []
    command = [sys.executable, str(SIDE_WORKER), ledger, world, job_id, str(workers)]
    failed = run_pool(command, workers, stop=threading.Event(), unanswered=killed.append)
    assert failed == 0
    assert killed
    with sqlite3.connect(world) as connection:
        assert dict(connection.execute("SELECT name, value FROM registers")) == dict(result.final_state.register)
    with open_ledger(ledger) as store:
        assert store.job(job_id).committed == len(mixes)
        assert verify_ledger(store).accepted


def test_a_worker_awaits_coroutines_and_adds_up_what_its_threads_did(tmp_path):
    location = str(tmp_path / "ledger.db")
    result = a_plan([(target, []) for target in REGISTERS])
    together = threading.Barrier(3, timeout=60)

    async def handler(step):
        together.wait()
        return "awaited"

    with open_ledger(location) as store:
        job_id = posted(store, result)
    options = WorkerOptions(job_id=job_id, concurrency=3)
    report = Worker(lambda: open_ledger(location), {"mix": handler}, options).run()
    assert report.committed == 6
    with open_ledger(location) as store:
        assert set(store.outputs(job_id).values()) == {"awaited"}
