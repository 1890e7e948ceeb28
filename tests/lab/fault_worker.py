"""A worker process that dies on purpose. Started by the fault harness, never imported by it.

    python fault_worker.py '{"location": …, "log": …, "seed": …, "death": 0.1, "lease_ms": 300, …}'

It writes down every completion before it sends it and after it was acknowledged, in a file of its own: the checker
believes that log and the ledger, never the worker. With probability `death` it kills itself with SIGKILL at one of
the labelled points; with probability `doze` it sleeps past its lease and completes as a zombie.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import select
import signal
import sys

from planvow.cassette import SqliteStore
from planvow.cassette.errors import CassetteError, LeaseError

POINTS = ("after claim", "before complete", "inside complete", "after commit", "after ack")


def open_store(location: dict):
    if location["kind"] == "sqlite":
        return SqliteStore(location["path"], driver=importlib.import_module(location.get("driver", "sqlite3")))
    import psycopg

    from planvow.cassette.databases.postgres import PostgresStore

    return PostgresStore(location["conninfo"], driver=psycopg, schema=location["schema"])


def rest(seconds: float) -> None:
    """Sleep, also under a clock that jumps, where `time.sleep` does not work."""
    select.select([], [], [], seconds)


class Deadly:
    """Decides at each labelled point whether to die there."""

    def __init__(self, chance: random.Random, death: float) -> None:
        self.chance = chance
        self.death = death

    def at(self, point: str) -> None:
        if self.chance.random() < self.death / len(POINTS):
            os.kill(os.getpid(), signal.SIGKILL)


def with_death_inside(store, deadly: Deadly):
    """Die between the receipt and the change of state, inside the completing transaction (SQLite)."""
    plain = store.rows

    def rows(name, /, **values):
        if name == "settle":
            deadly.at("inside complete")
        return plain(name, **values)

    store.rows = rows
    return store


def main() -> None:
    task = json.loads(sys.argv[1])
    chance = random.Random(task["seed"])
    deadly = Deadly(chance, task["death"])
    log = os.open(task["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def write(kind: str, claim, sha256: str = "") -> None:
        os.write(log, (json.dumps([kind, claim.job_id, claim.ordinal, claim.fence, sha256]) + "\n").encode())

    def patiently(action):
        for _ in range(600):
            try:
                return action()
            except CassetteError as error:
                if not error.retryable:
                    raise
                rest(0.05)
        raise SystemExit("the ledger never came back")

    worker = f"w:{os.getpid()}:{task['seed']}"
    store = with_death_inside(patiently(lambda: open_store(task["location"])), deadly)
    while True:
        claim = patiently(lambda: store.claim(worker, run_id=task.get("run_id"), lease_ms=task["lease_ms"]))
        if claim is None:
            if not patiently(store.has_open_steps):
                break
            rest(0.02)
            continue
        deadly.at("after claim")
        if chance.random() < task["doze"]:
            rest(task["lease_ms"] / 1000 * 1.5)
        if task.get("sabotage") == "acknowledge first":
            write("ack", claim, "promised")
        write("invoke", claim)
        deadly.at("before complete")
        calls = 0

        def complete(held=claim):
            nonlocal calls
            calls += 1
            return store.complete(held, "SUCCESS", {"output": [worker, held.fence]})

        try:
            receipt = complete() if task.get("sabotage") == "assume" else patiently(complete)
        except LeaseError as error:
            write("refused", claim, error.code)
            if task.get("sabotage") == "own clock":  # the control: by my clock the step was still mine
                write("ack", claim, "promised")
            continue
        except CassetteError:  # the control: what was not answered has surely arrived
            write("ack", claim, "promised")
            continue
        if calls > 1:
            write("again", claim)
        deadly.at("after commit")
        if task.get("sabotage") != "acknowledge first":
            write("ack", claim, receipt.sha256)
        deadly.at("after ack")
    store.close()


main()
