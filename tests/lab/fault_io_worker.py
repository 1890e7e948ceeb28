"""Makes an SQLite ledger and posts to it while its writes fail, for F4. Started under `strace`, which makes them fail.

    python fault_io_worker.py '{"path": …, "driver": "sqlite3"}'

Every call is made again when the ledger says that it failed; anything but one of the ledger's own errors is a
traceback.
"""

from __future__ import annotations

import importlib
import json
import sys

from ledgers import plan_of, post, step
from planvow.cassette import SqliteStore
from planvow.errors import PlanvowError

TRIES = 5


def persistently(action):
    for _ in range(TRIES):
        try:
            return action()
        except PlanvowError as error:
            print(f"planvow: {error.code} {error.message}", file=sys.stderr, flush=True)
    raise SystemExit("the fault does not go away")


def main() -> None:
    task = json.loads(sys.argv[1])
    store = persistently(lambda: SqliteStore(task["path"], driver=importlib.import_module(task["driver"])))
    job = persistently(lambda: post(store, plan_of(step("a"), step("b"), step("c", "a", "b"))))
    print(f"{job} posted", file=sys.stderr, flush=True)
    persistently(store.close)


main()
