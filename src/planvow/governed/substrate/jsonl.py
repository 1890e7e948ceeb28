"""The substrate as text files: one canonical JSON record per line, sorted by key, fit for review and version control.

`sections.jsonl`, `files.jsonl` and `symbols.jsonl` are written beside themselves and renamed; `expansions.jsonl` is
appended to. Reading loads a file on its first use.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from planvow.canonical import canonical_json
from planvow.cassette.files.file_lock import FileLock
from planvow.governed.errors import BrokenIndexError, DuplicateExpansionError
from planvow.governed.sections.sections import (
    INDEX_TAG,
    Section,
    id_of,
    index_hash,
    section_from_json,
    section_json,
)
from planvow.governed.substrate.interface import (
    IndexedFile,
    IndexMeta,
    file_state,
    in_reading_order,
    registered_already,
)
from planvow.governed.substrate.records import Expansion, FileRecord, Symbol, record_from_json, record_json
from planvow.governed.substrate.stamps import utc_stamp

T = TypeVar("T")

_LOADED = ("_sections", "_by_id", "_by_file", "_files", "_meta")


class JsonlSubstrate:
    """Sections, symbols and expansions in a folder of text files."""

    def __init__(self, path: Path, *, writable: bool = False) -> None:
        self.path = path
        self.generation = 0
        self.exists = (path / "sections.jsonl").exists()
        self._state = file_state(path)
        self._writable = writable
        self._outdated = self.exists and self._tag() != INDEX_TAG  # a build makes it anew; symbols stay
        if self._outdated and not writable:
            raise BrokenIndexError(
                f"this is not an index of version {INDEX_TAG} (found {self._tag()})",
                place=str(path),
                hint="run: planvow cortex sections build",
            )

    def close(self) -> None:
        pass

    def is_current(self) -> bool:
        return self._state == file_state(self.path)

    def meta(self) -> IndexMeta:
        return self._meta

    def section(self, section_id: str) -> Section | None:
        return self._by_id.get(section_id)

    def sections(self, file_path: str | None = None) -> list[Section]:
        found = self._sections if file_path is None else self._by_file.get(file_path, [])
        return sorted(found, key=in_reading_order)

    def records(self) -> Iterator[str]:
        return map(section_json, self._sections)

    def files(self) -> Mapping[str, FileRecord]:
        return self._files

    def replace(
        self,
        changed: Mapping[str, IndexedFile],
        removed: Iterable[str],
        *,
        everything: bool,
        built_at_ms: int,
    ) -> IndexMeta:
        with self._locked():
            if not self.is_current():
                self._forget()  # another build may have been faster: what it wrote is the base
            meta = self._replaced(changed, {*removed, *changed}, everything=everything, built_at_ms=built_at_ms)
            self._forget()
            self._outdated = False
            self._meta = meta
            self._state = file_state(self.path)
        self.exists = True
        self.generation += 1
        return meta

    def _replaced(
        self, changed: Mapping[str, IndexedFile], gone: set[str], *, everything: bool, built_at_ms: int
    ) -> IndexMeta:
        files = {} if everything else {path: record for path, record in self._files.items() if path not in gone}
        kept = [] if everything else [section_json(s) for s in self._sections if s.file_path not in gone]
        for path, file in changed.items():
            files[path] = file.record
            kept += file.sections
        lines = [record for _, record in sorted((id_of(record), record) for record in kept)]
        meta = IndexMeta(
            index_hash=index_hash(lines),
            section_count=len(lines),
            file_count=len(files),
            built_at=utc_stamp(built_at_ms),
            built_at_ms=built_at_ms,
        )
        self._write("sections.jsonl", lines)
        self._write("files.jsonl", [record_json(files[path]) for path in sorted(files)])
        self._write("meta.json", [canonical_json({"index": INDEX_TAG, **vars(meta)})])  # last: the rest stands
        return meta

    def _forget(self) -> None:
        for name in _LOADED:
            self.__dict__.pop(name, None)

    def symbol(self, symbol_id: str) -> Symbol | None:
        return self._symbols.get(symbol_id)

    def symbols(self, prefix: str = "") -> list[Symbol]:
        return [self._symbols[name] for name in sorted(self._symbols) if name.startswith(prefix)]

    def add_symbol(self, symbol: Symbol) -> None:
        with self._locked():
            if symbol.symbol_id in self._symbols:
                raise registered_already(symbol)
            self._write_symbols({**self._symbols, symbol.symbol_id: symbol})

    def replace_symbol(self, symbol: Symbol) -> None:
        with self._locked():
            self._write_symbols({**self._symbols, symbol.symbol_id: symbol})

    def expansion(self, key: tuple[str, str, str, str]) -> Expansion | None:
        return self._expansions.get(key)

    def append_expansion(self, expansion: Expansion) -> None:
        with self._locked():
            if expansion.key in self._expansions:
                raise DuplicateExpansionError(
                    f"{expansion.symbol_id} {expansion.slice} is recorded already for run {expansion.run_id}"
                )
            with open(self.path / "expansions.jsonl", "a", encoding="utf-8", newline="\n") as stream:
                stream.write(record_json(expansion) + "\n")
            self._expansions[expansion.key] = expansion

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Let one process at a time change symbols and expansions, and look at what the others wrote first."""
        if not self._writable:
            raise BrokenIndexError("this substrate was opened for reading", place=str(self.path))
        self.path.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.path / ".lock")
        lock.acquire()
        try:
            for name in ("_symbols", "_expansions"):
                self.__dict__.pop(name, None)
            yield
        finally:
            lock.release()
            lock.close()

    def _tag(self) -> str:
        """Return the version of the stored index; one whose build was cut off has none and counts as ours."""
        found = self._read("meta.json", json.loads)
        return str(found[0].get("index", "index/1")) if found and isinstance(found[0], dict) else INDEX_TAG

    @cached_property
    def _meta(self) -> IndexMeta:
        found = [] if self._outdated else self._read("meta.json", json.loads)
        if not found:
            return IndexMeta(index_hash=index_hash([]), section_count=0, file_count=0, built_at="", built_at_ms=0)
        try:
            # The hash is taken from the records themselves: a text file may have been edited, or a build cut off.
            found[0].pop("index")
            return replace(IndexMeta(**found[0]), index_hash=index_hash(self.records()))
        except (AttributeError, KeyError, TypeError) as error:
            raise self._broken("meta.json", 1, error) from None

    @cached_property
    def _sections(self) -> list[Section]:
        return [] if self._outdated else self._read("sections.jsonl", section_from_json)

    @cached_property
    def _by_id(self) -> dict[str, Section]:
        found: dict[str, Section] = {}
        for section in self._sections:
            named = found.setdefault(section.section_id, section)
            if section.heading_path < named.heading_path:
                found[section.section_id] = section
        return found

    @cached_property
    def _by_file(self) -> dict[str, list[Section]]:
        found: dict[str, list[Section]] = {}
        for section in self._sections:
            found.setdefault(section.file_path, []).append(section)
        return found

    @cached_property
    def _files(self) -> dict[str, FileRecord]:
        if self._outdated:
            return {}
        return {r.file_path: r for r in self._read("files.jsonl", lambda line: record_from_json(FileRecord, line))}

    @cached_property
    def _symbols(self) -> dict[str, Symbol]:
        return {r.symbol_id: r for r in self._read("symbols.jsonl", lambda line: record_from_json(Symbol, line))}

    @cached_property
    def _expansions(self) -> dict[tuple[str, str, str, str], Expansion]:
        return {r.key: r for r in self._read("expansions.jsonl", lambda line: record_from_json(Expansion, line))}

    def _write_symbols(self, symbols: dict[str, Symbol]) -> None:
        self._write("symbols.jsonl", [record_json(symbols[name]) for name in sorted(symbols)])
        self.__dict__.pop("_symbols", None)

    def _read(self, name: str, reader: Callable[[str], T]) -> list[T]:
        found: list[T] = []
        try:
            with open(self.path / name, encoding="utf-8", newline="\n") as stream:
                for line in stream:
                    found.append(reader(line))
        except FileNotFoundError:
            return []
        except (ValueError, KeyError, TypeError, OSError) as error:
            raise self._broken(name, len(found) + 1, error) from None
        return found

    def _broken(self, name: str, line: int, error: Any) -> BrokenIndexError:
        return BrokenIndexError(f"a stored record cannot be read: {error}", place=f"{self.path / name}:{line}")

    def _write(self, name: str, lines: list[str]) -> None:
        if not self._writable:
            raise BrokenIndexError("this substrate was opened for reading", place=str(self.path))
        self.path.mkdir(parents=True, exist_ok=True)
        target = self.path / name
        beside = self.path / f".{name}.{os.getpid()}"
        with open(beside, "w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(line + "\n" for line in lines)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, target)
