"""What operators and workers ask of a store besides steps: decisions about jobs, limits, who is at work, and waiting.

Part of every `Store`. Each database does it in its own way; what is the same for both is here.
"""

from __future__ import annotations

import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from planvow.cassette.ledger.schedule import (
    Action,
    Cancelled,
    Decider,
    Lease,
    Limit,
    Placing,
    Presence,
    PutBack,
    Schedule,
    WorkerKey,
    WorkerSeen,
)
from planvow.cassette.ledger.stored_rows import Row


class Operated(ABC):
    """A store as operators see it."""

    @abstractmethod
    def rows(self, name: str, /, **values: Any) -> list[Row]:
        """Run a named statement."""

    @abstractmethod
    def now_ms(self) -> int:
        """Return the database's clock."""

    @abstractmethod
    def _schedule_posted(self, job_id: str, placing: Placing) -> None:
        """Place a job that is posted in this transaction."""

    @abstractmethod
    def cancel(self, job_id: str, decider: Decider) -> Cancelled:
        """End a job: what waits is never claimed, what runs ends as cancelled unless its worker had finished it.

        A job that has ended already raises EndedAlreadyError.
        """

    @abstractmethod
    def schedule(self, job_id: str, schedule: Schedule, decider: Decider) -> int:
        """Give a job another priority or start time; return how many of its steps are open."""

    @abstractmethod
    def requeue_of(self, worker_ids: Sequence[str], decider: Decider) -> tuple[PutBack, ...]:
        """Put back at once what these workers hold. The caller knows that they are dead."""

    @abstractmethod
    def set_limit(self, limit: Limit, decider: Decider) -> None:
        """Set a limit; one without a number takes it away."""

    @abstractmethod
    def register_key(self, name: str, key_id: str, public_key: str, decider: Decider) -> None:
        """Register the public key that workers of this name sign with from now on. Only the owner may."""

    @abstractmethod
    def worker_seen(self, presence: Presence, *, waiting_ms: int | None = None, ended: bool = False) -> None:
        """Write down that a worker lives, that it waits to be woken for so long, or that it has ended."""

    @abstractmethod
    def meeting_folder(self) -> Path:
        """Return the folder in which processes of this machine that work on this ledger keep their locks."""

    @abstractmethod
    def listen(self, listening: bool) -> None:
        """Begin or end to hear of new work."""

    @abstractmethod
    def wait_for_news(self, seconds: float, stop: threading.Event) -> bool:
        """Wait for somebody to change the ledger, at most so long; say whether there may be something new."""

    def worker_keys(self) -> tuple[WorkerKey, ...]:
        """Return the registered keys of workers, in order."""
        return tuple(worker_key_from(row) for row in self.rows("worker_keys"))

    def limits(self) -> tuple[Limit, ...]:
        """Return the limits there are, and how they stand."""
        return tuple(Limit(**row) for row in self.rows("limits", now_ms=self.now_ms()))

    def workers(self) -> tuple[WorkerSeen, ...]:
        """Return the workers that made themselves known, last seen first."""
        return tuple(WorkerSeen(**row) for row in self.rows("workers"))

    def leases(self) -> tuple[Lease, ...]:
        """Return the steps that are out."""
        return tuple(Lease(**row) for row in self.rows("leases"))

    def actions(self, job_id: str | None = None) -> tuple[Action, ...]:
        """Return the decisions about a job, or all, in order."""
        rows = self.rows("all_actions") if job_id is None else self.rows("rows_actions", job_id=job_id)
        return tuple(
            Action(**{k: v for k, v in row.items() if k != "details_json"}, details=json.loads(row["details_json"]))
            for row in rows
        )

    def is_cancelled(self, job_id: str) -> bool:
        """Say whether somebody has cancelled a job."""
        return bool(self.rows("cancelled", job_id=job_id))

    def next_due_in(self) -> float | None:
        """Return after how many seconds something becomes possible by itself; None for never."""
        now_ms = self.now_ms()
        due = self.rows("next_due", now_ms=now_ms)[0]["due"]
        return None if due is None else max(0.0, (due - now_ms) / 1000)


def worker_key_from(row: Row) -> WorkerKey:
    """Read a registration; one that somebody spoilt holds no key, which whoever checks it finds."""
    try:
        details = json.loads(row["details_json"])
    except ValueError:
        details = None
    found = details if isinstance(details, dict) else {}
    facts = {name: str(found.get(name, "")) for name in ("key_id", "public_key")}
    return WorkerKey(seq=row["seq"], name=str(row["worker_id"]), made_by=row["made_by"], at=row["at"], **facts)
