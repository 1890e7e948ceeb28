"""The file of a SQLite ledger: opened, migrated, locked, and its troubles named.

Every write takes a fair file lock, then BEGIN IMMEDIATE: no read-then-upgrade, no lottery. Commits are
synchronous=FULL: an acknowledged step survives a power cut. Write-ahead logging is used only on a SQLite without the
WAL-reset bug; older ones get the rollback journal, which is as safe and a little slower. After opening, the
connection may not change the schema any more.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from planvow.cassette.databases.attested import hashed_rules
from planvow.cassette.databases.sqlite_reading import NoLock, check_current, is_read_only, read_only_address
from planvow.cassette.databases.sqlite_troubles import translated
from planvow.cassette.errors import (
    CassetteError,
    TamperedError,
)
from planvow.cassette.files.durable_folder import make_folder, synchronise_way_to
from planvow.cassette.files.file_lock import FileLock
from planvow.cassette.ledger.migrations import outstanding
from planvow.cassette.ledger.process_guard import open_ledgers
from planvow.cassette.ledger.statements import Migration, migrations, named_statements
from planvow.cassette.ledger.store import Store
from planvow.cassette.ledger.stored_rows import Row
from planvow.errors import InputError

BUSY_TIMEOUT_MS = 60_000
_FILES = ("queries.sql", "log.sql", "audit.sql", "sqlite.sql", "sqlite_log.sql")

# A driver may add these words to the schema; the ledger never does once it is open.
_DENIED = (
    "SQLITE_ALTER_TABLE", "SQLITE_ATTACH", "SQLITE_DETACH", "SQLITE_CREATE_TABLE", "SQLITE_CREATE_TRIGGER",
    "SQLITE_CREATE_INDEX", "SQLITE_CREATE_VIEW", "SQLITE_CREATE_TEMP_TRIGGER", "SQLITE_DROP_TABLE",
    "SQLITE_DROP_TRIGGER", "SQLITE_DROP_INDEX", "SQLITE_DROP_VIEW", "SQLITE_DROP_TEMP_TRIGGER", "SQLITE_PRAGMA",
)  # fmt: skip
_TOUCH = ("user_version", "0")  # writes the first page as it is
_FORGET = ("wal_checkpoint", "TRUNCATE")
_READ_ONLY_PRAGMAS = {
    "integrity_check", "quick_check", "journal_mode", "synchronous", "wal_checkpoint", "data_version",
}  # fmt: skip


def has_wal_reset_bug(version: tuple[int, ...]) -> bool:
    """Say whether this SQLite can lose committed pages in WAL mode (fixed in 3.51.3, 3.50.7 and 3.44.6)."""
    if version >= (3, 51, 3):
        return False
    return not ((3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45))


class SqliteFile(Store):
    """A ledger file, opened by one thread of one process, without what is done with steps."""

    dialect = "sqlite"

    def __init__(self, path: str | Path, *, driver: Any = sqlite3, looking: bool = False) -> None:
        """Open a ledger, making it if need be; `looking` is content with one that can only be read."""
        super().__init__()
        self.path = Path(path)
        self._whole_path = self.path.resolve()  # now: a relative path names another file once the folder is changed
        self.read_only = looking and is_read_only(self.path)
        if not self.read_only:
            make_folder(self.path.parent)
        self._driver = driver
        self._sql: Mapping[str, str] = {name: text for file in _FILES for name, text in named_statements(file).items()}
        self._denied_actions = frozenset(getattr(driver, name) for name in _DENIED)
        self._in_transaction = self._in_wal_mode = self._may_set_synchronous = False
        self._check_driver()
        self._connection: Any = None
        self._lock = NoLock() if self.read_only else FileLock(self.path.with_name(self.path.name + ".lock"))
        try:
            with self._alone_if_leaving_wal(), self._translating():
                self._connect()
                self._prepare()
        except BaseException:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            self._lock.close()
            raise
        self._opened()

    def _connect(self) -> None:
        how: dict[str, Any] = {"isolation_level": None, "timeout": BUSY_TIMEOUT_MS / 1000}
        if self.read_only:
            address = read_only_address(self.path, in_wal_mode=_is_in_wal_mode(self.path))
            self._connection = self._driver.connect(address, uri=True, **how)
        else:
            self._connection = self._driver.connect(str(self.path), **how)
        self._connection.row_factory = _as_dict
        self._hand = self._connection.cursor()  # for all named statements: each is read to its end before the next
        self._hand.row_factory = None
        for pragma in (
            "PRAGMA synchronous = FULL",
            "PRAGMA foreign_keys = ON",
            "PRAGMA recursive_triggers = ON",
            "PRAGMA trusted_schema = OFF",
            "PRAGMA secure_delete = ON",  # what is erased is overwritten
        ):
            self._connection.execute(pragma)

    def _check_driver(self) -> None:
        """Two copies of SQLite on one file in one process drop each other's locks: only one may have it open."""
        for other in list(open_ledgers()):
            if (
                isinstance(other, SqliteFile)
                and other._whole_path == self._whole_path
                and other._driver != self._driver
            ):
                raise CassetteError(
                    f"this process has the ledger open with {other._driver.__name__} already",
                    hint="open it with the same driver everywhere (planvow.adapters.databases.opening.open_ledger)",
                    place=str(self._whole_path),
                )

    def close(self) -> None:
        if self._connection is not None:
            self.check_process()
            self._connection.close()
            self._connection = None
            self._lock.close()
            self._closed()

    def __del__(self) -> None:
        # A forgotten ledger is closed with its last reference, but never by a child that inherited it.
        if getattr(self, "_connection", None) is not None:
            try:
                self.check_process()
            except CassetteError:
                return
            self.close()

    def _prepare(self) -> None:
        recorded = self.rows("rows_migrations") if self.rows("has_migrations")[0]["found"] else []
        missing = bool(outstanding(migrations("sqlite"), recorded))
        if self.read_only:
            check_current(missing, self.path)
        else:
            if missing:
                self._migrate()
                self._connection.close()  # one that changed the schema compiles each statement anew at each use
                self._connect()
            self._choose_journal(created=False)
        self._in_wal_mode = self.journal_mode == "wal"
        self._connection.set_authorizer(self._authorise)

    @contextmanager
    def _alone_if_leaving_wal(self) -> Iterator[None]:
        """Let those that must leave WAL mode open the file one by one: two at once would keep each other in it."""
        unsound = has_wal_reset_bug(self._driver.sqlite_version_info) and not self.read_only
        leaving = unsound and _is_in_wal_mode(self.path)
        if leaving:
            self._lock.acquire()
        yield
        if leaving:  # whoever fails closes its connection first and the lock after it
            self._lock.release()

    def _migrate(self) -> None:
        self._lock.acquire()
        try:
            self._choose_journal(created=not self.rows("has_migrations")[0]["found"])
            synchronise_way_to(self.path.parent)
            self._connection.execute("BEGIN EXCLUSIVE")
            try:
                self.rows("create_migrations")
                for migration in outstanding(migrations("sqlite"), self.rows("rows_migrations")):
                    self._apply(migration)
                    self.rows(
                        "insert_migration",
                        version=migration.version,
                        name=migration.name,
                        sha256=migration.sha256,
                    )
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        finally:
            self._lock.release()

    def _apply(self, migration: Migration) -> None:
        try:
            for statement in _split(migration.sql, self._driver.complete_statement):
                self._connection.execute(statement)
        except self._driver.IntegrityError as error:  # no row that got in by the rules is refused by the next ones
            raise TamperedError(
                f"migration {migration.version} met rows that the ledger's rules forbid: {error}",
                place=str(self.path),
                hint="the file is as it was; go on from a sound backup",
            ) from error

    def expected_schema(self) -> Mapping[str, str]:
        with closing(self._driver.connect(":memory:")) as fresh:
            fresh.row_factory = _as_dict
            fresh.execute(self._sql["create_migrations"])
            for migration in migrations("sqlite"):
                fresh.executescript(migration.sql)
            return hashed_rules(fresh.execute(self._sql["live_schema"]).fetchall())

    def live_schema(self) -> Mapping[str, str]:
        return hashed_rules(self.rows("live_schema"))

    def _choose_journal(self, *, created: bool) -> None:
        """Use WAL for a new file on a sound SQLite; leave WAL on an unsound one; keep what there is otherwise."""
        mode = self._connection.execute("PRAGMA journal_mode").fetchone()["journal_mode"]
        sound = not has_wal_reset_bug(self._driver.sqlite_version_info)
        if created and sound:
            self._connection.execute("PRAGMA journal_mode = WAL")
        elif mode == "wal" and not sound:
            try:
                self._connection.execute("PRAGMA journal_mode = TRUNCATE")
            except self._driver.OperationalError:
                raise CassetteError(
                    f"the ledger is in use in WAL mode, where SQLite {self._driver.sqlite_version} can lose commits",
                    hint="pip install 'planvow[sqlite]' for a sound SQLite, or stop the other processes once",
                    place=str(self.path),
                ) from None
        elif mode != "wal":
            self._connection.execute("PRAGMA journal_mode = TRUNCATE")

    def _authorise(self, action: int, first: str | None, second: str | None, *_rest: object) -> int:
        if action not in self._denied_actions:
            return 0
        if action == self._driver.SQLITE_PRAGMA and second is None and first in _READ_ONLY_PRAGMAS:
            return 0
        if action == self._driver.SQLITE_PRAGMA and first == "synchronous" and self._may_set_synchronous:
            return 0
        if action == self._driver.SQLITE_PRAGMA and (first, second) in (_TOUCH, _FORGET):
            return 0
        return int(self._driver.SQLITE_DENY)

    @property
    def journal_mode(self) -> str:
        """`wal` or `truncate`."""
        return self._pragma("journal_mode")

    def integrity_check(self) -> str:
        """Return SQLite's own verdict on the file, "ok" when it is sound."""
        return self._pragma("integrity_check")

    def _pragma(self, name: str) -> str:
        with self._translating():
            return str(self._connection.execute(f"PRAGMA {name}").fetchone()[name])

    @contextmanager
    def _translating(self) -> Iterator[None]:
        try:
            yield
        except (self._driver.DatabaseError, UnicodeDecodeError) as error:
            raise translated(error, self._driver, self.path) from error

    @contextmanager
    def _relaxed(self) -> Iterator[None]:
        """Commit what is inside without waiting for the disk, where that endangers nothing but itself (WAL).

        A claim that a power cut takes back leaves its step pending, and the worker's completion is refused. The next
        completion takes all earlier claims to the disk with it.
        """
        if self._in_transaction or not self._in_wal_mode:
            yield
            return
        self._set_synchronous("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            self._set_synchronous("PRAGMA synchronous = FULL")

    def _set_synchronous(self, statement: str) -> None:
        self._may_set_synchronous = True
        try:
            self._connection.execute(statement)
        finally:
            self._may_set_synchronous = False

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.check_process()
        if self._in_transaction:
            yield
            return
        self._lock.acquire()
        try:
            try:
                self._hand.execute("BEGIN IMMEDIATE")
                self._in_transaction = True
                yield
                self._hand.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            finally:
                self._in_transaction = False
        except self._driver.DatabaseError as error:
            raise translated(error, self._driver, self.path) from error
        finally:
            self._lock.release()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        self.check_process()
        with self._translating():
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                if self._connection.in_transaction:  # an error of the disk has ended it already
                    self._connection.execute("ROLLBACK")

    def rows(self, name: str, /, **values: Any) -> list[Row]:
        self.check_process()
        try:
            found = self._hand.execute(self._sql[name], values).fetchall()
        except (self._driver.DatabaseError, UnicodeDecodeError) as error:
            raise translated(error, self._driver, self.path) from error
        if not found:
            return []
        columns = [column[0] for column in self._hand.description]
        return [dict(zip(columns, row, strict=True)) for row in found]

    def _rows_for_each(self, name: str, values: Sequence[Row]) -> None:
        """Run a named statement once for each set of values."""
        self._connection.executemany(self._sql[name], values)

    def confirm_stored(self) -> None:
        # A commit whose last synchronisation failed is reported as failed and yet seen by the next transaction; with
        # the rollback journal a power failure can still undo it. Any write makes the commit to come synchronise all.
        self._connection.execute("PRAGMA {} = {}".format(*_TOUCH))

    def forget_log(self) -> None:
        """Empty the write-ahead log, which may still hold what was erased, unless somebody reads from it just now."""
        if self._in_wal_mode:
            with self._translating():
                self._connection.execute("PRAGMA {}({})".format(*_FORGET)).fetchall()

    def now_ms(self) -> int:
        return int(self.rows("now")[0]["now_ms"])

    @property
    def driver(self) -> Any:
        """The SQLite module this ledger is open with."""
        return self._driver

    def backup(self, target: str | Path) -> None:
        """Copy the ledger to a new file while others work on it; what could not be copied whole is removed."""
        self.check_process()
        target = Path(target)
        if target.exists():
            raise InputError("this file exists; a backup never overwrites", place=str(target))
        try:
            copy = self._driver.connect(str(target))
        except self._driver.OperationalError as error:
            raise InputError(f"cannot be written: {error}", place=str(target)) from None
        try:
            with closing(copy), self._translating():
                self._connection.backup(copy)
            synchronise_way_to(target)
        except BaseException:
            target.unlink(missing_ok=True)
            raise


def _is_in_wal_mode(path: Path) -> bool:
    """Read it off the file's header, whose 19th byte is 2 for a write-ahead log (https://sqlite.org/fileformat.html)."""
    try:
        with path.open("rb") as file:
            return file.read(19)[18:] == b"\x02"
    except OSError:
        return False


def _as_dict(cursor: Any, row: tuple[Any, ...]) -> Row:
    return {column[0]: value for column, value in zip(cursor.description, row, strict=True)}


def _split(script: str, is_complete: Any) -> Iterator[str]:
    """Yield the statements of a script; triggers contain semicolons, so the driver says where one ends."""
    lines: list[str] = []
    for line in script.splitlines():
        lines.append(line)
        if line.rstrip().endswith(";") and is_complete("\n".join(lines)):
            yield "\n".join(lines)
            lines = []
