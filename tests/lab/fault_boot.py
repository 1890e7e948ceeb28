"""Opens a ledger that may not exist yet, for F15. With `unlocked`, the way that breaks: look, then make."""

from __future__ import annotations

import json
import sqlite3
import sys

from planvow.cassette import SqliteStore
from planvow.cassette.ledger.statements import migrations


def main() -> None:
    task = json.loads(sys.argv[1])
    print("ready", flush=True)
    sys.stdin.read()  # one pipe for all processes: they start together when it is closed
    if task["kind"] == "unlocked":
        raw = sqlite3.connect(task["path"], isolation_level=None)
        if not raw.execute("SELECT count(*) FROM sqlite_master WHERE name = 'cassette_jobs'").fetchone()[0]:
            raw.execute("CREATE TABLE IF NOT EXISTS cassette_migrations (version INTEGER PRIMARY KEY)")
            raw.executescript(migrations("sqlite")[0].sql)
    elif task["kind"] == "sqlite":
        SqliteStore(task["path"]).close()
    else:
        import psycopg

        from planvow.cassette.databases.postgres import PostgresStore

        PostgresStore(task["conninfo"], driver=psycopg, schema=task["schema"]).close()


main()
