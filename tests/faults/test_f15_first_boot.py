"""F15: many processes open a ledger that is not there yet; one makes it, and a killed one leaves nothing half-made."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from ledgers import as_migrated_to, chained, independent, post, sqlite_ledger
from planvow.cassette.databases import postgres
from planvow.cassette.ledger.schedule import Decider
from planvow.cassette.ledger.statements import Migration, migrations
from planvow.cassette.proof.verify import verify_ledger
from postgres_server import postgres_ledger, running_server

BOOT = Path(__file__).parents[1] / "lab/fault_boot.py"
PROCESSES = 12
REPEATS = 2


def boot(task: dict, count: int) -> list[subprocess.Popen]:
    """Start processes, wait until all stand at the line, let them go."""
    line, gate = os.pipe()
    command = [sys.executable, str(BOOT), json.dumps(task)]
    pipes = {"stdin": line, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    processes = [subprocess.Popen(command, **pipes) for _ in range(count)]
    os.close(line)
    for process in processes:
        assert process.stdout.readline() == b"ready\n"
        process.stdout.close()
    os.close(gate)
    return processes


def place(kind: str, folder: Path, name: str) -> tuple[dict, object]:
    """Where processes boot, and a function that opens the same ledger here."""
    if kind == "sqlite":
        home = folder / name
        home.mkdir()
        return {"kind": "sqlite", "path": str(home / "cassette.db")}, lambda: sqlite_ledger(home)
    schema = f"boot_{name}"
    task = {"kind": "postgres", "conninfo": running_server().conninfo, "schema": schema}
    return task, lambda: postgres_ledger(schema)


def boot_at_once(kind: str, folder: Path, processes: int, repeats: int) -> dict[str, int]:
    crashed = applied_twice = unusable = 0
    for number in range(repeats):
        task, open_store = place(kind, folder, f"plain{number}")
        crashed += sum(process.wait() != 0 for process in boot(task, processes))
        with open_store() as store:
            applied_twice += len(store.rows("rows_migrations")) - len(migrations(kind))
            unusable += store.job(post(store, chained(1))).steps != 1
    return {"crashed": crashed, "applied_twice": applied_twice, "unusable": unusable}


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_f15_one_of_many_first_processes_makes_the_ledger(kind, tmp_path, fault_table):
    wrong = boot_at_once(kind, tmp_path, PROCESSES, REPEATS)
    done = f"{PROCESSES} processes at once, {REPEATS} times"
    fault_table.add(f"F15 first boot on {kind}", done, **wrong)
    assert wrong == dict.fromkeys(wrong, 0)


def boot_and_kill(kind: str, folder: Path, repeats: int) -> tuple[int, int]:
    """Kill three processes while they make a ledger; return how many were hit and how many ledgers did not open."""
    chance = random.Random(15)
    unusable = kills = 0
    for number in range(repeats):
        task, open_store = place(kind, folder, f"killed{number}")
        processes = boot(task, 3)
        time.sleep(chance.uniform(0, 0.06))
        for process in processes:
            process.send_signal(signal.SIGKILL)
            kills += process.wait() == -signal.SIGKILL
        with open_store() as store:
            unusable += store.job(post(store, chained(1))).steps != 1
            unusable += len(store.rows("rows_migrations")) != len(migrations(kind))
    return kills, unusable


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_f15_a_kill_in_the_middle_leaves_a_ledger_that_opens(kind, tmp_path, fault_table):
    kills, unusable = boot_and_kill(kind, tmp_path, 4)
    fault_table.add(f"F15 killed boot on {kind}", f"{kills} of 12 killed while booting", unusable=unusable)
    assert unusable == 0


def used_ledger_of_the_sixth(folder: Path) -> tuple[Path, list[dict]]:
    """A ledger from before its last migration, larger than what SQLite holds back from the file until a commit."""
    folder.mkdir()
    with sqlite_ledger(folder) as store:
        post(store, independent(30))
        while claim := store.claim("w"):
            store.complete(claim, "SUCCESS", {"output": "x" * 200_000})
        store.checkpoint()
        receipts = store.rows("audit_receipts")
    as_migrated_to(6, folder / "cassette.db")
    return folder / "cassette.db", receipts


def test_f15_an_upgrade_killed_at_any_statement_has_not_begun_or_is_done(tmp_path, fault_table):
    path, receipts = used_ledger_of_the_sixth(tmp_path / "ledger")
    before = path.read_bytes()
    kills = lost = findings = 0
    while True:
        (process,) = boot({"kind": "dying", "path": str(path), "statement": kills}, 1)
        if process.wait() == 0:
            break
        assert process.returncode == -signal.SIGKILL
        kills += 1
        with sqlite_ledger(path.parent) as store:
            lost += store.rows("audit_receipts") != receipts
            findings += len(verify_ledger(store).faults) + (store.integrity_check() != "ok")
        for left in path.parent.glob("cassette.db-*"):
            left.unlink()
        path.write_bytes(before)
    done = f"{kills} kill -9, each before another statement"
    fault_table.add("F15 killed upgrade on sqlite", done, lost=lost, findings=findings)
    assert kills > 10
    assert (lost, findings) == (0, 0)


def test_f15_one_of_many_processes_upgrades_a_used_ledger(tmp_path, fault_table):
    path, receipts = used_ledger_of_the_sixth(tmp_path / "ledger")
    crashed = sum(process.wait() != 0 for process in boot({"kind": "sqlite", "path": str(path)}, PROCESSES))
    with sqlite_ledger(path.parent) as store:
        lost = int(store.rows("audit_receipts") != receipts)
        findings = len(verify_ledger(store).faults)
    done = f"{PROCESSES} processes at once"
    fault_table.add("F15 upgrade on sqlite", done, crashed=crashed, lost=lost, findings=findings)
    assert (crashed, lost, findings) == (0, 0, 0)


WAITS_FOR_READERS = 9
"""The newest migration of PostgreSQL that changes the table of steps, and not only functions beside it."""


def older(dialect: str) -> tuple[Migration, ...]:
    """The migrations before that one."""
    return tuple(each for each in migrations(dialect) if each.version < WAITS_FOR_READERS)


def used_ledger(monkeypatch, schema: str) -> tuple[dict, list[dict]]:
    """A PostgreSQL ledger from before that migration, half worked off, with a lease that is still held."""
    with monkeypatch.context() as then:
        then.setattr(postgres, "migrations", older)
        with postgres_ledger(schema) as store:
            job = post(store, chained(6))
            for outcome in ("SUCCESS", "ABORTED", "SUCCESS"):
                store.complete(store.claim("w"), outcome, {"output": "kept"})
            assert store.claim("w", job_id=job).ordinal == 3
            store.checkpoint()
            receipts = store.rows("audit_receipts")
    return {"kind": "postgres", "conninfo": running_server().conninfo, "schema": schema}, receipts


def judged(schema: str, receipts: list[dict]) -> dict[str, int]:
    """What an upgrade has damaged, and whether work goes on: the held lease is completed and the rest is done."""
    with postgres_ledger(schema) as store:
        lost = int(store.rows("audit_receipts") != receipts)
        findings = len(verify_ledger(store).faults)
        (job,) = store.jobs()
        assert store.claim("x") is None  # the lease from before still counts
        store.requeue_of(["w"], Decider(made_by="ann"))
        while claim := store.claim("w"):
            store.complete(claim, "SUCCESS")
        unfinished = store.job(job.job_id).steps - store.job(job.job_id).committed
        return {"lost": lost, "findings": findings + len(verify_ledger(store).faults), "unfinished": unfinished}


def test_f15_one_of_many_processes_upgrades_a_used_ledger_on_postgres(monkeypatch, fault_table):
    task, receipts = used_ledger(monkeypatch, "upgraded_at_once")
    crashed = sum(process.wait() != 0 for process in boot(task, PROCESSES))
    wrong = {"crashed": crashed, **judged(task["schema"], receipts)}
    fault_table.add("F15 upgrade on postgres", f"{PROCESSES} processes at once", **wrong)
    assert wrong == dict.fromkeys(wrong, 0)


def test_f15_an_upgrade_killed_in_the_middle_has_not_begun_on_postgres(monkeypatch, fault_table):
    """It waits for somebody who reads the steps, and dies there: nothing of it is in force."""
    task, receipts = used_ledger(monkeypatch, "upgrade_killed")
    with psycopg.connect(task["conninfo"], autocommit=True) as watching, psycopg.connect(task["conninfo"]) as reading:
        reading.execute(f"SELECT count(*) FROM {task['schema']}.cassette_step_states")
        (process,) = boot(task, 1)
        waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'"
        while not watching.execute(waits).fetchall():
            assert process.poll() is None
        process.kill()
        process.wait()
        reading.rollback()
    with monkeypatch.context() as then:
        then.setattr(postgres, "migrations", older)
        with postgres_ledger(task["schema"]) as store:  # refused by version if a newer one had been recorded
            assert len(store.rows("rows_migrations")) == len(older("postgres"))
    wrong = judged(task["schema"], receipts)
    fault_table.add("F15 killed upgrade on postgres", "1 kill -9 while it waits for a lock", **wrong)
    assert wrong == dict.fromkeys(wrong, 0)


def test_control_migrating_without_a_lock_breaks(tmp_path):
    broken = 0
    for number in range(10):
        task = {"kind": "unlocked", "path": str(tmp_path / f"{number}.db")}
        broken += sum(process.wait() != 0 for process in boot(task, PROCESSES))
        if broken:
            break
    assert broken > 0
