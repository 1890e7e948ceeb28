"""Opening a ledger by its location, with the drivers that are installed.

A location is a path (SQLite) or `postgresql://…`; without one it is what PLANVOW_CASSETTE names, else the ledger of the
current folder. This is the one place that imports psycopg and the sound SQLite of the `[sqlite]` extra.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from types import ModuleType

from planvow.cassette.databases.postgres import PostgresStore
from planvow.cassette.databases.sqlite import SqliteStore
from planvow.cassette.errors import NoLedgerError
from planvow.cassette.ledger.store import Store
from planvow.errors import InputError, MissingExtraError

DEFAULT_LOCATION = ".planvow/cassette.db"
LOCATION_VARIABLE = "PLANVOW_CASSETTE"


def sqlite_driver() -> ModuleType:
    """Return the newest SQLite there is: the extra's, or Python's own."""
    try:
        import pysqlite3
    except ImportError:
        return sqlite3
    return pysqlite3 if pysqlite3.sqlite_version_info >= sqlite3.sqlite_version_info else sqlite3


def is_postgres(location: str) -> bool:
    """Say whether a location names a PostgreSQL database."""
    return location.startswith(("postgresql://", "postgres://"))


def open_ledger(location: str | None = None, *, must_exist: bool = False, looking: bool = False) -> Store:
    """Open the ledger at a location, making it if need be; `must_exist` refuses to make one.

    Whoever is only `looking` also gets one that cannot be written.
    """
    location = location or os.environ.get(LOCATION_VARIABLE) or DEFAULT_LOCATION
    if is_postgres(location):
        try:
            import psycopg
        except ImportError:
            raise MissingExtraError("psycopg", extra="postgres", purpose="a ledger on PostgreSQL") from None
        return PostgresStore(location, driver=psycopg)
    if must_exist and not Path(location).exists():
        raise NoLedgerError(
            "there is no ledger here", place=location, hint="post a plan first, or name the ledger with --store"
        )
    if Path(location).is_dir():
        raise InputError("this is a folder, a ledger is a file", place=location)
    return SqliteStore(location, driver=sqlite_driver(), looking=looking)
