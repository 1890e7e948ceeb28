"""The ledger in one SQLite file: how jobs are posted, and steps claimed, kept and completed there.

Everything happens inside one write transaction, in which this process is alone: what was read still holds when it is
written, and the triggers check it once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planvow.cassette.databases.sqlite_log import SqliteLog
from planvow.cassette.databases.sqlite_operated import SqliteOperated
from planvow.cassette.databases.sqlite_queue import SqliteQueue
from planvow.cassette.errors import (
    NotLeasedError,
    StaleFenceError,
    UnknownStepError,
    WrongWorkerError,
)
from planvow.cassette.ledger.chain import covering_dossier, head_hash, receipt_hash, receipt_id, sha256_text
from planvow.cassette.ledger.model import DEFAULT_LEASE_MS, Claim, Outcome, Receipt, StepStatus, Ticket, Wanted
from planvow.cassette.ledger.stored_rows import Completion, Leaf, Posting, Row, identified, receipt_from, same_receipt


class SqliteStore(SqliteLog, SqliteQueue, SqliteOperated):
    """A ledger file, opened by one thread of one process.

    >>> with SqliteStore("another.db") as ledger:
    ...     len(ledger.jobs())
    0
    """

    def _post(self, posting: Posting) -> Row:
        message = posting.message
        with self.transaction():
            found = self.rows("message_by_key", run_id=message["run_id"], idempotency_key=message["idempotency_key"])
            if found:
                self.confirm_stored()
                return {**found[0], "created": False}
            parent = posting.plan["parent_job_id"]
            if parent is not None and not self.rows("job_exists", job_id=parent):
                raise UnknownStepError(f"the parent job {parent} is not in this ledger")
            posting = identified(posting)
            self._insert(posting, {"created_at": self.now_ms()})
        return {"message_id": posting.job["message_id"], "job_id": posting.job["job_id"], "created": True}

    def _insert(self, posting: Posting, time: Row) -> None:
        message, plan = {**posting.message, **time}, {**posting.plan, **time}
        message["seq"] = self.rows("insert_message", **message)[0]["seq"]
        job = {**posting.job, **time, "message_seq": message["seq"]}
        job["head_sha256"] = head_hash(message, job, plan, posting.steps, posting.dependencies)
        if posting.laid is not None:
            self._lay(job["job_id"], posting.laid)
            job["head_sha256"] = covering_dossier(job["head_sha256"], posting.laid.manifest_sha256)
        self.rows("insert_job", **job)
        self.rows("insert_plan", **plan)
        self._rows_for_each("insert_step", posting.steps)
        pairs = [{"job_id": job["job_id"], "ordinal": one, "needs": other} for one, other in posting.dependencies]
        self._rows_for_each("insert_dependency", pairs)
        self.rows("insert_states", job_id=job["job_id"])

    def lock_seals(self) -> None:
        """A write transaction is alone already."""

    def add_seal(self, run_id: str, leaves: Sequence[Leaf], *, root: str, envelope_json: str, created_at: int) -> None:
        first = len(self.rows("rows_leaves", run_id=run_id))
        rows = [
            {"run_id": run_id, "leaf_index": index, "job_id": job_id, "leaf_sha256": leaf}
            for index, (job_id, leaf) in enumerate(leaves, first)
        ]
        self._rows_for_each("insert_leaf", rows)
        facts = {"tree_size": first + len(rows), "merkle_root": root, "envelope_json": envelope_json}
        self.rows("insert_seal", run_id=run_id, created_at=created_at, **facts)

    def heartbeat(self, claim: Claim, lease_ms: int = DEFAULT_LEASE_MS) -> int:
        with self.transaction():
            prolonged = self.rows("heartbeat", lease_ms=lease_ms, **_lease_of(claim))
            if prolonged:
                return int(prolonged[0]["lease_expires_at"])
            self._check_held(claim)
        raise NotLeasedError(f"step {claim.ordinal} of {claim.job_id} is not leased")

    def _check_held(self, claim: Claim) -> Row:
        standing = self._standing(claim)
        check_held(standing, claim)
        return standing

    def _standing(self, claim: Claim) -> Row:
        found = self.rows("standing", job_id=claim.job_id, ordinal=claim.ordinal, fence=claim.fence)
        if not found or found[0]["run_id"] != claim.run_id:
            raise UnknownStepError(f"run {claim.run_id!r} has no step {claim.ordinal} in job {claim.job_id}")
        return found[0]

    def _complete(self, claim: Claim, completion: Completion) -> Receipt:
        with self.transaction():
            return self._completed(claim, completion)

    def _complete_and_claim(
        self, claim: Claim, completion: Completion, wanted: Wanted, ticket: Ticket | None
    ) -> tuple[Receipt, Claim | None]:
        with self.transaction():
            receipt = self._completed(claim, completion)
            following = self._claimed(claim.worker_id, wanted, 1, ticket)
        return receipt, following[0] if following else None

    def _completed(self, claim: Claim, completion: Completion) -> Receipt:
        """Record a completion inside the transaction that is under way."""
        outcome, retry_after_ms = completion.outcome, completion.retry_after_ms
        standing = self._standing(claim)
        if standing["recorded"]:
            self.confirm_stored()
            of_lease = {"job_id": claim.job_id, "ordinal": claim.ordinal, "fence": claim.fence}
            return same_receipt(self.rows("receipt_of_lease", **of_lease)[0], claim, completion)
        check_held(standing, claim)
        row = {
            **_lease_of(claim),
            "chain_seq": standing["chain_seq"] + 1,
            "outcome": outcome.value,
            "receipt_json": completion.body_json,
            "receipt_json_sha256": sha256_text(completion.body_json),
            "bytes_used": completion.bytes_used,
            "bytes_total": standing["bytes_total"] + completion.bytes_used,
            "retry_after_ms": retry_after_ms,
            "prev_sha256": standing["chain_sha256"],
            "created_at": standing["now_ms"],
        }
        row["sha256"] = receipt_hash(row)
        row["receipt_id"] = receipt_id(row["sha256"])
        self.rows("insert_receipt", **row)
        next_status = status_after(
            outcome,
            retrying=retry_after_ms is not None,
            aborted=bool(standing["aborted"]),
            cancelled=bool(standing["cancelled"]),
        )
        again = outcome is Outcome.FAILURE and next_status is StepStatus.PENDING
        until = standing["now_ms"] + (retry_after_ms or 0)
        self.rows(
            "settle",
            **_lease_of(claim),
            next_status=next_status.value,
            failures=standing["failures"] + (outcome is Outcome.FAILURE),
            not_before=until if again else None,
            wake_at=until if again and until > standing["now_ms"] else None,
            now_ms=standing["now_ms"],
        )
        return receipt_from(row)


def check_held(standing: Row, claim: Claim) -> None:
    """Raise the error that says why this claim no longer holds its step, if so."""
    what = f"step {claim.ordinal} of {claim.job_id}"
    if standing["fence"] != claim.fence:
        raise StaleFenceError(f"{what} has token {standing['fence']}, this claim has {claim.fence}")
    if standing["status"] != StepStatus.LEASED:
        raise NotLeasedError(f"{what} is {standing['status']}, not leased")
    if standing["worker_id"] != claim.worker_id:
        raise WrongWorkerError(f"{what} is leased to {standing['worker_id']}, not to {claim.worker_id}")


def status_after(outcome: Outcome, *, retrying: bool, aborted: bool, cancelled: bool) -> StepStatus:
    """Say where a completion leaves its step. What was done is done; in a job that has ended nothing starts again."""
    if outcome is Outcome.SUCCESS:
        return StepStatus.COMMITTED
    if outcome is Outcome.FAILURE and not retrying:
        return StepStatus.FAILED
    if cancelled:
        return StepStatus.CANCELLED
    if not aborted:
        return StepStatus.PENDING
    return StepStatus.SKIPPED if outcome is Outcome.ABORTED else StepStatus.FAILED


def _lease_of(claim: Claim) -> dict[str, Any]:
    return {
        "job_id": claim.job_id,
        "ordinal": claim.ordinal,
        "fence": claim.fence,
        "worker_id": claim.worker_id,
    }
