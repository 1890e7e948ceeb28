"""The log of a ledger on PostgreSQL: its functions give places, sign and archive; here they are called."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from planvow.cassette.databases.arrays import column
from planvow.cassette.ledger.log_entries import Checkpoint
from planvow.cassette.ledger.statements import Statement
from planvow.cassette.ledger.store import Store
from planvow.cassette.ledger.stored_rows import Row

ROWS_A_TIME = 1000


class PostgresLog(Store):
    """A ledger on PostgreSQL, as far as its log goes."""

    _sql: Mapping[str, Statement]
    _cursors = itertools.count(1)

    @abstractmethod
    def _use(self) -> Any:
        """Return the connection, opened anew if it was lost."""

    @abstractmethod
    def _translating(self) -> AbstractContextManager[None]:
        """Let the driver's errors become the ledger's."""

    def stream(self, name: str, /, **values: Any) -> Iterator[Row]:
        with self._translating():
            connection = self._use()
            with connection.cursor(name=f"planvow_{next(self._cursors)}") as cursor:
                cursor.itersize = ROWS_A_TIME
                cursor.execute(self._sql[name].named, values)
                yield from cursor

    def _add_to_log(self, most: int, *, wait: bool) -> tuple[Checkpoint, bool] | None:
        found = self.rows("checkpoint", most=most, wait=wait)
        if not found:
            return None
        made = {name: found[0][name] for name in ("tree_size", "root", "created_at", "added")}
        first = self.rows("log_first")[0]["leaf_sha256"]
        return Checkpoint(log_id=first, **made), found[0]["more"]

    def add_checkpoint_signature(self, tree_size: int, key_id: str, envelope_json: str) -> None:
        self.rows("sign_checkpoint", tree_size=tree_size, key_id=key_id, envelope_json=envelope_json)

    def archive(self, run_id: str, job_ids: Sequence[str], *, bundle_sha256: str) -> int:
        found = self.rows("archive", run_id=run_id, job_ids=column(job_ids), bundle_sha256=bundle_sha256)
        return int(found[0]["archive_id"])
