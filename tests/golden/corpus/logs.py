"""The log over the ledger: checkpoints, proofs and archives; what operators decide; receipts that workers sign."""

from __future__ import annotations

import sqlite3
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from golden.corpus.case import Case, as_json
from golden.corpus.ledger import Seal, diamond, exported, finished_run, ledger, step
from planvow.cassette import Outcome, SqliteStore, StoredPlan, Worker, WorkerOptions
from planvow.cassette.ledger.schedule import Decider, Limit, Schedule
from planvow.cassette.log.proofs import prove_entry, prove_growth
from planvow.cassette.proof.archive import archive_run
from planvow.cassette.proof.bundle import export_run
from planvow.cassette.proof.checkpoint import checkpoint_envelope
from planvow.cassette.proof.seal import seal_run
from planvow.cassette.proof.verify import verify_ledger
from planvow.cassette.signing.receipts import signed_body

ANN = Decider(made_by="ann", why="to show")


def several(*operations: str, request_id: str = "several") -> StoredPlan:
    """Steps that wait for nothing, each of an operation of its own."""
    steps = tuple(replace(step(f"s{number}"), skill=op) for number, op in enumerate(operations, 1))
    return replace(diamond(request_id), steps=steps, max_attempts={})


def checkpoints() -> str:
    """Two checkpoints, what proves an entry and the growth between them, and a check with both in either order."""
    with ledger() as (clock, store, _):
        finished_run(store, "one")
        earlier = store.checkpoint()
        clock.tick()
        finished_run(store, "two")
        later = store.checkpoint()
        assert earlier is not None
        assert later is not None
        found = [verify_ledger(store, checkpoints=given).faults for given in ([later, earlier], [earlier, later])]
        proofs = [prove_entry(store, 4, later), prove_growth(store, earlier, later)]
        return as_json([earlier, later, checkpoint_envelope(later, Seal("key-1")), *proofs, found])


def archived() -> str:
    """A run of two jobs, between which others stand in the log, moved into a bundle."""
    with ledger() as (clock, store, _), tempfile.TemporaryDirectory() as folder:
        finished_run(store, "old")
        finished_run(store, "young")
        store.checkpoint()
        clock.tick()
        store.post("old", ["more"], several("NOTE", request_id="more"))
        claim = store.claim("w-1")
        assert claim is not None
        store.complete(claim, Outcome.SUCCESS, {"output": 2})
        done = archive_run(store, "old", Path(folder), Seal("key-1"))
        bundle = Path(done.path).read_text("utf-8")
        assert verify_ledger(store).accepted
        rows = store.rows("archives_without_place", most=9)
        said = [replace(done, path=Path(done.path).name), rows, store.checkpoint(), len(bundle)]
        return f"{bundle}\n{as_json(said)}"


def decided() -> str:
    """Priorities, start times, keys and limits: who decided them, and what is claimed next because of them."""
    with ledger() as (clock, store, _), patch("planvow.cassette.databases.sqlite_operated._login", lambda: "golden"):
        operations = ("B", "A", "B", "C", "A", "C", "B", "A", "C", "B", "A")
        keys = {"s2": "k", "s10": "k", "s3": "j"}
        late = Schedule(priority=-3, starts_at=store.now_ms() + 80_000)
        store.post("run", {}, several(*operations), schedule=Schedule(priority=2, keys=keys))
        store.post("run", [], several("Z", "Y", request_id="late"), schedule=late)
        store.set_limit(Limit(scope="operation", name="B", at_once=1), ANN)
        store.set_limit(Limit(scope="key", name="k", at_once=1), ANN)
        store.register_key("press", "key-1", "PUBLIC", ANN)
        order: list[Any] = []
        wanted = frozenset("ABC")
        for turn in (0, 1, 2, 3, 4, 5):
            claims = []
            while (claim := store.claim("w-1", operations=None if turn % 2 else wanted)) is not None:
                claims.append(claim)
                order.append([turn, claim.job_id, claim.ordinal, claim.op])
            for claim in claims:
                store.complete(claim, Outcome.SUCCESS, {"output": None})
            clock.tick()
        seal_run(store, "run")
        keyed = [[key.name, key.key_id, key.public_key] for key in store.worker_keys()]
        return f"{exported(store)}\n{as_json([order, keyed])}"


def signed() -> str:
    """The body of a receipt with its worker's signature."""
    with ledger() as (_, store, _again):
        store.post("run", {}, several("NOTE"))
        claim = store.claim("press@golden:1")
        assert claim is not None
        return as_json(signed_body(Seal("press"), claim, Outcome.SUCCESS, {"output": 1.5}, bytes_used=7))


def side_by_side() -> str:
    """Two workers in one process: what they lack, what comes later, and that both sign."""
    with ledger() as (_, store, open_again):
        store.post("run", {}, several("NOTE", "ZETA", "ALPHA", "NOTE", "MID"))
        later = Schedule(starts_at=store.now_ms() + 80_000)
        store.post("run", [], several("YES", "NO", request_id="late"), schedule=later)

        def sign(claim: Any, outcome: Outcome, body: Any, *more: Any) -> Any:
            return signed_body(Seal("press"), claim, outcome, body, *more)

        said = []
        for number, concurrency in enumerate((2, 1)):
            options = WorkerOptions(worker_id=f"press@golden:{number}", concurrency=concurrency)
            said.append(Worker(open_again, {"NOTE": lambda context: 1}, options, sign=sign).run())
        bodies = [sorted(receipt.body) for job in store.jobs() for receipt in store.receipts(job.job_id)]
        return as_json([*said, bodies])


def keyed() -> str:
    """A run in a bundle, with the key of the worker that ran it and not those of others."""
    with ledger() as (_, store, _again):
        store.register_key("press", "key-1", "PUBLIC", ANN)
        store.register_key("other", "key-2", "PUBLIC", ANN)
        store.post("run", {}, several("NOTE"))
        claim = store.claim("press@golden:1")
        assert claim is not None
        store.complete(claim, Outcome.SUCCESS, {"output": 1})
        return as_json(export_run(store, "run"))


class Noting:
    """A driver that notes how it is asked for a connection."""

    def __init__(self, driver: Any) -> None:
        self.driver, self.asked = driver, []  # type: ignore[var-annotated]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.driver, name)

    def connect(self, path: str, **options: Any) -> Any:
        self.asked.append(options)
        return self.driver.connect(path, **options)


def opened() -> str:
    """How the file of a ledger that is there is opened."""
    with tempfile.TemporaryDirectory() as folder:
        SqliteStore(Path(folder) / "cassette.db", driver=sqlite3).close()
        driver = Noting(sqlite3)
        SqliteStore(Path(folder) / "cassette.db", driver=driver).close()
        return as_json(driver.asked)


CASES = (
    Case("logs/checkpoints", "proof", checkpoints),
    Case("logs/archived", "ledger export", archived),
    Case("logs/decided", "ledger export", decided),
    Case("logs/signed", "proof", signed),
    Case("logs/keyed", "ledger export", keyed),
    Case("logs/side-by-side", "ledger export", side_by_side),
    Case("logs/opened", "ledger export", opened),
)
