"""How a worker makes itself known, and how its death is proved.

A worker holds a lock on a file of its own for as long as its process lives; the system frees it with the process, in
whatever way that ends. So on the machine it ran on a free lock proves the death at once. The ledger lists workers with
the machine, and the start of the machine, they belong to; from elsewhere silence proves nothing.
"""

from __future__ import annotations

import hashlib
import os
import socket
import time
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from planvow.cassette.files.file_lock import LifeLock
from planvow.cassette.ledger.schedule import Presence, WorkerSeen
from planvow.cassette.ledger.store import Store
from planvow.errors import PlanvowError

SEEN_SECONDS = 15.0
_BOOT = Path("/proc/sys/kernel/random/boot_id")


class Life(StrEnum):
    """What is known of a worker from this machine."""

    ALIVE = "alive"
    DEAD = "dead"
    ENDED = "ended"
    ELSEWHERE = "elsewhere"
    UNKNOWN = "unknown"


def this_boot() -> str:
    """Return what tells this start of this machine from every other; empty where the system does not say."""
    try:
        return _BOOT.read_text("ascii").strip()
    except OSError:
        return ""


def lock_path(folder: Path, worker_id: str) -> Path:
    """Return the file that a worker locks; its name tells nothing that a path could misread."""
    return folder / f"{hashlib.sha256(worker_id.encode()).hexdigest()[:32]}.lock"


def life_of(worker: WorkerSeen, folder: Path) -> Life:
    """Say whether a worker lives, as far as that can be known here."""
    if worker.stopped_at is not None:
        return Life.ENDED
    if not worker.boot or worker.boot != this_boot():
        return Life.ELSEWHERE
    free = LifeLock.is_free(lock_path(folder, worker.worker_id))
    if free is None:
        return Life.UNKNOWN
    return Life.DEAD if free else Life.ALIVE


class Attendance:
    """One worker's own entry in the list, and its lock. Trouble with either never stops the work."""

    def __init__(self, worker_id: str) -> None:
        self.presence = Presence(
            worker_id=worker_id, machine=socket.gethostname()[:128] or "host", boot=this_boot(), pid=os.getpid()
        )
        self._lock: LifeLock | None = None
        self._told = 0.0

    def arrive(self, store: Store) -> None:
        """Take the lock first, so that nobody who sees the entry finds it free."""
        if self._lock is None:
            self._lock = LifeLock.taken(lock_path(store.meeting_folder(), self.presence.worker_id))
        self._tell(store)

    def seen(self, store: Store) -> None:
        """Say that the worker lives, now and then."""
        if time.monotonic() - self._told >= SEEN_SECONDS:
            self._tell(store)

    def waiting(self, store: Store, milliseconds: int | None) -> None:
        """Say that the worker waits to be woken, for so long; None when it does not any more."""
        self._tell(store, waiting_ms=milliseconds)

    def leave(self, store: Store | None) -> None:
        """Say that the worker has ended, and free the lock."""
        if store is not None:
            with suppress(PlanvowError):
                store.worker_seen(self.presence, ended=True)
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _tell(self, store: Store, waiting_ms: int | None = None) -> None:
        self._told = time.monotonic()
        store.worker_seen(self.presence, waiting_ms=waiting_ms)
