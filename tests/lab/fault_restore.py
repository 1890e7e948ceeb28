"""F21: backups of a SQLite ledger taken while workers write to it, restored and checked.

A restored copy must be sound (SQLite's own check), every chain in it must hold, every completion that was acknowledged
before the backup began must be in it, and workers must be able to finish what is left. The negative control copies
the file as it lies there.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from fault_lab import WORKER, acknowledged
from ledgers import independent, post
from planvow.cassette import SqliteStore, Worker, WorkerOptions
from planvow.cassette.proof.verify import verify_ledger
from planvow.errors import PlanvowError

WORKERS = 4
STEPS = 400
LEASE_MS = 300  # what was leased when the backup was taken runs out soon after


def backed_up(path: Path, copy: Path, driver: ModuleType) -> None:
    """What `cassette backup` does."""
    with SqliteStore(path, driver=driver) as store:
        store.backup(copy)


def copied(path: Path, copy: Path, _driver: ModuleType) -> None:
    """The negative control: the file alone, in the middle of whatever is going on."""
    shutil.copy(path, copy)


@contextmanager
def load_on(path: Path, folder: Path, driver: ModuleType):
    """Workers that complete steps until none is left; yields where they note what was acknowledged."""
    logs = [folder / f"{path.stem}-{number}.log" for number in range(WORKERS)]
    ledger = {"path": str(path), "driver": driver.__name__, "lease_ms": LEASE_MS}
    tasks = [{**ledger, "log": str(log)} for log in logs]
    running = [subprocess.Popen([sys.executable, str(WORKER), json.dumps(task)]) for task in tasks]
    try:
        yield logs
    finally:
        for process in running:
            process.wait()


def drill(
    folder: Path,
    *,
    drills: int,
    driver: ModuleType = sqlite3,
    take: Callable[[Path, Path, ModuleType], None] = backed_up,
) -> tuple[int, Counter[str]]:
    """Take backups under load and restore each; return how many receipts they held at most, and what went wrong."""
    wrong: Counter[str] = Counter(unsound=0, lost_acks=0, verify_findings=0, unfinished=0)
    done = most = rounds = 0
    while done < drills:
        path = folder / f"ledger-{rounds}.db"
        rounds += 1
        with SqliteStore(path, driver=driver) as store:
            post(store, independent(STEPS))
        with load_on(path, folder, driver) as logs:
            while done < drills:
                before = acknowledged(logs)
                if len(before) >= STEPS * 0.9:
                    break  # the load is about to end
                if not before:
                    continue
                copy = folder / f"copy-{done}.db"
                take(path, copy, driver)
                done += 1
                most = max(most, restored(copy, before, driver, wrong))
    return most, wrong


def restored(copy: Path, acks: list[tuple], driver: ModuleType, wrong: Counter[str]) -> int:
    """Open a copy as if the ledger were gone, check it and finish its work; return how many receipts it had."""
    found = 0
    try:
        with SqliteStore(copy, driver=driver) as store:
            wrong["unsound"] += store.integrity_check() != "ok"
            wrong["verify_findings"] += len(verify_ledger(store).faults)
            receipts = {
                (r.job_id, r.ordinal, r.fence): r.sha256 for j in store.jobs() for r in store.receipts(j.job_id)
            }
            found = len(receipts)
            wrong["lost_acks"] += sum(receipts.get(tuple(ack[:3])) != ack[3] for ack in acks)
        Worker(
            lambda: SqliteStore(copy, driver=driver), {"NOTE": lambda _step: None}, WorkerOptions(poll_seconds=0.02)
        ).run()
        with SqliteStore(copy, driver=driver) as store:
            wrong["unfinished"] += sum(not job.finished or job.committed != job.steps for job in store.jobs())
            wrong["verify_findings"] += len(verify_ledger(store).faults)
    except (PlanvowError, driver.DatabaseError):
        wrong["unsound"] += 1
    for leftover in copy.parent.glob(f"{copy.name}*"):
        shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()  # the locks of workers are in a folder
    return found
