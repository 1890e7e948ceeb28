"""Commits that do not come: what was answered before them counts for nothing, and doing it again is enough."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import contextmanager, suppress
from dataclasses import replace

import psycopg
import pytest

from fault_commit import fail_commits, let_commits_wait, shut_gate
from ledgers import independent, post, statuses
from planvow.cassette import Worker, WorkerOptions
from planvow.cassette.databases.postgres import PostgresStore
from planvow.cassette.errors import CassetteError, CommitFailedError, LedgerUnreachableError
from planvow.cassette.work.values import StepContext
from postgres_server import PostgresServer, postgres_ledger, running_server

WAYS = {
    "complete": lambda store, claim: store.complete(claim, "SUCCESS", {"output": 1}),
    "complete_and_claim": lambda store, claim: store.complete_and_claim(claim, "SUCCESS", {"output": 1})[0],
}


@pytest.fixture
def server():
    own = PostgresServer(durable=True)
    yield own
    own.remove()


@pytest.mark.parametrize("way", WAYS)
def test_a_commit_that_fails_is_no_acknowledgement(way):
    with postgres_ledger() as store:
        job = post(store, independent(2))
        fail_commits(store.conninfo, store.schema, every=1, until=1)
        claim = store.claim("w")
        with pytest.raises(CommitFailedError, match="no room for this commit") as caught:
            WAYS[way](store, claim)
        assert caught.value.retryable
        assert statuses(store, job) == ["LEASED", "PENDING"]
        assert store.receipts(job) == ()
        receipt = WAYS[way](store, claim)
        assert store.receipts(job) == (receipt,)


def test_a_post_whose_commit_fails_is_not_there_and_may_be_sent_again():
    with postgres_ledger() as store:
        fail_commits(store.conninfo, store.schema, every=1, until=1, table="cassette_jobs")
        with pytest.raises(CommitFailedError) as caught:
            post(store, independent(2))
        assert caught.value.retryable
        assert store.jobs() == ()
        job = post(store, independent(2))
        assert [found.job_id for found in store.jobs()] == [job]


def test_a_transaction_in_which_a_statement_failed_does_not_pass_for_stored():
    def post_and_stumble(store):
        with store.transaction():
            post(store, independent(1))
            with suppress(psycopg.errors.DivisionByZero):
                store._connection.execute("SELECT 1 / 0")

    with postgres_ledger() as store:
        with pytest.raises(CassetteError, match="nothing of this transaction is stored"):
            post_and_stumble(store)
        assert store.jobs() == ()


@contextmanager
def in_the_background(action):
    """Run something beside the test; what it gave, or raised, is in the list when the block has ended."""
    outcome = []

    def run() -> None:
        try:
            outcome.append(action())
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield outcome
    finally:
        thread.join()


def completed(store, way, claim):
    """Complete on a connection of the calling thread's own."""
    with PostgresStore(store.conninfo, driver=psycopg, schema=store.schema) as own:
        return WAYS[way](own, claim)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("end", ["the server is shut down", "its connection is ended"])
def test_an_end_between_statement_and_commit_is_no_acknowledgement(server, way, end):
    with postgres_ledger("ends", server) as store:
        job = post(store, independent(2))
        let_commits_wait(store.conninfo, store.schema)
        with store.transaction():  # a claim on its own does not wait for the disk, and might be forgotten
            claim = store.claim("w")
        with shut_gate(server) as gate, in_the_background(lambda: completed(store, way, claim)) as outcome:
            waiting = gate.somebody_waits()
            if end == "the server is shut down":
                server.stop()
            else:
                gate.end(waiting)
        assert [type(answer) for answer in outcome] == [LedgerUnreachableError]
        if end == "the server is shut down":
            server.start()
            with pytest.raises(LedgerUnreachableError):  # this connection does not know yet
                store.jobs()
        assert store.receipts(job) == ()
        receipt = completed(store, way, claim)
        assert store.receipts(job) == (receipt,)


def test_what_is_acknowledged_is_on_the_disk_also_where_the_server_would_not_wait():
    with psycopg.connect(running_server().conninfo, autocommit=True) as owner:
        owner.execute("ALTER SYSTEM SET synchronous_commit = off")
        owner.execute("SELECT pg_reload_conf()")
        try:
            with postgres_ledger() as store:
                row = store._connection.execute("SHOW synchronous_commit").fetchone()
        finally:
            owner.execute("ALTER SYSTEM RESET synchronous_commit")
            owner.execute("SELECT pg_reload_conf()")
    assert row == {"synchronous_commit": "on"}


def crash(server, pid):
    """Kill a process of the server, which then ends all others and recovers; return when it takes connections again."""
    with psycopg.connect(server.conninfo, autocommit=True) as witness:
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(psycopg.OperationalError):
            witness.execute("SELECT pg_sleep(60)")
    while True:
        with suppress(psycopg.OperationalError):
            psycopg.connect(server.conninfo).close()
            return


def test_no_two_attempts_share_a_token_when_the_server_forgets_a_claim(server):
    """The lease came back with the same number to the same worker, and is yet another attempt at the same step."""
    with postgres_ledger("forgets", server) as store:
        post(store, independent(1))
        writer = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'"
        pid = store._connection.execute(writer).fetchone()["pid"]
    os.kill(pid, signal.SIGSTOP)  # nobody brings to the disk what does not wait for it
    seen = []

    def act(step):
        seen.append((step.claim.fence, step.attempt_token, step.idempotency_key))
        if len(seen) == 1:
            crash(server, pid)

    report = Worker(lambda: postgres_ledger("forgets", server), {"NOTE": act}, WorkerOptions(worker_id="w")).run()
    (fence, token, key), (same_fence, other_token, same_key) = seen
    assert (same_fence, same_key) == (fence, key)
    assert other_token != token
    assert (report.lost, report.committed) == (1, 1)


def test_attempts_of_two_workers_with_one_lease_number_differ_and_steps_have_keys_of_their_own():
    with postgres_ledger() as store:
        post(store, independent(2))
        claims = store.claim_many("w1", limit=2)
    first, other_step = (context_of(claim) for claim in claims)
    other_worker = context_of(replace(claims[0], worker_id="w2"))
    assert first.attempt_token != other_worker.attempt_token
    assert first.idempotency_key == other_worker.idempotency_key != other_step.idempotency_key


def context_of(claim):
    events = {"lease_lost": threading.Event(), "stop": threading.Event()}
    return StepContext(claim=claim, payload={}, request=None, outputs={}, taken=1, **events)
