"""The substrate in one SQLite file.

The rollback journal is used, not WAL: a database opened read-only then leaves nothing beside itself, so a dry run
touches no file. Writes are `BEGIN IMMEDIATE` transactions; what a killed one had begun is taken back by whoever opens
the index next, reader or not.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

from planvow.governed.errors import BrokenIndexError, DuplicateExpansionError
from planvow.governed.sections.sections import ID_LENGTH, Section, id_of, index_hash, section_from_json
from planvow.governed.substrate.interface import (
    IndexedFile,
    IndexMeta,
    file_state,
    in_reading_order,
    registered_already,
)
from planvow.governed.substrate.records import Expansion, FileRecord, Symbol, record_from_json, record_json
from planvow.governed.substrate.stamps import utc_stamp

SCHEMA_VERSION = 3
LOCK_WAIT_SECONDS = 30.0
_DATA_VERSION = "PRAGMA data_version"  # grows with each commit of another connection, however close the times
_DROP_INDEX = "".join(f"DROP TABLE {table};" for table in ("meta", "files", "sections"))  # a build makes them again


class SqliteSubstrate:
    """Sections, symbols and expansions in `index.db`."""

    def __init__(self, path: Path, *, writable: bool = False) -> None:
        self.path = path
        self.generation = 0
        self._state = file_state(path)  # before it is opened: whatever is written from now on counts
        self.exists = bool(self._state)
        self._remembers = not writable
        self._sections: dict[str, Section | None] = {}
        self._symbols: dict[str, Symbol] = {}
        self._meta: IndexMeta | None = None
        if writable:
            path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = _connect(path, writable=writable, exists=self.exists)
        with self._guarded():
            self._data_version = self._value(_DATA_VERSION)
            version = self._value("PRAGMA user_version")
            if version == 0 and self._value("SELECT count(*) FROM sqlite_master") == 0:
                self._create()
            elif 0 < version < SCHEMA_VERSION and writable:
                self._create(_DROP_INDEX)
            elif version != SCHEMA_VERSION:
                remedy = "run" if 0 < version < SCHEMA_VERSION else "remove the file and run"
                raise BrokenIndexError(
                    f"this is not an index of version {SCHEMA_VERSION} (found {version})",
                    place=str(path),
                    hint=f"{remedy}: planvow cortex sections build",
                )

    def _create(self, first: str = "") -> None:
        script = package_files("planvow.governed.substrate").joinpath("index.sql").read_text("utf-8")
        self._connection.executescript(f"BEGIN IMMEDIATE;{first}{script}COMMIT;")

    def close(self) -> None:
        self._connection.close()

    def is_current(self) -> bool:
        try:
            return self._state == file_state(self.path) and self._data_version == self._value(_DATA_VERSION)
        except sqlite3.Error:  # a killed write, perhaps: opening it anew takes that back or says what is wrong
            return False

    def meta(self) -> IndexMeta:
        if self._meta is not None:
            return self._meta
        with self._guarded():
            found = dict(self._connection.execute("SELECT key, value FROM meta"))
        meta = IndexMeta(
            index_hash=found.get("index_hash", index_hash([])),
            section_count=int(found.get("section_count", 0)),
            file_count=int(found.get("file_count", 0)),
            built_at=found.get("built_at", ""),
            built_at_ms=int(found.get("built_at_ms", 0)),
        )
        self._meta = meta if self._remembers else None
        return meta

    def section(self, section_id: str) -> Section | None:
        if section_id not in self._sections:
            rows = self._rows("SELECT record FROM sections WHERE section_id = ?", section_id)
            named = sorted((self._read(section_from_json, row) for row in rows), key=lambda s: s.heading_path)
            self._sections[section_id] = named[0] if named else None
        return self._sections[section_id]

    def sections(self, file_path: str | None = None) -> list[Section]:
        if file_path is None:
            rows = self._rows("SELECT record FROM sections")
        else:
            rows = [
                record
                for section_id in self._section_ids(file_path)
                for record in self._rows("SELECT record FROM sections WHERE section_id = ?", section_id)
            ]
        found = [self._read(section_from_json, row) for row in rows]
        return sorted(found, key=in_reading_order)

    def records(self) -> Iterator[str]:
        with self._guarded():
            for (record,) in self._connection.execute("SELECT record FROM sections ORDER BY section_id, record"):
                yield record

    def files(self) -> Mapping[str, FileRecord]:
        with self._guarded():
            rows = self._connection.execute(
                "SELECT file_path, file_hash, stamp, reader FROM files ORDER BY file_path"
            ).fetchall()
        return {row[0]: FileRecord(file_path=row[0], file_hash=row[1], stamp=row[2], reader=row[3]) for row in rows}

    def replace(
        self,
        changed: Mapping[str, IndexedFile],
        removed: Iterable[str],
        *,
        everything: bool,
        built_at_ms: int,
    ) -> IndexMeta:
        self._sections.clear()
        with self._writing() as connection:
            if everything:
                connection.execute("DELETE FROM sections")
                connection.execute("DELETE FROM files")
            for path in [*removed, *(() if everything else changed)]:
                gone = [(section_id,) for section_id in self._section_ids(path)]
                connection.executemany("DELETE FROM sections WHERE section_id = ?", gone)
                connection.execute("DELETE FROM files WHERE file_path = ?", (path,))
            # sorted: rows go into the trees in key order, which is the fast way
            connection.executemany("INSERT INTO files VALUES (?, ?, ?, ?, ?)", list(map(_file_row, changed.values())))
            connection.executemany(
                "INSERT INTO sections VALUES (?, ?)",
                sorted((id_of(record), record) for file in changed.values() for record in file.sections),
            )
            meta = IndexMeta(
                index_hash=index_hash(self.records()),
                section_count=self._value("SELECT count(*) FROM sections"),
                file_count=self._value("SELECT count(*) FROM files"),
                built_at=utc_stamp(built_at_ms),
                built_at_ms=built_at_ms,
            )
            connection.executemany(
                "INSERT OR REPLACE INTO meta VALUES (?, ?)", [(k, str(v)) for k, v in vars(meta).items()]
            )
        self.exists = True
        self.generation += 1
        return meta

    def symbol(self, symbol_id: str) -> Symbol | None:
        known = self._symbols.get(symbol_id)
        if known is not None:
            return known
        row = self._row("SELECT record FROM symbols WHERE symbol_id = ?", symbol_id)
        found = None if row is None else self._read(lambda line: record_from_json(Symbol, line), row)
        if self._remembers and found is not None:  # names that are not there are without number
            self._symbols[symbol_id] = found
        return found

    def symbols(self, prefix: str = "") -> list[Symbol]:
        rows = self._rows("SELECT record FROM symbols ORDER BY symbol_id")
        found = [self._read(lambda line: record_from_json(Symbol, line), row) for row in rows]
        return [symbol for symbol in found if symbol.symbol_id.startswith(prefix)]

    def add_symbol(self, symbol: Symbol) -> None:
        try:
            with self._writing() as connection:
                connection.execute("INSERT INTO symbols VALUES (?, ?)", (symbol.symbol_id, record_json(symbol)))
        except sqlite3.IntegrityError:
            raise registered_already(symbol) from None

    def replace_symbol(self, symbol: Symbol) -> None:
        with self._writing() as connection:
            connection.execute(
                "UPDATE symbols SET record = ? WHERE symbol_id = ?", (record_json(symbol), symbol.symbol_id)
            )

    def expansion(self, key: tuple[str, str, str, str]) -> Expansion | None:
        row = self._row(
            "SELECT record FROM expansions WHERE run_id = ? AND symbol_id = ? AND slice = ? AND section_hash = ?", *key
        )
        return None if row is None else self._read(lambda line: record_from_json(Expansion, line), row)

    def append_expansion(self, expansion: Expansion) -> None:
        try:
            with self._writing() as connection:
                connection.execute(
                    "INSERT INTO expansions (run_id, symbol_id, slice, section_hash, record) VALUES (?, ?, ?, ?, ?)",
                    (*expansion.key, record_json(expansion)),
                )
        except sqlite3.IntegrityError:
            raise DuplicateExpansionError(
                f"{expansion.symbol_id} {expansion.slice} is recorded already for run {expansion.run_id}"
            ) from None

    def _section_ids(self, file_path: str) -> list[str]:
        joined = self._row("SELECT section_ids FROM files WHERE file_path = ?", file_path) or ""
        return [joined[start : start + ID_LENGTH] for start in range(0, len(joined), ID_LENGTH)]

    def _row(self, statement: str, *values: Any) -> str | None:
        with self._guarded():
            row = self._connection.execute(statement, values).fetchone()
        return None if row is None else row[0]

    def _rows(self, statement: str, *values: Any) -> list[str]:
        with self._guarded():
            return [row[0] for row in self._connection.execute(statement, values)]

    def _value(self, statement: str) -> Any:
        return self._connection.execute(statement).fetchone()[0]

    def _read(self, reader: Any, line: str) -> Any:
        try:
            return reader(line)
        except (ValueError, KeyError, TypeError) as error:
            raise BrokenIndexError(f"a stored record cannot be read: {error}", place=str(self.path)) from None

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError:
            raise
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise BrokenIndexError(
                f"the index cannot be used: {error}",
                place=str(self.path),
                hint="if it is damaged, remove it and run: planvow cortex sections build",
            ) from None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._guarded():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")


def _file_row(file: IndexedFile) -> tuple[str, str, str, str, str]:
    ids = dict.fromkeys(map(id_of, file.sections))  # a file and its only heading share one
    record = file.record
    return record.file_path, record.file_hash, record.stamp, record.reader, "".join(ids)


def _connect(path: Path, *, writable: bool, exists: bool) -> sqlite3.Connection:
    try:
        if not writable and not exists:
            return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        if not writable:
            _take_back_what_was_cut_off(path)
        return sqlite3.connect(
            _location(path, "rwc" if writable else "ro"),
            uri=True,
            isolation_level=None,
            timeout=LOCK_WAIT_SECONDS,
            check_same_thread=writable,  # a planner may be shared by threads: they only read
        )
    except sqlite3.Error as error:
        raise BrokenIndexError(f"the index cannot be opened: {error}", place=str(path)) from None


def _location(path: Path, mode: str) -> str:
    return f"{path.absolute().as_uri()}?mode={mode}"


def _take_back_what_was_cut_off(path: Path) -> None:
    """Let SQLite roll back a killed write, which a connection for reading may not do."""
    if not path.with_name(f"{path.name}-journal").exists():
        return
    with closing(sqlite3.connect(_location(path, "rw"), uri=True, timeout=LOCK_WAIT_SECONDS)) as connection:
        connection.execute("PRAGMA schema_version")  # the first look at the file is what does it
