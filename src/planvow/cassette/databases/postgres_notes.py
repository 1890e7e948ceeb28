"""How a ledger on PostgreSQL keeps dossiers and notes: functions of the database do it, one for each part to play."""

from __future__ import annotations

import json

from planvow.cassette.ledger.notes import Laid, NoteKind, PrivateText
from planvow.cassette.ledger.store import Store
from planvow.cassette.ledger.stored_rows import Row


class PostgresNotes(Store):
    """The part of a ledger on PostgreSQL that keeps what belongs beside its jobs."""

    def _lay(self, message: Row, laid: Laid) -> None:
        """Lay down a dossier, inside the transaction that posts its job; documents that are there are not sent."""
        known = {row["sha256"] for row in self.rows("documents_known", hashes=json.dumps(list(laid.documents)))}
        self.rows(
            "lay",
            run_id=message["run_id"],
            idempotency_key=message["idempotency_key"],
            documents=_json([text for name, text in laid.documents.items() if name not in known]),
            manifest_sha256=laid.manifest_sha256,
            apart=_json([[text.salt, text.content] for text in laid.apart]),
        )

    def keep_apart(self, job_id: str, worker_id: str, text: PrivateText) -> None:
        self.rows("keep_apart", job_id=job_id, worker_id=worker_id, salt=text.salt, content=text.content)

    def add_note(
        self, job_id: str, kind: NoteKind, ordinal: int, content: str, *, expires_at: int | None = None
    ) -> Row:
        facts: dict[str, str | int | None] = {"job_id": job_id, "content": content}
        if kind is not NoteKind.ERASURE:
            facts["ordinal"] = ordinal
        if kind is NoteKind.APPROVAL:
            facts["expires_at"] = expires_at
        return self.rows(f"note_{kind.value}", **facts)[0]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
