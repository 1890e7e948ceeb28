"""The ledger: whole runs exported and sealed, with the clock and the worker fixed, and the proofs over them."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

from golden.corpus.case import Case, as_json
from golden.corpus.contract import stub_plan
from golden.corpus.governed import REQUESTS, index_path, repository
from golden.corpus.htn import example
from planvow import canonical_bytes
from planvow.cassette import Outcome, Source, SqliteStore, Store, StoredPlan, Worker, WorkerOptions
from planvow.cassette.dossier import approve, observe
from planvow.cassette.dossier.approvals import require
from planvow.cassette.jobs.from_contract import stored_plan
from planvow.cassette.jobs.htn_jobs import repair_job, stored_htn_plan
from planvow.cassette.ledger.model import DEFAULT_MAX_ATTEMPTS
from planvow.cassette.ledger.schedule import Decider
from planvow.cassette.ledger.statements import migrations
from planvow.cassette.log.merkle import consistency_proof, inclusion_proof, merkle_root
from planvow.cassette.operate.look import runs_before
from planvow.cassette.proof.archive import archive_run
from planvow.cassette.proof.bundle import export_run, verify_bundle
from planvow.cassette.proof.checkpoint import checkpoint_envelope, read_checkpoint
from planvow.cassette.proof.kept_seal import read_kept_seal
from planvow.cassette.proof.seal import seal_run
from planvow.cassette.proof.verify import verify_ledger
from planvow.cassette.signing.dsse import envelope, pre_authentication_encoding
from planvow.contract import Step, normalise_plan
from planvow.contract.plan.plan import build_plan
from planvow.governed import RequestPlanner, post_request_and_plan
from planvow.kernel import solve

_EPOCH = 2440587.5  # the Julian day of 1970
_TICK = 1 / 1024  # of a day: 84,375 ms, exact in a float
_START = 20_455  # days: 2026-01-02


class FixedClock:
    """A SQLite driver whose clock stands still until it is told to go on."""

    def __init__(self) -> None:
        self.day = _EPOCH + _START

    def __getattr__(self, name: str) -> Any:
        return getattr(sqlite3, name)

    def tick(self) -> None:
        self.day += _TICK

    def connect(self, path: str, **options: Any) -> sqlite3.Connection:
        connection = sqlite3.connect(path, **options, factory=_Trusting)
        connection.create_function("julianday", 1, lambda _now: self.day, deterministic=True)
        return connection


class _Trusting(sqlite3.Connection):
    """A connection that lets triggers call the function that stands for the clock."""

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if sql == "PRAGMA trusted_schema = OFF":
            sql = "PRAGMA trusted_schema = ON"
        return super().execute(sql, *values)


@contextmanager
def ledger() -> Iterator[tuple[FixedClock, SqliteStore, Callable[[], SqliteStore]]]:
    """Yield a clock, an empty ledger and a way to open it again; who decides is the same user everywhere."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, LOGNAME="root"):
        clock = FixedClock()

        def open_again() -> SqliteStore:
            return SqliteStore(Path(folder) / "cassette.db", driver=clock)

        with open_again() as store:
            yield clock, store, open_again


class Seal:
    """Somebody who signs with a secret of his own."""

    def __init__(self, key_id: str) -> None:
        self.key_id = key_id

    def sign(self, message: bytes) -> bytes:
        return hashlib.sha256(self.key_id.encode() + message).digest()


def step(name: str, *needs: str, **more: Any) -> Step:
    return Step(
        step_id=name,
        skill="NOTE",
        params={"message": name, "a": [1.5, None]},
        depends_on=needs,
        **{"retry_count": 0, **more},
    )


def diamond(request_id: str = "diamond", **more: Any) -> StoredPlan:
    steps = (
        step("a"),
        step("b", "a", retry_count=2, on_error="retry"),
        step("c", "a", on_error="continue", output_key="sea"),
        step("d", "c", "b", "a"),
    )
    return StoredPlan(
        planner_id="golden", planner_version="1.0", plan_hash="0" * 64, plan={"steps": [s.step_id for s in steps]},
        steps=steps, max_attempts={"d": 3}, request_id=request_id, intent="to show", index_hash="1" * 64,
        budgets={"max_bytes": 500}, **more,
    )  # fmt: skip


def exported(store: Store, run_id: str = "run") -> str:
    bundle = export_run(store, run_id)
    assert verify_bundle(bundle).accepted
    return as_json(bundle)


def finished_run(store: Store, run_id: str = "run") -> None:
    """Store a job of one step and finish it."""
    store.post(run_id, {"wish": "tea"}, replace(diamond("one"), steps=(step("a"),)))
    claim = store.claim("w-1")
    assert claim is not None
    store.complete(claim, Outcome.SUCCESS, {"output": 1})


def by_hand() -> str:
    """Every outcome: done, failed and tried again, handed back, failed for good; a lease that ran out; two seals."""
    with ledger() as (clock, store, _):
        store.post("run", {"wish": "tea", "n": 1}, diamond())

        def complete(outcome: Outcome, worker: str, body: Any = None, **more: Any) -> None:
            clock.tick()
            claim = store.claim(worker)
            assert claim is not None
            clock.tick()
            store.heartbeat(claim, lease_ms=600_000)
            store.complete(claim, outcome, body, **more)

        complete(Outcome.SUCCESS, "w-1", {"output": {"z": 1, "a": "é"}}, bytes_used=120)
        complete(Outcome.FAILURE, "w-2", {"error": {"code": "SLOW", "message": "later"}}, retry_after_ms=1_000)
        complete(Outcome.ABORTED, "w-2")
        assert store.claim("w-3", lease_ms=1_000) is not None  # whose worker then dies
        for _ in range(3):
            complete(Outcome.SUCCESS, "w-1", {"output": None}, bytes_used=7)
        clock.tick()
        seal_run(store, "run", Seal("key-1"), Seal("key-2"))
        parent = store.jobs()[0].job_id
        store.post("run", ["again"], diamond("again", parent_job_id=parent), source=Source.PLANNER)
        complete(Outcome.FAILURE, "w-4", {"error": {"code": "BROKEN", "message": "no"}})
        clock.tick()
        again = seal_run(store, "run")
        kept = read_kept_seal(again.envelope)
        stored = [plan.plan_hash for plan in store.plans(run_id="run", request_id="again")]
        return f"{exported(store)}\n{as_json([again.envelope, kept, stored])}\n{as_json(store.jobs())}"


def by_a_worker() -> str:
    """A plan of the stub, run by a worker; two other runs in the same ledger."""
    with ledger() as (clock, store, open_again):
        plan = build_plan(normalise_plan(stub_plan()))
        stored = stored_plan(plan, planner_id="stub", planner_version="1.0.0", request_id="q", intent="summary")
        store.post("other", {}, diamond())
        posted = store.post("run", {"input": {"url": "u", "operation": "pick"}}, stored, idempotency_key="k")

        def handler(context: Any) -> Any:
            clock.tick()
            return {"did": context.claim.op, "with": dict(context.payload)}

        skills = dict.fromkeys(("http_call", "json_transform", "llm_invoke"), handler)
        options = WorkerOptions(worker_id="golden:1:worker", run_id="run")
        report = Worker(open_again, skills, options).run()
        seal_run(store, "run")
        outputs = store.outputs(posted.job_id)
        return f"{exported(store)}\n{as_json({'posted': posted, 'report': report, 'outputs': outputs})}"


def governed() -> str:
    """A governed request as it is stored."""
    with ledger() as (_, store, _again), repository("sqlite") as (root, data, _tree):
        with RequestPlanner(root, index_path("sqlite", data)) as planner:
            posted = post_request_and_plan("golden", REQUESTS["feature"], repo_root=root, store=store, planner=planner)
        message_id, job_id = posted
        return f"{exported(store, 'golden')}\n{as_json([message_id, job_id, posted.step_ids, posted.plan_hash])}"


def repaired() -> str:
    """A plan of the engine, its first step failed, and the job that replaces the rest."""
    rescue = example("rescue")
    with ledger() as (clock, store, _):
        result = solve(rescue.problem)
        posted = store.post("run", {"task": "help"}, stored_htn_plan(result, request_id="help"))
        claim = store.claim("w-1")
        assert claim is not None
        clock.tick()
        store.complete(claim, Outcome.FAILURE, {"error": {"code": "FLOOD", "message": "the road is wet"}})
        child, mended = repair_job(store, posted.job_id, result, rescue.start)
        return f"{exported(store)}\n{as_json([posted, child, mended.as_dict()])}"


def left_alone() -> str:
    """A worker that has no function for what comes next says which ones are missing."""
    with ledger() as (_, store, open_again):
        steps = tuple(replace(step(name), skill=name.upper()) for name in ("zeta", "alpha", "mid"))
        store.post("run", {}, replace(diamond(), steps=steps))
        return as_json(Worker(open_again, {}, WorkerOptions(worker_id="golden:1:worker")).run())


def vandalised() -> str:
    """What verification finds, and in which order, where rows were changed behind the ledger's back."""
    with ledger() as (_, store, open_again):
        for run_id in ("run-b", "run-a"):
            finished_run(store, run_id)
            seal_run(store, run_id)
        bundle = export_run(store, "run-a")
        receipt = bundle["jobs"][0]["receipts"][0]
        for ordinal in (9, 7, 8):
            bundle["jobs"][0]["receipts"].append({**receipt, "ordinal": ordinal, "worker_id": "mallory"})
        store.close()
        with closing(sqlite3.connect(store.path)) as connection:
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                connection.execute(f"DROP TRIGGER {name}")
            connection.execute("UPDATE cassette_seals SET merkle_root = 'x'")
            connection.commit()
        with open_again() as again:
            found = (verify_ledger(again), verify_bundle(bundle))
        first = migrations("sqlite")[0].sql  # rules that later migrations added are found too, but grow in number
        faults = [fault for verdict in found for fault in verdict.faults]
        known = [f for f in faults if f.place != "schema" or f" {f.message.split()[1]} " in first]
        return as_json([[fault.place, fault.message] for fault in known])


def proofs() -> str:
    leaves = [f"leaf {i}".encode() for i in range(7)]
    return as_json(
        {
            "roots": [merkle_root(leaves[:size]) for size in range(8)],
            "inclusion": [inclusion_proof(leaves, index) for index in range(7)],
            "consistency": [consistency_proof(leaves, size) for size in range(1, 8)],
            "signed bytes": pre_authentication_encoding("text/plain é", b"\x00payload"),
            "envelope": envelope("text/plain", b"payload", Seal("key-2"), Seal("key-1")),
        }
    )


def archived() -> str:
    """A run with a decision, moved into its bundle; the checkpoint that covers it, and the one after it."""
    with ledger() as (clock, store, _), tempfile.TemporaryDirectory() as folder:
        posted = store.post("run", {"wish": "tea"}, replace(diamond("one"), steps=(step("a"),)))
        require(store, posted.job_id, "a", by="plan", reason="hot")
        approve(store, posted.job_id, "a", by="ann")
        clock.tick()
        claim = store.claim("w-1")
        assert claim is not None
        store.complete(claim, Outcome.SUCCESS, {"output": 1})
        observe(store, posted.job_id, "a", {"cup": "full"})
        cancelled = store.post("other", {}, diamond("two")).job_id
        store.cancel(cancelled, Decider(made_by="ann", why="enough"))
        first = store.checkpoint()
        assert first is not None
        clock.tick()
        made = archive_run(store, "run", Path(folder), Seal("key-1"))
        bundle = json.loads(Path(made.path).read_text("utf-8"))
        last = store.checkpoint()
        assert last is not None
        assert verify_bundle(bundle).accepted
        assert verify_ledger(store, checkpoints=[first, last]).accepted
        kept = [checkpoint_envelope(point, Seal("key-1"), Seal("key-2")) for point in (first, last)]
        entries = store.rows("log_leaves", tree_size=last.tree_size)
        return f"{as_json(bundle)}\n{as_json(kept)}\n{as_json([read_checkpoint(kept[1]), entries])}"


def looked_at() -> str:
    """Which runs fit what is looked for, newest first."""
    with ledger() as (_clock, store, _):
        for number, planner in enumerate(("golden", "other", "golden")):
            store.post(f"run{number}", {"wish": f"tea {number}"}, replace(diamond(f"{number}"), planner_id=planner))
        looks: tuple[dict[str, Any], ...] = ({}, {"planner": "golden"}, {"find": "tea 1"}, {"planner": "none"})
        return as_json([runs_before(store, None, 5, **look) for look in looks])


CASES = (
    Case("ledger/archived", "ledger archive", archived),
    Case("ledger/by-hand", "ledger export", by_hand),
    Case("ledger/by-a-worker", "ledger export", by_a_worker),
    Case("ledger/governed", "ledger export, governed", governed),
    Case("ledger/repaired", "ledger export, htn", repaired),
    Case("ledger/looked-at", "ledger export", looked_at),
    Case("ledger/left-alone", "ledger export", left_alone),
    Case("ledger/vandalised", "ledger export", vandalised),
    Case("ledger/proofs", "proof", proofs),
    Case("ledger/stored-plan", "contract plan", lambda: canonical_bytes(_stored())),
)


def _stored() -> dict[str, Any]:
    """A plan of the contract as the ledger takes it, its steps in the ledger's words."""
    plan = build_plan(normalise_plan(stub_plan()))
    stored = stored_plan(plan, planner_id="stub", planner_version="1.0.0", request_id="q", budgets={"b": 1, "a": 2})
    said = {name: value for name, value in vars(stored).items() if name not in ("steps", "max_attempts")}
    names = ("step_id", "op", "payload", "depends_on", "on_error", "retry_count", "output_key")
    steps = [
        {name: getattr(step, name) for name in names} | {"max_attempts": DEFAULT_MAX_ATTEMPTS} for step in stored.steps
    ]
    return {**said, "steps": steps}
