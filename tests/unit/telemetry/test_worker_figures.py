"""Figures of a worker, read by the parser of Prometheus."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("prometheus_client")
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from planvow.adapters.telemetry.figures import WorkerFigures
from planvow.cassette.work.confidential import needs_approval, reason_to_ask
from planvow.service.declare.setting import Setting


def values(figures):
    families = text_string_to_metric_families(generate_latest(figures.registry).decode())
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
        if not sample.name.endswith("_created") and "le" not in sample.labels
    }


def test_operations_are_timed_and_keep_their_marks(tmp_path):
    figures = WorkerFigures(Setting(ledger=str(tmp_path / "none.db")))

    @needs_approval("it costs")
    def pay(context):
        return context

    async def wait(context):
        await asyncio.sleep(0)
        return context

    def fail(context):
        raise OSError(context)

    timed = figures.timed({"pay": pay, "wait": wait, "fail": fail, "rest": pay})
    assert reason_to_ask(timed["pay"]) == "it costs"
    assert timed["pay"](1) == 1
    assert asyncio.run(timed["wait"](2)) == 2
    with pytest.raises(OSError, match="3"):
        timed["fail"](3)
    figures.count("pay", "SUCCESS", is_retried=False)
    figures.count("fail", "FAILURE", is_retried=True)
    found = values(figures)
    for name in ("pay", "wait", "fail"):
        assert found["planvow_step_seconds_count", name] == 1
    assert ("planvow_step_seconds_count", "rest") not in found
    assert found["planvow_attempts_total", "pay", "success"] == 1
    assert found["planvow_attempts_total", "fail", "failure"] == 1
    assert found["planvow_retries_total", "fail"] == 1


def test_the_ledger_is_looked_at_when_somebody_asks(tmp_path):
    from ledgers import independent, post
    from planvow.adapters.databases.opening import open_ledger

    with open_ledger(str(tmp_path / "cassette.db")) as store:
        figures = WorkerFigures(Setting(ledger=str(tmp_path / "cassette.db")))
        assert values(figures)["planvow_steps_ready",] == 0
        post(store, independent(3, request_id="q"), run_id="r")
        assert values(figures)["planvow_steps_ready",] == 3
        assert values(figures)["planvow_oldest_waiting_seconds",] >= 0
