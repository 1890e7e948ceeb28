"""One statement, one round trip, and little Python around it.

Claiming or completing a step takes the database a fraction of a millisecond; the driver's cursors would add about as
much. So statements with plain values go to libpq over the connection that the driver opened: prepared at their second
use, sent and read as text. Waiting happens in `poll`, so Ctrl-C works, and it ends when the server is silent for
longer than it may work on a statement: then the connection is dead, whatever the network says.
"""

from __future__ import annotations

import select
from collections.abc import Callable, Mapping
from typing import Any

from planvow.cassette.errors import CommitFailedError
from planvow.cassette.ledger.statements import Statement

Row = Mapping[str, Any]
Plain = str | int | None
Columns = tuple[tuple[int, str, Callable[[bytes], Any]], ...]

_INTEGERS = (20, 21, 23)  # PostgreSQL's numbers for bigint, smallint and integer
_BOOLEAN = 16


class PreparedStatements:
    """The statements of one connection of psycopg 3, by name."""

    def __init__(self, connection: Any, driver: Any, *, patience_ms: int) -> None:
        self._connection = connection
        self._pgconn = connection.pgconn
        self._driver = driver
        self._patience_ms = patience_ms
        self._fine = (driver.pq.ExecStatus.TUPLES_OK, driver.pq.ExecStatus.COMMAND_OK)
        status = driver.pq.TransactionStatus  # of a connection that is gone: unknown
        self._settled = (status.IDLE, status.INTRANS, status.INERROR)
        self._readable = _watching(self._pgconn.socket, sending=False)
        self._used: set[str] = set()
        self._prepared: dict[str, bytes] = {}
        self._columns: dict[str, Columns] = {}

    def run(self, name: str, statement: Statement, values: Mapping[str, Plain]) -> list[Row]:
        """Run a statement and return its rows."""
        texts = [
            value.encode("utf-8") if type(value := values[parameter]) is str else _as_text(value)
            for parameter in statement.parameters
        ]
        known = self._prepared.get(name)
        if known is None and name in self._used:
            self._pgconn.send_prepare(name.encode(), statement.numbered.encode("utf-8"))
            self._answer()
            known = self._prepared[name] = name.encode()
        if known is not None:
            self._pgconn.send_query_prepared(known, texts)
        else:
            self._used.add(name)
            self._pgconn.send_query_params(statement.numbered.encode("utf-8"), texts)
        result = self._answer()
        columns = self._columns.get(name)
        if columns is None:
            columns = self._columns[name] = _columns(result)
        return _rows(result, columns)

    def _answer(self) -> Any:
        """Wait for all that the server says, and return the rows once nothing speaks against them any more.

        A statement's rows come before its commit: how that went follows, and a server that is shut down at once still
        sends the rows of what it gives up. An exception on the way leaves answers unread: the connection goes too.
        """
        pgconn = self._pgconn
        try:
            while pgconn.flush():
                self._wait(_watching(pgconn.socket, sending=True))
                pgconn.consume_input()
            results = self._results()
        except BaseException:
            self._connection.close()
            raise
        failed = next((result for result in results if result.status not in self._fine), None)
        if not results or pgconn.transaction_status not in self._settled:
            self._connection.close()
            said = (failed or pgconn).get_error_message("utf-8")
            raise self._driver.OperationalError(said or "the server gave no answer")
        if failed is None:
            return results[0]
        error = self._driver.errors.error_from_result(failed, encoding="utf-8")
        if failed is results[0]:
            raise error
        raise CommitFailedError(f"the database could not commit: {str(error).strip()}") from error

    def _results(self) -> list[Any]:
        pgconn = self._pgconn
        found: list[Any] = []
        while True:
            while pgconn.is_busy():
                self._wait(self._readable)
                pgconn.consume_input()
            result = pgconn.get_result()
            if result is None:
                return found
            found.append(result)

    def _wait(self, ready: Callable[[int], Any]) -> None:
        if not ready(self._patience_ms):
            raise self._driver.OperationalError("the server does not answer any more")


def _watching(socket: int, *, sending: bool) -> Callable[[int], Any]:
    """Return a function that waits some milliseconds for a socket and says whether it is ready."""
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(socket, select.POLLIN | (select.POLLOUT if sending else 0))
        return poll.poll
    return lambda ms: any(select.select([socket], [socket] if sending else [], [], ms / 1000))


def _as_text(value: Plain) -> bytes | None:
    return None if value is None else str(value).encode("utf-8")  # PostgreSQL reads True and False as they are


def _columns(result: Any) -> Columns:
    return tuple((i, result.fname(i).decode("utf-8"), _reader(result.ftype(i))) for i in range(result.nfields))


def _reader(kind: int) -> Callable[[bytes], Any]:
    if kind in _INTEGERS:
        return int
    return _as_truth if kind == _BOOLEAN else bytes.decode


def _as_truth(text: bytes) -> bool:
    return text == b"t"


def _rows(result: Any, columns: Columns) -> list[Row]:
    value = result.get_value
    return [
        {name: None if (text := value(row, i)) is None else read(text) for i, name, read in columns}
        for row in range(result.ntuples)
    ]
