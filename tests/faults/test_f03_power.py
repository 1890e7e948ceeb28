"""F3: the power goes at any moment; what was acknowledged is there when it comes back, and the file is sound."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from fault_lab import fast_folder
from fault_power import crash_everywhere, record

STATES = 200
STEPS = 12
JOURNALS = {"sqlite3": "truncate", "pysqlite3": "wal"}


def recorded(driver: str, **how):
    if driver == "pysqlite3":
        pytest.importorskip(driver, reason="only one SQLite library")
    with tempfile.TemporaryDirectory(dir=fast_folder()) as folder:
        return record(Path(folder), driver, steps=STEPS, **how)


@pytest.mark.parametrize("driver", ["sqlite3", "pysqlite3"])
def test_f3_no_power_failure_loses_an_acknowledgement_or_damages_the_ledger(driver, fault_table):
    events = recorded(driver)
    run = crash_everywhere(events, driver, states=STATES)
    done = f"{run.states} states after a cut, {run.events} recorded events"
    fault_table.add(f"F3 power failures, {run.journal} journal", done, **run.wrong)
    assert run.examples[:3] == []


@pytest.mark.parametrize("driver", ["sqlite3", "pysqlite3"])
def test_control_a_ledger_that_does_not_wait_for_the_disk_is_caught(driver):
    run = crash_everywhere(recorded(driver, synchronous="OFF"), driver, states=STATES)
    assert run.corrupt + run.unusable > 0
    assert run.lost > 0
