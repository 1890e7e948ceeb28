"""What one caller may ask of a server, and what a call may take: refused with when to come back, or ended."""

from __future__ import annotations

import math
import os
import resource
import sys
import threading
import time
from pathlib import Path

import pytest

from http_servers import http_server
from mcp_servers import pigeons

pytestmark = pytest.mark.slow
PLAN = {"domain": "travel"}


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    limits = ("--calls-per-minute", "60", "--calls-at-once", "2", "--max-body-mb", "1", "--max-seconds", "3")
    with http_server(tmp_path_factory.mktemp("limits"), *limits, "--workers", "1") as found:
        yield found


def test_a_caller_who_asks_too_often_is_told_when_to_come_back_and_nobody_else_is(running):
    operator = {"Authorization": f"Bearer {running.token}"}
    answers = [running.call("read_document", {"address": "error://X"}) for _ in range(20)]
    late = [told for status, told, _ in answers if status == 429]
    assert late
    assert {told["code"] for told in late} == {"TOO_MANY_CALLS"}
    assert all(told["retryable"] for told in late)
    running.call("runs", {}, headers={"Authorization": "Bearer guess"})
    assert int(running.headers["Retry-After"]) >= 1, "guesses at tokens count for the address"
    assert running.call("list_planners", {}, headers=operator)[0] == 200


def test_a_caller_plans_so_much_at_once_and_no_more(running):
    operator = {"Authorization": f"Bearer {running.token}"}
    domain, problem = pigeons(24)
    found = []

    def ask():
        question = {"domain": domain, "problem": problem}
        found.append(running.call("solve_hddl", question, headers=operator)[1]["code"])

    many = [threading.Thread(target=ask) for _ in range(4)]
    for each in many:
        each.start()
    for each in many:
        each.join()
    assert found.count("TOO_MANY_CALLS") == 2


def test_a_question_larger_than_allowed_is_refused_before_it_is_read(running):
    operator = {"Authorization": f"Bearer {running.token}"}
    status, told, _ = running.call("make_plan", b" " * (2**20 + 1), headers=operator)
    assert (status, told["code"]) == (413, "INVALID_INPUT")


@pytest.mark.skipif(sys.platform != "linux", reason="sets a limit of another process")
def test_a_call_that_takes_too_much_processor_time_is_ended_by_the_system(running):
    """The call may take ten minutes by the clock; the limit of its worker is lowered, so no clock comes first."""
    operator = {"Authorization": f"Bearer {running.token}"}
    assert running.call("make_plan", PLAN, headers=operator)[0] == 200
    (worker,) = running.workers()
    assert 3 < cpu_limit(worker)[0] <= spent(worker) + 5, "the seconds of the call, from what was used before on"
    domain, problem = pigeons(24)
    long = {"Prefer": "respond-async", **operator}
    assert running.call("solve_hddl", {"domain": domain, "problem": problem}, headers=long)[0] == 202
    place = running.headers["Location"].removeprefix("/api/v1/")
    wait_until(lambda: cpu_limit(worker)[0] > 600)  # a long call's
    resource.prlimit(worker, resource.RLIMIT_CPU, (math.ceil(spent(worker)) + 1, cpu_limit(worker)[1]))
    running.events(f"{place}/events", **operator)  # they end with the call
    told = running.call(place, method="GET", headers=operator)[1]
    assert (told["state"], told["problem"]["status"]) == ("refused", 504)
    assert (told["problem"]["code"], told["problem"]["retryable"]) == ("PLANNER_TIMEOUT", True)
    assert "processor time" in told["problem"]["detail"]
    assert running.call("make_plan", PLAN, headers=operator)[0] == 200


def cpu_limit(pid):
    """The soft and the hard limit, in seconds of processor time."""
    return resource.prlimit(pid, resource.RLIMIT_CPU)


def spent(pid):
    """Seconds of processor time."""
    used = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[11:13]
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")


def wait_until(true):
    for _ in range(2400):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come")
