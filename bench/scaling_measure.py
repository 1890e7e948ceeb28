"""What `bench/scaling.py` puts into its simulation, measured: CPU and bytes of real workers and real ledgers.

Costs are CPU of the processes concerned (`/proc/PID/schedstat`), and of all others on the machine while workers share
steps (`/proc/stat`): the disk's threads, PostgreSQL's other processes, and whatever else runs. How long a flush of the
write-ahead log takes is told by PostgreSQL for each run, how unequal flushes are by flushing as it does just before. A
quiet machine is wanted all the same: how long processes wait for a core is what the simulation has to find.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests/lab"), str(ROOT / "bench")]

import psycopg  # noqa: E402

from cassette import Meter, open_one, whole_worker  # noqa: E402
from fault_bloat import buffers_of_a_claim  # noqa: E402
from ledgers import independent, post  # noqa: E402
from planvow.cassette import Worker, WorkerOptions  # noqa: E402
from planvow.cassette.databases.postgres import PostgresStore  # noqa: E402
from postgres_server import PostgresServer  # noqa: E402

WORKERS = (1, 2, 4)
STEPS_A_JOB = 100
TURNS = 7
"""So often the workers share steps, in turn; of each form the one in the middle stands for it."""
SIZE = """SELECT sum(pg_total_relation_size(c.oid))::bigint AS size FROM pg_class c JOIN pg_namespace n
          ON n.oid = c.relnamespace WHERE n.nspname = %s AND c.relkind = 'r'"""

FLUSHES = "SELECT sum(fsyncs)::bigint, sum(fsync_time + write_time) FROM pg_stat_io WHERE object = 'wal'"
FLUSHES_TO_17 = "SELECT wal_sync, wal_sync_time + wal_write_time FROM pg_stat_wal"


class Scheduled:
    """The seconds for which a thread ran, and for which it was ready and waited for a core."""

    def __init__(self, thread: int) -> None:
        self._file = os.open(f"/proc/{thread}/schedstat", os.O_RDONLY)

    def now(self) -> tuple[float, float]:
        ran, waited, _ = os.pread(self._file, 100, 0).split()
        return int(ran) / 1e9, int(waited) / 1e9


BUSY = (0, 1, 2, 5, 6)  # of the first line of /proc/stat: user, nice, system, irq, softirq
SEEN_EVERY = 25
LEAST_CYCLES = 200
"""With fewer, four workers have not four looks at the cores each: what others on the machine took is not told."""


class TooFewSteps(Exception):
    """Workers shared so few steps that nothing can be divided by the time between them."""


def busy_seconds() -> float:
    """Return for how long the cores of this machine were busy, all together."""
    line = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    return sum(int(line[place]) for place in BUSY) / os.sysconf("SC_CLK_TCK")


def one_worker(task: dict[str, Any]) -> dict[str, Any]:
    """Be a worker: get ready, wait for the word, work until nothing is left. Each step leaves a mark."""
    opened: list[PostgresStore] = []
    watched: list[Scheduled] = [Scheduled(os.getpid())]
    marks: list[tuple[float, ...]] = []
    seen: list[tuple[float, float]] = []

    def open_store() -> PostgresStore:
        opened.append(PostgresStore(task["conninfo"], driver=psycopg, schema=task["schema"]))
        if len(opened) == 1:
            watched.append(Scheduled(opened[0]._connection.info.backend_pid))
        return opened[-1]

    def note(_step: object) -> None:
        if not len(marks) % SEEN_EVERY:
            seen.append((time.perf_counter(), busy_seconds()))
        marks.append((time.perf_counter(), *watched[0].now(), *watched[1].now()))

    options = WorkerOptions(spread=task["spread"], checkpoint_seconds=None)
    worker = Worker(open_store, {"NOTE": note}, options)
    PostgresStore(task["conninfo"], driver=psycopg, schema=task["schema"]).close()  # what is loaded once is loaded now
    print("ready", flush=True)
    sys.stdin.readline()
    worker.run()
    return {"marks": marks, "seen": seen, "connections": len(opened)}


def shared(server: PostgresServer, disk: Disk, steps: int) -> dict[str, list[dict[str, Any]]]:
    """Return what workers do together: in two jobs for each of them, and all on one job."""
    found: dict[str, list[list[dict[str, Any]]]] = {"spread": [], "one_job": []}
    for turn in range(TURNS):
        for kind, runs in found.items():
            runs.append(
                [together(server, disk, workers, steps, turn, one_job=kind == "one_job") for workers in WORKERS]
            )
    return {
        kind: [sorted(of_one, key=lambda run: run["rate"])[TURNS // 2] for of_one in zip(*runs, strict=True)]
        for kind, runs in found.items()
    }


def together(
    server: PostgresServer, disk: Disk, workers: int, steps: int, turn: int, *, one_job: bool
) -> dict[str, Any]:
    """Let so many workers share so many steps, in one job or in two for each worker."""
    schema = f"together_{workers}_{int(one_job)}_{turn}"
    jobs = 1 if one_job else 2 * workers
    with PostgresStore(server.conninfo, driver=psycopg, schema=schema) as store:
        for number in range(jobs):
            post(store, independent(steps // jobs, request_id=f"job {number}"))
    task = json.dumps({"conninfo": server.conninfo, "schema": schema, "spread": not one_job})
    people = [
        subprocess.Popen([sys.executable, __file__, task], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(workers)
    ]
    for each in people:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    alone = disk.flushes()
    flushed = Flushed(server)
    for each in people:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    told = [json.loads(each.communicate()[0].splitlines()[-1]) for each in people]
    within, busy = while_all_worked(told)
    done = sum(len(marks) - 1 for marks in within)

    def total(column: int) -> float:
        return sum(marks[-1][column] - marks[0][column] for marks in within)

    rate = sum((len(marks) - 1) / (marks[-1][0] - marks[0][0]) for marks in within)
    own = (total(1) + total(3)) / done

    return {
        "workers": workers,
        "steps": done,
        "rate": rate,
        "client_ms": 1000 * total(1) / done,
        "server_ms": 1000 * total(3) / done,
        "others_ms": 1000 * max(0.0, busy / rate - own),
        "connections": max(one["connections"] for one in told),
        **alone,
        **flushed.since(),
    }


def while_all_worked(told: list[dict[str, Any]]) -> tuple[list[list[list[float]]], float]:
    """Return each worker's marks from the time when all were at it, and how many cores were busy then."""
    told = [one for one in told if len(one["marks"]) > 1]
    begin = max((one["marks"][0][0] for one in told), default=0.0)
    end = min((one["marks"][-1][0] for one in told), default=0.0)
    within = [[mark for mark in one["marks"] if begin <= mark[0] <= end] for one in told]
    seen = [one for one in told[0]["seen"] if begin <= one[0] <= end] if told else []
    if len(seen) < 2 or min(map(len, within)) < 2:
        steps = [len(marks) for marks in within]
        raise TooFewSteps(f"too few steps while all workers were at it, {steps or 'none'}: give more --cycles")
    return within, (seen[-1][1] - seen[0][1]) / (seen[-1][0] - seen[0][0])


class Disk:
    """Flushes as PostgreSQL makes them: 8 kB written over what a file has already, then brought to the disk."""

    PAGE = 8192
    PAGES = 1024

    def __init__(self, folder: Path) -> None:
        self._file, self._page = os.open(folder / "flushed", os.O_RDWR | os.O_CREAT), 0
        for _ in range(self.PAGES):
            os.write(self._file, bytes(self.PAGE))
        os.fsync(self._file)

    def flushes(self, times: int = 200) -> dict[str, Any]:
        """Return what a flush takes without its CPU and without waiting for a core, and how unequal flushes are."""
        found, cpu, own = [], [], Scheduled(os.getpid())
        for _ in range(times):
            (ran, waited), begun = own.now(), time.perf_counter()
            os.pwrite(self._file, bytes(self.PAGE), self.PAGE * (self._page % self.PAGES))
            os.fdatasync(self._file)
            took, (ran_now, waited_now) = time.perf_counter() - begun, own.now()
            self._page += 1
            found.append(max(0.0, took - (ran_now - ran) - (waited_now - waited)))
            cpu.append(ran_now - ran)
        mean = statistics.mean(found)
        return {
            "flush_ms": 1000 * mean,
            "flush_cpu_ms": 1000 * statistics.mean(cpu),
            "flush_shares": [round(found_in / mean, 4) for found_in in quantiles(found)],
        }


def quantiles(values: list[float], count: int = 50) -> list[float]:
    """Return the means of equally many values each, in order: a distribution with the same mean."""
    ordered, size = sorted(values), len(values) // count
    return [statistics.mean(ordered[start : start + size]) for start in range(0, size * count, size)]


class Flushed:
    """How often the server brought its write-ahead log to the disk, and how long that took it, CPU and all."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self._before = self._now()

    def _now(self) -> tuple[int, float]:
        with psycopg.connect(self._server.conninfo, autocommit=True) as connection:
            connection.execute("SELECT pg_stat_force_next_flush()")
            asked = FLUSHES if connection.info.server_version >= 180000 else FLUSHES_TO_17
            return connection.execute(asked).fetchone()

    def since(self) -> dict[str, float]:
        times, milliseconds = (now - before for now, before in zip(self._now(), self._before, strict=True))
        return {"flushes": times, "server_flush_ms": milliseconds / times}


def sizes(server: PostgresServer, jobs: int) -> dict[str, float]:
    """Work off jobs of 100 steps and count: bytes, log of the database, transactions, entries, vacuum, growth."""
    schema = "sizes"
    with PostgresStore(server.conninfo, driver=psycopg, schema=schema) as store:
        ask = store._connection.execute

        def at() -> dict[str, float]:
            told = {"size": ask(SIZE, (schema,)).fetchone()["size"]}
            told["wal"] = ask("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS n").fetchone()["n"]
            told["ids"] = int(ask("SELECT pg_current_xact_id()::text AS n").fetchone()["n"])
            return {name: float(value) for name, value in told.items()}

        def work_off(first: int, count: int) -> None:
            for number in range(first, first + count):
                post(store, independent(STEPS_A_JOB, request_id=f"job {number}"))
            claim = store.claim("w")
            while claim:
                _, claim = store.complete_and_claim(claim, "SUCCESS", {"output": None})

        def vacuum() -> float:
            before = backend.now()[0]
            for row in ask("SELECT relname FROM pg_stat_user_tables WHERE schemaname = %s", (schema,)).fetchall():
                ask(f"VACUUM (ANALYZE) {schema}.{row['relname']}")
            return backend.now()[0] - before

        def entries() -> int:
            return ask("SELECT count(*) AS n FROM cassette_log").fetchone()["n"]

        backend = Scheduled(store._connection.info.backend_pid)
        work_off(0, 3)
        store.checkpoint()
        vacuum()
        post(store, independent(STEPS_A_JOB, request_id="probe 1"))
        few = buffers_of_a_claim(store)
        ask("CHECKPOINT")
        start, logged_before = at(), entries()
        work_off(3, jobs)
        steps = jobs * STEPS_A_JOB
        worked, before = at(), backend.now()[0]
        store.checkpoint()
        log_seconds, logged = backend.now()[0] - before, at()
        added = entries() - logged_before
        vacuumed = vacuum()
        post(store, independent(STEPS_A_JOB, request_id="probe 2"))
        many = buffers_of_a_claim(store)
    return {
        "steps": steps,
        "bytes_a_step": (worked["size"] - start["size"]) / steps,
        "log_bytes_a_step": (logged["size"] - worked["size"]) / steps,
        "wal_bytes_a_step": (worked["wal"] - start["wal"]) / steps,
        "log_wal_bytes_a_step": (logged["wal"] - worked["wal"]) / steps,
        "transactions_a_step": (worked["ids"] - start["ids"]) / steps,
        "entries_a_step": added / steps,
        "entry_ms": 1000 * log_seconds / added,
        "vacuum_ms_a_step": 1000 * vacuumed / steps,
        "buffers_of_a_claim_few": few,
        "buffers_of_a_claim_many": many,
    }


def sqlite_bytes(jobs: int) -> float:
    """Return the bytes of a step in a ledger on SQLite, its places in the log included."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_one({"kind": "sqlite", "folder": folder})
        found = []
        for count in (3, jobs):
            for number in range(count):
                post(store, independent(STEPS_A_JOB, request_id=f"job {count} {number}"))
            with store.transaction():
                while claim := store.claim("w"):
                    store.complete(claim, "SUCCESS", {"output": None})
            store.checkpoint()
            store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            found.append((Path(folder) / "cassette.db").stat().st_size)
        store.close()
    return (found[1] - found[0]) / (jobs * STEPS_A_JOB)


def ray_head(chunks: int) -> dict[str, float]:
    """Return the CPU of a chunk of 16 small problems on Ray: of its head, of the driver, and of planning itself."""
    import psutil

    from batch import CHUNK, MEANS, RayWorkers, _chunks, answer_chunk, bare_ray, questions

    work = [data for _, data in _chunks(iter(questions(CHUNK * chunks)), CHUNK)]
    workers = RayWorkers(MEANS, "auto")
    try:
        bare_ray(workers, work[:8])
        head = [
            process
            for process in psutil.Process().children(recursive=True)
            if process.name() in ("gcs_server", "raylet")
        ]

        def spent() -> float:
            return sum(process.cpu_times().user + process.cpu_times().system for process in head)

        before, driver = spent(), time.process_time()
        bare_ray(workers, work)
        found = {"head": spent() - before, "driver": time.process_time() - driver}
    finally:
        workers.close()
    begun = time.process_time()
    for chunk in work:
        answer_chunk(MEANS, chunk)
    found["planning"] = time.process_time() - begun
    return {f"{name}_ms": 1000 * seconds / chunks for name, seconds in found.items()} | {"inputs": CHUNK}


def measured(cycles: int) -> dict[str, Any]:
    """Return every figure the simulation needs, from one run on a PostgreSQL of its own."""
    server = PostgresServer(durable=True)
    try:
        with psycopg.connect(server.conninfo, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET track_wal_io_timing = on")
            connection.execute("SELECT pg_reload_conf()")
        disk = Disk(server.folder)
        task = {"cycles": cycles, "kind": "postgres", "conninfo": server.conninfo, "schema": "whole"}
        task["postmaster"] = server.pid
        store = open_one(task)
        whole = whole_worker(store, task)
        plans = [independent(STEPS_A_JOB, request_id=f"plan {number}") for number in range(11)]
        post(store, plans[0])
        with Meter(server.pid) as meter:
            for plan in plans[1:]:
                post(store, plan)
        store.close()
        return {
            "cores": os.cpu_count(),
            "worker": whole["whole worker"],
            "post_of_one": whole["post of one step"],
            "post_of_100": meter.per(10),
            **disk.flushes(),
            "sizes": sizes(server, 3 * cycles // STEPS_A_JOB),
            "sqlite_bytes_a_step": sqlite_bytes(max(4, cycles // STEPS_A_JOB)),
            "ray": ray_head(cycles // 2),
            **shared(server, disk, 2 * cycles),
        }
    finally:
        server.remove()


if __name__ == "__main__":
    print(json.dumps(one_worker(json.loads(sys.argv[1]))))
