"""Copying a folder's content between two open directories.

Everything is reached by name relative to a directory that is open already, and nothing is opened through a symbolic
link: whatever is exchanged on disk meanwhile, no byte from outside is read and none is written outside. Links are
copied as links. What is neither file, folder nor link is refused.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from planvow.cassette.errors import FileChangedError, PathRefusedError
from planvow.cassette.files import system

MAX_DEPTH = 64
MAX_ENTRIES = 10_000
_FOLDER = os.O_RDONLY | system.DIRECTORY | system.NOFOLLOW | system.CLOEXEC
_FILE = os.O_RDONLY | system.NOFOLLOW | system.NONBLOCK | system.CLOEXEC  # NONBLOCK: opening a pipe must not wait
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.NOFOLLOW | system.CLOEXEC
_CHUNK = 1 << 20


def copy_content(source: int, target: int, place: str) -> int:
    """Copy all that a directory holds into another, empty one; return how many entries were copied."""
    try:
        return _copied(source, target, place, MAX_DEPTH, 0)
    except OSError as error:
        raise FileChangedError(f"changed while it was copied: {error.strerror}", place=place) from None


def _copied(source: int, target: int, place: str, depth_left: int, count: int) -> int:
    if depth_left == 0:
        raise PathRefusedError(f"the folder is deeper than {MAX_DEPTH}", place=place)
    for name in sorted(os.listdir(source)):
        count += 1
        if count > MAX_ENTRIES:
            raise PathRefusedError(f"the folder holds more than {MAX_ENTRIES} entries", place=place)
        mode = os.stat(name, dir_fd=source, follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            os.symlink(os.readlink(name, dir_fd=source), name, dir_fd=target)
        elif stat.S_ISDIR(mode):
            os.mkdir(name, stat.S_IMODE(mode) | 0o700, dir_fd=target)
            with _opened(name, _FOLDER, source, place) as inner, _opened(name, _FOLDER, target, place) as copy:
                count = _copied(inner, copy, place, depth_left - 1, count)
        else:
            _copy_file(name, source, target, place)
    return count


def _copy_file(name: str, source: int, target: int, place: str) -> None:
    with _opened(name, _FILE, source, place) as old:
        mode = os.fstat(old).st_mode
        if not stat.S_ISREG(mode):
            raise PathRefusedError("not a regular file", place=f"{place}: {name}")
        with _opened(name, _NEW, target, place, stat.S_IMODE(mode) & 0o777) as new:
            while chunk := os.read(old, _CHUNK):
                view = memoryview(chunk)
                while view:
                    view = view[os.write(new, view) :]


@contextmanager
def _opened(name: str, flags: int, folder: int, place: str, mode: int = 0o777) -> Iterator[int]:
    try:
        fd = os.open(name, flags, mode, dir_fd=folder)
    except OSError as error:
        raise PathRefusedError(f"cannot be opened: {error.strerror}", place=f"{place}: {name}") from None
    try:
        yield fd
    finally:
        os.close(fd)
