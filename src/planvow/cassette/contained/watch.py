"""Which processes a command consists of by now, and how much memory they hold, as the kernel tells it.

In a process namespace one look at its own `/proc` names them all, however fast they multiply. Without one, or where
that is not for us to see, they are found by their parents.
"""

from __future__ import annotations

import os
from collections.abc import Iterable


def processes_of(pid: int, init: int | None) -> list[str]:
    """Return the `/proc` folders of a command's processes: what `pid` started, without a namespace's `init`."""
    if init is not None:
        inside = f"/proc/{init}/root/proc"
        names = [name for name in _names(inside) if name != "1"]
        if names:
            return [f"{inside}/{name}" for name in names]
    children: dict[int, list[int]] = {}
    for name in _names("/proc"):
        facts = _facts(f"/proc/{name}")
        if facts:
            children.setdefault(int(facts[1]), []).append(int(name))  # proc(5): state, parent, …
    found, pending = [], [pid]
    while pending:
        each = pending.pop()
        pending += children.get(each, ())
        if each not in (pid, init) or init is None:
            found.append(f"/proc/{each}")
    return found


def memory_of(processes: Iterable[str]) -> int:
    """Return how many bytes the processes hold, pages they share counted for each."""
    pages = sum(int(facts[21]) for facts in map(_facts, processes) if facts)
    return pages * os.sysconf("SC_PAGE_SIZE")


def _names(folder: str) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if name.isdigit()]
    except OSError:
        return []  # it ended, or we may not look


def _facts(process: str) -> list[bytes]:
    """Return what `stat` says behind the name, which may contain anything."""
    try:
        with open(f"{process}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return []
