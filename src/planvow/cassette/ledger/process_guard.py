"""A ledger belongs to the process that opened it.

A connection that is inherited through `fork` corrupts silently: SQLite's in-process lock table is copied, its locks
are not, and acknowledged commits get lost although the integrity check passes. So a fork is refused while a ledger is
open (through an audit hook, the one place from which CPython lets a fork be stopped), and a ledger that reaches
another process after all refuses to work there.
"""

from __future__ import annotations

import os
import sys
import weakref
from typing import Any

from planvow.cassette.errors import ForkRefusedError

_open: weakref.WeakSet[Any] = weakref.WeakSet()
_hook_installed = False


class OwnedByProcess:
    """Remembers its process; `check_process` raises anywhere else."""

    def __init__(self) -> None:
        self._owner_pid = os.getpid()

    def _opened(self) -> None:
        global _hook_installed
        if not _hook_installed:  # audit hooks stay for the life of the process, so only processes with ledgers pay
            _hook_installed = True
            sys.addaudithook(_refuse_fork)
        _open.add(self)

    def _closed(self) -> None:
        _open.discard(self)

    def check_process(self) -> None:
        """Raise unless this is the process that opened the ledger."""
        if os.getpid() != self._owner_pid:
            raise ForkRefusedError(
                f"this ledger was opened by process {self._owner_pid} and cannot be used in process {os.getpid()}",
                hint="open the ledger inside the new process",
            )


def _refuse_fork(event: str, _args: tuple[Any, ...]) -> None:
    if event in ("os.fork", "os.forkpty") and any(item._owner_pid == os.getpid() for item in _open):
        raise ForkRefusedError(
            "this process has an open ledger and must not fork",
            hint="close the ledger first, or start the process with subprocess or multiprocessing's 'spawn'",
        )


def open_ledgers() -> tuple[Any, ...]:
    """Return what this process has open."""
    return tuple(_open)
