"""A worker process of a pool that may die at any step: python side_worker.py LEDGER WORLD JOB SEED.

The world is registers in a file of SQLite. A step reads its sources and writes its register, once for each step whoever
runs it how often; around that it kills its own process now and then.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sqlite3
import sys

from planvow.adapters.databases.opening import open_ledger
from planvow.cassette import Worker, WorkerOptions


def mixed(name: str, values: list) -> str:
    """What a register holds after a step: it tells which values were read."""
    return hashlib.sha256(json.dumps([name, values]).encode()).hexdigest()[:12]


def may_die(*about: object) -> None:
    text = " ".join(map(str, about))
    if hashlib.sha256(text.encode()).digest()[0] < 20:
        os.kill(os.getpid(), signal.SIGKILL)


def main(ledger: str, world: str, job_id: str, seed: str) -> None:
    def mix(step):
        may_die(seed, "before", step.attempt_token)
        connection = sqlite3.connect(world, timeout=60, isolation_level=None)
        try:
            connection.execute("BEGIN IMMEDIATE")
            if connection.execute("INSERT OR IGNORE INTO done VALUES (?)", [step.idempotency_key]).rowcount:
                held = dict(connection.execute("SELECT name, value FROM registers"))
                value = mixed(step.payload["name"], [held.get(source) for source in step.payload["sources"]])
                connection.execute("INSERT OR REPLACE INTO registers VALUES (?, ?)", [step.payload["target"], value])
            connection.execute("COMMIT")
        finally:
            connection.close()
        may_die(seed, "after", step.attempt_token)

    options = WorkerOptions(job_id=job_id, lease_ms=400, poll_seconds=0.02)
    Worker(lambda: open_ledger(ledger), {"mix": mix}, options).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
