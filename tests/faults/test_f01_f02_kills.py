"""F1, F2: workers die anywhere, servers restart; no acknowledgement is lost and nothing is completed twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fault_lab import KillRun, checked, run_with_kills
from ledgers import independent, post, sqlite_ledger
from postgres_server import PostgresServer, postgres_ledger

STEPS = 1000
WORKERS = 8


def test_f1_a_thousand_steps_survive_a_hundred_kills_on_sqlite(tmp_path, fault_table):
    with sqlite_ledger(tmp_path) as store:
        post(store, independent(STEPS))
    location = {"kind": "sqlite", "path": str(store.path)}
    run = run_with_kills(location, lambda: sqlite_ledger(tmp_path), tmp_path, workers=WORKERS, min_kills=100)
    done = f"{run.kills} kill -9, {WORKERS} workers, {STEPS} steps, {run.refused} late refused"
    fault_table.add("F1 kills on SQLite", done, **run.wrong)
    assert run.kills >= 100
    assert run.wrong == dict.fromkeys(run.wrong, 0)


def kills_and_restarts(
    folder: Path, *, jobs: int, steps: int, kills: int, restarts: int, death: float, seed: int
) -> KillRun:
    """Let workers die on a PostgreSQL that is shut down immediately and started again so many times meanwhile."""
    server = PostgresServer(durable=True)
    done = 0

    def restart(so_far: int) -> int:
        nonlocal done
        if done < restarts and so_far >= kills * (done + 1) / (restarts + 1):
            server.restart_immediately()
            done += 1
        return done

    try:
        with postgres_ledger("kills", server) as store:
            for number in range(jobs):
                post(store, independent(steps, request_id=f"q{number}"))
        location = {"kind": "postgres", "conninfo": server.conninfo, "schema": "kills"}
        return run_with_kills(
            location,
            lambda: postgres_ledger("kills", server),
            folder,
            workers=WORKERS,
            min_kills=kills,
            death=death,
            disturb=restart,
            seed=seed,
        )
    finally:
        server.remove()


def test_f2_a_thousand_steps_survive_kills_and_server_restarts_on_postgres(tmp_path, fault_table):
    run = kills_and_restarts(tmp_path, jobs=1, steps=STEPS, kills=55, restarts=4, death=0.08, seed=2)
    done = f"{run.kills} kill -9, {run.restarts} immediate restarts, {STEPS} steps, {run.refused} late refused"
    fault_table.add("F2 kills on PostgreSQL", done, **run.wrong)
    assert run.kills >= 50
    assert run.restarts >= 3
    assert run.wrong == dict.fromkeys(run.wrong, 0)


def test_control_the_kill_harness_finds_acknowledgements_that_were_lost(tmp_path):
    """A worker that acknowledges before it commits must be caught."""
    with sqlite_ledger(tmp_path) as store:
        post(store, independent(100))
    location = {"kind": "sqlite", "path": str(store.path)}
    run = run_with_kills(
        location,
        lambda: sqlite_ledger(tmp_path),
        tmp_path,
        workers=2,
        min_kills=25,
        death=0.6,
        doze=0,
        sabotage="acknowledge first",
    )
    assert run.lost > 0


@pytest.mark.parametrize("fault", ["double", "lost"])
def test_control_the_checker_finds_a_doctored_history(tmp_path, fault):
    """Two acknowledgements of one step, or one the ledger does not know, must be caught."""
    with sqlite_ledger(tmp_path) as store:
        job = post(store, independent(1))
        receipt = store.complete(store.claim("w"), "SUCCESS")
        log = tmp_path / "worker.log"
        other = {"double": [job, 1, 1, receipt.sha256], "lost": [job, 1, 2, "0" * 64]}[fault]
        entries = [["ack", job, 1, 1, receipt.sha256], ["ack", *other]]
        log.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        run = checked(store, [log], 0, 0)
    assert (run.doubled, run.lost) == ((1, 0) if fault == "double" else (1, 1))
