"""What stands in front of a step costs its claim nothing: steps that sleep, steps behind a limit, of an operation or a
key. Counted in index entries on PostgreSQL and in instructions on SQLite, which no load on the machine changes."""

from __future__ import annotations

import pytest

from ledgers import plan_of, post, sqlite_ledger, step
from planvow.cassette import Wanted
from planvow.cassette.ledger.schedule import Decider, Limit, Schedule
from postgres_server import postgres_ledger

ANN = Decider(made_by="ann")
FEW, MANY = 10, 10_000
ENTRIES_PER_STEP = 60  # what one claim under limits and one completion look up, however much waits


def sleeping(store, count):
    late = Schedule(starts_at=store.now_ms() + 3_600_000)
    store.post("run", {}, plan_of(*(step(f"s{n}") for n in range(count)), request_id="front"), schedule=late)


def behind_an_operation(store, count):
    post(store, plan_of(*(step(f"s{n}", op="SLOW") for n in range(count)), request_id="front"))
    store.set_limit(Limit(scope="operation", name="SLOW", at_once=1), ANN)
    assert store.claim("other").op == "SLOW"


def behind_a_key(store, count):
    plan = plan_of(*(step(f"s{n}") for n in range(count)), request_id="front")
    store.post("run", {}, plan, schedule=Schedule(keys={f"s{n}": "api" for n in range(count)}))
    store.set_limit(Limit(scope="key", name="api", at_once=1), ANN)
    assert store.claim("other").step_id == "s0"


FRONTS = [sleeping, behind_an_operation, behind_a_key]
OWN = Wanted(operations=frozenset({"NOTE", "SLOW", "OTHER"}))


def queue(store, front, count, steps):
    front(store, count)
    post(store, plan_of(*(step(f"own {n}") for n in range(steps)), request_id="own"))


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize("wanted", [OWN, Wanted()], ids=["own operations", "any"])
def test_a_claim_on_sqlite_takes_no_longer_for_ten_thousand_in_front(front, wanted, tmp_path):
    costs = []
    for count in (FEW, MANY):
        with sqlite_ledger(tmp_path / str(count)) as store:
            queue(store, front, count, 2)
            done = [0]

            def step_on(done=done):
                done[0] += 1

            store._connection.set_progress_handler(step_on, 10)
            assert store.claim("w", **vars(wanted)).step_id == "own 0"
            store._connection.set_progress_handler(None, 0)
            costs.append(done[0])
    assert costs[1] <= 2 * costs[0]


def entries_read(store) -> int:
    run = store._connection.execute
    run("SELECT pg_stat_force_next_flush()")
    row = run("SELECT sum(idx_tup_read) AS read FROM pg_stat_user_indexes WHERE schemaname = %s", (store.schema,))
    return int(row.fetchone()["read"])


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize("wanted", [OWN, Wanted()], ids=["own operations", "any"])
def test_a_claim_on_postgres_reads_no_more_for_ten_thousand_in_front(front, wanted):
    with postgres_ledger() as store:
        queue(store, front, MANY, 80)
        claim = store.claim("w", **vars(wanted))
        for count in (40, 20):
            before = entries_read(store)
            for _ in range(count):
                _, claim = store.complete_and_claim(claim, "SUCCESS", wanted=wanted)
        assert claim.step_id.startswith("own")
        assert entries_read(store) - before <= 20 * ENTRIES_PER_STEP
