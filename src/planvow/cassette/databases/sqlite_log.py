"""The log of a SQLite ledger: entries, checkpoints and archives, each in one write transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from planvow.cassette.databases.sqlite_file import SqliteFile
from planvow.cassette.errors import CassetteError
from planvow.cassette.ledger.log_entries import (
    ARCHIVE,
    GROWING,
    Checkpoint,
    archived_jobs_hash,
    archived_places_hash,
    entry_leaf,
    leaf_line,
    ranges_of,
)
from planvow.cassette.ledger.stored_rows import Row
from planvow.hash_tree import GrowingTree

DIGEST = 64  # hex digits


class SqliteLog(SqliteFile):
    """A ledger file with its log."""

    def stream(self, name: str, /, **values: Any) -> Iterator[Row]:
        self.check_process()
        with self._translating():
            yield from self._connection.execute(self._sql[name], values)

    def _add_to_log(self, most: int, *, wait: bool) -> tuple[Checkpoint, bool] | None:
        with self.transaction():
            end = self.rows("log_end")[0]
            fresh = self._without_place(end, most)
            if not fresh:
                last = self.rows("last_checkpoint")
                return (Checkpoint(log_id=self._log_id(), **last[0]), False) if last else None
            texts = range(0, len(end["peaks"]), DIGEST)
            peaks = [bytes.fromhex(end["peaks"][place : place + DIGEST]) for place in texts]
            tree = GrowingTree(end["tree_size"], peaks)
            entries = []
            for kind, seq, leaf in fresh:
                entries.append({"log_index": tree.size, "kind": kind, "seq": seq, "leaf_sha256": leaf})
                tree.add(leaf_line(kind, seq, leaf))
            self._rows_for_each("insert_entry", entries)
            made: dict[str, Any] = {"tree_size": tree.size, "root": tree.root, "created_at": self.now_ms()}
            self.rows("insert_checkpoint", **made)
            self.rows(
                "move_log_end",
                tree_size=tree.size,
                peaks="".join(peak.hex() for peak in tree.peaks),
                **{
                    f"{rows}_to": max((seq for kind, seq, _ in fresh if kind == own), default=end[f"{rows}_to"])
                    for own, rows in GROWING.items()
                },
            )
            return Checkpoint(log_id=self._log_id(), **made, added=len(fresh)), len(fresh) >= most

    def _without_place(self, end: Row, most: int) -> list[tuple[str, int, str]]:
        """Return kind, number and leaf of what comes next: posts before the moves of their steps."""
        found: list[tuple[str, int, str]] = []
        for kind, name in GROWING.items():
            rows = self.rows(f"{name}_without_place", after=end[f"{name}_to"], most=most - len(found))
            found += [(kind, row["seq"], entry_leaf(kind, row)) for row in rows]
        archives = self.rows("archives_without_place", most=most - len(found))
        found += [(ARCHIVE, row["archive_id"], entry_leaf(ARCHIVE, row)) for row in archives]
        return found

    def _log_id(self) -> str:
        return str(self.rows("log_first")[0]["leaf_sha256"])

    def add_checkpoint_signature(self, tree_size: int, key_id: str, envelope_json: str) -> None:
        with self.transaction():
            self.rows("sign_checkpoint", tree_size=tree_size, key_id=key_id, envelope_json=envelope_json)

    def archive(self, run_id: str, job_ids: Sequence[str], *, bundle_sha256: str) -> int:
        with self.transaction():
            jobs = self.rows("jobs_to_archive", run_id=run_id)
            if not jobs or [job["job_id"] for job in jobs] != sorted(job_ids):
                raise CassetteError(f"run {run_id!r} has other jobs than those in the bundle")
            if self.rows("children_elsewhere", run_id=run_id):
                raise CassetteError(f"a job of run {run_id!r} has a child in another run")
            found = [row["log_index"] for job in jobs for row in self.rows("places_of_job", job_id=job["job_id"])]
            places = [{"first_index": first, "last_index": last} for first, last in ranges_of(sorted(found))]
            number = int(self.rows("next_archive")[0]["archive_id"])
            self.rows(
                "insert_archive",
                archive_id=number,
                run_id=run_id,
                bundle_sha256=bundle_sha256,
                jobs=len(jobs),
                jobs_sha256=archived_jobs_hash(jobs),
                entries=len(found),
                places_sha256=archived_places_hash(places),
                created_at=self.now_ms(),
            )
            self._rows_for_each("insert_archived_job", [{**job, "archive_id": number} for job in jobs])
            self._rows_for_each("insert_archived_place", [{**place, "archive_id": number} for place in places])
            self.rows("drop_seal_leaves", run_id=run_id)
            self.rows("drop_seals", run_id=run_id)
            for statement in _IN_ORDER:
                self._rows_for_each(statement, jobs)
        return number


_IN_ORDER = (
    "drop_actions", "drop_receipts", "drop_events", "drop_states", "drop_dependencies", "drop_steps", "drop_plan",
    "drop_job", "drop_message",
)  # fmt: skip
