"""How a ledger in an SQLite file keeps dossiers and notes. The hashes are computed here and checked by triggers."""

from __future__ import annotations

import json

from planvow.canonical import canonical_json
from planvow.cassette.databases.sqlite_file import SqliteFile
from planvow.cassette.errors import UnknownStepError
from planvow.cassette.ledger.chain import note_hash, sha256_text
from planvow.cassette.ledger.notes import Laid, NoteKind, PrivateText
from planvow.cassette.ledger.stored_rows import Row


class SqliteNotes(SqliteFile):
    """A ledger file with what belongs beside its jobs."""

    def _lay(self, job_id: str, laid: Laid) -> None:
        """Lay down a dossier, inside the transaction that posts its job."""
        known = {row["sha256"] for row in self.rows("documents_known", hashes=json.dumps(list(laid.documents)))}
        fresh = [{"sha256": name, "content": text} for name, text in laid.documents.items() if name not in known]
        self._rows_for_each("insert_document", fresh)
        self.rows("insert_dossier", job_id=job_id, manifest_sha256=laid.manifest_sha256)
        for text in laid.apart:
            self._insert_private(job_id, text)

    def _insert_private(self, job_id: str, text: PrivateText) -> None:
        self.rows("insert_private", job_id=job_id, sha256=text.sha256, salt=text.salt, content=text.content)

    def keep_apart(self, job_id: str, worker_id: str, text: PrivateText) -> None:
        with self.transaction():
            self._insert_private(job_id, text)

    def add_note(
        self, job_id: str, kind: NoteKind, ordinal: int, content: str, *, expires_at: int | None = None
    ) -> Row:
        with self.transaction():
            found = self.rows("note_standing", job_id=job_id)
            if not found:
                raise UnknownStepError(f"there is no job {job_id}")
            standing = found[0]
            document = sha256_text(content)
            self.rows("insert_document", sha256=document, content=content)
            note = {
                "seq": standing["next_seq"],
                "job_id": job_id,
                "note_seq": (standing["note_seq"] or 0) + 1,
                "kind": kind.value,
                "ordinal": ordinal,
                "document_sha256": document,
                "expires_at": expires_at,
                "login": None,
                "after_receipt": standing["chain_seq"] or 0,
                "after_sha256": standing["receipt_sha256"] or standing["head_sha256"],
                "after_event": standing["event_seq"] or 0,
                "prev_sha256": standing["note_sha256"] or standing["head_sha256"],
                "created_at": standing["now_ms"],
            }
            stored = self.rows("insert_note", **note, sha256=note_hash(note))[0]
            if kind is NoteKind.ERASURE:
                self.rows("erase_private", job_id=job_id, content=content)
        return stored

    def _lapse_approvals(self) -> None:
        """Make questions again of approvals that have run out, inside a transaction."""
        while late := self.rows("lapsed"):
            job_id, ordinal = late[0]["job_id"], late[0]["ordinal"]
            for answer in self.rows("lapsed_approvals", job_id=job_id, ordinal=ordinal):
                said = {
                    "decision": NoteKind.LAPSE.value,
                    "job_id": job_id,
                    "plan_hash": late[0]["plan_hash"],
                    "step_id": answer["step_id"],
                    "answers": answer["sha256"],
                }
                self.add_note(job_id, NoteKind.LAPSE, answer["ordinal"], canonical_json(said))
            self.rows("settle_questions", job_id=job_id, ordinal=ordinal)  # it was out when its approval lapsed
