"""What only PostgreSQL has: its planner, its wire, its silence."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from ledgers import chained, independent, plan_of, post, step
from planvow.cassette import Wanted, Worker, WorkerOptions
from planvow.cassette.databases.pipeline import PreparedStatements
from planvow.cassette.errors import CassetteError, LedgerUnreachableError
from planvow.cassette.ledger.schedule import Decider, Limit
from planvow.cassette.ledger.statements import postgres_statements
from postgres_server import postgres_ledger

ENTRIES_PER_STEP = 17  # what one claim and one completion look up, whatever the size of the job


@pytest.fixture
def store():
    with postgres_ledger() as opened:
        yield opened


def entries_read(store) -> int:
    run = store._connection.execute
    run("SELECT pg_stat_force_next_flush()")
    row = run("SELECT sum(idx_tup_read) AS read FROM pg_stat_user_indexes WHERE schemaname = %s", (store.schema,))
    return int(row.fetchone()["read"])


def work(store, steps: int) -> None:
    for _ in range(steps):
        store.complete(store.claim("w"), "SUCCESS", {"output": None})


@pytest.mark.parametrize("shape", [independent, chained])
def test_a_step_reads_no_more_of_a_long_job_than_of_a_short_one(store, shape):
    post(store, shape(500))
    work(store, 400)  # on tables without statistics, with plans made when they were empty
    before = entries_read(store)
    work(store, 50)
    assert entries_read(store) - before <= 50 * ENTRIES_PER_STEP


def test_reading_one_job_reads_none_of_the_others(store):
    jobs = [post(store, independent(2, request_id=f"q{number}"), run_id=f"run{number % 10}") for number in range(300)]
    for _ in range(2):  # before and after the statements are prepared
        before = entries_read(store)
        assert store.job(jobs[7]).job_id == jobs[7]
        assert store.plans(job_id=jobs[7])[0].request_id == "q7"
        assert store.plans(run_id="run8", request_id="q8")[0].job_id == jobs[8]
        assert len(store.jobs(run_id="run9")) == 30
        assert entries_read(store) - before < 800


def test_a_worker_of_few_operations_reads_no_more_for_ten_thousand_foreign_steps(store):
    """Its operations are looked up one by one instead."""
    foreign = [step(f"s{n}", op="FOREIGN") for n in range(10_000)]
    post(store, plan_of(*foreign, request_id="foreign"))
    job = post(store, plan_of(*foreign[:1000], *(step(f"own{n}") for n in range(500))))
    own = {"NOTE", "OTHER"}
    for wanted in (Wanted(operations=own), Wanted(operations=own, job_id=job)):
        claim = store.claim("w", **vars(wanted))
        for count in (100, 50):
            before = entries_read(store)
            for _ in range(count):
                _, claim = store.complete_and_claim(claim, "SUCCESS", wanted=wanted)
        assert entries_read(store) - before <= 50 * (ENTRIES_PER_STEP + 2)
        store.complete(claim, "SUCCESS")


def let_leases_have_ended_long_ago(store) -> None:
    run = store._connection.execute
    run("ALTER TABLE cassette_step_states DISABLE TRIGGER moves")
    run("UPDATE cassette_step_states SET lease_expires_at = cassette_now() - 600000 WHERE status = 'LEASED'")
    run("ALTER TABLE cassette_step_states ENABLE TRIGGER moves")


def test_a_lease_that_ended_long_ago_unseen_is_found_by_a_session_that_finds_nothing_else(store):
    """A session that has looked before passes over what ended more than a minute earlier, but not for ever."""
    post(store, independent(1))
    assert store.claim("dead").fence == 1
    let_leases_have_ended_long_ago(store)
    assert store.claim("w") is None
    assert store.claim("w").fence == 2


def test_a_lease_that_ended_long_ago_unseen_is_found_by_a_new_session_at_once(store):
    post(store, independent(1))
    assert store.claim("dead").fence == 1
    let_leases_have_ended_long_ago(store)
    with postgres_ledger(store.schema) as other:
        assert other.claim("w").fence == 2


def test_a_completion_sent_again_while_the_first_is_on_its_way_gets_the_same_receipt(store):
    """The second waits for the first, whose answer was lost, and finds what it wrote; it did not come late."""
    post(store, independent(1))
    claim = store.claim("w")
    with postgres_ledger(store.schema) as other, ThreadPoolExecutor(1) as thread:
        with store.transaction():
            first = store.complete(claim, "SUCCESS", {"output": 1})
            second = thread.submit(other.complete, claim, "SUCCESS", {"output": 1})
            waits = "SELECT 1 FROM pg_stat_activity WHERE pid = %s AND wait_event_type = 'Lock'"
            backend = other._connection.info.backend_pid
            while not store._connection.execute(waits, (backend,)).fetchone():
                assert not second.done()
                store._connection.execute("SELECT pg_stat_clear_snapshot()")
        assert second.result() == first
    assert len(store.receipts(claim.job_id)) == 1


def test_a_step_that_two_workers_reach_for_goes_to_one_and_the_other_takes_the_next(store):
    """Picking and leasing are one statement; a row that somebody holds is passed over, not waited for."""
    post(store, independent(3))
    with postgres_ledger(store.schema) as other, store.transaction():
        mine = store.claim("w")
        assert (mine.ordinal, other.claim("x").ordinal) == (1, 2)
        assert store.claim("w").ordinal == 3
        assert other.claim("x") is None


def test_a_plan_larger_than_the_wire_takes_at_once_is_stored(store):
    plan = plan_of(step("a"), plan={"text": "ä" * 6_000_000})
    job = post(store, plan)
    assert store.plans(job_id=job)[0].plan == plan.plan


def test_values_come_back_as_they_were_sent(store):
    statement = postgres_statements("queries.sql")["message_by_key"]
    assert statement.numbered.count("$") == statement.named.count("%(") == 2
    prepared = PreparedStatements(store._connection, psycopg, patience_ms=10_000)
    strange = "ä\"'$1%(run_id)s:run_id\\\n"
    for _ in range(3):  # unprepared, prepared, and prepared before
        assert prepared.run("message_by_key", statement, {"run_id": strange, "idempotency_key": "x"}) == []
    post(store, plan_of(step("a")), run_id="run ä", idempotency_key=strange.strip())
    found = prepared.run("message_by_key", statement, {"run_id": "run ä", "idempotency_key": strange.strip()})
    assert found[0]["seq"] == 1
    assert found[0]["message_id"].startswith("msg_")


def test_a_statement_that_failed_can_be_used_again(store):
    post(store, independent(3))
    claim = store.claim("w")
    lease = {name: getattr(claim, name) for name in ("run_id", "job_id", "ordinal", "fence", "worker_id")}
    lease |= {"receipt_json": "{}", "bytes_used": 0, "retry_after_ms": None}
    for _ in range(3):
        with pytest.raises(CassetteError):
            store.rows("complete", **{**lease, "outcome": "PERHAPS"})
    assert store.complete(claim, "SUCCESS").chain_seq == 1


def test_a_server_that_falls_silent_is_given_up_and_the_next_call_connects_anew(store):
    post(store, independent(2))
    prepared = PreparedStatements(store._connection, psycopg, patience_ms=300)
    store._prepared = prepared
    backend = store._connection.info.backend_pid
    os.kill(backend, signal.SIGSTOP)
    try:
        with pytest.raises(LedgerUnreachableError, match="does not answer"):
            store.claim("w")
    finally:
        os.kill(backend, signal.SIGCONT)
    assert store.claim("w") is not None


@pytest.mark.parametrize("news", ["a job is posted", "a place under a limit becomes free"])
def test_a_worker_that_would_wait_for_hours_is_woken_by_the_server(store, news):
    """It is asleep for good before anything happens: no look of its own finds the step in time."""
    post(store, independent(2))
    store.set_limit(Limit(scope="operation", name="NOTE", at_once=1), Decider(made_by="ann", why="a test"))
    held = store.claim("other", lease_ms=7_200_000)
    if news == "a job is posted":
        store.complete(held, "SUCCESS")
        store.complete(store.claim("other"), "SUCCESS")
    asleep, stop = threading.Event(), threading.Event()

    def opened():
        own = postgres_ledger(store.schema)
        sleep = own.wait_for_news

        def wait_for_news(seconds, told_to_stop):
            if seconds > 600:
                asleep.set()
            return sleep(seconds, told_to_stop)

        own.wait_for_news = wait_for_news
        return own

    options = WorkerOptions(until_done=False, poll_seconds=36_000)
    worker = threading.Thread(target=Worker(opened, {"NOTE": lambda _step: stop.set()}, options, stop=stop).run)
    worker.start()
    try:
        assert asleep.wait(60)
        if news == "a job is posted":
            post(store, independent(1, request_id="later"))
        else:
            store.complete(held, "SUCCESS")
        assert stop.wait(60)
    finally:
        stop.set()
        worker.join()
