"""A fair lock beside the database file.

SQLite's own waiting is a lottery: with a few writers somebody waits seconds although the median is below a
millisecond. Processes that take this lock first sleep until it is free and are woken at once. It is advisory and only
about fairness: correctness rests on SQLite's own locks, so where a system has no locks the ledger works without it.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from planvow.cassette.errors import StorageError
from planvow.cassette.files import system


class FileLock:
    """An exclusive lock on a sidecar file, held between `acquire` and `release`."""

    def __init__(self, path: Path) -> None:
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | system.CLOEXEC, 0o644)
        except OSError as error:
            raise StorageError(f"the lock cannot be opened: {error.strerror}", place=str(path)) from error

    def acquire(self) -> None:
        system.lock(self._fd)

    def release(self) -> None:
        system.unlock(self._fd)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


class LifeLock:
    """A lock on a file of its own that a process holds as long as it lives."""

    def __init__(self, path: Path, fd: int) -> None:
        self._path = path
        self._fd = fd

    @classmethod
    def taken(cls, path: Path) -> LifeLock | None:
        """Make and take it; None where that cannot be done: then nobody can prove the process dead before its time."""
        if not system.HAS_LOCKS:
            return None
        try:
            path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            fd = os.open(path, os.O_RDWR | os.O_CREAT | system.CLOEXEC | system.NOFOLLOW, 0o644)
        except OSError:
            return None
        with suppress(OSError):
            if system.lock(fd, wait=False):
                return cls(path, fd)
        os.close(fd)
        return None

    def release(self) -> None:
        """Remove the file, then free it: whoever had it open finds a lock of nobody."""
        if system.UNLINKS_OPEN_FILES:
            with suppress(OSError):
                self._path.unlink()
            os.close(self._fd)
            return
        system.unlock(self._fd)
        os.close(self._fd)
        with suppress(OSError):
            self._path.unlink()

    @staticmethod
    def is_free(path: Path) -> bool | None:
        """Say whether the process that made it is gone; None where there is no such file, or no way to know."""
        if not system.HAS_LOCKS:
            return None
        try:
            fd = os.open(path, system.LOOKED_AT | system.CLOEXEC | system.NOFOLLOW | system.NONBLOCK)
        except OSError:
            return None
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                return None
            is_free = system.lock(fd, wait=False, shared=True)
            if is_free:
                system.unlock(fd)
            return is_free
        except OSError:
            return None
        finally:
            os.close(fd)
