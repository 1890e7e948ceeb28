"""F6: several worker processes take turns on one SQLite ledger; nobody is left waiting.

Turns are read off the ledger itself: all steps belong to one job, so its chain of receipts says who came after whom.
A wait is counted in turns of the others, which a busy machine changes less than milliseconds. Without the file lock
SQLite's own way of waiting, sleeping longer and longer, makes a lottery of it: the negative control.

    python fault_fairness.py '{"path": …, "name": …, "locked": true}'       one worker, started by the harness
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from ledgers import independent, post
from planvow.adapters.databases.opening import sqlite_driver
from planvow.cassette import SqliteStore

FAIR_SHARE = 0.5  # of the cycles of the busiest worker
LONGEST_WAIT = 250  # turns of the others


@dataclass(frozen=True, kw_only=True)
class FairRun:
    """How the turns were shared out."""

    cycles: Counter[str]
    worst_turns: int
    worst_ms: float

    @property
    def share(self) -> float:
        return min(self.cycles.values()) / max(self.cycles.values())

    def clearly_fairer_than(self, other: FairRun) -> bool:
        return self.share >= 1.5 * other.share and 2 * self.worst_turns <= other.worst_turns

    @property
    def wrong(self) -> dict[str, int]:
        """What a quiet machine must not show; on a busy one the system's scheduler deals out turns as well."""
        return {
            "shares_under_a_half": int(self.share < FAIR_SHARE),
            "waits_too_long": int(self.worst_turns > LONGEST_WAIT),
        }


def take_turns(folder: Path, *, workers: int, steps: int, locked: bool = True) -> FairRun:
    """Let workers that start together work off one job, and look at who came when."""
    path = folder / ("locked.db" if locked else "unlocked.db")
    with SqliteStore(path, driver=sqlite_driver()) as store:
        job = post(store, independent(steps))
    line, gate = os.pipe()
    running = []
    for number in range(workers):
        task = {"path": str(path), "name": f"w{number}", "locked": locked}
        running.append(
            subprocess.Popen([sys.executable, __file__, json.dumps(task)], stdin=line, stdout=subprocess.PIPE)
        )
    os.close(line)
    for process in running:
        assert process.stdout.readline() == b"ready\n"
    os.close(gate)
    worst_ms = [json.loads(process.communicate()[0]) for process in running]
    assert [process.returncode for process in running] == [0] * workers
    with SqliteStore(path, driver=sqlite_driver()) as store:
        turns = [receipt.worker_id for receipt in store.receipts(job)]
    cycles = Counter({f"w{number}": 0 for number in range(workers)})
    cycles.update(turns)
    return FairRun(cycles=cycles, worst_turns=longest_wait(turns), worst_ms=max(worst_ms))


def longest_wait(turns: list[str]) -> int:
    """Return how many turns of others passed at most between two of the same worker, or before its first."""
    last = dict.fromkeys(turns, -1)
    longest = 0
    for number, name in enumerate(turns):
        longest = max(longest, number - last[name] - 1)
        last[name] = number
    return longest


class NoLock:
    """What is left of fairness without the file lock."""

    def acquire(self) -> None: ...

    def release(self) -> None: ...

    def close(self) -> None: ...


def work(task: dict) -> float:
    """Go from step to step until none is left; return the longest call in milliseconds."""
    worst = 0.0
    with SqliteStore(task["path"], driver=sqlite_driver()) as store:
        if not task["locked"]:
            store._lock.close()
            store._lock = NoLock()
        print("ready", flush=True)
        sys.stdin.read()
        claim = store.claim(task["name"])
        while claim is not None:
            before = time.monotonic()
            _, claim = store.complete_and_claim(claim, "SUCCESS")
            worst = max(worst, time.monotonic() - before)
    return worst * 1000


if __name__ == "__main__":
    print(json.dumps(work(json.loads(sys.argv[1]))))
