"""`planvow serve` under clients that are slow, leave, send much, come together, and outlive it."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

import pytest

from http_servers import Server, http_server
from mcp_servers import TRAVEL, free_port, pigeons, serving

pytestmark = pytest.mark.slow
PLAN = {"domain": "travel"}


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with http_server(tmp_path_factory.mktemp("robust"), "--workers", "1", "--max-seconds", "60") as found:
        yield found


def raw(running, data):
    """Return a connection on which something was sent."""
    opened = socket.create_connection(("127.0.0.1", running.port), timeout=60)
    opened.sendall(data)
    return opened


def head(name, length, **more):
    lines = [f"POST /api/v1/{name} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {length}"]
    return "\r\n".join([*lines, *(f"{key}: {value}" for key, value in more.items()), "", ""]).encode()


def test_slow_clients_hold_up_nobody(running):
    slow = [raw(running, head("make_plan", 50) + b'{"dom') for _ in range(50)]
    try:
        assert running.call("make_plan", PLAN)[0] == 200
        body = json.dumps(PLAN).encode()
        one = raw(running, head("make_plan", len(body)))
        for byte in body:
            one.sendall(bytes([byte]))
            time.sleep(0.01)
        assert b"200 OK" in one.recv(65536)
        one.close()
    finally:
        for each in slow:
            each.close()
    assert running.call("make_plan", PLAN)[0] == 200


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_connection_that_is_cut_ends_its_search(running):
    assert running.call("make_plan", PLAN)[0] == 200
    (worker,) = running.workers()
    domain, problem = pigeons(24)
    body = json.dumps({"domain": domain, "problem": problem}).encode()
    cut = raw(running, head("solve_hddl", len(body)) + body)
    time.sleep(1)
    cut.close()
    for _ in range(400):
        if worker not in running.workers():
            break
        time.sleep(0.05)
    assert worker not in running.workers()
    assert running.call("make_plan", PLAN)[0] == 200
    assert "Traceback" not in running.errors()


def test_ten_megabytes_are_read_and_one_byte_more_is_not(running):
    most = 10 * 2**20
    body = json.dumps(PLAN).encode()
    status, made, _ = running.call("make_plan", body + b" " * (most - len(body)))
    assert (status, made["status"]) == (200, "solved")
    assert running.call("make_plan", body + b" " * (most - len(body) + 1))[0] == 413
    opened = raw(running, b"POST /api/v1/make_plan HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n")
    part = b"100000\r\n" + b" " * 2**20 + b"\r\n"
    try:  # of unknown length: it is cut when there is too much of it
        for _ in range(12):
            opened.sendall(part)
    except OSError:
        pass
    else:
        assert b" 413 " in opened.recv(65536)
    opened.close()
    assert running.call("make_plan", PLAN)[0] == 200


def test_many_clients_with_many_questions_get_each_their_own_answer(running):
    found = {}

    def ask(cash):
        status, told, _ = running.call("make_plan", {"domain": "travel:poor", "facts": {"cash": {"alice": cash}}})
        while status == 429:
            time.sleep(0.1)
            status, told, _ = running.call("make_plan", {"domain": "travel:poor", "facts": {"cash": {"alice": cash}}})
        found[cash] = (status, told.get("change") or told["steps"][0]["skill"])

    many = [threading.Thread(target=ask, args=(cash,)) for cash in range(12)]
    for each in many:
        each.start()
    for each in many:
        each.join()
    for cash in range(12):
        if cash < 5.5:
            assert found[cash][0] == 422
            assert f"alice has {cash} and owes 5.5" in found[cash][1]
        else:
            assert found[cash] == (200, "call_taxi")


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def test_a_key_repeated_after_a_restart_gives_the_same_answer(tmp_path):
    """The first server is killed in the middle of a search; its token ends with it, tokens of the file do not."""
    from command_line import planvow

    token = json.loads(planvow(tmp_path, "token", "create", "ann", "--right", "operate", "--json").stdout)["token"]
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "once"}
    port = free_port()
    domain, problem = pigeons(24)
    with http_server(tmp_path, "--workers", "1", port=port) as first:
        name = first.call("make_plan", PLAN)[1]["plan_hash"]
        question = {"run_id": "trip", "plan_hash": name}
        status, posted, _ = first.call("post_plan", question, headers=headers)
        assert (status, posted["created"]) == (200, True)
        later = first.call("solve_hddl", {"domain": domain, "problem": problem}, headers={"Prefer": "respond-async"})[1]
        before, workers = first.token, first.workers() if sys.platform == "linux" else []
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait(30)
        for _ in range(400):
            if not any(is_running(pid) for pid in workers):
                break
            time.sleep(0.05)
        assert not any(is_running(pid) for pid in workers), "who plans ends with the server"
    with http_server(tmp_path, "--workers", "1", port=port) as second:
        assert second.call("post_plan", question, headers=headers)[1] == {**posted, "created": False}
        assert second.call("post_plan", {**question, "why": "x"}, headers=headers)[0] == 409
        assert second.call("post_plan", {**question, "run_id": "other"}, headers=headers)[0] == 404
        assert second.call(f"calls/{later['call_id']}", method="GET")[1]["code"] == "UNKNOWN_CALL"
        assert second.call("runs", {}, headers={"Authorization": f"Bearer {before}"})[0] == 403
        runs = [job["run_id"] for job in second.call("runs", {})[1]["jobs"]]
        assert [run for run in runs if not run.startswith("refused-calls-")] == ["trip"]


@pytest.mark.parametrize("what", [("--domain", TRAVEL, "--workers", "2"), ("--demo",)], ids=["workers", "demo"])
def test_ctrl_c_in_a_terminal_ends_it_with_all_it_started_and_without_a_traceback(tmp_path, what):
    port, errors = free_port(), tmp_path / "errors.txt"
    words = [sys.executable, "-m", "planvow", "serve", *what, "--port", str(port), "--repo-root", str(tmp_path)]
    with serving(words, port, errors, group=True) as process:
        assert Server(port, errors).ask("GET", "/openapi.json")[0] == 200
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to whoever is there
        assert process.wait(timeout=60) == 0
        said = errors.read_text("utf-8")
    assert "pages at http://" in said
    assert "Traceback" not in said
    assert "Process " not in said
    for _ in range(200):  # the last of them notices that the pipe is closed
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("something that it started is still there")
