"""Works on an SQLite ledger while its writes fail, for F4. Started under `strace`, which makes them fail.

    python fault_io_worker.py '{"path": …, "driver": "sqlite3", "root": …, "careless": false}'

Every call is made again when the ledger says that it failed; anything but one of the ledger's own errors is told as
uncaught. It speaks through `writev`, which is never made to fail.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path

from ledgers import plan_of, post, step
from planvow.cassette import SqliteStore, Worker
from planvow.cassette.work.worker import WorkerOptions
from planvow.contract import Step
from planvow.errors import PlanvowError

TRIES = 5
NEW = "new content\n" * 2000
REST = {"expected_outputs": {}, "constraints": {}, "counted_bytes": 0}


def say(*words: object) -> None:
    os.writev(1, [(json.dumps(words) + "\n").encode()])


def persistently(action):
    for _ in range(TRIES):
        try:
            return action()
        except PlanvowError as error:
            say("error", error.code, error.message)
        except Exception as error:
            say("uncaught", type(error).__name__, str(error))
    raise SystemExit("the fault does not go away")


def main() -> None:
    task = json.loads(sys.argv[1])
    store = persistently(lambda: SqliteStore(task["path"], driver=importlib.import_module(task["driver"])))
    if task["root"] is not None:
        store.close()
        work_on_files(task)
        return
    plan = plan_of(step("a"), step("b"), step("c", "a", "b"))
    say("post", persistently(lambda: post(store, plan)))
    while True:
        claim = persistently(
            lambda: store.claim("w", lease_ms=0)
        )  # an answer that failed to come back runs out at once
        if claim is None:
            break
        if task["careless"]:
            say("ack", claim.job_id, claim.ordinal, claim.fence, "promised")
            try:
                store.complete(claim, "SUCCESS")
            except PlanvowError:
                break
            continue
        receipt = persistently(lambda c=claim: store.complete(c, "SUCCESS", {"output": 1}))
        say("ack", claim.job_id, claim.ordinal, claim.fence, receipt.sha256)
    persistently(store.close)


def work_on_files(task: dict) -> None:
    """The operation WRITE_FILE, twice: a file that is there, and one in a folder that is not."""
    from planvow.governed.run.operations import Workshop, governed_handlers
    from planvow.governed.sections.config import GovernedConfig

    root = Path(task["root"])
    shop = Workshop(root=root, config=GovernedConfig(), data_folder=root / ".planvow", substrate="sqlite")
    refs = [{"file_path": name, "content": NEW} for name in ("old.txt", "deeper/folder/new.txt")]
    steps = [
        Step(step_id=f"s{n}", skill="WRITE_FILE", params={"refs": ref, **REST}, on_error="continue")
        for n, ref in enumerate(refs)
    ]
    driver = importlib.import_module(task["driver"])

    def opened() -> SqliteStore:
        return SqliteStore(task["path"], driver=driver)

    def told(claim, receipt) -> None:
        say("receipt", claim.payload["refs"]["file_path"], receipt.outcome, receipt.body.get("error", {}).get("code"))

    def posted() -> None:
        with opened() as store:
            post(store, plan_of(*steps))

    persistently(posted)
    options = WorkerOptions(lease_ms=2000)
    persistently(lambda: Worker(opened, governed_handlers(shop), options, on_receipt=told).run())


main()
