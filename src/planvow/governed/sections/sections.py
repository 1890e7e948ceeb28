"""Sections: the addressable pieces of a repository (seed 002, Phase 1).

Every indexed file has one file-level section with an empty heading_path. Markdown adds one per heading, from its line
to just before the next heading of the same or a higher level, so ranges nest; Python adds its top-level functions and
classes. A section's id is made from path, range and content: an edit makes a new id, and an id that is still in the
index stands for the same words. A file that is nothing but one heading is one section with two names, hence one id.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from json.encoder import encode_basestring

from planvow.governed.sections.markdown import headings
from planvow.governed.sections.python_definitions import definitions
from planvow.governed.sections.text import lines_of, text_hash

MARKDOWN_TYPES = (".md", ".markdown")
PYTHON_TYPES = (".py",)
INDEXED_TYPES = (".md", ".markdown", ".py", ".js", ".ts", ".sql", ".json", ".yaml", ".yml", ".txt")
INDEX_TAG = "index/1"
ID_LENGTH = 64


@dataclass(frozen=True, kw_only=True)
class Section:
    """One piece of one file. Lines are 0-based, the end exclusive."""

    section_id: str
    file_path: str
    heading_path: tuple[str, ...]
    line_start: int
    line_end: int
    content_hash: str

    @property
    def name(self) -> str:
        """The section as people write it: `docs/a.md # Title / Part`."""
        return self.file_path + (" # " + " / ".join(self.heading_path) if self.heading_path else "")


def section_id(file_path: str, line_start: int, line_end: int, content_hash: str) -> str:
    """Return the content-addressed id: SHA-256 over path, start, end and content hash, joined by colons."""
    return hashlib.sha256(f"{file_path}:{line_start}:{line_end}:{content_hash}".encode()).hexdigest()


def extract_sections(file_path: str, text: str) -> list[Section]:
    """Return the sections of one normalised text: the whole file first, then its parts in order of their lines."""
    return [
        Section(
            section_id=section_id(file_path, start, end, content_hash),
            file_path=file_path,
            heading_path=heading_path,
            line_start=start,
            line_end=end,
            content_hash=content_hash,
        )
        for heading_path, start, end, content_hash in _pieces(file_path, text)
    ]


def extract_records(file_path: str, text: str) -> list[str]:
    """Return the canonical JSON of `extract_sections`, made without the values in between: an index has very many."""
    quoted_path = encode_basestring(file_path)
    return [
        _record(section_id(file_path, start, end, content_hash), quoted_path, heading_path, start, end, content_hash)
        for heading_path, start, end, content_hash in _pieces(file_path, text)
    ]


def _pieces(file_path: str, text: str) -> Iterator[tuple[tuple[str, ...], int, int, str]]:
    """Yield heading path, first line, end and content hash of every section."""
    lines = lines_of(text)
    whole_hash = text_hash(text)
    yield (), 0, len(lines), whole_hash
    for heading_path, start, end in _parts(file_path, text, lines):
        is_whole = start == 0 and end == len(lines)
        yield heading_path, start, end, whole_hash if is_whole else text_hash("".join(lines[start:end]))


def _parts(file_path: str, text: str, lines: list[str]) -> Iterator[tuple[tuple[str, ...], int, int]]:
    lowered = file_path.lower()
    if lowered.endswith(MARKDOWN_TYPES):
        yield from _markdown_parts(lines)
    elif lowered.endswith(PYTHON_TYPES):
        for definition in definitions(text, lines):
            yield (definition.name,), definition.line_start, definition.line_end


def _markdown_parts(lines: list[str]) -> Iterator[tuple[tuple[str, ...], int, int]]:
    found = headings(lines)
    ends = [len(lines)] * len(found)
    paths: list[tuple[str, ...]] = []
    open_ones: list[int] = []
    for position, heading in enumerate(found):
        while open_ones and found[open_ones[-1]].level >= heading.level:
            ends[open_ones.pop()] = heading.line
        open_ones.append(position)
        paths.append(tuple(found[i].title for i in open_ones))
    for path, heading, end in zip(paths, found, ends, strict=True):
        yield path, heading.line, end


def section_json(section: Section) -> str:
    """Return a section's canonical JSON (RFC 8785)."""
    return _record(
        section.section_id,
        encode_basestring(section.file_path),
        section.heading_path,
        section.line_start,
        section.line_end,
        section.content_hash,
    )


def _record(
    section_id: str, quoted_path: str, heading_path: tuple[str, ...], start: int, end: int, content_hash: str
) -> str:
    titles = ",".join(map(encode_basestring, heading_path))
    return (
        f'{{"content_hash":"{content_hash}","file_path":{quoted_path},"heading_path":[{titles}],'
        f'"line_end":{end},"line_start":{start},"section_id":"{section_id}"}}'
    )


def id_of(record: str) -> str:
    """Return the section_id of a section's canonical JSON without reading the rest: it is the last field."""
    return record[-ID_LENGTH - 2 : -2]


def section_from_json(line: str) -> Section:
    """Read a section back; raises ValueError, KeyError or TypeError on anything else."""
    record = json.loads(line)
    return Section(
        section_id=record["section_id"],
        file_path=record["file_path"],
        heading_path=tuple(record["heading_path"]),
        line_start=record["line_start"],
        line_end=record["line_end"],
        content_hash=record["content_hash"],
    )


def index_hash(ordered_records: Iterable[str]) -> str:
    """Return the hash over the canonical JSON of all records, ordered by id: `full_hash(records, tag="index/1")`.

    Where a file and its only heading share an id, the order of their JSON texts decides.
    """
    digest = hashlib.sha256(f'{{"tag":"{INDEX_TAG}","value":['.encode())
    digest.update(",".join(ordered_records).encode("utf-8"))
    digest.update(b"]}")
    return digest.hexdigest()
