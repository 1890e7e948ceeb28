"""The whole walk through each door: planned, refused, planned again, posted, run elsewhere, watched, and one trace."""

from __future__ import annotations

import subprocess
import sys
import urllib.request
from contextlib import contextmanager

import anyio
import pytest

from command_line import planvow
from http_servers import http_server
from mcp_servers import TRAVEL, command, free_port
from traces import PARENT, TRACE, exporting, names_above, spans_in

pytestmark = pytest.mark.slow
OPERATIONS = """
def ran(context):
    return {"ran": context.claim.op}
HANDLERS = {"call_taxi": ran, "ride_taxi": ran, "pay_driver": ran}
"""
REFUSED, AGAIN = {"domain": "travel:poor"}, {"domain": "travel:poor", "facts": {"cash": {"alice": 9}}}


@contextmanager
def worker(folder, ledger, environment):
    """A worker that waits for steps, and the port of its figures."""
    (folder / "operations.py").write_text(OPERATIONS)
    port = free_port()
    words = [sys.executable, "-m", "planvow", "cassette", "work", "--watch", "--store", str(ledger)]
    words += ["--operations", str(folder / "operations.py"), "--metrics-port", str(port), "--repo-root", str(folder)]
    process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        yield port
    finally:
        process.terminate()
        process.communicate(timeout=60)


def check_trace(folder, asked, processes):
    """One trace from the asking to the last tool call, over so many processes."""
    spans = spans_in(folder)
    assert {span["context"]["trace_id"] for span in spans} == {f"0x{TRACE}"}
    names = [span["name"] for span in spans]
    assert {"plan htn", "search", "explain", "post_plan", "claim", "step call_taxi"} <= set(names)
    last = next(span for span in spans if span["name"] == "execute_tool pay_driver")
    assert names_above(last, spans)[:3] == ["execute_tool pay_driver", "step pay_driver", "post_plan"]
    assert asked in names_above(last, spans)
    assert len({span["pid"] for span in spans}) == processes
    planned = [span for span in spans if span["name"] == "plan htn" and "planvow.plan_hash" in span["attributes"]]
    assert planned[0]["attributes"]["gen_ai.operation.name"] == "plan"
    assert planned[0]["attributes"]["planvow.status"] == "solved"
    assert planned[0]["attributes"]["planvow.nodes"] > 0
    return planned[0]["attributes"]["planvow.plan_hash"]


def library_hash():
    from pathlib import Path

    from planvow.adapters.machine.modules import load_module
    from planvow.contract.plan.normalise import document_hash
    from planvow.kernel.answer.planning import solve
    from planvow.service.common.domains import asked_problem
    from planvow.service.common.plans import contract_plan
    from planvow.service.declare.setting import Setting

    module = load_module(Path(TRAVEL))
    problem = asked_problem(Setting(domains={"poor": module.poor}), "poor", "", AGAIN["facts"])
    return document_hash(contract_plan(solve(problem)))


def test_over_http(tmp_path):
    environment = exporting(tmp_path)
    ledger = tmp_path / "ledger.db"
    headers = {"traceparent": PARENT}
    with http_server(tmp_path, "--store", str(ledger), "--workers", "1", environment=environment) as own:
        status, refused, _ = own.call("make_plan", REFUSED, headers=headers)
        assert (status, "alice has 1 and owes 5.5" in refused["change"]) == (422, True)
        status, made, _ = own.call("make_plan", AGAIN, headers=headers)
        assert status == 200
        operator = {**headers, "Authorization": f"Bearer {own.token}"}
        question = {"run_id": "trip", "plan_hash": made["plan_hash"], "approval": ""}
        status, posted, _ = own.call("post_plan", question, headers=operator)
        assert status == 200
        assert own.call("post_plan", question, headers=operator)[1]["created"] is False
        with worker(tmp_path, ledger, environment) as port:
            events = own.events("runs/trip/events", traceparent=PARENT)
            assert events[-1][1] == "finished"
            assert [event["status"] for _, kind, event in events if kind == "step"].count("COMMITTED") == 3
            check_figures(port)
        status, run, _ = own.call("runs", {"run_id": "trip"}, headers=headers)
        called = [(line["operation"], line["by"], line["origin"]) for line in run["called"]]
        assert called == [("post_plan", "start token", "http 127.0.0.1")] * 2, "also of the one that changed nothing"
        shown = planvow(tmp_path, "cassette", "show", posted["job_id"], "--store", str(ledger)).stdout
        assert shown.count("post_plan by start token, http 127.0.0.1") == 2
        assert own.token not in ledger.read_bytes().decode("latin-1")
        assert made["plan_hash"] == check_trace(tmp_path, "POST /api/v1/post_plan", 3) == library_hash()
    assert planvow(tmp_path, "cassette", "verify", "--store", str(ledger)).returncode == 0


def check_figures(port):
    from prometheus_client.parser import text_string_to_metric_families

    text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30).read().decode()
    found = {family.name: family for family in text_string_to_metric_families(text)}
    attempts = {
        (sample.labels["operation"], sample.labels["outcome"]): sample.value
        for sample in found["planvow_attempts"].samples
        if sample.name == "planvow_attempts_total"
    }
    assert attempts == {(name, "success"): 1 for name in ("call_taxi", "ride_taxi", "pay_driver")}
    counts = [sample for sample in found["planvow_step_seconds"].samples if sample.name.endswith("_count")]
    assert {sample.labels["operation"]: sample.value for sample in counts}["call_taxi"] == 1
    names = ("steps_ready", "steps_leased", "approvals_waiting", "retries_open", "repairs", "oldest_waiting_seconds")
    assert [found[f"planvow_{name}"].samples[0].value for name in names] == [0] * 6


def test_over_mcp(tmp_path):
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client
    from opentelemetry import context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    environment = exporting(tmp_path)
    ledger = tmp_path / "ledger.db"
    words = command("--allow-post", "--accept-unauthenticated", "*", "--store", str(ledger))

    async def main():
        context.attach(TraceContextTextMapPropagator().extract({"traceparent": PARENT}))
        start = StdioServerParameters(command=words[0], args=words[1:], env=environment)
        async with Client(stdio_client(start)) as client:
            refused = await client.call_tool("make_plan", REFUSED)
            assert "alice has 1 and owes 5.5" in refused.content[0].text
            made = (await client.call_tool("make_plan", AGAIN)).structured_content
            question = {"run_id": "trip", "plan_hash": made["plan_hash"], "approval": ""}
            posted = await client.call_tool("post_plan", question)
            assert not posted.is_error, posted
            with worker(tmp_path, ledger, environment):
                with anyio.fail_after(60):
                    while True:
                        run = (await client.call_tool("runs", {"run_id": "trip"})).structured_content
                        if run["jobs"][0]["state"] == "committed":
                            break
                        await anyio.sleep(0.2)
            assert [line["origin"] for line in run["called"]] == ["mcp"]

    anyio.run(main)
    check_trace(tmp_path, "tools/call post_plan", 2)
