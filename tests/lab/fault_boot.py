"""Opens a ledger that may not exist yet, for F15. With `unlocked`, the way that breaks: look, then make.

With `dying`, the process kills itself before a statement of the migration, so that every moment of it is tried.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
from types import SimpleNamespace
from typing import Any

from planvow.cassette import SqliteStore
from planvow.cassette.ledger.statements import migrations

task = json.loads(sys.argv[1])


class Dying(sqlite3.Connection):
    """A connection whose process is killed before the statement of that number in its exclusive transaction."""

    left: int | None = None

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
        elif statement == "BEGIN EXCLUSIVE":
            self.left = task["statement"]
        return super().execute(statement, *values)


def dying_driver() -> Any:
    parts = {name: getattr(sqlite3, name) for name in dir(sqlite3)}
    return SimpleNamespace(**parts | {"connect": lambda *a, **more: sqlite3.connect(*a, factory=Dying, **more)})


def main() -> None:
    print("ready", flush=True)
    sys.stdin.read()  # one pipe for all processes: they start together when it is closed
    if task["kind"] == "unlocked":
        raw = sqlite3.connect(task["path"], isolation_level=None)
        if not raw.execute("SELECT count(*) FROM sqlite_master WHERE name = 'cassette_jobs'").fetchone()[0]:
            raw.execute("CREATE TABLE IF NOT EXISTS cassette_migrations (version INTEGER PRIMARY KEY)")
            raw.executescript(migrations("sqlite")[0].sql)
    elif task["kind"] == "dying":
        SqliteStore(task["path"], driver=dying_driver()).close()
    elif task["kind"] == "sqlite":
        SqliteStore(task["path"]).close()
    else:
        import psycopg

        from planvow.cassette.databases.postgres import PostgresStore

        PostgresStore(task["conninfo"], driver=psycopg, schema=task["schema"]).close()


main()
