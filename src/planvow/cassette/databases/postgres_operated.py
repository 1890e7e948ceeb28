"""What operators decide in a ledger on PostgreSQL, and how its workers wait: the server wakes them (LISTEN, NOTIFY).

Only who has nothing to do listens, and the server gives notice only where somebody has said that it waits: a notice
makes its commit queue for all others that give one.
"""

from __future__ import annotations

import os
import select
import tempfile
import threading
import time
from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from planvow.canonical import canonical_json
from planvow.cassette.databases.arrays import column
from planvow.cassette.ledger.schedule import Cancelled, Decider, Limit, Placing, Presence, PutBack, Schedule
from planvow.cassette.ledger.store import Store

LOOK_SECONDS = 0.2  # how late a request to stop is heard while waiting


class PostgresOperated(Store):
    """A ledger in a PostgreSQL database as operators see it."""

    schema: str
    _listening_on: Any = None

    @abstractmethod
    def _use(self) -> Any:
        """Return the connection, opened anew when it was lost."""

    def cancel(self, job_id: str, decider: Decider) -> Cancelled:
        return Cancelled(job_id=job_id, **self.rows("cancel", job_id=job_id, **vars(decider))[0])

    def schedule(self, job_id: str, schedule: Schedule, decider: Decider) -> int:
        facts = {"priority": schedule.priority, "starts_at": schedule.starts_at, "keys": None}
        return int(self.rows("schedule", job_id=job_id, **vars(decider), **facts)[0]["open"])

    def _schedule_posted(self, job_id: str, placing: Placing) -> None:
        keys = canonical_json(dict(placing.keys)) if placing.keys else None
        facts = {"priority": placing.priority, "starts_at": placing.starts_at, "keys": keys}
        self.rows("schedule_posted", job_id=job_id, made_by="post", **facts)

    def requeue_of(self, worker_ids: Sequence[str], decider: Decider) -> tuple[PutBack, ...]:
        rows = self.rows("requeue_of", workers=column(worker_ids), **vars(decider))
        return tuple(PutBack(**row) for row in rows)

    def set_limit(self, limit: Limit, decider: Decider) -> None:
        facts = {name: getattr(limit, name) for name in ("scope", "name", "at_once", "per_minute")}
        self.rows("set_limit", **facts, **vars(decider))

    def worker_seen(self, presence: Presence, *, waiting_ms: int | None = None, ended: bool = False) -> None:
        self.rows("worker_seen", **vars(presence), waiting_ms=waiting_ms, ended=ended)

    def meeting_folder(self) -> Path:
        who = str(os.getuid()) if hasattr(os, "getuid") else "user"
        return Path(tempfile.gettempdir()) / f"planvow-workers-{who}"

    def listen(self, listening: bool) -> None:
        connection = self._use()
        if listening and self._listening_on is not connection:
            connection.execute(f"LISTEN planvow_{self.schema[:50]}")
            self._listening_on = connection
        elif not listening and self._listening_on is not None:
            connection.execute("UNLISTEN *")
            self._listening_on = None

    def wait_for_news(self, seconds: float, stop: threading.Event) -> bool:
        until = time.monotonic() + seconds
        pgconn = self._use().pgconn
        while (left := until - time.monotonic()) > 0 and not stop.is_set():
            if pgconn.notifies() is not None:
                while pgconn.notifies() is not None:
                    pass
                return True
            if select.select([pgconn.socket], [], [], min(left, LOOK_SECONDS))[0]:
                pgconn.consume_input()
                if pgconn.status != 0:  # the connection is gone: the next call says so, and connects anew
                    return True
        return False
