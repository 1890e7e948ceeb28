"""A fair lock beside the database file.

SQLite's own waiting is a lottery: with a few writers somebody waits seconds although the median is below a
millisecond. Processes that take this lock first sleep until it is free and are woken at once. It is advisory and only
about fairness: correctness rests on SQLite's own locks, so where `flock` does not exist the ledger works without it.
"""

from __future__ import annotations

import os
from pathlib import Path

from planvow.cassette.errors import StorageError

try:
    import fcntl
except ImportError:  # Windows: SQLite's own waiting must do
    fcntl = None  # type: ignore[assignment]


class FileLock:
    """An exclusive lock on a sidecar file, held between `acquire` and `release`."""

    def __init__(self, path: Path) -> None:
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StorageError(f"the lock cannot be opened: {error.strerror}", place=str(path)) from error

    def acquire(self) -> None:
        if fcntl is not None:
            fcntl.flock(self._fd, fcntl.LOCK_EX)

    def release(self) -> None:
        if fcntl is not None:
            fcntl.flock(self._fd, fcntl.LOCK_UN)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
