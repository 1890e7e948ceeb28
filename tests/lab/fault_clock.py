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
from functools import partial
from pathlib import Path
from typing import Any

from fault_command import Command, Verdict, work_off
from fault_lab import Zombie
from ledgers import independent, post
from planvow.cassette import Store
from planvow.cassette.databases.postgres import SCHEMA
from postgres_server import PostgresServer

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
    command: Callable[..., Command]
    environment: dict[str, str] | None

    def opened(self) -> Store:
        return self.command().opened()


@contextmanager
def ledger_with_clock(kind: str, folder: Path) -> Iterator[Place]:
    clock = Clock()
    server = None
    try:
        if kind == "sqlite":
            location = {"kind": "sqlite", "path": str(folder / "cassette.db")}
            command = partial(Command.on_sqlite, folder, environment=clock.environment)
            yield Place(clock, location, command, clock.environment)
        else:
            server = PostgresServer(environment=clock.environment)
            location = {"kind": "postgres", "conninfo": server.conninfo, "schema": SCHEMA}
            yield Place(clock, location, partial(Command.on_postgres, server.conninfo, folder), None)
    finally:
        if server is not None:
            server.remove()
        clock.close()


def jump_about(place: Place, *, steps: int, jumps: int, seed: int = 8) -> Verdict:
    """Let workers die while the clock jumps between an hour ahead, right and an hour behind, all through the work."""
    chance = random.Random(seed)
    command = place.command(workers=6, task={"seed": seed, "death": 0.12})
    command.post(jobs=1, steps=steps)

    def jump(running: Command) -> bool:
        if len(running.acks) >= steps * 0.8 * place.clock.jumps / jumps:
            place.clock.set(chance.choice([offset for offset in JUMPS if offset != place.clock.offset]))
        return place.clock.jumps < jumps

    return work_off(command, min_kills=jumps // 2, seed=seed, disturb=jump)


def overtaken_by_the_clock(place: Place, *, sabotage: str | None) -> Verdict:
    """Let one worker hold a step while the clock jumps an hour ahead and another does that step; then let it go on."""
    command = place.command(workers=2, lease_seconds=600, task={"hold": [1], "sabotage": sabotage})
    command.post(jobs=1, steps=4)

    def jump(running: Command) -> bool:
        done = {ack.ordinal for ack in running.acks}
        if done >= {2, 3, 4} and not place.clock.jumps:
            place.clock.set(HOUR)
        if 1 in done:
            (running.folder / "released").touch()
        return 1 not in done

    return work_off(command, disturb=jump)


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
