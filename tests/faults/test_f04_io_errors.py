"""F4: writes and synchronisations fail; every failure is reported, nothing acknowledged is lost, work goes on."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fault_io import FILE_CALLS, LEDGER_CALLS, Scene, fail_each, fail_the_first_sync_after_an_acknowledgement
from ledgers import independent, post, sqlite_ledger, statuses

EACH = 3


@pytest.fixture(params=["sqlite3", "pysqlite3"])
def driver(request):
    if request.param == "pysqlite3":
        pytest.importorskip(request.param, reason="only one SQLite library")
    return request.param


def test_f4_a_failing_disk_is_reported_and_loses_nothing(driver, fault_table):
    run = fail_each(Scene("work", driver), calls=LEDGER_CALLS, at_most=EACH)
    done = f"{run.injected} calls failed: {run.reported} reported, {run.quiet} needed no report"
    fault_table.add(f"F4 I/O errors, ledger with {driver}", done, **run.wrong)
    assert run.examples[:3] == []
    assert run.reported >= EACH


def test_f4_files_are_written_wholly_or_not_at_all(fault_table):
    run = fail_each(Scene("files"), calls=FILE_CALLS, at_most=EACH)
    done = f"{run.injected} calls failed: {run.reported} reported, {run.quiet} needed no report"
    fault_table.add("F4 I/O errors, WRITE_FILE", done, **run.wrong)
    assert run.examples[:3] == []
    assert run.reported >= EACH


def test_f4_the_command_line_names_the_trouble_and_goes_on_when_there_is_room(tmp_path):
    with sqlite_ledger(tmp_path) as store:
        job = post(store, independent(5))
    work = [sys.executable, "-m", "planvow", "cassette", "work", "--store", str(store.path),
            "--repo-root", str(tmp_path), "--lease-seconds", "0.1"]  # fmt: skip
    full = ["strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "-e", "trace=pwrite64",
            "-e", "inject=pwrite64:error=ENOSPC:when=40+"]  # fmt: skip
    failed = subprocess.run([*full, *work], capture_output=True, text=True)
    assert failed.returncode == 3, failed.stderr
    assert "STORAGE" in failed.stderr
    assert "Traceback" not in failed.stderr
    handlers = tmp_path / "note.py"
    handlers.write_text("HANDLERS = {'NOTE': lambda step: 'noted'}\n")
    done = subprocess.run([*work, "--operations", str(handlers)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with sqlite_ledger(tmp_path) as store:
        assert statuses(store, job) == ["COMMITTED"] * 5


def test_control_acknowledging_before_the_disk_has_answered_is_caught():
    """The synchronisation that the first completion waits for, or should have waited for, fails."""
    careless = fail_the_first_sync_after_an_acknowledgement(Scene("work", sabotage="acknowledge first"))
    assert (careless.injected, careless.lost) == (1, 1)
