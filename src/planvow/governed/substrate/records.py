"""What a substrate stores beside sections: known files, symbols and expansions, as values and as canonical JSON lines.

Both substrates write these same lines, one into columns and one into text files, which is why they cannot drift apart.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, TypeVar

TARGET_SECTION = "SECTION"


@dataclass(frozen=True, kw_only=True)
class FileRecord:
    """A file as it was when it was indexed. `stamp` (size, times, inode) lets an untouched file go unread.

    `reader` is who read it: another one may find other sections, so it reads the file again.
    """

    file_path: str
    file_hash: str
    stamp: str
    reader: str


@dataclass(frozen=True, kw_only=True)
class Symbol:
    """A name for a section, with the slice that bounds its reading and the anchor that finds it again after an edit."""

    symbol_id: str
    target_type: str = TARGET_SECTION
    target_ref: str
    default_slice: str | None
    anchor_file: str
    anchor_heading: tuple[str, ...]
    created_at: str
    updated_at: str


@dataclass(frozen=True, kw_only=True)
class Expansion:
    """One bounded reading of a symbol in one run. Append-only: the same key is never written twice."""

    run_id: str
    symbol_id: str
    slice: str
    section_hash: str
    payload: str
    payload_hash: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.run_id, self.symbol_id, self.slice, self.section_hash


_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"), sort_keys=True).encode

R = TypeVar("R", FileRecord, Symbol, Expansion)


def record_json(record: FileRecord | Symbol | Expansion) -> str:
    """Return a record's canonical JSON: ASCII keys and no floats, so the fast encoder gives RFC 8785 bytes."""
    return _encode(vars(record))


def record_from_json(kind: type[R], line: str) -> R:
    """Read a record back; raises ValueError, KeyError or TypeError on anything else."""
    values: dict[str, Any] = json.loads(line)
    if sorted(values) != sorted(f.name for f in fields(kind)):
        raise ValueError(f"not a {kind.__name__}: its fields are {sorted(values)}")
    if "anchor_heading" in values:
        values["anchor_heading"] = tuple(values["anchor_heading"])
    return kind(**values)
