"""What ways in ask of a ledger, the same on both databases: pages of jobs, the events of a run, figures."""

from __future__ import annotations

import pytest

from ledgers import chained, independent, post
from planvow.cassette import Outcome
from planvow.cassette.dossier.model import Dossier
from planvow.cassette.dossier.post import store_plan_with_dossier
from planvow.cassette.errors import UnknownStepError
from planvow.cassette.ledger.schedule import Decider
from planvow.cassette.operate.look import jobs_before, latest_jobs, mark_of, runs_before


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


def test_runs_are_found_beyond_the_newest_page_by_the_database(store):
    old = independent(1, request_id="old", plan_hash="a" * 64)
    asked = Dossier(asked={"why": "bring 50% of the Lamps_to ann"})
    store_plan_with_dossier(store, "first_run", old, asked, payload={}, idempotency_key="k")
    for number in range(6):
        post(store, independent(1, request_id=f"q{number}", planner_id="stub"), run_id=f"run{number}")
    last = post(store, independent(1, request_id="again"), run_id="run0")
    names = [run for run, _ in runs_before(store, None, 10)]
    assert names == ["run0", "run5", "run4", "run3", "run2", "run1", "first_run"], "a run is where its latest job is"
    page = runs_before(store, None, 3)
    assert page[0] == ("run0", last)
    assert [run for run, _ in runs_before(store, page[-1][1], 3)] == ["run3", "run2", "run1"]
    for words in ("FIRST_", "lamps_to", "50%", old.plan_hash[:12], "of the"):
        assert [run for run, _ in runs_before(store, None, 2, find=words)] == ["first_run"], words
    assert runs_before(store, None, 2, find="lampsxto") == [], "what people type is no pattern"
    assert [run for run, _ in runs_before(store, None, 9, find=last)] == ["run0"]
    assert [run for run, _ in runs_before(store, None, 9, planner=old.planner_id)][-1] == "first_run"
    assert runs_before(store, None, 9, since=store.now_ms() + 60_000) == []
    assert [job.job_id for job in latest_jobs(store, "run0", 1)] == [last]
    with pytest.raises(UnknownStepError):
        runs_before(store, "job_0", 2)


def test_runs_are_found_by_where_they_stand(store):
    names = ("waits", "runs", "is_done", "has_failed", "is_cancelled")
    jobs = {name: post(store, independent(1, request_id=name), run_id=name) for name in names}
    store.claim("w1", job_id=jobs["runs"])
    for name, outcome in (("is_done", Outcome.SUCCESS), ("has_failed", Outcome.FAILURE)):
        claim = store.claim("w1", job_id=jobs[name])
        body = {"op": claim.op, "step_id": claim.step_id}
        error = {"code": "NO", "class": "permanent", "message": "no"}
        store.complete(claim, outcome, {**body, "output": {}} if name == "is_done" else {**body, "error": error})
    store.cancel(jobs["is_cancelled"], Decider(made_by="ann", why="why not"))

    def found(state):
        return {run for run, _ in runs_before(store, None, 9, state=state)}

    assert found("waiting") == {"waits"}
    assert found("running") == {"waits", "runs"}
    assert found("failed") == {"has_failed"}
    assert found("cancelled") == {"is_cancelled"}
    assert found("done") == {"is_done", "has_failed", "is_cancelled"}
    assert found("held") == set()


def test_a_mark_is_another_one_after_anything_was_written_about_what_it_is_of(store):
    job = post(store, independent(2), run_id="watched")
    post(store, independent(1, request_id="other"), run_id="another")
    own, everything = mark_of(store, "watched"), mark_of(store)
    store.claim("w1", run_id="another")
    assert mark_of(store, "watched") == own
    assert mark_of(store) != everything
    everything = mark_of(store)
    store.cancel(job, Decider(made_by="ann", why="why not"))
    assert mark_of(store, "watched") != own
    assert mark_of(store) != everything
