"""What ways in ask of a ledger, the same on both databases: pages of jobs, the events of a run, figures."""

from __future__ import annotations

import pytest

from ledgers import chained, independent, post
from planvow.cassette import Outcome
from planvow.cassette.errors import UnknownStepError
from planvow.cassette.operate.look import jobs_before


def test_jobs_come_in_pages_newest_first(store):
    made = [post(store, independent(1, request_id=f"q{number}"), run_id=f"run{number}") for number in range(5)]
    first = jobs_before(store, None, 2)
    second = jobs_before(store, first[-1].job_id, 2)
    third = jobs_before(store, second[-1].job_id, 2)
    assert [job.job_id for page in (first, second, third) for job in page] == made[::-1]
    with pytest.raises(UnknownStepError):
        jobs_before(store, "job_0", 2)


def test_events_of_a_run_come_in_order_and_after_one(store):
    post(store, chained(2), run_id="watched")
    post(store, independent(1, request_id="other"), run_id="another")
    claim = store.claim("w1", run_id="watched")
    store.complete(claim, Outcome.SUCCESS, {"op": claim.op, "step_id": claim.step_id, "output": {}})
    rows = store.rows("events_of_run", run_id="watched", after=0, most=10)
    assert [(row["ordinal"], row["to_status"]) for row in rows] == [(1, "LEASED"), (1, "COMMITTED")]
    later = store.rows("events_of_run", run_id="watched", after=rows[0]["seq"], most=10)
    assert [row["seq"] for row in later] == [rows[1]["seq"]]


def test_a_ledger_is_told_in_figures(store):
    (empty,) = store.rows("figures")
    assert (empty["ready"], empty["oldest"], empty["retries"] or 0) == (0, None, 0)
    post(store, independent(3))
    store.claim("w1")
    (found,) = store.rows("figures")
    assert (found["ready"], found["leased"], found["held"], found["repairs"]) == (2, 1, 0, 0)
    assert found["oldest"] <= store.now_ms()
