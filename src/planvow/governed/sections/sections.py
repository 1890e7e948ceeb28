"""Sections: the addressable pieces of a repository (seed 002, Phase 1).

Every indexed file has one file-level section with an empty heading_path; its reader adds the parts it finds: one per
heading of a Markdown text, one per function and class of a Python text, and ranges nest. A section's id is made from
path, range and content: an edit makes a new id, and an id that is still in the index stands for the same words. A file
that is nothing but one heading is one section with two names, hence one id. Each section says which reader made it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from json.encoder import encode_basestring

from planvow.governed.sections.readers import Reader, Readers, joint_of, readers_named
from planvow.governed.sections.text import lines_of, text_hash

INDEXED_TYPES = (".md", ".markdown", ".py", ".js", ".ts", ".sql", ".json", ".yaml", ".yml", ".txt")
INDEX_TAG = "index/2"
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
    reader: str

    @property
    def heading(self) -> str:
        """The names that lead to it as people write them: `Title / Part` in prose, `Class.method` in code."""
        return joint_of(self.reader).join(self.heading_path)

    @property
    def name(self) -> str:
        """The section as people write it: `docs/a.md # Title / Part`, `src/a.py # Class.method`."""
        return self.file_path + (f" # {self.heading}" if self.heading_path else "")


def section_id(file_path: str, line_start: int, line_end: int, content_hash: str) -> str:
    """Return the content-addressed id: SHA-256 over path, start, end and content hash, joined by colons."""
    return hashlib.sha256(f"{file_path}:{line_start}:{line_end}:{content_hash}".encode()).hexdigest()


def extract_sections(file_path: str, text: str, readers: Readers | None = None) -> list[Section]:
    """Return the sections of one normalised text: the whole file first, then its parts in order of their lines."""
    reader = (readers or readers_named()).reader_of(file_path)
    return [
        Section(
            section_id=section_id(file_path, start, end, content_hash),
            file_path=file_path,
            heading_path=heading_path,
            line_start=start,
            line_end=end,
            content_hash=content_hash,
            reader=reader.reader_id,
        )
        for heading_path, start, end, content_hash in _pieces(file_path, text, reader)
    ]


def extract_records(file_path: str, text: str, reader: Reader) -> list[str]:
    """Return the canonical JSON of `extract_sections`, made without the values in between: an index has very many."""
    quoted_path, quoted_reader = encode_basestring(file_path), encode_basestring(reader.reader_id)
    return [
        _record(
            section_id(file_path, start, end, content_hash),
            quoted_path,
            heading_path,
            start,
            end,
            content_hash,
            quoted_reader,
        )
        for heading_path, start, end, content_hash in _pieces(file_path, text, reader)
    ]


def _pieces(file_path: str, text: str, reader: Reader) -> Iterator[tuple[tuple[str, ...], int, int, str]]:
    """Yield heading path, first line, end and content hash of every section, each once."""
    lines = lines_of(text)
    hashes = {(0, len(lines)): text_hash(text)}  # what stands on one line shares it: it is hashed once
    for heading_path, start, end in dict.fromkeys([((), 0, len(lines)), *reader.find(text, lines)]):
        content_hash = hashes.get((start, end))
        if content_hash is None:
            content_hash = hashes[start, end] = text_hash("".join(lines[start:end]))
        yield heading_path, start, end, content_hash


def section_json(section: Section) -> str:
    """Return a section's canonical JSON (RFC 8785)."""
    return _record(
        section.section_id,
        encode_basestring(section.file_path),
        section.heading_path,
        section.line_start,
        section.line_end,
        section.content_hash,
        encode_basestring(section.reader),
    )


def _record(
    section_id: str,
    quoted_path: str,
    heading_path: tuple[str, ...],
    start: int,
    end: int,
    content_hash: str,
    quoted_reader: str,
) -> str:
    titles = ",".join(map(encode_basestring, heading_path))
    return (
        f'{{"content_hash":"{content_hash}","file_path":{quoted_path},"heading_path":[{titles}],'
        f'"line_end":{end},"line_start":{start},"reader":{quoted_reader},"section_id":"{section_id}"}}'
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
        reader=record["reader"],
    )


def index_hash(ordered_records: Iterable[str]) -> str:
    """Return the hash over the canonical JSON of all records, ordered by id: `full_hash(records, tag="index/2")`.

    Where several names share an id, the order of their JSON texts decides.
    """
    digest = hashlib.sha256(f'{{"tag":"{INDEX_TAG}","value":['.encode())
    digest.update(",".join(ordered_records).encode("utf-8"))
    digest.update(b"]}")
    return digest.hexdigest()
