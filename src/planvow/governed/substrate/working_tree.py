"""The substrate together with the files it describes: what the compiler asks and what `get` prints.

Text is read from the working tree and believed only when its hash is the section's, so a plan never rests on a file
that changed after it was indexed. A file read once is read again only when the file system says it changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from planvow.cassette.errors import PathRefusedError
from planvow.cassette.files.below_root import Root
from planvow.governed.errors import StaleSectionError
from planvow.governed.sections.paths import check_path
from planvow.governed.sections.sections import Section
from planvow.governed.sections.slices import SlicedText, apply_slice, parse_slice
from planvow.governed.sections.text import lines_of, normalised, text_hash
from planvow.governed.substrate.interface import Substrate, build_hint, default_path, open_substrate
from planvow.governed.substrate.lookup import meant_section, named_section, unknown_file
from planvow.governed.substrate.records import Symbol
from planvow.governed.substrate.symbols import find_symbol, target_of

MAX_FILE_BYTES = 1 << 30


REMEMBERED_PIECES = 1000  # of a file: whoever asks for ever new slices must not fill the memory


class _ReadFile(NamedTuple):
    status: tuple[int, int, int, int]
    text: str
    lines: list[str]
    pieces: dict[tuple[str, str | None], SlicedText]


class WorkingTree:
    """A repository root, its index, and its symbols (which may be kept apart)."""

    def __init__(self, root: Path, sections: Substrate, symbols: Substrate | None = None) -> None:
        self.root = root
        self.sections = sections
        self.symbols = sections if symbols is None else symbols
        self._files: dict[str, _ReadFile] = {}
        self._whole_files: dict[str, Section] = {}
        self._generation = sections.generation
        self._root: Root | None = None

    def is_current(self) -> bool:
        """Say whether index and symbols are those that were opened."""
        return self.sections.is_current() and (self.symbols is self.sections or self.symbols.is_current())

    def index_hash(self) -> str:
        """Return the hash of the index the answers come from."""
        return self.sections.meta().index_hash

    def section(self, section_id: str, *, place: str | None = None) -> Section:
        """Return an indexed section, or raise UnknownSectionError."""
        return named_section(self.sections, section_id, place=place)

    def meant(self, written: str) -> Section:
        """Return the section that a person means by an id, `FILE` or `FILE # HEADING`."""
        return meant_section(self.sections, written)

    def file_section(self, file_path: str, *, place: str | None = None) -> Section:
        """Return the file-level section of an indexed file, or raise UnknownSectionError."""
        check_path(file_path, place=place)
        found = self._whole_file(file_path)
        if found is None:
            raise unknown_file(self.sections, file_path, place=place)
        return found

    def indexed_lines(self, file_path: str) -> int | None:
        """Return how many lines an indexed file has, None for a file that is not in the index."""
        whole = self._whole_file(file_path)
        return None if whole is None else whole.line_end

    def symbol_target(self, symbol_id: str, *, place: str | None = None) -> tuple[Symbol, Section]:
        """Return a registered symbol and the indexed section it points at."""
        symbol = find_symbol(self.symbols, symbol_id, place=place)
        return symbol, target_of(symbol, self.sections, place=place)

    def text(self, section: Section) -> str:
        """Return a section's text as it stands in the working tree, or raise StaleSectionError."""
        return self._text(section, self._read(section))

    def _text(self, section: Section, read: _ReadFile) -> str:
        # A file-level section is the whole file, so lines that were added behind it count as a change.
        whole = not section.heading_path
        text = read.text if whole else "".join(read.lines[section.line_start : section.line_end])
        if text_hash(text) != section.content_hash:
            raise StaleSectionError(
                f"{section.name} changed after it was indexed", place=section.file_path, hint=build_hint(self.sections)
            )
        return text

    def expand(self, section: Section, slice_text: str | None) -> SlicedText:
        """Return a bounded piece of a section; None, the whole of it, is for a direct `get` and for whole files."""
        read, wanted = self._read(section), (section.section_id, slice_text)
        piece = read.pieces.get(wanted)
        if piece is None:
            piece = apply_slice(self._text(section, read), None if slice_text is None else parse_slice(slice_text))
            if len(read.pieces) >= REMEMBERED_PIECES:
                read.pieces.clear()
            read.pieces[wanted] = piece
        return piece

    def close(self) -> None:
        if self._root is not None:
            self._root.close()
        self.sections.close()
        if self.symbols is not self.sections:
            self.symbols.close()

    def _whole_file(self, file_path: str) -> Section | None:
        if self._generation != self.sections.generation:
            self._generation = self.sections.generation
            self._whole_files.clear()
        whole = self._whole_files.get(file_path)
        if whole is None:
            whole = next((s for s in self.sections.sections(file_path) if not s.heading_path), None)
            if whole is not None:
                self._whole_files[file_path] = whole
        return whole

    def _read(self, section: Section) -> _ReadFile:
        location = os.path.join(self.root, section.file_path)
        try:
            status = os.stat(location, follow_symlinks=False)
            seen = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
            known = self._files.get(section.file_path)
            if known is not None and known.status == seen:
                return known
            if self._root is None:
                self._root = Root(self.root)
            text = normalised(self._root.read(section.file_path, max_bytes=MAX_FILE_BYTES))
        except (OSError, UnicodeDecodeError, PathRefusedError) as error:
            reason = getattr(error, "strerror", None) or getattr(error, "message", "not UTF-8")
            raise StaleSectionError(
                f"{section.name} cannot be read any more: {reason}",
                place=section.file_path,
                hint=build_hint(self.sections),
            ) from None
        self._files[section.file_path] = _ReadFile(seen, text, lines_of(text), {})
        return self._files[section.file_path]


@contextmanager
def open_working_tree(
    root: Path,
    *,
    kind: str = "sqlite",
    data_folder: Path,
    substrate_db: Path | None = None,
    symbols_db: Path | None = None,
    writable: bool = False,
) -> Iterator[WorkingTree]:
    """Open a repository's substrate for reading, or for writing, and close it afterwards."""
    path = substrate_db or default_path(data_folder, kind)
    sections = open_substrate(kind, path, writable=writable)
    symbols = open_substrate(kind, symbols_db, writable=writable) if symbols_db and symbols_db != path else sections
    tree = WorkingTree(root, sections, symbols)
    try:
        yield tree
    finally:
        tree.close()
