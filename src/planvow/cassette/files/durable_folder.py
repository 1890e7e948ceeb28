"""A folder that is still there after a power failure.

A file that was written and synchronised can be gone all the same: its name, and the names of the folders above it, are
entries of other folders, which are synchronised on their own. Whoever makes a ledger does that once for the whole way
down, whoever made the folders.
"""

from __future__ import annotations

import os
from pathlib import Path

from planvow.cassette.errors import StorageError
from planvow.cassette.files import system


def make_folder(path: Path) -> None:
    """Make a folder and those above it that are missing."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"the folder cannot be made: {error.strerror}", place=str(path)) from error


def synchronise_way_to(path: Path) -> None:
    """Take the entries that lead to a folder to the disk; folders that may not be read are left to their owner."""
    if not system.HAS_FOLDERS:  # Windows has no way to do it, and keeps its entries in order by itself
        return
    for folder in path.resolve().parents:
        try:
            fd = os.open(folder, os.O_RDONLY | system.DIRECTORY | system.CLOEXEC)
        except PermissionError:
            continue
        try:
            os.fsync(fd)
        except OSError as error:
            raise StorageError(f"the folder cannot be synchronised: {error.strerror}", place=str(folder)) from error
        finally:
            os.close(fd)
