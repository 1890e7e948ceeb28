"""Ledgers for tests: plans to store, SQLite files, and a real PostgreSQL on a private socket."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from planvow.cassette import SqliteStore, Store, StoredPlan
from planvow.contract import Step


def step(name: str, *needs: str, op: str = "NOTE", **more: Any) -> Step:
    return Step(step_id=name, skill=op, params={"message": name}, depends_on=needs, **{"retry_count": 0, **more})


def plan_of(*steps: Step, request_id: str = "req", **more: Any) -> StoredPlan:
    names = [s.step_id for s in steps]
    facts = {"planner_id": "test", "planner_version": "1.0", "plan_hash": "0" * 64, "plan": {"steps": names}}
    return StoredPlan(steps=steps, request_id=request_id, **{**facts, **more})


def independent(count: int, **more: Any) -> StoredPlan:
    names = [f"s{i}" for i in range(1, count + 1)]
    return plan_of(*map(step, names), max_attempts=dict.fromkeys(names, 1000), **more)


def chained(count: int, **more: Any) -> StoredPlan:
    steps = [step(f"s{i}", *([f"s{i - 1}"] if i > 1 else [])) for i in range(1, count + 1)]
    return plan_of(*steps, **more)


def post(store: Store, plan: StoredPlan, *, run_id: str = "run", **more: Any) -> str:
    return store.post(run_id, {"request_id": plan.request_id}, plan, **more).job_id


def statuses(store: Store, job_id: str) -> list[str]:
    return [str(s.status) for s in store.steps(job_id)]


def sqlite_ledger(folder: Path) -> SqliteStore:
    return SqliteStore(folder / "cassette.db")
