"""What a tree looked like before a command, on the disk, until somebody has looked at the tree after it.

A worker that is killed looks at nothing. What its command left under a protected name would be there when the next one
begins, and be taken for what was always there; so the next one settles first what the killed one could not.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from planvow.cassette.contained.tree import Identity, Survey, Tree, settle
from planvow.cassette.files.file_lock import LifeLock


@contextmanager
def remembered(folder: Path | None, name: str, before: Survey) -> Iterator[Path | None]:
    """Keep a survey in a folder while the block runs; whoever has settled the tree after it removes the file."""
    if folder is None:
        yield None
        return
    folder.mkdir(parents=True, exist_ok=True)
    record, lock = folder / f"{name}.json", LifeLock.taken(folder / f"{name}.lock")
    beside = record.with_suffix(".new")
    with open(beside, "w", encoding="utf-8") as stream:
        json.dump(before.guarded, stream)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(beside, record)
    try:
        yield record
    finally:
        if lock is not None:
            lock.release()


def settle_earlier(folder: Path | None, tree: Tree, quarantine: Path) -> list[str]:
    """Settle what commands left whose workers were killed; say what was wrong."""
    wrong: list[str] = []
    for record in sorted(folder.glob("*.json")) if folder is not None else ():
        if LifeLock.is_free(record.with_suffix(".lock")) is False:
            continue  # it still runs
        settled = settle(tree, Survey(guarded=_guarded(record)), quarantine, is_later=True)
        wrong += settled.wrong
        if settled.is_done:
            for path in (record, record.with_suffix(".lock")):
                with suppress(FileNotFoundError):
                    path.unlink()
    return wrong


def _guarded(record: Path) -> dict[str, Identity]:
    return {path: _identity(*row) for path, row in json.loads(record.read_text("utf-8")).items()}


def _identity(device: int, inode: int, kind: int, link_to: str | None, leads: Any) -> Identity:
    return Identity(device, inode, kind, link_to, tuple(leads) if isinstance(leads, list) else leads)
