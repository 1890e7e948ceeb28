"""F9: a network between workers and PostgreSQL that is cut, reset, delayed and left half-open at random moments.

The proxy listens on loopback and passes bytes to the server's private socket. For each piece of data it may instead end
the connection, reset it, keep it back for a while, or fall silent without ending anything. A fault on the way back,
after the server has committed and before the worker has heard of it, is the one that leaves a completion ambiguous. Two
of them need no luck: the first completion of all can be cut on its way there, or its answer on its way back.
"""

from __future__ import annotations

import contextlib
import ctypes
import random
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from fault_command import Command, Verdict, work_off
from ledgers import independent, post
from planvow.cassette.databases.postgres import PostgresStore
from planvow.cassette.errors import LedgerUnreachableError
from postgres_server import PostgresServer, running_server

FAULTS = ("cut", "reset", "half-open", "delay")
# Loss of the other side is noticed in two seconds here, instead of the ledger's half minute.
IMPATIENT = "connect_timeout=3 keepalives_idle=1 keepalives_interval=1 keepalives_count=1 tcp_user_timeout=2000"
COMPLETION = b"cassette_complete("  # how a completion that is sent for the first time begins
_SO_ATTACH_FILTER = 26


@dataclass
class Line:
    """One connection on both sides of the proxy, and in which direction it is to be cut."""

    client: socket.socket
    server: socket.socket
    cut: str | None = None


class Proxy:
    """Passes connections on; `trouble` is the chance that a piece of data meets a fault."""

    def __init__(self, server: PostgresServer, *, seed: int, database: str = "postgres") -> None:
        self._target = str(server.folder / ".s.PGSQL.5432")
        self.cut_first: str | None = None  # "asking" or "answering": where the first completion of all is cut
        self._chance = random.Random(seed)
        self.trouble = 0.0
        self.done: Counter[str] = Counter()
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        self.conninfo = f"host=127.0.0.1 port={port} user=postgres dbname={database} {IMPATIENT}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self._target)
            except OSError:
                client.close()
                continue
            line = Line(client, server)
            for source, sink, way in ((client, server, "asking"), (server, client, "answering")):
                threading.Thread(target=self._pump, args=(source, sink, line, way), daemon=True).start()

    def _fault(self, data: bytes, line: Line, way: str) -> str | None:
        """Choose what happens to a piece of data."""
        if self.cut_first is not None and way == "asking" and COMPLETION in data:
            line.cut, self.cut_first = self.cut_first, None
        if line.cut == way:
            return "cut"
        return self._chance.choice(FAULTS) if self._chance.random() < self.trouble else None

    def _pump(self, source: socket.socket, sink: socket.socket, line: Line, way: str) -> None:
        client, server = line.client, line.server
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                fault = self._fault(data, line, way)
                if fault is not None:
                    self.done[f"{fault} while {way}"] += 1
                if fault == "delay":
                    time.sleep(self._chance.uniform(0, 0.3))
                elif fault is not None:
                    _break(client, server, fault)
                    return
                sink.sendall(data)
        _break(client, server, "cut")


def _break(client: socket.socket, server: socket.socket, fault: str) -> None:
    if fault == "half-open":  # first of all, for the other direction ends with the server: nobody may end the client
        _kept.append(client)
        with contextlib.suppress(OSError):
            _deafen(client)
    with contextlib.suppress(OSError):
        server.shutdown(socket.SHUT_RDWR)
    with contextlib.suppress(OSError):
        if client in _kept:
            return
        if fault == "reset":
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.shutdown(socket.SHUT_RD)  # wakes the thread that reads from it: only then does closing reset
            client.close()
        else:
            client.shutdown(socket.SHUT_RDWR)


_kept: list[socket.socket] = []


def _deafen(client: socket.socket) -> None:
    """Let the kernel drop every packet that arrives, unanswered, as if the other machine had lost its power."""
    drop_all = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))
    client.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, struct.pack("HL", 1, ctypes.addressof(drop_all)))


@dataclass(frozen=True)
class NetworkRun:
    """What the network did, and what was wrong in the end."""

    faults: Counter[str]
    verdict: Verdict
    posted_twice: int
    leases: int = 0

    @property
    def answers_lost(self) -> int:
        return sum(n for fault, n in self.faults.items() if fault.endswith("answering") and "delay" not in fault)

    @property
    def wrong(self) -> dict[str, int]:
        return {**self.verdict.wrong, "posted_twice": self.posted_twice}


@contextmanager
def network(seed: int) -> Iterator[tuple[Proxy, str]]:
    """A database of its own behind a proxy that does no harm yet, and the way round it."""
    server = running_server()
    name = f"network_{seed}_{time.monotonic_ns()}"
    with psycopg.connect(server.conninfo, autocommit=True) as owner:
        owner.execute(f"CREATE DATABASE {name}")
    direct = make_conninfo(server.conninfo, dbname=name)
    PostgresStore(direct, driver=psycopg).close()
    proxy = Proxy(server, seed=seed, database=name)
    try:
        yield proxy, direct
    finally:
        proxy.close()


def run_through(
    folder: Path, *, jobs: int, steps: int, faults: int, seed: int = 9, trouble: float = 0.05
) -> NetworkRun:
    """Post and work off jobs through the proxy until it has made `faults` faults; then let the rest go through."""
    with network(seed) as (proxy, direct):
        proxy.trouble = trouble
        posted = [_post_through(proxy.conninfo, number, steps) for number in range(jobs)]
        command = Command.on_postgres(proxy.conninfo, folder, workers=6)
        command.opened = lambda: PostgresStore(direct, driver=psycopg)

        def calm_down(_command: Command) -> bool:
            if proxy.done.total() >= faults:
                proxy.trouble = 0.0
            return proxy.trouble > 0

        verdict = work_off(command, disturb=calm_down)
        with command.opened() as store:
            stored = len(store.jobs())
    twice = abs(stored - len(set(posted))) + abs(jobs - len(set(posted)))
    return NetworkRun(faults=proxy.done, verdict=verdict, posted_twice=twice)


def cut_the_first_completion(folder: Path, way: str, *, sabotage: str | None, lease_seconds: float = 1.0) -> NetworkRun:
    """Cut the first completion of all, on its way to the server or its answer on the way back."""
    with network(1) as (proxy, direct):
        task = {"sabotage": sabotage}
        command = Command.on_postgres(proxy.conninfo, folder, workers=1, lease_seconds=lease_seconds, task=task)
        command.opened = lambda: PostgresStore(direct, driver=psycopg)
        command.post(jobs=1, steps=3)
        proxy.cut_first = way
        verdict = work_off(command)
        with command.opened() as store:
            leases = sum(step.fence for job in store.jobs() for step in store.steps(job.job_id))
        return NetworkRun(faults=proxy.done, verdict=verdict, posted_twice=0, leases=leases)


def _post_through(conninfo: str, number: int, steps: int) -> str:
    """Post one job, again and again with the same key until the answer comes through."""
    while True:
        with (
            contextlib.suppress(LedgerUnreachableError),
            PostgresStore(conninfo, driver=psycopg) as store,
        ):
            return post(store, independent(steps, request_id=f"q{number}"))
