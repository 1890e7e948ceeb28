"""What operators decide in a SQLite ledger, and how its workers wait.

SQLite has nobody who could wake a process. A worker that waits looks at the file's change counter instead, which takes
no lock and a few microseconds.
"""

from __future__ import annotations

import getpass
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from planvow.canonical import canonical_json
from planvow.cassette.databases.sqlite_file import SqliteFile
from planvow.cassette.errors import EndedAlreadyError, UnknownStepError
from planvow.cassette.ledger.schedule import Cancelled, Decider, Limit, Placing, Presence, PutBack, Schedule

LOOK_SECONDS = 0.05


class SqliteOperated(SqliteFile):
    """A ledger file as operators see it."""

    _seen_change: int | None = None

    def _act(self, kind: str, decider: Decider, **more: Any) -> None:
        facts = dict.fromkeys(("job_id", "ordinal", "fence", "worker_id", "priority", "starts_at", "step_keys"))
        who = {"made_by": decider.made_by, "why": decider.why, "login": _login()}
        self.rows("insert_action", kind=kind, **{**facts, "details_json": "{}", **who, **more})

    def _check_open(self, job_id: str) -> None:
        if not self.rows("job_exists", job_id=job_id):
            raise UnknownStepError(f"there is no job {job_id}")
        if not self.rows("open_in_job", job_id=job_id)[0]["open"]:
            raise EndedAlreadyError(f"job {job_id} has ended already")

    def cancel(self, job_id: str, decider: Decider) -> Cancelled:
        with self.transaction():
            self._check_open(job_id)
            if not self.is_cancelled(job_id):
                self._act("CANCEL", decider, job_id=job_id)
            counts = self.rows("open_in_job", job_id=job_id)[0]
            self.rows("cancel_steps", job_id=job_id)
        return Cancelled(job_id=job_id, cancelled=counts["pending"], running=counts["leased"])

    def schedule(self, job_id: str, schedule: Schedule, decider: Decider) -> int:
        with self.transaction():
            self._check_open(job_id)
            self._place(job_id, Placing(priority=schedule.priority, starts_at=schedule.starts_at), decider)
            return int(self.rows("open_in_job", job_id=job_id)[0]["open"])

    def _schedule_posted(self, job_id: str, placing: Placing) -> None:
        self._place(job_id, placing, Decider(made_by="post", why="posted so"))

    def _place(self, job_id: str, placing: Placing, decider: Decider) -> None:
        facts = {"priority": placing.priority, "starts_at": placing.starts_at}
        self._act("SCHEDULE", decider, job_id=job_id, step_keys=placing.lines, **facts)
        self.rows("place_steps", job_id=job_id, **facts)
        pairs = [{"job_id": job_id, "ordinal": int(number), "key": key} for number, key in placing.keys.items()]
        self._rows_for_each("set_key", pairs)

    def requeue_of(self, worker_ids: Sequence[str], decider: Decider) -> tuple[PutBack, ...]:
        done: list[PutBack] = []
        with self.transaction():
            for worker_id in worker_ids:
                while held := self.rows("held_by", worker_id=worker_id):
                    facts = {name: held[0][name] for name in ("job_id", "ordinal", "fence")}
                    self._act("REQUEUE", decider, worker_id=worker_id, **facts)
                    self.rows("put_back", **held[0])
                    place = {"job_id": facts["job_id"], "ordinal": facts["ordinal"]}
                    done.append(PutBack(worker_id=worker_id, became=held[0]["next_status"], **place))
        return tuple(done)

    def set_limit(self, limit: Limit, decider: Decider) -> None:
        facts = {name: getattr(limit, name) for name in ("scope", "name", "at_once", "per_minute")}
        with self.transaction():
            self._act("LIMIT", decider, details_json=canonical_json(facts))
            self.rows("delete_limit", scope=limit.scope, name=limit.name)
            if limit.at_once is not None or limit.per_minute is not None:
                self.rows("insert_limit", **facts)

    def worker_seen(self, presence: Presence, *, waiting_ms: int | None = None, ended: bool = False) -> None:
        with self._relaxed(), self.transaction():
            self.rows("worker_seen", **vars(presence), ended=int(ended), login=_login())
            self.rows("forget_workers")

    def meeting_folder(self) -> Path:
        return self.path.with_name(self.path.name + ".workers")

    def listen(self, listening: bool) -> None:
        self._seen_change = self._change() if listening else None

    def wait_for_news(self, seconds: float, stop: threading.Event) -> bool:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not stop.wait(min(left, LOOK_SECONDS)):
            now, before = self._change(), self._seen_change
            if now != before:
                self._seen_change = now
                return True
        return False

    def _change(self) -> int:
        """Return the number that is another one after any other connection has committed."""
        return int(self._pragma("data_version"))


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without a name
        return "unknown"
