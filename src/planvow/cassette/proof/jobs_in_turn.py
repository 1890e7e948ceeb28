"""Every job of an open ledger, one after the other, in the memory of a few rows.

Each table is read once, from its first row to its last, in the order of jobs: ten open cursors instead of ten
statements for each job. Only equality of ids is used, so that no order of letters has to be agreed on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from planvow.cassette.ledger.store import Store
from planvow.cassette.proof.job_parts import JobParts

Row = Mapping[str, Any]


class JobsInTurn:
    """The jobs of a ledger inside a snapshot. `counts` tells how many rows of what were seen."""

    def __init__(self, store: Store) -> None:
        self.counts: Counter[str] = Counter()
        self._store = store
        self._documents: dict[str, str | None] = {}
        self._tables = {name: _ByJob(self._counted(name)) for name in _TABLES}

    def __iter__(self) -> Iterator[JobParts | str]:
        """Yield each job, or the id of one whose message or plan is missing."""
        messages, plans = self._store.stream("audit_messages"), self._store.stream("audit_plans")
        for job, message, plan in zip(self._store.stream("audit_jobs"), messages, plans, strict=True):
            parts = {name: table.of(job["job_id"]) for name, table in self._tables.items()}
            if message["message_id"] is None or plan["job_id"] is None:
                yield str(job["job_id"])
            else:
                self.counts["jobs"] += 1
                yield JobParts(job=job, message=message, plan=plan, library=self._document, **parts)
            for rows in parts.values():  # whatever the check left
                for _row in rows:
                    pass

    def _document(self, sha256: str) -> str | None:
        """Return a document's text; those of the last jobs are remembered, because many share a state."""
        if sha256 not in self._documents:
            if len(self._documents) >= REMEMBERED:
                self._documents.pop(next(iter(self._documents)))
            rows = self._store.rows("document", sha256=sha256)
            self._documents[sha256] = str(rows[0]["content"]) if rows else None
        return self._documents[sha256]

    def _counted(self, name: str) -> Iterator[Row]:
        for row in self._store.stream(f"audit_{name}"):
            self.counts[name] += 1
            yield row


_TABLES = (
    "steps", "dependencies", "states", "events", "receipts", "reports", "leaves", "moves", "actions", "dossiers",
    "notes", "kept_apart",
)  # fmt: skip
REMEMBERED = 64


class _ByJob:
    """Rows in the order of jobs, handed out job by job."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._rows = rows
        self._begun = False
        self._next: Row | None = None

    def of(self, job_id: str) -> Iterator[Row]:
        if not self._begun:
            self._begun, self._next = True, next(self._rows, None)
        while self._next is not None and self._next["job_id"] == job_id:
            row, self._next = self._next, next(self._rows, None)
            yield row
