"""F6: eight workers on one SQLite ledger get their turns.

How evenly is also up to the system's scheduler, so the bars for a quiet machine stand in `bench/faults.py`; here the
ledger must do clearly better than SQLite's own way of waiting does in the same minute.
"""

from __future__ import annotations

from fault_fairness import LONGEST_WAIT, longest_wait, take_turns

WORKERS, STEPS = 8, 1600


def test_f6_eight_workers_on_sqlite_take_turns_more_fairly_than_sqlite_lets_them(tmp_path, fault_table):
    run = take_turns(tmp_path, workers=WORKERS, steps=STEPS)
    lottery = take_turns(tmp_path, workers=WORKERS, steps=STEPS, locked=False)
    shares = f"{min(run.cycles.values())} to {max(run.cycles.values())} cycles each"
    done = f"{WORKERS} workers, {shares}, waits of up to {run.worst_turns} turns ({lottery.worst_turns} without lock)"
    unfair = int(not run.clearly_fairer_than(lottery))
    fault_table.add("F6 fairness on SQLite", done, no_fairer_than_without_lock=unfair)
    assert run.cycles.total() == lottery.cycles.total() == STEPS
    assert unfair == 0
    assert not lottery.clearly_fairer_than(run)
    assert sum(lottery.wrong.values()) > 0  # the control: the bars of the long form see a lottery


def test_control_a_long_wait_is_seen_in_the_order_of_turns():
    assert longest_wait(["a", "b"] * 10) == 1
    assert longest_wait(["a", *["b"] * (LONGEST_WAIT + 1), "a"]) == LONGEST_WAIT + 1
    assert longest_wait([*["b"] * 9, "a"]) == 9
