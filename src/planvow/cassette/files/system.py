"""What the operating system offers: flags it may not know, locks under whichever name it has them, and forks.

Importing this needs nothing but the standard library of any system. Linux and macOS lock with `fcntl`, Windows with
`msvcrt`; where there is neither, nothing is locked and `lock` says so.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

_fcntl: Any = None
_msvcrt: Any = None
try:
    import fcntl as _fcntl
except ImportError:
    with suppress(ImportError):
        import msvcrt as _msvcrt

CLOEXEC: int = getattr(os, "O_CLOEXEC", 0)
DIRECTORY: int = getattr(os, "O_DIRECTORY", 0)
NOFOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
NONBLOCK: int = getattr(os, "O_NONBLOCK", 0)

HAS_FOLDERS: bool = bool(DIRECTORY and NOFOLLOW) and os.open in os.supports_dir_fd
"""Whether files can be opened relative to an open folder, so that nothing is exchanged on the way."""
HAS_LOCKS: bool = _fcntl is not None or _msvcrt is not None
UNLINKS_OPEN_FILES: bool = _fcntl is not None
LOOKED_AT: int = os.O_RDONLY if _fcntl is not None else os.O_RDWR
"""How a file is opened whose lock is only looked at: Windows locks no file that is open for reading alone."""

_SECONDS_BETWEEN_TRIES = 0.01  # Windows wakes nobody: whoever waits looks again


def after_fork(function: Callable[[], object]) -> None:
    """Have a function called in every child that this process forks; where nothing forks, there is nothing to do."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=function)


def lock(fd: int, *, wait: bool = True, shared: bool = False) -> bool:
    """Take the lock of an open file; False when somebody else has it and `wait` is not wanted.

    A shared lock only asks whether there is an exclusive one; where there are none, an exclusive one is taken.
    """
    if _fcntl is not None:
        kind = (_fcntl.LOCK_SH if shared else _fcntl.LOCK_EX) | (0 if wait else _fcntl.LOCK_NB)
        try:
            _fcntl.flock(fd, kind)
        except BlockingIOError:
            return False
        return True
    while _msvcrt is not None:
        os.lseek(fd, 0, os.SEEK_SET)
        try:
            _msvcrt.locking(fd, _msvcrt.LK_NBLCK, 1)
        except OSError:
            if not wait:
                return False
            time.sleep(_SECONDS_BETWEEN_TRIES)
        else:
            return True
    return True


def unlock(fd: int) -> None:
    """Give the lock of an open file back."""
    if _fcntl is not None:
        _fcntl.flock(fd, _fcntl.LOCK_UN)
    elif _msvcrt is not None:
        os.lseek(fd, 0, os.SEEK_SET)
        with suppress(OSError):  # it was not taken
            _msvcrt.locking(fd, _msvcrt.LK_UNLCK, 1)
