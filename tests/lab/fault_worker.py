"""A worker process that completes steps of a SQLite ledger until none is left, for F21. Started, never imported.

    python fault_worker.py '{"path": …, "driver": "sqlite3", "log": …, "lease_ms": 300}'

It writes down every completion that was acknowledged, in a file of its own: job, step, token and hash of the receipt.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time

from planvow.cassette import SqliteStore
from planvow.cassette.errors import LeaseError


def main() -> None:
    task = json.loads(sys.argv[1])
    log = os.open(task["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    worker = f"w:{os.getpid()}"
    with SqliteStore(task["path"], driver=importlib.import_module(task["driver"])) as store:
        while store.has_open_steps():
            claim = store.claim(worker, lease_ms=task["lease_ms"])
            if claim is None:
                time.sleep(0.02)
                continue
            try:
                receipt = store.complete(claim, "SUCCESS", {"output": [worker, claim.fence]})
            except LeaseError:
                continue
            entry = [claim.job_id, claim.ordinal, claim.fence, receipt.sha256]
            os.write(log, (json.dumps(entry) + "\n").encode())


main()
