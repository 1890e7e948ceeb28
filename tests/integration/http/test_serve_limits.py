"""What one caller may ask of a server, and what a call may take: refused with when to come back, or ended."""

from __future__ import annotations

import os
import signal
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


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_call_that_takes_too_much_processor_time_is_ended_by_the_system(running):
    """The server is held up meanwhile, so nobody looks at the clock."""
    operator = {"Authorization": f"Bearer {running.token}"}
    assert running.call("make_plan", PLAN, headers=operator)[0] == 200
    (worker,) = running.workers()
    domain, problem = pigeons(24)
    found = []
    asking = threading.Thread(
        target=lambda: found.append(
            running.call("solve_hddl", {"domain": domain, "problem": problem}, headers=operator, timeout=200)
        )
    )
    before = spent(worker)
    asking.start()
    wait_until(lambda: spent(worker) > before + 2)  # soon: the clock of the call runs too
    os.kill(running.process.pid, signal.SIGSTOP)
    try:
        wait_until(lambda: stat_of(worker)[0] == "Z")
    finally:
        os.kill(running.process.pid, signal.SIGCONT)
    asking.join()
    status, told, _ = found[0]
    assert (status, told["code"], told["retryable"]) == (504, "PLANNER_TIMEOUT", True)
    assert "processor time" in told["detail"]
    assert running.call("make_plan", PLAN, headers=operator)[0] == 200


def stat_of(pid):
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()


def spent(pid):
    """Hundredths of a second of processor time, while it lives."""
    return sum(map(int, stat_of(pid)[11:13]))


def wait_until(true):
    for _ in range(2400):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come")
