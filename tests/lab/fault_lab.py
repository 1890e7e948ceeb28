"""The machinery of the fault tests: workers that do as they are told, what they wrote down, a table that is printed."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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


def acknowledged(logs: list[Path]) -> list[tuple[Any, ...]]:
    """Return job, step, token and hash of every completion that workers were told is recorded."""
    return [tuple(json.loads(line)) for log in logs if log.exists() for line in _whole_lines(log)]


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
