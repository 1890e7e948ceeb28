"""Which files of a repository are indexed, in a fixed order.

Folders of version control, virtual environments, builds and our own data are not entered. Links are not followed: one
that stays inside the root is passed over (its target is indexed where it stands), one that leaves it is refused.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from planvow.cassette.errors import PathRefusedError
from planvow.cassette.files.below_root import checked_parts
from planvow.governed.sections.config import PRUNED_FOLDERS, GovernedConfig


class FoundFile(NamedTuple):
    """A file to index: its path below the root, where it is, and what changes when it is touched."""

    file_path: str
    location: str
    size: int
    stamp: str
    touched_ns: int


class Refusal(NamedTuple):
    """A file that should be indexed and cannot be, with the reason."""

    file_path: str
    reason: str


def walk(root: Path, config: GovernedConfig, own_data: Path | None = None) -> Iterator[FoundFile | Refusal]:
    """Yield every wanted file below the root, folder by folder, names sorted so that every run sees one order.

    `own_data` is where the index itself is kept, if that is not the configured data folder.
    """
    real_root = os.path.realpath(root)
    closed = {config.data_folder, _below(real_root, own_data)}
    pending = [("", os.fspath(root))]
    while pending:
        prefix, folder = pending.pop()
        try:
            with os.scandir(folder) as entries:
                ordered = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            yield Refusal(prefix.rstrip("/") or ".", f"the folder cannot be read: {error.strerror}")
            continue
        subfolders = []
        for entry in ordered:
            file_path = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in PRUNED_FOLDERS and file_path not in closed:
                    subfolders.append((file_path + "/", entry.path))
            elif config.wants(file_path):
                found = _look_at(entry, file_path, real_root)
                if found is not None:
                    yield found
        pending += reversed(subfolders)


def _below(real_root: str, folder: Path | None) -> str | None:
    inside = None if folder is None else os.path.relpath(os.path.realpath(folder), real_root)
    return None if inside is None else inside.replace(os.sep, "/")


def _look_at(entry: os.DirEntry[str], file_path: str, real_root: str) -> FoundFile | Refusal | None:
    try:
        checked_parts(file_path)
    except PathRefusedError as error:
        return Refusal(ascii(file_path), error.message)
    if entry.is_symlink():
        target = os.path.realpath(entry.path)
        if target == real_root or target.startswith(real_root.rstrip(os.sep) + os.sep):
            return None
        return Refusal(file_path, "it is a link that leaves the root")
    if not entry.is_file(follow_symlinks=False):
        return Refusal(file_path, "it is not a regular file")
    status = entry.stat(follow_symlinks=False)
    stamp = f"{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}:{status.st_ino}"
    return FoundFile(file_path, entry.path, status.st_size, stamp, max(status.st_mtime_ns, status.st_ctime_ns))
