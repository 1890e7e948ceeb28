"""What the log over everything costs: memory of `cassette verify`, time and room of the log, as the ledger grows.

    python bench/log.py [--receipts 10000,1000000] [--steps 1000] [--store sqlite|postgres] [--sizes | --worker 4000]

Ledgers are written straight into their tables, with every hash in order, and get their log by `checkpoint`. Then the
real command verifies them; its peak is what the kernel says of that process, which a small one starts. Gate: the peak
at the largest number of receipts is at most 20 MB above that at the smallest. `--sizes` measures bytes for each step at
10, 1,000 and 100,000 steps, without and with the log, and what `archive` leaves. `--worker` measures what a step costs
a whole worker, with and without checkpoints.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests/lab"), str(ROOT / "bench"), str(ROOT / "src")]

from planvow.canonical import canonical_json, derived_id  # noqa: E402
from planvow.cassette.ledger.chain import head_hash, receipt_hash, receipt_id, sha256_text  # noqa: E402

GATE_MB = 20
START = 1_700_000_000_000
STARTER = (  # a small process, because a child's peak begins with that of whoever started it
    "import os, sys; pid = os.posix_spawn(sys.executable, [sys.executable, *sys.argv[1:]], os.environ);"
    "_, status, used = os.wait4(pid, 0);"
    "print(used.ru_maxrss, used.ru_utime + used.ru_stime, os.waitstatus_to_exitcode(status), file=sys.stderr)"
)
Rows = dict[str, list[tuple[Any, ...]]]


def job_rows(number: int, steps: int, events_before: int) -> Rows:
    """A finished job as a worker leaves it: each step leased once and committed."""
    run, key = f"run-{number // 10}", f"request {number}"
    message_id = derived_id("msg", [run, key], length=32)
    job = derived_id("job", [message_id], length=32)
    payload = canonical_json({"request_id": key})
    plan = canonical_json({"steps": steps})
    message = {"seq": number + 1, "message_id": message_id, "run_id": run, "source": "USER", "idempotency_key": key,
               "payload_json": payload, "payload_sha256": sha256_text(payload), "created_at": START}  # fmt: skip
    job_row = {"job_id": job, "message_id": message_id, "message_seq": number + 1, "run_id": run, "intent": "",
               "ordinal": 1, "step_count": steps, "max_bytes": None, "created_at": START}  # fmt: skip
    plan_row = {"job_id": job, "run_id": run, "request_id": key, "planner_id": "bench", "planner_version": "1",
                "plan_hash": "0" * 64, "index_hash": None, "budgets_json": "{}", "plan_json": plan,
                "plan_sha256": sha256_text(plan), "parent_job_id": None, "created_at": START}  # fmt: skip
    definitions, states, events, receipts = [], [], [], []
    for ordinal in range(1, steps + 1):
        text = canonical_json({"message": f"step {ordinal}"})
        definitions.append({"job_id": job, "ordinal": ordinal, "step_id": f"s{ordinal}", "op": "NOTE",
                            "payload_json": text, "payload_sha256": sha256_text(text), "on_error": "abort",
                            "retry_count": 0, "output_key": None, "max_attempts": 5})  # fmt: skip
        states.append((job, ordinal, run, number + 1, "NOTE", "COMMITTED", 1, 1, 0, 0, START, None, None, None))
    needs = [(ordinal, ordinal - 1) for ordinal in range(2, steps + 1)]
    head = head_hash(message, job_row, plan_row, definitions, needs)
    before = head
    for ordinal in range(1, steps + 1):
        at, seq = START + ordinal, events_before + 2 * ordinal - 1
        events.append((seq, job, ordinal, "PENDING", "LEASED", 1, "host:1:abcd", at))
        events.append((seq + 1, job, ordinal, "LEASED", "COMMITTED", 1, "host:1:abcd", at))
        body = canonical_json({"op": "NOTE", "output": {"note": f"step {ordinal}"}, "step_id": f"s{ordinal}"})
        row = {"prev_sha256": before, "job_id": job, "ordinal": ordinal, "fence": 1, "chain_seq": ordinal,
               "worker_id": "host:1:abcd", "outcome": "SUCCESS", "receipt_json_sha256": sha256_text(body),
               "bytes_used": 0, "bytes_total": 0, "retry_after_ms": None, "created_at": at}  # fmt: skip
        before = receipt_hash(row)
        receipts.append((receipt_id(before), job, ordinal, 1, ordinal, "host:1:abcd", "SUCCESS", body,
                         row["receipt_json_sha256"], 0, 0, None, row["prev_sha256"], before, at))  # fmt: skip
    jobs = [(*list(job_row.values())[:-1], head, START)]
    return {"cassette_messages": [tuple(message.values())], "cassette_jobs": jobs,
            "cassette_plans": [tuple(plan_row.values())],
            "cassette_step_definitions": [tuple(row.values()) for row in definitions],
            "cassette_step_dependencies": [(job, *pair) for pair in needs], "cassette_step_states": states,
            "cassette_step_events": events, "cassette_receipts": receipts}  # fmt: skip


def ledger_rows(receipts: int, steps: int) -> Iterator[Rows]:
    for number in range(-(-receipts // steps)):
        yield job_rows(number, min(steps, receipts - number * steps), 2 * number * steps)


def fill_sqlite(folder: Path, receipts: int, steps: int) -> str:
    from planvow.adapters.databases.opening import open_ledger

    where = str(folder / "cassette.db")
    open_ledger(where).close()
    raw = sqlite3.connect(where, isolation_level=None)
    rules = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid").fetchall()
    for name, _ in rules:
        raw.execute(f"DROP TRIGGER {name}")
    raw.execute("PRAGMA synchronous = OFF")
    raw.execute("BEGIN")
    for tables in ledger_rows(receipts, steps):
        for table, rows in tables.items():
            if rows:  # columns that later migrations added stand at the end and have defaults
                columns = [row[1] for row in raw.execute(f"PRAGMA table_info({table})")][: len(rows[0])]
                marks = ", ".join("?" * len(columns))
                raw.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)
    for _, rule in rules:
        raw.execute(rule)
    raw.execute("COMMIT")
    raw.close()
    return where


def fill_postgres(receipts: int, steps: int, *, name: str | None = None) -> str:
    import psycopg

    from planvow.adapters.databases.opening import open_ledger
    from postgres_server import running_server

    name = name or f"log_{receipts}_{steps}"
    with psycopg.connect(running_server().conninfo, autocommit=True) as raw:
        raw.execute(f"CREATE DATABASE {name}")
    where = f"postgresql://postgres@/{name}?host={running_server().folder}"
    open_ledger(where).close()
    with psycopg.connect(where, options="-c search_path=planvow -c session_replication_role=replica") as raw:
        for tables in ledger_rows(receipts, steps):
            for table, rows in tables.items():
                if not rows:
                    continue
                of_table = (
                    "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND attnum <= %s"
                )
                names = raw.execute(f"{of_table} ORDER BY attnum", (table, len(rows[0]))).fetchall()
                columns = ", ".join(name for (name,) in names)
                with raw.cursor() as cursor, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                    for row in rows:
                        copy.write_row(row)
        raw.commit()
        raw.autocommit = True
        raw.execute("VACUUM ANALYZE")
    return where


def measured(*words: str) -> dict[str, float]:
    """Run planvow; return its peak in MB, its CPU seconds and its exit code."""
    command = [sys.executable, "-c", STARTER, "-m", "planvow", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    peak, cpu, code = done.stderr.split()[-3:]
    return {"peak_mb": round(int(peak) / 1024, 1), "cpu_s": round(float(cpu), 1), "exit": int(code)}


def main_memory(counts: list[int], steps: int, kind: str) -> int:
    from planvow.adapters.databases.opening import open_ledger

    peaks = {}
    for receipts in counts:
        with tempfile.TemporaryDirectory() as folder:
            where = fill_sqlite(Path(folder), receipts, steps) if kind == "sqlite" else fill_postgres(receipts, steps)
            began = time.process_time(), time.monotonic()
            with open_ledger(where) as store:
                made = store.checkpoint()
            took = time.process_time() - began[0], time.monotonic() - began[1]
            assert made is not None
            found = measured("cassette", "verify", "--store", where, "--json")
            peaks[receipts] = found["peak_mb"]
            each = took[0] / made.tree_size * 1e6
            print(f"{kind} {receipts:>9} receipts in jobs of {steps}: verify {found['peak_mb']} MB peak, "
                  f"{found['cpu_s']} s CPU, exit {found['exit']}; log of {made.tree_size} entries made in "
                  f"{took[1]:.1f} s ({each:.0f} us of client CPU an entry)", flush=True)  # fmt: skip
            if found["exit"]:
                return 1
    rise = peaks[counts[-1]] - peaks[counts[0]]
    holds = rise <= GATE_MB
    verdict = "holds" if holds else "MISSED"
    print(f"gate: {rise:.1f} MB more at {counts[-1]} than at {counts[0]}, at most {GATE_MB}: {verdict}")
    return 0 if holds else 1


def main_worker(kind: str, steps: int) -> int:
    """CPU of a whole worker for each step, without checkpoints and with them, client and server together."""
    from cassette import Meter  # the bench beside this one
    from ledgers import independent, post
    from planvow.adapters.databases.opening import open_ledger
    from planvow.cassette import Worker, WorkerOptions

    costs: dict[str, list[float]] = {"without": [], "with": []}
    for number in range(6):
        name = ("without", "with")[number % 2]
        with tempfile.TemporaryDirectory() as folder:
            postmaster = None
            where = f"{folder}/cassette.db"
            if kind == "postgres":
                from postgres_server import running_server

                postmaster, where = running_server().pid, fill_postgres(0, 1, name=f"work_{number}")
            with open_ledger(where) as store:
                for job in range(4):
                    post(store, independent(steps // 4, request_id=f"job {job}"))
            seconds = None if name == "without" else 1.0
            options = WorkerOptions(checkpoint_seconds=seconds, checkpoint_entries=200)
            with Meter(postmaster) as meter:
                Worker(lambda where=where: open_ledger(where), {"NOTE": lambda _: None}, options).run()
            costs[name].append(meter.per(steps)["total_ms"])
            with open_ledger(where) as store:
                logged = store.rows("last_checkpoint")
            assert bool(logged) == (name == "with")
    least = {name: min(found) for name, found in costs.items()}
    print(f"{kind}: {least['without']} ms CPU a step without checkpoints, {least['with']} with them, all counted: "
          f"{(least['with'] / least['without'] - 1) * 100:+.0f} %")  # fmt: skip
    return 0


def bytes_of(where: str) -> int:
    if not where.startswith("postgresql"):
        from planvow.adapters.databases.opening import sqlite_driver

        with closing(sqlite_driver().connect(where, isolation_level=None)) as raw:
            raw.execute("VACUUM")
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return os.path.getsize(where)
    import psycopg

    with psycopg.connect(where, autocommit=True, options="-c search_path=planvow") as raw:
        raw.execute("VACUUM FULL")
        found = raw.execute("SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c WHERE c.relkind = 'r'"
                            " AND c.relnamespace = 'planvow'::regnamespace").fetchone()  # fmt: skip
        return int(found[0])


def main_sizes(counts: list[int], kind: str) -> int:
    from planvow.adapters.databases.opening import open_ledger

    for receipts in counts:
        with tempfile.TemporaryDirectory() as folder:
            steps = min(receipts, 100)
            where = fill_sqlite(Path(folder), receipts, steps) if kind == "sqlite" else fill_postgres(receipts, steps)
            without = bytes_of(where)
            with open_ledger(where) as store:
                store.checkpoint()
            logged = bytes_of(where)
            spent = measured("cassette", "archive", "--store", where, "--before", "2100-01-01", "--to", f"{folder}/old",
                             "--json")  # fmt: skip
            bundles = sum(file.stat().st_size for file in Path(folder, "old").iterdir())
            left = bytes_of(where)
            verified = measured("cassette", "verify", "--store", where, "--json")
            print(json.dumps({"store": kind, "steps": receipts, "bytes": without, "with_log": logged,
                              "archived": left, "bundles": bundles,
                              "a_step": round(without / receipts), "its_log": round((logged - without) / receipts),
                              "archived_a_step": round(left / receipts), "archive": spent,
                              "verify_after": verified}), flush=True)  # fmt: skip
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--receipts", help="how many, separated by commas; 10000,1000000, or 10,1000,100000 for --sizes"
    )
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--sizes", action="store_true")
    parser.add_argument(
        "--worker", type=int, metavar="STEPS", help="what a step costs a worker, without and with the log"
    )
    chosen = parser.parse_args()
    default = "10,1000,100000" if chosen.sizes else "10000,1000000"
    counts = [int(count) for count in (chosen.receipts or default).split(",")]
    if chosen.worker:
        return main_worker(chosen.store, chosen.worker)
    if chosen.sizes:
        return main_sizes(counts, chosen.store)
    return main_memory(counts, chosen.steps, chosen.store)


if __name__ == "__main__":
    sys.exit(main())
