"""F13: the same requests give the same bytes, whatever the process, its hash seed, locale, time zone and stores.

Each process plans the same stream of good and mutated requests on one kind of substrate, stores what was planned in one
kind of ledger and reads it back. What it prints is one digest over every plan, every stored plan and every refusal.

    python fault_determinism.py '{"root": …, "substrate": "jsonl", "ledger": …, "count": 100, "sabotage": false}'
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SURROUNDINGS = (
    {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
    {"PYTHONHASHSEED": "4242", "LC_ALL": "C.UTF-8", "TZ": "Asia/Kolkata"},
    {"PYTHONHASHSEED": "0", "LC_ALL": "POSIX", "TZ": "America/St_Johns"},
    {"PYTHONHASHSEED": "99", "LC_ALL": "C", "TZ": "Pacific/Kiritimati"},
)


@dataclass(frozen=True)
class Comparison:
    processes: int
    planned: int
    digests: int

    @property
    def wrong(self) -> dict[str, int]:
        return {"differing": self.digests - 1, "without_a_plan": int(self.planned == 0)}


def compare(folder: Path, *, count: int, surroundings: Any = SURROUNDINGS, sabotage: bool = False) -> Comparison:
    """Plan the same requests in several processes, two at a time, on all combinations of stores that take turns."""
    from fault_lab import with_tests_on_path
    from postgres_server import running_server

    roots = {}
    for kind in ("sqlite", "jsonl"):
        roots[kind] = folder / kind
        roots[kind].mkdir()
        _make_repository(roots[kind], kind)
    tasks = []
    for number, around in enumerate(surroundings):
        substrate = ("sqlite", "jsonl")[number % 2]
        ledger = f"determinism_{os.getpid()}_{number}" if number % 4 in (1, 2) else None
        conninfo = running_server().conninfo if ledger is not None else None
        task = {"root": str(roots[substrate]), "substrate": substrate, "schema": ledger, "conninfo": conninfo,
                "count": count, "sabotage": sabotage}  # fmt: skip
        tasks.append((task, {**with_tests_on_path(), **around}))
    answers = []
    for pair in (tasks[start : start + 2] for start in range(0, len(tasks), 2)):
        running = [
            subprocess.Popen([sys.executable, __file__, json.dumps(task)], env=around, stdout=subprocess.PIPE)
            for task, around in pair
        ]
        answers += [json.loads(process.communicate()[0]) for process in running]
    return Comparison(len(answers), answers[0]["planned"], len({answer["digest"] for answer in answers}))


def _make_repository(root: Path, kind: str) -> None:
    sys.path.insert(0, str(HERE.parent / "faults"))
    from test_f11_f20_requests import make_repository

    make_repository(root, substrate=kind)


def main() -> None:
    sys.path.insert(0, str(HERE.parent / "faults"))
    from test_f11_f20_requests import budget_request, mutated

    from planvow.canonical import canonical_json
    from planvow.errors import PlanvowError
    from planvow.governed import RequestPlanner, post_request_and_plan

    task = json.loads(sys.argv[1])
    chance = random.Random(13)
    digest = hashlib.sha256()
    planned = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        _ledger(task, Path(folder)) as store,
        RequestPlanner(
            task["root"], Path(task["root"]) / ".planvow" / ("index" if task["substrate"] == "jsonl" else "index.db")
        ) as planner,
    ):
        for number in range(task["count"]):
            request = budget_request(chance, number) if number % 3 else mutated(chance)
            try:
                plan = planner.plan_request(request, substrate=task["substrate"])
                said = canonical_json(plan)
                planned += 1
                if number % 3:
                    where = {"planner": planner, "repo_root": task["root"], "substrate": task["substrate"]}
                    posted = post_request_and_plan("run", request, store=store, **where)
                    (stored,) = store.plans(job_id=posted.job_id)
                    said += canonical_json([stored.plan, stored.plan_hash, posted.message_id, list(posted.step_ids)])
            except PlanvowError as error:
                said = f"{error.code} {error.message}"
            if task["sabotage"]:
                said += str({f"name {n}" for n in range(9)})
            digest.update(f"{said}\n".encode("utf-8", "surrogatepass"))
    print(json.dumps({"planned": planned, "digest": digest.hexdigest()}))


def _ledger(task: dict[str, Any], folder: Path) -> Any:
    from ledgers import sqlite_ledger

    if task["schema"] is None:
        return sqlite_ledger(folder)
    import psycopg

    from planvow.cassette.databases.postgres import PostgresStore

    return PostgresStore(task["conninfo"], driver=psycopg, schema=task["schema"])


if __name__ == "__main__":
    main()
