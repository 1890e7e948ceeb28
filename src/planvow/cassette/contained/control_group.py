"""A bound on the number of processes that holds for root, too.

The kernel exempts root's processes from RLIMIT_NPROC, whatever namespace they are in, and a command that does nothing
but fork is faster than anybody who watches. So a worker that is root puts the command into a control group with a
bound, where it finds one it may make; version 1 and version 2 hierarchies are known.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

MOUNT = Path("/sys/fs/cgroup")
PREFIX = "planvow-"

_numbers = count(1)


@contextmanager
def bounded_group(processes: int) -> Iterator[Path | None]:
    """Yield a new control group for at most so many processes, None where none can be made or is needed."""
    group = _make(processes) if os.geteuid() == 0 else None
    try:
        yield group
    finally:
        if group is not None:
            with suppress(OSError):
                group.rmdir()


def join(group: Path, *pids: int) -> None:
    """Put processes into a group; what they start from now on is in it."""
    for pid in pids:
        (group / "cgroup.procs").write_text(str(pid), "ascii")


def _make(processes: int) -> Path | None:
    for parent in _parents():
        _sweep(parent)
        group = parent / f"{PREFIX}{os.getpid()}-{next(_numbers)}"
        try:
            group.mkdir()
            (group / "pids.max").write_text(str(processes), "ascii")
        except OSError:
            with suppress(OSError):
                group.rmdir()
        else:
            return group
    return None


def _parents() -> Iterator[Path]:
    """Yield groups below which the kernel counts processes: our own, and the one above it."""
    try:
        lines = Path("/proc/self/cgroup").read_text("utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, place = line.split(":", 2)
        if controllers and "pids" not in controllers.split(","):
            continue
        mount = MOUNT / "pids" if controllers else MOUNT
        own = mount / place.strip("/")
        for group in (own, own.parent):
            if group == mount or mount in group.parents:
                yield group


def _sweep(parent: Path) -> None:
    """Remove the groups of workers that were killed."""
    with suppress(OSError):
        for group in parent.glob(f"{PREFIX}*"):
            owner = group.name.removeprefix(PREFIX).partition("-")[0]
            if owner.isdigit() and not Path("/proc", owner).exists():
                with suppress(OSError):
                    group.rmdir()
