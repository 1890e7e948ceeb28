"""Whether a worker of this machine is alive, proven by a lock that its process holds until it ends.

The system lets go of a lock when its process ends, however it ends. So a lock that somebody else can take proves that
the worker is dead, at once and without a clock. Nothing else does: a lock file that is not there, another machine, or
one that was started again say nothing, and their leases run out by themselves.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Self

from planvow.cassette.ledger.schedule import Decider, PutBack
from planvow.cassette.ledger.store import Store

try:
    import fcntl
except ImportError:  # nothing can be proven where there are no such locks
    fcntl = None  # type: ignore[assignment]

_BOOT = Path("/proc/sys/kernel/random/boot_id")
WHY = "its process has ended: the lock that it held is free"


class Alive:
    """A worker's lock, held from the moment it is made until its process ends or `close` is called."""

    def __init__(self, worker_id: str) -> None:
        self._path = _lock_path(worker_id, make=True)
        self._fd = -1
        if self._path is None or fcntl is None:
            return
        with suppress(OSError):  # without it the worker works as well, its death is only noticed later
            self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._fd, fcntl.LOCK_EX)

    def close(self) -> None:
        if self._fd >= 0:
            with suppress(OSError):
                os.unlink(self._path or "")
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()


def is_dead(worker_id: str) -> bool:
    """Say whether it is proven that a worker's process has ended."""
    path = _lock_path(worker_id, make=False)
    if path is None or fcntl is None:
        return False
    try:
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(fd)
    return True


def bury(store: Store, worker_ids: Iterable[str], made_by: str) -> tuple[PutBack, ...]:
    """Put back at once what those of these workers hold that are proven dead."""
    dead = sorted(worker_id for worker_id in set(worker_ids) if is_dead(worker_id))
    if not dead:
        return ()
    done = store.requeue_of(dead, Decider(made_by=made_by, why=WHY))
    for worker_id in dead:
        with suppress(OSError):
            os.unlink(_lock_path(worker_id, make=False) or "")
    return done


def _lock_path(worker_id: str, *, make: bool) -> Path | None:
    """Return the place of a worker's lock: in a folder of this user alone, for this start of the machine."""
    try:
        boot = _BOOT.read_text("ascii").strip()
        folder = Path(tempfile.gettempdir()) / f"planvow-{os.getuid()}"
        if make:
            folder.mkdir(mode=0o700, exist_ok=True)
        facts = folder.lstat()
        if facts.st_uid != os.getuid() or facts.st_mode & 0o077:
            return None  # somebody else could have put files there
        folder = folder / boot
        if make:
            folder.mkdir(mode=0o700, exist_ok=True)
    except (OSError, AttributeError):
        return None
    return folder / f"{hashlib.sha256(worker_id.encode()).hexdigest()[:40]}.lock"
