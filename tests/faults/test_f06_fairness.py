"""F6: eight workers on one SQLite ledger get their turns."""

from __future__ import annotations

from fault_fairness import LONGEST_WAIT, longest_wait, take_turns

WORKERS = 8


def test_f6_eight_workers_on_sqlite_get_even_shares_and_short_waits(tmp_path, fault_table):
    run = take_turns(tmp_path, workers=WORKERS, steps=2000)
    shares = f"{min(run.cycles.values())} to {max(run.cycles.values())} cycles each"
    done = f"{WORKERS} workers, {shares}, longest wait {run.worst_turns} turns"
    fault_table.add("F6 fairness on SQLite", done, **run.wrong)
    assert run.cycles.total() == 2000
    assert run.wrong == dict.fromkeys(run.wrong, 0)


def test_control_sqlites_own_way_of_waiting_is_found_unfair(tmp_path):
    run = take_turns(tmp_path, workers=WORKERS, steps=2000, locked=False)
    assert sum(run.wrong.values()) > 0


def test_control_a_long_wait_is_seen_in_the_order_of_turns():
    assert longest_wait(["a", "b"] * 10) == 1
    assert longest_wait(["a", *["b"] * (LONGEST_WAIT + 1), "a"]) == LONGEST_WAIT + 1
    assert longest_wait([*["b"] * 9, "a"]) == 9
