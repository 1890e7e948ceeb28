"""F22: somebody keeps an old snapshot open on PostgreSQL while workers go on.

PostgreSQL then keeps every old version of every row, and its indexes every old entry. What a claim costs is counted
in buffers that it touches, which no other load on the machine changes.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

import psycopg

from ledgers import independent, post
from planvow.cassette.databases.postgres import PostgresStore

AT_MOST = 10.0  # times what a claim costs without the snapshot
WARNED_FROM = 3.0
STEPS_PER_JOB = 100
CLAIM = "SELECT * FROM cassette_claim('probe', NULL, NULL, ARRAY['NOTE'], 1000, 1, false, false)"


@dataclass(frozen=True, kw_only=True)
class BloatRun:
    """What a claim cost before and while the snapshot was open."""

    cycles: int
    before: float
    after: float
    warned: bool

    @property
    def ratio(self) -> float:
        return self.after / self.before

    @property
    def wrong(self) -> dict[str, int]:
        return {
            "over_10_times": int(self.ratio > AT_MOST),
            "without_warning": int(self.ratio > WARNED_FROM and not self.warned),
        }


@contextmanager
def old_snapshot(conninfo: str):
    """A transaction that reads once and then stays open."""
    with psycopg.connect(conninfo) as other:
        other.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        other.execute("SELECT count(*) FROM pg_class").fetchone()
        yield
        other.rollback()


def buffers_of_a_claim(store: PostgresStore) -> float:
    """Return how many buffers a claim touches; it is taken back each time."""
    return median(_buffers(store) for _ in range(5))


def _buffers(store: PostgresStore) -> int:
    with store._connection.transaction(force_rollback=True):
        answer = store._connection.execute(f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) {CLAIM}").fetchone()
    plan = answer["QUERY PLAN"][0]["Plan"]
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]


def work_under_an_old_snapshot(store: PostgresStore, *, cycles: int, minutes: float = 0.0) -> BloatRun:
    """Work for so many cycles, and so many minutes, while a snapshot is open; compare what a claim costs."""
    for number in range(3):  # there is always something to claim
        post(store, independent(STEPS_PER_JOB, request_id=f"early {number}"))

    def work_off_a_job(number: int) -> None:
        post(store, independent(STEPS_PER_JOB, request_id=f"job {number}"))
        claim = store.claim("w")
        for _ in range(STEPS_PER_JOB - 1):
            _, claim = store.complete_and_claim(claim, "SUCCESS")
        store.complete(claim, "SUCCESS")

    work_off_a_job(0)
    before = buffers_of_a_claim(store)
    with old_snapshot(store.conninfo):
        done, until = 0, time.monotonic() + 60 * minutes
        while done < cycles or time.monotonic() < until:
            done += STEPS_PER_JOB
            work_off_a_job(done)
        after = buffers_of_a_claim(store)
        store._connection.execute("SELECT pg_stat_force_next_flush()")
        warned = bool(store.warnings())
    return BloatRun(cycles=done, before=before, after=after, warned=warned)
