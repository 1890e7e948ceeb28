"""Calls that answer later: started, watched, cancelled, and nobody else's."""

from __future__ import annotations

import os
import sys
import time

import pytest

from http_servers import http_server
from mcp_servers import pigeons

pytestmark = pytest.mark.slow
LATER = {"Prefer": "respond-async"}


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    limits = ("--calls-at-once", "3", "--workers", "1", "--max-seconds", "4", "--max-long-seconds", "100")
    with http_server(tmp_path_factory.mktemp("later"), *limits) as found:
        yield found


def started(running, name, data, **headers):
    status, told, _ = running.call(name, data, headers={**LATER, **headers})
    assert status == 202, told
    place = running.headers["Location"]
    assert place == f"/api/v1/calls/{told['call_id']}"
    return place.removeprefix("/api/v1/")


def crowd(count=24):
    domain, problem = pigeons(count)
    return {"domain": domain, "problem": problem}


def until(running, place, *states):
    for _ in range(600):
        told = running.call(place, method="GET")[1]
        if told["state"] in states:
            return told
        time.sleep(0.05)
    raise AssertionError(told)


def test_an_answer_that_comes_later_is_the_one_that_comes_at_once(running):
    place = started(running, "make_plan", {"domain": "travel"})
    told = until(running, place, "answered")
    assert told["answer"] == running.call("make_plan", {"domain": "travel"})[1]
    assert [kind for _, kind, _ in running.events(f"{place}/events")] == ["running", "answered"]
    refused = until(running, started(running, "make_plan", {"domain": "travel:poor"}), "refused")
    assert (refused["problem"]["status"], refused["problem"]["code"]) == (422, "PLANNER_GENERATION_FAILED")


def test_progress_is_streamed_and_goes_on_where_the_stream_broke_off(running):
    place = started(running, "solve_hddl", {**crowd(), "max_seconds": 2.5})
    whole = running.events(f"{place}/events")
    kinds = [kind for _, kind, _ in whole]
    assert kinds[0] == "running"
    assert kinds[-1] in ("answered", "refused")
    assert kinds.count("progress") >= 2
    assert running.events(f"{place}/events", last=2) == whole[2:]


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_cancelling_ends_the_worker_and_frees_its_place(running):
    place = started(running, "solve_hddl", crowd())
    until(running, place, "running")
    (worker,) = running.workers()
    status, told, _ = running.call(place, method="DELETE")
    assert (status, told["state"]) == (200, "cancelled")
    assert running.events(f"{place}/events")[-1][1] == "cancelled"
    for _ in range(200):
        if not os.path.exists(f"/proc/{worker}"):
            break
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{worker}")
    assert running.call("make_plan", {"domain": "travel"})[0] == 200
    assert running.call(place, method="DELETE")[0] == 200
    assert running.call(place, method="GET")[0] == 404, "what has ended is forgotten by the second DELETE"


def test_a_caller_has_so_many_at_once_also_of_those_that_wait(running):
    going = [started(running, "solve_hddl", crowd()) for _ in range(3)]
    status, told, _ = running.call("solve_hddl", crowd(), headers=LATER)
    assert (status, told["code"]) == (429, "TOO_MANY_CALLS")
    for place in reversed(going):
        assert running.call(place, method="DELETE")[1]["state"] == "cancelled"
    until(running, started(running, "make_plan", {"domain": "travel"}), "answered")


def test_a_call_belongs_to_whoever_started_it(running):
    operator = {"Authorization": f"Bearer {running.token}"}
    place = started(running, "make_plan", {"domain": "travel"}, **operator)
    for method in ("GET", "DELETE"):
        status, told, _ = running.call(place, method=method)
        assert (status, told["code"]) == (404, "UNKNOWN_CALL")
    assert running.call(f"{place}/events", method="GET")[0] == 404
    assert running.call(place, method="GET", headers=operator)[0] == 200


def test_a_long_call_may_take_longer_than_one_that_is_waited_for(running):
    status, told, _ = running.call("solve_hddl", crowd())
    assert (status, told["code"]) == (504, "PLANNER_TIMEOUT")
    place = started(running, "solve_hddl", {**crowd(), "max_seconds": 5.5})
    told = until(running, place, "answered", "refused")
    assert "took longer than 4 s" not in str(told)
