"""`planvow serve` as clients meet it: another process, with its worker processes."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
import threading
import time

import pytest

from command_line import planvow
from http_servers import generated_calls
from http_servers import http_server as server
from mcp_servers import TRAVEL, pigeons

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    return tmp_path_factory.mktemp("ledger") / "ledger.db"


@pytest.fixture(scope="module")
def running(tmp_path_factory, ledger):
    with server(tmp_path_factory.mktemp("serve"), "--max-seconds", "6", "--store", str(ledger)) as found:
        yield found


def test_a_client_plans_is_refused_readably_plans_again_posts_and_watches(running, tmp_path):
    status, refused, kind = running.call("make_plan", {"domain": "travel:poor"})
    assert (status, kind) == (422, "application/problem+json")
    assert refused["code"] == "PLANNER_GENERATION_FAILED"
    assert "alice has 1 and owes 5.5" in refused["change"]
    status, made, _ = running.call("make_plan", {"domain": "travel:poor", "facts": {"cash": {"alice": 9}}})
    assert status == 200
    name = made["plan_hash"]
    status, kept, _ = running.call("read_document", {"address": f"certificate://{name}"})
    assert (status, kept["content"]["kind"]) == (200, kept["content"]["kind"])
    question = {"run_id": "trip", "plan_hash": name, "approval": ""}
    status, told, _ = running.call("post_plan", question)
    assert (status, told["code"]) == (403, "RIGHT_MISSING")
    token = {"Authorization": f"Bearer {running.token}", "Idempotency-Key": "once"}
    status, posted, _ = running.call("post_plan", question, headers=token)
    assert (status, posted["created"]) == (200, True)
    assert running.call("post_plan", question, headers=token)[1] == {**posted, "created": False}
    assert running.call("post_plan", {**question, "why": "another"}, headers=token)[0] == 409
    status, run, _ = running.call("runs", {"run_id": "trip"})
    assert [step["op"] for step in run["steps"]] == ["call_taxi", "ride_taxi", "pay_driver"]


def test_a_plan_is_known_by_its_hash_whichever_worker_made_it(running):
    first = running.call("make_plan", {"domain": "travel"})[1]["plan_hash"]
    second = running.call("make_plan", {"domain": "travel", "goal": '[["travel", "bob", "park"]]'})[1]["plan_hash"]
    for _ in range(3):
        assert "8 km is too far" in running.call("explain", {"plan_hash": first})[1]["text"]
        assert running.call("verify", {"plan_hash": first, "domain": "travel"})[1]["level"] == "re-executed"
        status, found, _ = running.call("diff", {"first": first, "second": second})
        assert (status, found["kind"], found["same"]) == (200, "plan", False)


def test_the_bytes_are_those_of_the_library(running):
    from pathlib import Path

    from planvow.adapters.machine.modules import load_problem
    from planvow.canonical import canonical_bytes
    from planvow.kernel.answer.planning import solve

    name = running.call("make_plan", {"domain": "travel"})[1]["plan_hash"]
    kept = running.call("read_document", {"address": f"certificate://{name}"})[1]["content"]
    assert canonical_bytes(kept) == solve(load_problem(Path(TRAVEL))).certificate().canonical_bytes()


@pytest.mark.parametrize(
    ("name", "data", "status", "code"),
    [
        ("make_plan", {"domian": "travel"}, 400, "INVALID_INPUT"),
        ("make_plan", {"domain": "nowhere"}, 404, "UNKNOWN_DOMAIN"),
        ("make_plan", b"[", 400, "INVALID_INPUT"),
        ("make_plan", b"x" * (11 * 1024 * 1024), 413, "INVALID_INPUT"),
        ("runs", {"run_id": "nowhere"}, 404, None),
        ("read_document", {"address": "plan://0"}, 404, "UNKNOWN_DOCUMENT"),
        ("nothing", {}, 404, "INVALID_INPUT"),
        ("ask_approval", {"job_id": "x"}, 404, "INVALID_INPUT"),
    ],
)
def test_a_wrong_call_is_a_problem_with_our_code(running, name, data, status, code):
    found, told, kind = running.call(name, data)
    assert (found, kind) == (status, "application/problem+json")
    assert code in (None, told["code"])
    assert told["status"] == status


def test_an_operation_that_is_not_there_is_named_with_the_way_to_ask(running):
    told = running.call("nothing", {})[1]
    assert told["detail"] == "there is no POST /api/v1/nothing"
    assert "POST /api/v1/NAME" in told["change"]


@pytest.mark.parametrize("header", [{"Origin": "http://evil.example"}, {"Host": "evil.example"}, {"Origin": "null"}])
def test_another_host_or_origin_is_turned_away(running, header):
    assert running.call("list_planners", {}, headers=header)[0] == 421
    assert running.call("list_planners", {}, headers={"Origin": f"http://localhost:{running.port}"})[0] == 200


def test_a_call_that_takes_too_long_is_ended_and_the_server_goes_on(running):
    domain, problem = pigeons(24)
    began = time.monotonic()
    status, told, _ = running.call("solve_hddl", {"domain": domain, "problem": problem})
    assert (status, told["code"], told["retryable"]) == (504, "PLANNER_TIMEOUT", True)
    assert time.monotonic() - began < 60
    assert running.call("make_plan", {"domain": "travel"})[0] == 200


def test_many_clients_at_once_get_the_same_plan(running):
    found = []

    def ask():
        found.append(running.call("make_plan", {"domain": "travel"})[1].get("plan_hash"))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1


def test_figures_are_read_by_the_parser_of_prometheus(running):
    from prometheus_client.parser import text_string_to_metric_families

    running.call("make_plan", {"domain": "travel"})
    running.call("make_plan", {"domain": "travel:poor"})
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=30)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    found = {family.name: family for family in text_string_to_metric_families(text)}
    calls = {
        (sample.labels["operation"], sample.labels["planner"], sample.labels["status"]): sample.value
        for sample in found["planvow_calls"].samples
        if sample.name == "planvow_calls_total"
    }
    assert calls["make_plan", "htn", "200"] >= 1
    assert calls["make_plan", "", "422"] >= 1
    assert {"planvow_call_seconds", "planvow_steps_ready", "planvow_oldest_waiting_seconds"} <= found.keys()


def test_a_stream_of_events_goes_on_where_it_broke_off(running, ledger):
    token = {"Authorization": f"Bearer {running.token}"}
    name = running.call("make_plan", {"planner": "stub", "goal": "Say hello"})[1]["plan_hash"]
    question = {"run_id": "r", "plan_hash": name, "approval": ""}
    status, posted, _ = running.call("post_plan", question, headers=token)
    assert status == 200, posted
    subprocess.run([sys.executable, "-c", WORK, str(ledger), posted["job_id"]], check=True, timeout=60)
    whole = _events(running, "0")
    assert [event["status"] for event in whole] == ["LEASED", "COMMITTED"]
    assert _events(running, str(whole[0]["seq"])) == whole[1:]


WORK = """
import sys
from planvow.cassette import SqliteStore, Outcome
with SqliteStore(sys.argv[1]) as store:
    claim = store.claim("w1", job_id=sys.argv[2])
    store.complete(claim, Outcome.SUCCESS, {"op": claim.op, "step_id": claim.step_id, "output": {}})
"""


def _events(own, last):
    connection = http.client.HTTPConnection("127.0.0.1", own.port, timeout=30)
    try:
        connection.request("GET", "/api/v1/runs/r/events", headers={"Last-Event-ID": last})
        text = connection.getresponse().read().decode()
    finally:
        connection.close()
    assert text.endswith("event: finished\ndata: {}\n\n")
    blocks = [block for block in text.split("\n\n") if "event: step" in block]
    return [json.loads(block.split("data: ")[1]) for block in blocks]


def test_generated_calls_find_no_server_error_and_no_other_answer_than_described(running, tmp_path):
    ended, said = generated_calls(running, 4, tmp_path)
    assert ended == 0, said[-4000:]


def test_a_port_that_is_taken_is_an_error_with_a_hint_and_zero_takes_a_free_one(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = planvow(tmp_path, "serve", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 2
    assert "INVALID_INPUT --port: cannot listen at 127.0.0.1:" in done.stderr
    assert "--port names another port" in done.stderr
    assert "/api/v1" not in done.stderr, "no address is told at which nobody answers"


def test_whoever_reads_the_address_is_answered(tmp_path):
    words = [sys.executable, "-m", "planvow", "serve", "--port", "0", "--repo-root", str(tmp_path)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        try:
            told = next(line for line in process.stderr if "/api/v1" in line)
            port = int(told.split("127.0.0.1:")[1].split("/")[0])
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("GET", "/openapi.json")
            assert connection.getresponse().status == 200
        finally:
            process.terminate()
