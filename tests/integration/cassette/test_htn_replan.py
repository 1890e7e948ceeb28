"""A step of an engine's plan fails in a worker; the repair runs the rest and nothing twice."""

from __future__ import annotations

import json

import pytest

from ledgers import statuses
from planvow import Domain, State, plan, refuse
from planvow.cassette import Worker, WorkerOptions
from planvow.cassette.jobs.htn_jobs import repair_job, stored_htn_plan
from planvow.cassette.proof.verify import verify_ledger
from planvow.contract.planners.htn import TaskPlanner
from planvow.errors import InputError, RefusedError

house = Domain("house")


@house.command
def walk(state, who, there):
    state.at[who] = there
    return state


@house.command
def open_door(state, door):
    if state.door[door] == "locked":
        return refuse(f"{door} is locked")
    state.door[door] = "open"
    return state


@house.command
def pour(state, what):
    state.poured[what] = True
    return state


@house.command
def serve(state, what):
    state.served[what] = True
    return state


@house.method(task="go_in")
def by_the_front(state):
    return [("walk", "robot", "front"), ("open_door", "front door")]


@house.method(task="go_in")
def by_the_back(state):
    return [("walk", "robot", "back"), ("open_door", "back door")]


@house.method(task="bring_tea")
def make_go_serve(state):
    return [("pour", "tea"), ("go_in",), ("serve", "tea")]


START = {
    "at": {"robot": "kitchen"},
    "door": {"front door": "shut", "back door": "shut"},
    "poured": {},
    "served": {},
}
AGENDA = [("bring_tea",)]
PARAMETERS = {"walk": ("who", "there"), "open_door": ("door",), "pour": ("what",), "serve": ("what",)}


class World:
    """The house as it is: the front door is locked, and nobody knows."""

    def __init__(self):
        self.facts = {name: dict(values) for name, values in START.items()}
        self.facts["door"]["front door"] = "locked"
        self.did = []

    def handlers(self):
        def act(context):
            name = context.claim.op
            arguments = tuple(context.payload[key] for key in PARAMETERS[name])
            done = house.commands[name].model(State(self.facts).draft(), *arguments)
            if not done:
                raise ValueError(f"{arguments[0]} does not open")
            self.did.append((name, *arguments))
            if name == "walk":
                self.facts["at"]["robot"] = arguments[1]
            elif name == "open_door":
                self.facts["door"][arguments[0]] = "open"
            else:
                self.facts["poured" if name == "pour" else "served"][arguments[0]] = True

        return dict.fromkeys(house.commands, act)


def test_a_failed_step_is_replanned_and_the_executed_prefix_is_not_run_again(open_store, store):
    planned = TaskPlanner(domain=house, state=State(START)).plan("robot", json.dumps(AGENDA))
    result = plan(house, State(START), AGENDA)
    stored = stored_htn_plan(result, request_id="tea")
    assert [s["skill"] for s in planned.plan["steps"]] == [s.op for s in stored.steps]
    parent = store.post("run", {"goal": AGENDA}, stored).job_id

    world = World()
    Worker(open_store, world.handlers(), WorkerOptions(run_id="run")).run()
    assert statuses(store, parent) == ["COMMITTED", "COMMITTED", "FAILED", "SKIPPED"]
    assert world.did == [("pour", "tea"), ("walk", "robot", "front")]

    posted, repaired = repair_job(store, parent, result, State(world.facts))
    assert repaired.plan == (("walk", "robot", "back"), ("open_door", "back door"), ("serve", "tea"))
    Worker(open_store, world.handlers(), WorkerOptions(run_id="run")).run()

    assert world.did == [
        ("pour", "tea"), ("walk", "robot", "front"),
        ("walk", "robot", "back"), ("open_door", "back door"), ("serve", "tea"),
    ]  # fmt: skip
    assert world.did.count(("pour", "tea")) == 1
    assert statuses(store, posted.job_id) == ["COMMITTED"] * 3
    old, new = store.jobs(run_id="run")
    assert (old.job_id, old.state, old.parent_job_id) == (parent, "failed", None)
    assert (new.job_id, new.state, new.parent_job_id) == (posted.job_id, "committed", parent)
    assert store.request(posted.job_id)["reason"].startswith("step 3 failed")
    assert repair_job(store, parent, result, State(START | {"door": world.facts["door"]}))[0].job_id == posted.job_id
    assert verify_ledger(store).accepted


def test_a_job_that_did_not_fail_or_came_from_elsewhere_is_not_repaired(store):
    result = plan(house, State(START), AGENDA)
    job = store.post("run", {"goal": 1}, stored_htn_plan(result, request_id="tea")).job_id
    with pytest.raises(RefusedError, match="nothing to repair"):
        repair_job(store, job, result, State(START))
    other = plan(house, State(START), [("serve", "tea")])
    with pytest.raises(InputError, match="not the one"):
        repair_job(store, job, other, State(START))


def test_a_job_without_a_way_on_stays_failed(open_store, store):
    result = plan(house, State(START), AGENDA)
    job = store.post("run", {"goal": 1}, stored_htn_plan(result, request_id="tea")).job_id
    world = World()
    world.facts["door"]["back door"] = "locked"
    Worker(open_store, world.handlers(), WorkerOptions(run_id="run")).run()
    with pytest.raises(RefusedError, match="cannot be repaired"):
        repair_job(store, job, result, State(world.facts))
    assert len(store.jobs()) == 1
