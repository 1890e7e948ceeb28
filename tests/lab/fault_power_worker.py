"""Works on an SQLite ledger and says what was acknowledged, for F3. Started under a recorder, never imported.

    python fault_power_worker.py '{"path": …, "driver": "sqlite3", "session": 1, "steps": 72, "synchronous": null}'

Each line on the standard output is an acknowledgement; it is written only after the call has returned. The first
session ends by SIGKILL, with whatever it left in the log; the later ones recover, go on and close.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys

from ledgers import chained, independent, post
from planvow.cassette import SqliteStore
from planvow.cassette.proof.seal import seal_run


def careless(store: SqliteStore, level: str) -> None:
    """The control: commits that do not wait for the disk."""
    store._set_synchronous(f"PRAGMA synchronous = {level}")
    store._set_synchronous = lambda _statement: None


def main() -> None:
    task = json.loads(sys.argv[1])
    session = task["session"]
    run = f"run {session}"

    def say(*words: object) -> None:
        os.write(1, (json.dumps(words) + "\n").encode())

    store = SqliteStore(task["path"], driver=importlib.import_module(task["driver"]))
    if task["synchronous"] is not None:
        careless(store, task["synchronous"])
    say("mode", store.journal_mode)
    for number in range(2):
        plan = (chained, independent)[number](task["steps"] // 2, request_id=f"q{number}")
        say("post", post(store, plan, run_id=run))
    count = 0
    while (claim := store.claim(f"w{session}", run_id=run)) is not None:
        count += 1
        if count % 7 == 0:
            store.heartbeat(claim)
        failed = {"outcome": "FAILURE", "retry_after_ms": 0} if count % 9 == 0 else {"outcome": "SUCCESS"}
        receipt = store.complete(claim, body={"output": "x" * (count % 5) * 500}, **failed)
        say("ack", claim.job_id, claim.ordinal, claim.fence, receipt.sha256)
    if session == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    say("seal", run, seal_run(store, run).merkle_root)
    store.close()


main()
