"""A ledger file where nothing can be written: a read-only file, folder or mount, to be looked at all the same.

SQLite reads such a file if it need not recover anything first. With write-ahead logging it wants to share memory with
writers; where there is no log file nobody has it open, and it can be read as it is.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from planvow.cassette.errors import MigrationError, StorageError

COPY = "copy the ledger, with the files beside it that begin with its name, to a place that can be written"


class NoLock:
    """The lock of whoever cannot write: none."""

    def acquire(self) -> None:
        raise StorageError("this ledger can only be read: its file or its folder is read-only", hint=COPY)

    def release(self) -> None:
        """Nothing is held."""

    def close(self) -> None:
        """Nothing is open."""


def is_read_only(path: Path) -> bool:
    """Say whether a ledger that exists cannot be written here."""
    return path.exists() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def read_only_address(path: Path, *, in_wal_mode: bool) -> str:
    """Return how to open a file for reading alone."""
    log = path.with_name(path.name + "-wal")
    alone = in_wal_mode and not (log.exists() and log.stat().st_size)
    return f"file:{quote(str(path.resolve()))}?mode=ro" + ("&immutable=1" if alone else "")


def check_current(outstanding: bool, path: Path) -> None:
    """Refuse a ledger of an older version: nothing can be brought up to date here."""
    if outstanding:
        raise MigrationError(
            "the ledger has an older schema version and is read-only, so it cannot be brought up to date here",
            hint=COPY,
            place=str(path),
        )
