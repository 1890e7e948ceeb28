"""F9: a network between workers and PostgreSQL that is cut, reset, delayed and left half-open at random moments.

The proxy listens on loopback and passes bytes to the server's private socket. For each piece of data it may instead end
the connection, reset it, keep it back for a while, or fall silent without ending anything. A fault on the way back,
after the server has committed and before the worker has heard of it, is the one that leaves a completion ambiguous.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import random
import socket
import struct
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from fault_lab import KillRun, run_with_kills
from ledgers import independent, post
from planvow.cassette.databases.postgres import PostgresStore
from planvow.cassette.errors import LedgerUnreachableError
from postgres_server import PostgresServer, postgres_ledger, running_server

FAULTS = ("cut", "reset", "half-open", "delay")
# Loss of the other side is noticed in two seconds here, instead of the ledger's half minute.
IMPATIENT = "connect_timeout=3 keepalives_idle=1 keepalives_interval=1 keepalives_count=1 tcp_user_timeout=2000"
_SO_ATTACH_FILTER = 26


class Proxy:
    """Passes connections on; `trouble` is the chance that a piece of data meets a fault."""

    def __init__(self, server: PostgresServer, *, seed: int) -> None:
        self._target = str(server.folder / ".s.PGSQL.5432")
        self._chance = random.Random(seed)
        self.trouble = 0.0
        self.done: Counter[str] = Counter()
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        self.conninfo = f"host=127.0.0.1 port={port} user=postgres dbname=postgres {IMPATIENT}"
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
            for source, sink, way in ((client, server, "asking"), (server, client, "answering")):
                threading.Thread(target=self._pump, args=(source, sink, client, server, way), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, client: socket.socket, server: Any, way: str) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                fault = self._chance.choice(FAULTS) if self._chance.random() < self.trouble else None
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
    """What the network did, how the workers got over it, and what was wrong in the end."""

    faults: Counter[str]
    answers_lost: int
    tried_again: int
    kills: KillRun
    posted_twice: int

    @property
    def wrong(self) -> dict[str, int]:
        return {**self.kills.wrong, "posted_twice": self.posted_twice}


def run_through(
    folder: Path,
    *,
    jobs: int,
    steps: int,
    faults: int,
    seed: int = 9,
    trouble: float = 0.05,
    sabotage: str | None = None,
) -> NetworkRun:
    """Post and work off jobs through the proxy until it has made `faults` faults; then let the rest go through."""
    server = running_server()
    proxy = Proxy(server, seed=seed)
    schema = f"network_{seed}_{time.monotonic_ns()}"
    postgres_ledger(schema, server).close()
    try:
        proxy.trouble = trouble
        posted = [_post_through(proxy.conninfo, schema, number, steps) for number in range(jobs)]

        def calm_down(_kills: int) -> int:
            if proxy.done.total() >= faults:
                proxy.trouble = 0.0
            return 0

        kills = run_with_kills(
            {"kind": "postgres", "conninfo": proxy.conninfo, "schema": schema},
            lambda: postgres_ledger(schema, server),
            folder,
            workers=6,
            min_kills=0,
            death=0.0,
            doze=0.0,
            seed=seed,
            sabotage=sabotage,
            disturb=calm_down,
        )
    finally:
        proxy.close()
    with postgres_ledger(schema, server) as store:
        stored = len(store.jobs())
    said = [json.loads(line) for log in folder.glob("worker-*.log") for line in log.read_text().splitlines()]
    lost = sum(count for fault, count in proxy.done.items() if fault.endswith("answering") and "delay" not in fault)
    return NetworkRun(
        faults=proxy.done,
        answers_lost=lost,
        tried_again=sum(words[0] == "again" for words in said),
        kills=kills,
        posted_twice=abs(stored - len(set(posted))) + abs(jobs - len(set(posted))),
    )


def _post_through(conninfo: str, schema: str, number: int, steps: int) -> str:
    """Post one job, again and again with the same key until the answer comes through."""
    while True:
        with (
            contextlib.suppress(LedgerUnreachableError),
            PostgresStore(conninfo, driver=psycopg, schema=schema) as store,
        ):
            return post(store, independent(steps, request_id=f"q{number}"))
