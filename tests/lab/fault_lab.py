"""The machinery of the fault tests: processes that are killed, histories that are checked, a table that is printed."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from planvow.cassette import SqliteStore, Store
from planvow.cassette.proof.verify import verify_ledger

WORKER = Path(__file__).with_name("fault_worker.py")
ZOMBIE = Path(__file__).with_name("fault_zombie.py")


@dataclass
class FaultTable:
    """What was done and what went wrong, one line per test; the last columns must be zeros."""

    rows: list[tuple[str, str, dict[str, int]]] = field(default_factory=list)

    def add(self, name: str, done: str, **wrong: int) -> None:
        self.rows.append((name, done, wrong))

    def lines(self) -> list[str]:
        out = []
        for name, done, wrong in sorted(self.rows):
            faults = ", ".join(f"{count} {what.replace('_', ' ')}" for what, count in wrong.items())
            out.append(f"{name:<40} {done:<64} {faults}")
        return out


TABLE = FaultTable()


@dataclass(frozen=True)
class KillRun:
    """The outcome of a run in which workers were killed."""

    kills: int
    restarts: int
    acknowledged: int
    refused: int
    lost: int
    doubled: int
    unfinished: int
    findings: int

    @property
    def wrong(self) -> dict[str, int]:
        return {
            "lost_acks": self.lost,
            "double_completions": self.doubled,
            "unfinished": self.unfinished,
            "verify_findings": self.findings,
        }


def run_with_kills(
    location: dict[str, Any],
    open_store: Callable[[], Store],
    folder: Path,
    *,
    workers: int,
    min_kills: int,
    death: float = 0.12,
    doze: float = 0.01,
    lease_ms: int = 400,
    seed: int = 1,
    sabotage: str | None = None,
    disturb: Any = None,
    environment: dict[str, str] | None = None,
) -> KillRun:
    """Let workers that kill themselves, and are killed from outside, work off a ledger; check what is left.

    `disturb` is called now and then with the number of kills so far (to restart a server) and returns how often it
    acted.
    """
    chance = random.Random(seed)
    numbers = iter(range(seed * 100_000, seed * 100_000 + 99_999))
    logs: list[Path] = []

    def start(**changes: Any) -> subprocess.Popen[bytes]:
        number = next(numbers)
        logs.append(folder / f"worker-{number}.log")
        task = {"location": location, "log": str(logs[-1]), "seed": number, "death": death, "doze": doze,
                "lease_ms": lease_ms, "sabotage": sabotage, **changes}  # fmt: skip
        process = subprocess.Popen([sys.executable, str(WORKER), json.dumps(task)], env=environment)
        log_of[process.pid] = logs[-1]
        return process

    log_of: dict[int, Path] = {}
    kills = restarts = 0
    running = [start() for _ in range(workers)]
    while running:
        time.sleep(0.02)
        # On a busy machine most kills would otherwise hit workers that are still loading and hold nothing.
        at_work = [process for process in running if log_of[process.pid].exists()]
        if at_work and kills < min_kills and chance.random() < 0.3:
            chance.choice(at_work).send_signal(signal.SIGKILL)
        if disturb is not None:
            restarts = disturb(kills)
        for process in [p for p in running if p.poll() is not None]:
            running.remove(process)
            if process.returncode == -signal.SIGKILL:
                kills += 1
                safe = {"death": 0.0, "doze": 0.0} if kills >= min_kills else {}
                running.append(start(**safe))
            elif process.returncode != 0:
                raise AssertionError(f"a worker ended with {process.returncode}")
    with open_store() as store:
        return checked(store, logs, kills, restarts)


def checked(store: Store, logs: list[Path], kills: int, restarts: int) -> KillRun:
    history = _history(logs)
    acks = acknowledged(logs)
    receipts = {
        (r.job_id, r.ordinal, r.fence): r for job in store.jobs() for r in store.receipts(job.job_id)
    }  # fmt: skip
    lost = sum((job, n, fence) not in receipts or (receipts[job, n, fence].sha256 != sha and sha != "promised")
               for job, n, fence, sha in acks)  # fmt: skip
    successes = Counter((r.job_id, r.ordinal) for r in receipts.values() if r.outcome == "SUCCESS")
    doubled = sum(count > 1 for count in successes.values())
    doubled += sum(count > 1 for count in Counter((job, n) for job, n, _, _ in acks).values())
    unfinished = sum(job.steps - job.committed for job in store.jobs())
    verdict = verify_ledger(store)
    damage = isinstance(store, SqliteStore) and store.integrity_check() != "ok"
    return KillRun(
        kills=kills,
        restarts=restarts,
        acknowledged=len(acks),
        refused=sum(entry[0] == "refused" for entry in history),
        lost=lost,
        doubled=doubled,
        unfinished=unfinished,
        findings=len(verdict.faults) + int(damage),
    )


def acknowledged(logs: list[Path]) -> list[tuple[Any, ...]]:
    """Return job, step, token and hash of every completion that workers were told is recorded."""
    return [tuple(entry[1:]) for entry in _history(logs) if entry[0] == "ack"]


def _history(logs: list[Path]) -> list[list[Any]]:
    return [json.loads(line) for log in logs if log.exists() for line in _whole_lines(log)]


def _whole_lines(log: Path) -> list[str]:
    """A worker may be killed while it writes: what has no end of line was never said."""
    return [line for line in log.read_text().split("\n")[:-1] if line]


class Zombie:
    """A worker in a process of its own that claims and completes when it is told to."""

    def __init__(self, location: dict[str, Any], environment: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(ZOMBIE), json.dumps(location)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
        )  # fmt: skip

    def tell(self, **order: Any) -> None:
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def hear(self) -> Any:
        return json.loads(self.process.stdout.readline())

    def signal(self, number: int) -> None:
        os.kill(self.process.pid, number)

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def cpu_seconds() -> float:
    """CPU time of this process and the children it has waited for."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def fast_folder() -> str | None:
    """Memory instead of a disk, where there is one, for tests whose answer does not depend on the disk."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def with_tests_on_path() -> dict[str, str]:
    """An environment in which a started script can import what stands beside this file."""
    here = str(Path(__file__).parent)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([here, os.environ.get("PYTHONPATH", "")])}
