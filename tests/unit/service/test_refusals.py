"""Refused calls in the ledger: how many notes they make, where those stand, and what happens where none can be made."""

from __future__ import annotations

import pytest

from ledgers import independent, post
from planvow.cassette.errors import LedgerBusyError, LedgerUnreachableError, StorageError
from planvow.service.declare.document import Refusal
from planvow.service.declare.setting import Setting
from planvow.service.records.audit import calls_of
from planvow.service.records.refusals import Refusals

NO = Refusal(code="RIGHT_MISSING", reason="no token")


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def desk(tmp_path):
    setting = Setting(ledger=str(tmp_path / "cassette.db"))
    with setting.open_ledger(looking=False, must_exist=False) as store:
        job = post(store, independent(1), run_id="trip")
        clock, told = Clock(), []
        refusals = Refusals(setting, clock, told.append)
        yield refusals, store, job, clock, told


def test_who_asks_over_and_over_makes_one_note_a_minute_that_says_how_often(desk):
    refusals, store, job, clock, told = desk
    for _ in range(50):
        refusals.note("operate", NO, by="eve", origin="http", job_id=job)
    refusals.note("operate", NO, by="ann", origin="http", job_id=job)
    clock.now = 61.0
    refusals.note("operate", NO, by="eve", origin="http", job_id=job)
    assert [(line.by, line.times) for line in calls_of(store, job)] == [("eve", 1), ("ann", 1), ("eve", 50)]
    assert told == []


def test_what_is_about_no_job_stands_in_one_run_a_day(desk):
    refusals, store, _, _, _ = desk
    refusals.note("operate", NO, by="eve", origin="http", job_id="job_0")
    refusals.note("post_plan", NO, by="eve", origin="mcp")
    (day,) = [job for job in store.jobs() if job.run_id != "trip"]
    assert day.run_id.startswith("refused-calls-")
    assert (day.steps, day.finished) == (0, True)
    assert [(line.operation, line.refused) for line in calls_of(store, day.job_id)] == [
        ("operate", "RIGHT_MISSING"),
        ("post_plan", "RIGHT_MISSING"),
    ]


def test_more_callers_than_anybody_has_leave_no_more_notes_than_can_be_remembered(desk, monkeypatch):
    refusals, store, job, clock, _ = desk
    monkeypatch.setattr("planvow.service.records.refusals._MOST", 5)
    for number in range(20):
        refusals.note("operate", NO, by=f"caller {number}", origin="http", job_id=job)
    assert len(calls_of(store, job)) == 5
    clock.now = 61.0
    refusals.note("operate", NO, by="caller 20", origin="http", job_id=job)
    assert len(calls_of(store, job)) == 6


def test_where_nothing_can_be_noted_the_log_says_so(tmp_path):
    told = []
    Refusals(Setting(ledger=str(tmp_path / "none.db")), Clock(), told.append).note("operate", NO, by="eve", origin="x")
    assert "eve was refused operate (RIGHT_MISSING); not noted" in told[0]
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("kind", [LedgerUnreachableError, LedgerBusyError, StorageError])
def test_a_ledger_that_cannot_be_used_now_is_a_503(kind):
    pytest.importorskip("fastapi")
    from planvow.adapters.http.responses import failed

    answer = failed(kind("away"))
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
