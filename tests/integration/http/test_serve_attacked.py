"""`planvow serve` against callers who mean harm: it refuses, and goes on for everybody else."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

import pytest

from mcp_servers import TRAVEL, free_port, pigeons, serving

pytestmark = pytest.mark.slow


class Attacked:
    """A server with one worker, and what it wrote."""

    def __init__(self, port, process, errors):
        self.port, self.process, self._errors = port, process, errors

    def call(self, name, data, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        try:
            connection.request("POST", f"/api/v1/{name}", body, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def plans(self):
        return self.call("make_plan", {"domain": "travel"})[0] == 200

    def workers(self):
        children = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        found = [int(word) for path in children for word in path.read_text().split()]
        return [pid for pid in found if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def errors(self):
        return self._errors.read_text("utf-8")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("attacked")
    port, errors = free_port(), folder / "errors.txt"
    words = [sys.executable, "-m", "planvow", "serve", "--domain", TRAVEL, "--port", str(port), "--workers", "1"]
    with serving([*words, "--repo-root", str(folder), "--max-seconds", "4"], port, errors) as process:
        yield Attacked(port, process, errors)


@pytest.mark.parametrize(
    "body",
    [
        b'{"facts": {"a": ' + b"[" * 600 + b"]" * 600 + b"}}",
        b'{"\\ud800": 1}',
        b'{"domain": "travel", "facts": {"cash": {"alice": NaN}}}',
        b'{"domain": "travel", "facts": {"cash": {"alice": 1e999}}}',
    ],
    ids=["deep", "surrogate", "nan", "infinite"],
)
def test_json_that_cannot_be_carried_is_refused_and_costs_no_worker(server, body):
    for _ in range(2):
        status, told = server.call("make_plan", body)
        assert (status, told["code"], told["place"]) == (400, "INVALID_INPUT", "body")
    assert server.plans()


def test_a_body_that_breaks_off_leaves_no_traceback(server):
    with socket.create_connection(("127.0.0.1", server.port)) as cut:
        cut.sendall(b"POST /api/v1/make_plan HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
    assert server.plans()
    assert "Traceback" not in server.errors()


def test_a_page_of_another_server_on_this_machine_is_turned_away(server):
    assert server.call("list_planners", {}, Origin="http://localhost:1")[0] == 421
    assert server.call("list_planners", {}, Host=f"127.0.0.1:{server.port}", Origin="http://[")[0] == 421


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_worker_that_was_ended_is_replaced_before_anybody_notices(server):
    assert server.plans()
    (worker,) = server.workers()
    os.kill(worker, signal.SIGKILL)
    time.sleep(0.2)
    assert server.plans()
    assert worker not in server.workers()


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_worker_that_dies_at_its_work_is_not_called_slow(server):
    domain, problem = pigeons(24)
    found = []
    asking = threading.Thread(
        target=lambda: found.append(server.call("solve_hddl", {"domain": domain, "problem": problem}))
    )
    assert server.plans()
    asking.start()
    time.sleep(1)
    os.kill(server.workers()[0], signal.SIGKILL)
    asking.join()
    status, told = found[0]
    assert (status, told["code"]) == (504, "PLANNER_GENERATION_FAILED")


def test_whoever_only_reads_does_not_wait_for_those_who_plan(server):
    domain, problem = pigeons(24)
    many = [
        threading.Thread(target=server.call, args=("solve_hddl", {"domain": domain, "problem": problem}))
        for _ in range(40)
    ]
    for each in many:
        each.start()
    time.sleep(1)
    began = time.monotonic()
    assert server.call("read_document", {"address": "error://INVALID_INPUT"})[0] == 200
    waited = time.monotonic() - began
    for each in many:
        each.join()
    assert waited < 2
