"""Spans: told to the real SDK where somebody looks on, and to nobody otherwise."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("opentelemetry.sdk")
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from console_worlds import START, agent
from planvow import State
from planvow.adapters.telemetry.opentelemetry_spans import OpenTelemetry
from planvow.cassette import Worker, WorkerOptions
from planvow.service.declare.setting import Setting
from planvow.service.operations.making import MAKE_PLAN, PlanQuestion
from planvow.spans import carried_span, span, use_spans


@pytest.fixture
def told():
    """What the SDK exports, while the test runs."""
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    spans = OpenTelemetry()
    spans._tracer = provider.get_tracer("planvow")
    use_spans(spans)
    yield kept
    use_spans(None)


def test_a_span_from_elsewhere_is_gone_on_with(told):
    with span("outer"):
        carried = carried_span()
    with span("inner", parent=carried, since=1):
        pass
    outer, inner = told.get_finished_spans()
    assert inner.context.trace_id == outer.context.trace_id
    assert inner.parent.span_id == outer.context.span_id
    assert inner.start_time == 1


@pytest.mark.parametrize("parent", ["", "nothing", "00-0-0-00", "é", "00-" + "0" * 32 + "-" + "0" * 16 + "-01"])
def test_a_parent_that_is_none_begins_a_trace_of_its_own(told, parent):
    with span("alone", parent=parent):
        pass
    assert told.get_finished_spans()[0].parent is None


def test_of_an_error_the_kind_is_told_and_never_its_words(told):
    with pytest.raises(OSError, match="sesame"), span("tool"):
        raise OSError("sesame")
    (seen,) = told.get_finished_spans()
    assert seen.attributes["error.type"] == "OSError"
    assert not seen.status.is_ok
    assert "sesame" not in seen.to_json()


def test_a_plan_is_the_same_whoever_looks_on(told):
    question = PlanQuestion(planner="stub", goal="Say hello")
    seen = MAKE_PLAN(question, Setting()).output
    use_spans(None)
    assert MAKE_PLAN(question, Setting()).output == seen
    (planned,) = [each for each in told.get_finished_spans() if each.name == "plan stub"]
    assert planned.attributes["gen_ai.operation.name"] == "plan"
    assert planned.attributes["planvow.plan_hash"] == seen.plan_hash


def test_a_job_carries_the_span_it_was_posted_in_and_its_steps_stand_below(told, tmp_path):
    from ledgers import sqlite_ledger
    from planvow.service.records.posting import POST_PLAN, PostQuestion

    path = tmp_path / "cassette.db"
    with sqlite_ledger(tmp_path):
        pass
    setting = Setting(ledger=str(path))
    name = MAKE_PLAN(PlanQuestion(planner="stub", goal="Say hello"), setting).output.plan_hash
    plain = Setting(ledger=str(path), shelf=setting.shelf)
    with span("asking"):
        posted = POST_PLAN(PostQuestion(run_id="r", plan_hash=name, approval=""), plain).output
    from planvow.adapters.databases.opening import open_ledger

    done = Worker(lambda: open_ledger(str(path)), {"echo": lambda _context: {}}, WorkerOptions()).run()
    assert done.committed == 1, done
    by_name = {each.name: each for each in told.get_finished_spans()}
    step, asking = by_name["step echo"], by_name["asking"]
    assert step.context.trace_id == asking.context.trace_id == by_name["claim"].context.trace_id
    assert step.attributes["planvow.job_id"] == posted.job_id
    assert step.attributes["planvow.became"] == "committed"
    assert by_name["execute_tool echo"].parent.span_id == step.context.span_id


def test_where_nobody_looks_on_nothing_of_opentelemetry_is_imported():
    code = """
import sys
from planvow.adapters.telemetry.opentelemetry_spans import begin_telemetry, flush_telemetry
assert begin_telemetry() is False
flush_telemetry()
assert "opentelemetry" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={})


def test_a_run_of_an_agent_is_one_trace_from_the_plan_over_its_repair_to_the_last_tool_call(told, tmp_path):
    ran = agent(tmp_path / "ledger.db").run([("bring", "kettle", "bob")], State(**START), run_id="r")
    assert ran.status.is_success
    seen = told.get_finished_spans()
    by_id = {each.context.span_id: each for each in seen}

    def above(each):
        return [each.name, *(above(by_id[each.parent.span_id]) if each.parent else [])]

    assert len({each.context.trace_id for each in seen}) == 1
    chains = [above(each) for each in seen if each.name.startswith("execute_tool")]
    assert [chain[:2] for chain in chains] == [
        [f"execute_tool {name}", f"step {name}"] for name in ("buy", "borrow", "mail")
    ]
    assert chains[0][2:] == ["plan htn"]
    assert chains[-1][2:] == ["plan htn", "plan htn"], "the repair stands below the plan it repairs"
