"""A limit on memory that may end a call early, and never changes which plan comes out.

A timer looks at the resident memory of the process many times a second and raises MemoryError just below the limit,
while there is still enough to put things in order (an interpreter that has nothing left at all may hang). One huge
allocation between two looks is stopped by the operating system, which is told the limit too.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from planvow.errors import InputError, MemoryLimitError

PLACE = "max_memory_mb"
_MEGABYTE = 2**20
_SECONDS_OF_CPU_BETWEEN_LOOKS = 0.01
_RESERVE = 0.05
"""The part of the limit that is kept for what is allocated between two looks."""
_STATM = Path("/proc/self/statm")


@contextmanager
def memory_limit(max_memory_mb: int | None) -> Iterator[None]:
    """Keep the process below so many megabytes; running out of memory inside raises MemoryLimitError."""
    try:
        with _watched(max_memory_mb):
            yield
    except MemoryError:
        raise MemoryLimitError(max_memory_mb) from None
    except Exception as error:
        if isinstance(error.__cause__, MemoryError):  # it struck inside a domain function
            raise MemoryLimitError(max_memory_mb) from None
        raise


@contextmanager
def _watched(max_memory_mb: int | None) -> Iterator[None]:
    if max_memory_mb is None:
        yield
        return
    if sys.platform == "win32":
        raise InputError("this system cannot limit the memory of a process", place=PLACE)
    if threading.current_thread() is not threading.main_thread():  # signals are for that one alone
        raise InputError("a limit on memory is watched from a program's main thread, and this is another", place=PLACE)
    import resource

    page = resource.getpagesize()
    limit = max_memory_mb * _MEGABYTE
    mapped, resident = _pages()

    def look(_number: int, _frame: Any) -> None:
        if _pages()[1] * page > limit * (1 - _RESERVE):
            raise MemoryError

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    unlimited = resource.RLIM_INFINITY
    wanted = max(limit, resident * page) + (mapped - resident) * page  # what is mapped but not in memory costs nothing
    allowed = min([wanted, *(given for given in (soft, hard) if given != unlimited)])
    before = signal.signal(signal.SIGPROF, look)
    resource.setrlimit(resource.RLIMIT_AS, (allowed, hard))
    signal.setitimer(signal.ITIMER_PROF, _SECONDS_OF_CPU_BETWEEN_LOOKS, _SECONDS_OF_CPU_BETWEEN_LOOKS)
    try:
        look(0, None)
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        signal.signal(signal.SIGPROF, before)


def _pages() -> tuple[int, int]:
    """Return how many pages the process has mapped, and how many of them are in memory."""
    try:
        mapped, resident = _STATM.read_text(encoding="ascii").split()[:2]
        return int(mapped), int(resident)
    except OSError:  # no /proc: the highest there ever was must do
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        pages = peak * (1 if sys.platform == "darwin" else 1024) // resource.getpagesize()
        return pages, pages
