"""F1, F2: workers die anywhere, commits fail, servers go down in the middle of one; nothing acknowledged is lost.

All of it through `planvow cassette work`: its pool, its heartbeat, its way of completing a step and taking the next.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path

import pytest

from fault_command import Command, Verdict, work_off
from fault_commit import fail_commits, failed_commits, let_commits_wait, shut_gate
from planvow.cassette.databases.postgres import SCHEMA
from postgres_server import PostgresServer

STEPS = 1000
WORKERS = 8
EVERY = 40  # each fortieth commit of a receipt fails


def kills(folder: Path, *, jobs: int, steps: int, min_kills: int, seed: int) -> Verdict:
    """Let workers of a SQLite ledger die."""
    command = Command.on_sqlite(folder, workers=WORKERS, task={"seed": seed, "death": 0.12})
    command.post(jobs=jobs, steps=steps)
    return work_off(command, min_kills=min_kills, seed=seed)


@contextmanager
def ledger_of_a_server(folder: Path, *, jobs: int, steps: int, **more):
    """A PostgreSQL of its own with jobs in it, whose commits can be made to wait, and the command for it."""
    server = PostgresServer(durable=True)
    try:
        command = Command.on_postgres(server.conninfo, folder, **more)
        command.post(jobs=jobs, steps=steps)
        let_commits_wait(server.conninfo, SCHEMA)
        yield server, command
    finally:
        server.remove()


def go_down_in_a_commit(server: PostgresServer, running: Command) -> bool:
    """Shut the server down while the commit of a completion is under way, and start it again.

    Not where the command has ended meanwhile, as it may while others hold what is left: then no commit will come.
    """
    with shut_gate(server) as gate:
        if gate.somebody_waits(running.is_running) is None:
            return False
        server.stop()
    server.start()
    return True


def kills_and_restarts(
    folder: Path, *, jobs: int, steps: int, min_kills: int, restarts: int, seed: int
) -> tuple[Verdict, int, int]:
    """Let workers of a PostgreSQL ledger die, commits fail and the server go down; return how often it did each."""
    done = 0
    task = {"seed": seed, "death": 0.12}
    total = jobs * steps
    with ledger_of_a_server(folder, jobs=jobs, steps=steps, workers=WORKERS, task=task) as (server, command):
        fail_commits(server.conninfo, SCHEMA, every=EVERY, until=total // 2)

        def restart(running: Command) -> bool:
            nonlocal done
            if len(running.acks) >= total * 0.8 * done / restarts:  # spread over the work, and over before its end
                if done % 2 == 0 and not go_down_in_a_commit(server, running):
                    return True
                if done % 2:
                    server.restart_immediately()
                done += 1
            return done < restarts

        verdict = work_off(command, min_kills=min_kills, seed=seed, disturb=restart)
        return verdict, done, failed_commits(server.conninfo, SCHEMA, every=EVERY)


def test_f1_a_thousand_steps_survive_a_hundred_kills_on_sqlite(tmp_path, fault_table):
    run = kills(tmp_path, jobs=1, steps=STEPS, min_kills=100, seed=1)
    done = f"{run.kills} kill -9, {WORKERS} workers, {run.acks} acknowledged, {run.refused} late refused"
    fault_table.add("F1 kills on SQLite", done, **run.wrong)
    assert run.kills >= 100
    assert run.wrong == dict.fromkeys(run.wrong, 0)


def test_f2_a_thousand_steps_survive_kills_and_server_restarts_on_postgres(tmp_path, fault_table):
    run, restarts, failed = kills_and_restarts(tmp_path, jobs=4, steps=STEPS // 4, min_kills=100, restarts=20, seed=2)
    done = f"{run.kills} kill -9, {restarts} restarts, {failed} failed commits, {run.acks} acknowledged"
    fault_table.add("F2 kills on PostgreSQL", done, **run.wrong)
    assert run.kills >= 100
    assert restarts == 20
    assert failed > 0
    assert run.wrong == dict.fromkeys(run.wrong, 0)


@pytest.mark.parametrize("sabotage", [None, "acknowledge first"])
def test_a_worker_that_dies_before_its_first_commit_has_acknowledged_nothing(tmp_path, sabotage):
    """And one that acknowledges first is caught: it is made to die in between."""
    command = Command.on_sqlite(tmp_path, workers=2, task={"sabotage": sabotage, "die_first": True})
    command.post(jobs=1, steps=3)
    run = work_off(command)
    assert (run.kills, run.unfinished) == (1, 0)
    assert run.lost == (0 if sabotage is None else 1)


@pytest.mark.parametrize("sabotage", [None, "first result"])
def test_a_server_that_goes_down_in_a_commit_has_acknowledged_nothing(tmp_path, sabotage):
    """And workers that take a statement's rows for its commit are caught: the rows were sent, the commit never came."""
    went_down = False

    def once(_command: Command) -> bool:
        nonlocal went_down
        if not went_down:
            gate.somebody_waits()
            server.restart_immediately()
        went_down = True
        return False

    ledger = ledger_of_a_server(tmp_path, jobs=1, steps=6, workers=2, task={"sabotage": sabotage})
    with ledger as (server, command), shut_gate(server) as gate:  # shut before any worker is there
        run = work_off(command, disturb=once)
    assert went_down
    assert (run.lost > 0) == (sabotage is not None)
    assert run.unfinished == 0


@pytest.mark.parametrize("sabotage", [None, "first result"])
def test_a_commit_that_fails_has_acknowledged_nothing(tmp_path, sabotage):
    """And workers that take a statement's rows for its commit are caught: the first commit always fails."""
    with ledger_of_a_server(tmp_path, jobs=1, steps=4, workers=2, task={"sabotage": sabotage}) as (server, command):
        fail_commits(server.conninfo, SCHEMA, every=1, until=1)
        run = work_off(command)
    assert run.lost == (0 if sabotage is None else 1)
    assert run.unfinished == 0


@pytest.mark.parametrize(
    ("doctored", "found"),
    [
        ("{job} step 1 NOTE SUCCESS rcpt_0", {"lost_acks": 1}),
        ("{job} step 1 NOTE SUCCESS {receipt}\n" * 2, {"double_completions": 1}),
        ("{job} step 1 NOTE SUCCESS {receipt}", {}),
    ],
)
def test_control_the_checker_finds_what_was_said_and_is_not_so(tmp_path, doctored, found):
    command = Command.on_sqlite(tmp_path)
    command.post(jobs=1, steps=1)
    with command.opened() as store:
        receipt = store.complete(store.claim("w"), "SUCCESS")
    command.said.write_text(doctored.format(job=receipt.job_id, receipt=receipt.receipt_id) + "\n")
    wrong = command.verdict().wrong
    assert {what: count for what, count in wrong.items() if count} == found


@pytest.mark.parametrize(
    "attempts",
    [
        [["j", 1, 1, "same", "j.1"], ["j", 2, 1, "same", "j.2"]],
        [["j", 1, 1, "a", "j.1"], ["j", 1, 2, "b", "other"]],
        [["j", 1, 1, "a", "same"], ["j", 2, 1, "b", "same"]],
    ],
)
def test_control_the_checker_finds_attempts_and_steps_that_share_a_name(tmp_path, attempts):
    command = Command.on_sqlite(tmp_path)
    lines = [json.dumps(attempt) + "\n" for attempt in attempts]
    (tmp_path / "attempts-1.log").write_text("".join(lines))
    assert command.verdict().shared_tokens == 1
