"""Doing once what ends in a rename, although a worker may die at any moment or wake up late.

What is to be renamed is made complete first; then a note says so; then comes the rename. All attempts at one step share
the note. A note without the thing means that an earlier attempt renamed it; a note with the thing, that it died just
before. This holds whatever others do to the target meanwhile, because the target is not looked at. Attempts, and other
steps of this kind in the same workspace, take turns, so that of two that append at once neither is lost.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from planvow.cassette.files import system
from planvow.cassette.files.below_root import Root, checked_parts

NOTES = ".planvow/once"
DONE_BEFORE = {"status": "done", "reason": "by an earlier attempt"}


@dataclass(frozen=True, kw_only=True)
class Note:
    """Whether the thing of a step was ever complete, kept in an open folder."""

    folder: int
    name: str

    def is_left(self) -> bool:
        return is_there(self.name, self.folder)

    def leave(self) -> None:
        """Say, safely on disk, that the thing is complete."""
        flags = os.O_WRONLY | os.O_CREAT | system.NOFOLLOW | system.CLOEXEC
        os.close(os.open(self.name, flags, 0o644, dir_fd=self.folder))
        os.fsync(self.folder)

    def take_back(self) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self.name, dir_fd=self.folder)


@contextmanager
def taking_turns(root: Root, step: str) -> Iterator[Note]:
    """Wait until no other process of this workspace is at it; give the note of the step."""
    place = f"{NOTES}/{step}"
    with root.folder(checked_parts(place), place, make=True) as folder:
        lock = os.open(".lock", os.O_RDWR | os.O_CREAT | system.NOFOLLOW | system.CLOEXEC, 0o644, dir_fd=folder)
        try:
            system.lock(lock)
            yield Note(folder=folder, name=step)
        finally:
            os.close(lock)


def append_once(root: Root, path: str, data: bytes, *, step: str, token: str) -> str | None:
    """Add to the end of a file (made if need be); return its hash, or None when an earlier attempt did it."""
    parts = checked_parts(path)
    staged = f".{hashlib.sha256(step.encode('utf-8')).hexdigest()[:24]}.append"
    with taking_turns(root, step) as note, root.folder(parts, path) as folder:
        if note.is_left() and not is_there(staged, folder):
            return None
        mode = None
        with suppress(FileNotFoundError):
            mode = stat.S_IMODE(os.stat(parts[-1], dir_fd=folder, follow_symlinks=False).st_mode)
        old = b"" if mode is None else root.read(path)
        made = root.write("/".join((*parts[:-1], staged)), old + data, token=token, make_folders=False)
        if mode is not None:
            os.chmod(staged, mode & 0o777, dir_fd=folder)
        note.leave()
        os.rename(staged, parts[-1], src_dir_fd=folder, dst_dir_fd=folder)
        os.fsync(folder)
    return made.after_sha256


def is_there(name: str, folder: int) -> bool:
    """Say whether anything has this name in an open folder; links are not followed."""
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
