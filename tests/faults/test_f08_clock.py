"""F8: the ledger's clock jumps an hour; completions do not notice, and steps of the dead are found again."""

from __future__ import annotations

import pytest

from fault_clock import HOUR, jump_about, ledger_with_clock, recovery_in_leases
from fault_lab import Zombie
from planvow.cassette.proof.verify import verify_ledger

JUMPS = 12
LEASE_MS = 500


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_f8_clock_jumps_neither_lose_nor_double_and_do_not_strand_a_step(kind, tmp_path, fault_table):
    with ledger_with_clock(kind, tmp_path) as place:
        run = jump_about(place, tmp_path, steps=150, jumps=JUMPS)
        jumps = place.clock.jumps
        waits = [recovery_in_leases(place, jump, lease_ms=LEASE_MS) for jump in (HOUR, -HOUR)]
    stranded = sum(wait >= 100 for wait in waits)  # an hour would be 7,200 leases; a busy machine needs some
    done = f"{jumps} jumps of up to 2 h, {run.kills} kill -9, {run.acknowledged} steps, {run.refused} late refused"
    fault_table.add(f"F8 clock jumps on {kind}", done, **run.wrong, stranded=stranded)
    assert run.wrong == dict.fromkeys(run.wrong, 0)
    assert stranded == 0


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_f8_what_was_posted_or_failed_in_the_future_is_not_waited_for(kind, tmp_path):
    again = {"outcome": "FAILURE", "retry_after_ms": 0}
    with ledger_with_clock(kind, tmp_path) as place:
        worker = Zombie(place.location, place.environment)
        poster = Zombie(place.location, place.environment)
        for offset in (HOUR, 0, -HOUR):  # each attempt is made an hour earlier than the one before
            place.clock.set(offset)
            if offset == HOUR:
                poster.tell(do="post")
                poster.hear()
            worker.tell(do="claim", lease_ms=60_000)
            assert worker.hear() == 1
            worker.tell(do="complete", how=again if offset >= 0 else {"outcome": "SUCCESS"})
            assert worker.hear() == "accepted"
        poster.end()
        worker.end()
        with place.opened() as store:
            assert not store.has_open_steps()
            assert verify_ledger(store).faults == ()


def test_control_a_worker_that_trusts_its_own_clock_is_caught(tmp_path):
    with ledger_with_clock("sqlite", tmp_path) as place:
        run = jump_about(place, tmp_path, steps=100, jumps=6, sabotage="own clock")
    assert run.lost > 0


def test_control_a_lease_that_lasts_is_seen_as_not_recovered(tmp_path):
    with ledger_with_clock("sqlite", tmp_path) as place:
        assert recovery_in_leases(place, 0, lease_ms=60_000, give_up=0.5) < 1
        with place.opened() as store:
            assert store.has_open_steps()
