"""Replacing lines of a file, and doing it once although a worker may die in between.

Before the change the hashes of the file before and after are written down beside the ledger. An attempt that finds
the file as it would be afterwards knows that an earlier one did the work; one that finds it neither as before nor as
after refuses. Line ends stay what they are in the replaced lines.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

from planvow.cassette.errors import FileChangedError
from planvow.governed.errors import OperationError

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def patched(old: bytes, first: int, last: int, content: str, *, place: str) -> bytes:
    """Return the file with lines `first` to `last` (from 1, inclusive) replaced by the content."""
    lines = _LINE.findall(old)
    if not 1 <= first <= last <= len(lines):
        raise OperationError(f"lines {first} to {last} are not in the file, which has {len(lines)}", place=place)
    line_end = _line_end(lines[last - 1])
    new = content.replace("\r\n", "\n").replace("\r", "\n")
    if new and not new.endswith("\n") and line_end:
        new += "\n"
    return b"".join([*lines[: first - 1], new.encode("utf-8").replace(b"\n", line_end or b"\n"), *lines[last:]])


def remembered_change(
    memory: Path, before: bytes, change: Callable[[bytes], bytes], *, expected_sha256: str | None, place: str
) -> bytes | None:
    """Return the new content to write, None when an earlier attempt wrote it, or raise FileChangedError."""
    now = hashlib.sha256(before).hexdigest()
    known = _recall(memory)
    if known is not None:
        if now == known[1]:
            return None
        if now != known[0]:
            raise FileChangedError("the file changed between two attempts at this step", place=place)
    elif expected_sha256 is not None and now != expected_sha256:
        raise FileChangedError(f"the file's hash is {now}, the plan expects {expected_sha256}", place=place)
    after = change(before)
    if known is None:
        _remember(memory, now, hashlib.sha256(after).hexdigest())
    return after


def _line_end(line: bytes) -> bytes:
    return line[len(line.rstrip(b"\r\n")) :]


def _recall(memory: Path) -> tuple[str, str] | None:
    try:
        before, after = json.loads(memory.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return None  # never begun, or cut off before the file was touched
    return before, after


def _remember(memory: Path, before: str, after: str) -> None:
    memory.parent.mkdir(parents=True, exist_ok=True)
    beside = memory.with_name(f"{memory.name}.{os.getpid()}")
    with open(beside, "w", encoding="utf-8") as stream:
        json.dump([before, after], stream)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(beside, memory)
