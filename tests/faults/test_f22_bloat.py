"""F22: an old snapshot that somebody keeps open makes claims dearer, but not without end, and it is said."""

from __future__ import annotations

from fault_bloat import buffers_of_a_claim, work_under_an_old_snapshot
from ledgers import independent, post
from postgres_server import postgres_ledger

CYCLES = 3000


def test_f22_claims_stay_cheap_while_a_snapshot_is_kept_open(fault_table):
    with postgres_ledger() as store:
        run = work_under_an_old_snapshot(store, cycles=CYCLES)
    done = f"{run.cycles} cycles, a claim touches {run.before:.0f} buffers before and {run.after:.0f} after"
    fault_table.add("F22 old snapshot on PostgreSQL", done, **run.wrong)
    assert run.wrong == dict.fromkeys(run.wrong, 0)


def test_control_a_claim_that_looks_at_every_lease_there_was_is_found_dear():
    """What the claim function did before: the session never remembers that it has looked."""
    with postgres_ledger() as store:
        store._connection.execute("ALTER FUNCTION cassette_claim SET planvow.looked = ''")
        run = work_under_an_old_snapshot(store, cycles=CYCLES)
    assert run.wrong["over_10_times"] == 1


def test_nothing_is_warned_of_where_nothing_is_wrong():
    with postgres_ledger() as store:
        post(store, independent(10))
        assert buffers_of_a_claim(store) > 0
        assert store.warnings() == ()
