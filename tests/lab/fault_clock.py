"""F8: the clock jumps by an hour, forwards and back, while steps are leased.

`libfaketime` gives processes a clock that follows a file. On SQLite the workers' clock is the ledger's; on PostgreSQL
the server's is, so the server gets it. Safety must not notice the jumps at all. The step of a dead worker must be found
again within two of its leases, counted by a clock that does not jump.
"""

from __future__ import annotations

import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fault_lab import KillRun, Zombie, run_with_kills
from ledgers import independent, post, sqlite_ledger
from planvow.cassette import Store
from postgres_server import PostgresServer, postgres_ledger

HOUR = 3600
JUMPS = (HOUR, 0, -HOUR)
LIBRARIES = ("/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib*/faketime/libfaketime.so.1")


class Clock:
    """A clock for other processes, some seconds ahead of or behind the real one."""

    def __init__(self) -> None:
        root = Path("/")
        library = next(path for pattern in LIBRARIES for path in root.glob(pattern[1:]))
        self._folder = tempfile.TemporaryDirectory()
        os.chmod(self._folder.name, 0o755)  # the server runs as somebody else
        self._file = Path(self._folder.name) / "offset"
        self.jumps = 0
        self.offset = 0
        self.set(0)
        self.environment = {
            **os.environ,
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def set(self, seconds: int) -> None:
        self.jumps += seconds != self.offset
        self.offset = seconds
        new = self._file.with_suffix(".new")
        new.write_text(f"{seconds:+d}s\n")
        new.chmod(0o644)
        new.rename(self._file)

    def close(self) -> None:
        self._folder.cleanup()


@dataclass
class Place:
    """A ledger whose clock can be moved: where it is, how to open it, and what its workers need to see that clock."""

    clock: Clock
    location: dict[str, Any]
    opened: Callable[[], Store]
    environment: dict[str, str] | None


@contextmanager
def ledger_with_clock(kind: str, folder: Path) -> Iterator[Place]:
    clock = Clock()
    server = None
    try:
        if kind == "sqlite":
            opened: Callable[[], Store] = lambda: sqlite_ledger(folder)  # noqa: E731
            location = {"kind": "sqlite", "path": str(folder / "cassette.db")}
            yield Place(clock, location, opened, clock.environment)
        else:
            server = PostgresServer(environment=clock.environment)
            location = {"kind": "postgres", "conninfo": server.conninfo, "schema": "clock"}
            yield Place(clock, location, lambda: postgres_ledger("clock", server), None)
    finally:
        if server is not None:
            server.remove()
        clock.close()


def jump_about(
    place: Place, folder: Path, *, steps: int, jumps: int, seed: int = 8, sabotage: str | None = None
) -> KillRun:
    """Let workers die and doze while the clock jumps between an hour ahead, right and an hour behind."""
    chance = random.Random(seed)
    due = time.monotonic()
    with place.opened() as store:
        post(store, independent(steps))

    def jump(_kills: int) -> int:
        nonlocal due
        if time.monotonic() > due and place.clock.jumps < jumps:
            place.clock.set(chance.choice([offset for offset in JUMPS if offset != place.clock.offset]))
            due = time.monotonic() + chance.uniform(0.1, 0.6)
        return place.clock.jumps

    return run_with_kills(
        place.location, place.opened, folder, workers=6, min_kills=jumps // 2, doze=0.05, seed=seed, disturb=jump,
        sabotage=sabotage, environment=place.environment,
    )  # fmt: skip


def recovery_in_leases(place: Place, jump: int, *, lease_ms: int, give_up: float = 60.0) -> float:
    """Kill a worker that holds a step, jump, and return after how many leases another one gets it."""
    place.clock.set(0)
    place.opened().close()
    victim, heir = (Zombie(place.location, place.environment) for _ in range(2))
    heir.tell(do="claim", lease_ms=1)
    assert heir.hear() is None  # there is nothing yet: it is up and waiting
    with place.opened() as store:
        post(store, independent(1, request_id=f"recovery {time.monotonic_ns()}"))
    victim.tell(do="claim", lease_ms=lease_ms)
    assert victim.hear() is not None
    begin = time.monotonic()
    victim.signal(signal.SIGKILL)
    victim.process.wait()
    place.clock.set(jump)
    while True:
        heir.tell(do="claim", lease_ms=60_000, **{"as": "heir"})
        answer = heir.hear()
        took = time.monotonic() - begin
        if answer is not None or took > give_up:
            break
        time.sleep(0.01)
    if answer is not None:
        heir.tell(do="complete")
        assert heir.hear() == "accepted"
    heir.end()
    return took * 1000 / lease_ms
