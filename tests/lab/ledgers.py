"""Ledgers for tests: plans to store, SQLite files, and a real PostgreSQL on a private socket."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from planvow.cassette import SqliteStore, Store, StoredPlan
from planvow.cassette.ledger.statements import migrations, named_statements
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


def as_migrated_to(version: int, path: Path) -> None:
    """Turn a SQLite ledger into one that has no later migration, with the same rows in the tables there were then."""
    newest = path.with_name("newest.db")
    path.rename(newest)
    raw = sqlite3.connect(path, isolation_level=None)
    raw.executescript(named_statements("sqlite.sql")["create_migrations"] + ";")
    for migration in migrations("sqlite"):
        if migration.version <= version:
            raw.executescript(migration.sql)
    raw.execute("ATTACH ? AS newest", (str(newest),))
    rules = raw.execute("SELECT name, sql FROM main.sqlite_master WHERE type = 'trigger' ORDER BY rowid").fetchall()
    tables = raw.execute("SELECT name FROM main.sqlite_master WHERE type = 'table' ORDER BY rowid").fetchall()
    raw.execute("BEGIN")
    for name, _ in rules:
        raw.execute(f"DROP TRIGGER main.{name}")
    for (table,) in tables:
        columns = ", ".join(row[1] for row in raw.execute(f"PRAGMA main.table_info({table})"))
        raw.execute(f"DELETE FROM main.{table}")
        raw.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM newest.{table}")
    raw.execute("DELETE FROM main.cassette_migrations WHERE version > ?", (version,))
    for _, rule in rules:
        raw.execute(rule)
    raw.execute("COMMIT")
    raw.close()
    newest.unlink()
