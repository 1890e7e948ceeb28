"""The substrate: where sections, symbols and expansions are kept. Two kinds, `sqlite` and `jsonl`, with one meaning.

A substrate opened for reading never creates a file: one that does not exist yet reads as empty. Writing is all or
nothing per call. Symbols survive every rebuild of the index. Both kinds give the planner the same answers, hence the
same plans, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISDIR
from typing import NamedTuple, Protocol

from planvow.errors import InputError, did_you_mean
from planvow.governed.errors import DuplicateSymbolError
from planvow.governed.sections.sections import Section
from planvow.governed.substrate.records import Expansion, FileRecord, Symbol

KINDS = ("sqlite", "jsonl")


@dataclass(frozen=True, kw_only=True)
class IndexMeta:
    """What is known about the index as a whole."""

    index_hash: str
    section_count: int
    file_count: int
    built_at: str
    built_at_ms: int


class IndexedFile(NamedTuple):
    """A file and its sections as canonical JSON, the whole file first: text, because an index has very many of them."""

    record: FileRecord
    sections: list[str]


class Substrate(Protocol):
    """What both kinds can do."""

    path: Path
    exists: bool
    generation: int
    """Counts the builds made through this object, so that what was remembered of an older one is dropped."""

    def is_current(self) -> bool:
        """Say whether nothing was written since it was opened; one opened for reading remembers what it was asked."""
        ...

    def meta(self) -> IndexMeta: ...
    def section(self, section_id: str) -> Section | None:
        """Return the section with this id; where several names share one, the file, else the first of them."""
        ...

    def sections(self, file_path: str | None = None) -> list[Section]:
        """Return the sections of one file or of all, ordered by path, first line, and depth."""
        ...

    def records(self) -> Iterable[str]:
        """Yield the canonical JSON of every section, in the order of the index hash."""
        ...

    def files(self) -> Mapping[str, FileRecord]: ...
    def replace(
        self,
        changed: Mapping[str, IndexedFile],
        removed: Iterable[str],
        *,
        everything: bool,
        built_at_ms: int,
    ) -> IndexMeta:
        """Put in the sections of changed files and take out removed ones; `everything` empties the index first."""
        ...

    def symbol(self, symbol_id: str) -> Symbol | None: ...
    def symbols(self, prefix: str = "") -> list[Symbol]: ...
    def add_symbol(self, symbol: Symbol) -> None:
        """Store a new symbol, or raise DuplicateSymbolError."""
        ...

    def replace_symbol(self, symbol: Symbol) -> None: ...
    def expansion(self, key: tuple[str, str, str, str]) -> Expansion | None: ...
    def append_expansion(self, expansion: Expansion) -> None:
        """Record an expansion, or raise DuplicateExpansionError."""
        ...

    def close(self) -> None: ...


def in_reading_order(section: Section) -> tuple[str, int, int, tuple[str, ...]]:
    """Return what sections are sorted by: file and line; of those that begin together the outer one comes first."""
    return section.file_path, section.line_start, len(section.heading_path), section.heading_path


def registered_already(symbol: Symbol) -> DuplicateSymbolError:
    """Return the error for a symbol whose name is taken."""
    return DuplicateSymbolError(
        f"{symbol.symbol_id} is registered already",
        hint=f"planvow cortex symbols rebind {symbol.symbol_id} moves it to the text at its place now, "
        "--to SECTION_ID to another",
    )


def build_hint(sections: Substrate) -> str:
    """Return what to do about an index that does not have what was asked for."""
    if sections.exists:
        return "run: planvow cortex sections build --incremental"
    for kind in KINDS:
        if default_path(sections.path.parent, kind).exists():
            return f"the index here is of the other kind: add --substrate {kind}"
    return "there is no index yet; run: planvow cortex sections build"


def default_path(data_folder: Path, kind: str) -> Path:
    """Return where a substrate of this kind lives below the data folder: a database, or a folder of text files."""
    return data_folder / ("index.db" if kind == "sqlite" else "index")


def file_state(path: Path) -> tuple[tuple[str, int, int, int], ...]:
    """Return what changes when a file, or a file of a folder, is written anew: names, sizes, times and inodes."""
    try:
        status = path.stat()
        if S_ISDIR(status.st_mode):
            return tuple(one for child in sorted(path.glob("*.json*")) for one in file_state(child))
    except OSError:
        return ()
    return ((path.name, status.st_size, status.st_mtime_ns, status.st_ino),)


def open_substrate(kind: str, path: Path, *, writable: bool = False) -> Substrate:
    """Open a substrate. Only a writable one may create anything on disk."""
    if kind == "sqlite":
        from planvow.governed.substrate.sqlite import SqliteSubstrate

        return SqliteSubstrate(path, writable=writable)
    if kind == "jsonl":
        from planvow.governed.substrate.jsonl import JsonlSubstrate

        return JsonlSubstrate(path, writable=writable)
    raise InputError(
        f"there is no substrate {kind!r:.80}", place="substrate", hint=did_you_mean(kind, KINDS) or "sqlite or jsonl"
    )
