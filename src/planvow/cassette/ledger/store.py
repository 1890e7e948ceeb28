"""The ledger's interface, and what both databases share of it.

A `Store` keeps requests, plans, jobs, steps and receipts. It knows no planner and no operation. Posting is one
transaction, claiming is one, completing is one; the fencing token, not a clock, decides whether a completion counts.
Everything a database does in its own way is abstract here; everything else is written once.

Seed 002, Cassette Integration; spec 002, Phase 3.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Mapping, Sequence, Set
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Self

from planvow.canonical import canonical_json
from planvow.cassette.errors import IdempotencyConflictError, UnknownStepError
from planvow.cassette.ledger.chain import sha256_text
from planvow.cassette.ledger.logged import Logged
from planvow.cassette.ledger.model import (
    ANY_STEP,
    DEFAULT_LEASE_MS,
    Claim,
    JobStatus,
    OpenOperations,
    Outcome,
    PlanRecord,
    Posted,
    Receipt,
    Source,
    StepState,
    StepStatus,
    StoredPlan,
    Ticket,
    Wanted,
    check_worker_id,
)
from planvow.cassette.ledger.notes import KeepsNotes, Laid
from planvow.cassette.ledger.operated import Operated
from planvow.cassette.ledger.process_guard import OwnedByProcess
from planvow.cassette.ledger.schedule import Schedule
from planvow.cassette.ledger.statements import filtered_name
from planvow.cassette.ledger.stored_rows import (
    Completion,
    Leaf,
    Posting,
    Row,
    approved,
    completion_of,
    plan_record,
    posting_of,
    receipt_from,
)
from planvow.errors import did_you_mean


class Store(Operated, KeepsNotes, OwnedByProcess, Logged):
    """An open ledger. Belongs to one thread of one process; close it, or use it as a context manager.

    First stands what a database does in its own way, then what it may add to, then what is the same for both: posting
    a plan, claiming its steps, completing them, and looking at what became of them.

    >>> isinstance(store, Store), len(store.jobs())
    (True, 1)
    """

    dialect: ClassVar[str]

    @abstractmethod
    def close(self) -> None:
        """Close the connection. Leases stay: they run out by themselves."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Everything inside happens wholly or not at all, and alone."""

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[None]:
        """Everything read inside belongs to one moment."""

    @abstractmethod
    def rows(self, name: str, /, **values: Any) -> list[Row]:
        """Run one of the named statements of `queries.sql`."""

    @abstractmethod
    def now_ms(self) -> int:
        """Return the database's clock."""

    @abstractmethod
    def _post(self, posting: Posting) -> Row:
        """Store a posting in one transaction and return its ids, or those that its run and key brought before."""

    @abstractmethod
    def lock_seals(self) -> None:
        """Keep out other sealers until this transaction ends."""

    @abstractmethod
    def add_seal(self, run_id: str, leaves: Sequence[Leaf], *, root: str, envelope_json: str, created_at: int) -> None:
        """Add leaves to a run and a seal over all it has, inside a transaction."""

    @abstractmethod
    def expected_schema(self) -> Mapping[str, str]:
        """Return the rules that the migrations make, by name, as hashes."""

    @abstractmethod
    def live_schema(self) -> Mapping[str, str]:
        """Return the rules that are in force, by name, as hashes."""

    @abstractmethod
    def _claim(self, worker_id: str, wanted: Wanted, limit: int, ticket: Ticket | None = None) -> tuple[Claim, ...]:
        """Lease up to `limit` of the wanted steps, in one transaction."""

    @abstractmethod
    def heartbeat(self, claim: Claim, lease_ms: int = DEFAULT_LEASE_MS) -> int:
        """Prolong a lease and return its new end; raise LeaseError when it is no longer held."""

    @abstractmethod
    def _complete(self, claim: Claim, completion: Completion) -> Receipt:
        """Write the receipt and move the step, in one transaction."""

    @abstractmethod
    def requeue_expired(self) -> int:
        """Put back (or bury) every step whose lease has run out; return how many there were."""

    def warnings(self) -> tuple[str, ...]:
        """Return what whoever runs this ledger should know: troubles of the database that slow workers down."""
        return ()

    def excessive_rights(self) -> tuple[str, ...]:
        """Return what somebody may do that no part in the ledger needs, in words."""
        return ()

    def confirm_stored(self) -> None:
        """Make sure, inside a transaction, that what is told a second time would survive a power failure.

        Nothing to do where nobody sees a commit before it is on the disk.
        """

    def rows_where(self, name: str, /, **filters: str | None) -> list[Row]:
        """Run a named statement with those of its filters that are not None."""
        given = {column: value for column, value in filters.items() if value is not None}
        return self.rows(filtered_name(name, given), **given)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def post(
        self,
        run_id: str,
        payload: Any,
        plan: StoredPlan,
        *,
        idempotency_key: str | None = None,
        source: Source = Source.USER,
        schedule: Schedule | None = None,
        laid: Laid | None = None,
    ) -> Posted:
        """Store a request with its plan, job and steps, and what is laid beside them, in one transaction, all PENDING.

        The same run, key and request return the ids stored before; the same key with another request raises
        IdempotencyConflictError. The key defaults to the plan's request_id. `schedule` says where the job stands in the
        queue; it is no part of the plan or of its hash.
        """
        key = plan.request_id if idempotency_key is None else idempotency_key
        posting = posting_of(run_id, payload, plan, idempotency_key=key, source=source, laid=laid)
        if schedule is None:
            stored = self._post(posting)
        else:
            with self.transaction():
                stored = self._post(posting)
                if stored["created"]:
                    self._schedule_posted(stored["job_id"], schedule.for_steps(plan.steps))
        if not stored["created"]:
            sha256 = sha256_text(posting.message["payload_json"])
            return self._posted_before(stored, {**posting.message, "payload_sha256": sha256})
        return Posted(
            message_id=stored["message_id"],
            job_id=stored["job_id"],
            step_ids=tuple(step.step_id for step in plan.steps),
            plan_hash=plan.plan_hash,
            created=True,
        )

    def posted(self, run_id: str, payload: Any, *, idempotency_key: str) -> Posted | None:
        """Return what was stored under a key, None for nothing; another request under it is a conflict."""
        found = self.rows("message_by_key", run_id=run_id, idempotency_key=idempotency_key)
        if not found:
            return None
        with self.transaction():
            self.confirm_stored()
        sha256 = sha256_text(canonical_json(payload))
        return self._posted_before(
            found[0], {"run_id": run_id, "idempotency_key": idempotency_key, "payload_sha256": sha256}
        )

    def _posted_before(self, found: Row, message: Mapping[str, Any]) -> Posted:
        if found["payload_sha256"] != message["payload_sha256"]:
            raise IdempotencyConflictError(
                f"run {message['run_id']!r} used the key {message['idempotency_key']!r} for another request",
                hint="choose a new idempotency key, or send the stored request",
                details={"message_id": found["message_id"], "stored_sha256": found["payload_sha256"]},
            )
        return Posted(
            message_id=found["message_id"],
            job_id=found["job_id"],
            step_ids=self.step_ids(found["job_id"]),
            plan_hash=found["plan_hash"],
            created=False,
        )

    def claim(
        self,
        worker_id: str,
        *,
        run_id: str | None = None,
        job_id: str | None = None,
        operations: Set[str] | None = None,
        lease_ms: int = DEFAULT_LEASE_MS,
        spread: bool = False,
        ticket: Ticket | None = None,
    ) -> Claim | None:
        """Lease the next step that is ready, or return None when there is none."""
        wanted = Wanted(run_id=run_id, job_id=job_id, operations=operations, lease_ms=lease_ms, spread=spread)
        claims = self._claim(check_worker_id(worker_id), wanted, 1, ticket)
        return claims[0] if claims else None

    def claim_many(
        self,
        worker_id: str,
        *,
        limit: int,
        run_id: str | None = None,
        job_id: str | None = None,
        operations: Set[str] | None = None,
        lease_ms: int = DEFAULT_LEASE_MS,
        spread: bool = False,
    ) -> tuple[Claim, ...]:
        """Lease up to `limit` ready steps: highest priority, oldest message, step order; `spread` goes over jobs.

        Only steps of `operations` are taken; None stands for any. Limits are kept. Leases that have run out are put
        back first, so a dead worker's steps are found by whoever asks next.
        """
        wanted = Wanted(run_id=run_id, job_id=job_id, operations=operations, lease_ms=lease_ms, spread=spread)
        return self._claim(check_worker_id(worker_id), wanted, limit)

    def complete(
        self,
        claim: Claim,
        outcome: Outcome | str,
        body: Mapping[str, Any] | None = None,
        *,
        bytes_used: int = 0,
        retry_after_ms: int | None = None,
    ) -> Receipt:
        """Record what became of a leased step.

        SUCCESS commits it. FAILURE ends it, or with `retry_after_ms` puts it back for another attempt. ABORTED hands
        it back. The same completion sent twice returns the stored receipt; a lease that is no longer held raises
        LeaseError.
        """
        return self._complete(claim, completion_of(outcome, approved(claim, body), bytes_used, retry_after_ms))

    def complete_and_claim(
        self,
        claim: Claim,
        outcome: Outcome | str,
        body: Mapping[str, Any] | None = None,
        *,
        bytes_used: int = 0,
        retry_after_ms: int | None = None,
        wanted: Wanted = ANY_STEP,
        ticket: Ticket | None = None,
    ) -> tuple[Receipt, Claim | None]:
        """Record what became of a step and lease the next one to the same worker, together or not at all.

        For a worker that goes on: one transaction where completing and claiming would be two.
        """
        completion = completion_of(outcome, approved(claim, body), bytes_used, retry_after_ms)
        return self._complete_and_claim(claim, completion, wanted, ticket)

    def _complete_and_claim(
        self, claim: Claim, completion: Completion, wanted: Wanted, ticket: Ticket | None
    ) -> tuple[Receipt, Claim | None]:
        with self.transaction():
            receipt = self._complete(claim, completion)
            following = self._claim(claim.worker_id, wanted, 1, ticket)
            return receipt, following[0] if following else None

    def step_ids(self, job_id: str) -> tuple[str, ...]:
        """Return a job's step ids in order."""
        return tuple(row["step_id"] for row in self.rows("step_ids", job_id=job_id))

    def jobs(self, *, run_id: str | None = None, job_id: str | None = None) -> tuple[JobStatus, ...]:
        """Return the jobs of a run, or all, oldest first."""
        return tuple(JobStatus(**row) for row in self.rows_where("job_status", run_id=run_id, job_id=job_id))

    def job(self, job_id: str) -> JobStatus:
        """Return one job."""
        found = self.jobs(job_id=job_id)
        if not found:
            raise UnknownStepError(f"there is no job {job_id}")
        return found[0]

    def check_known(self, *, run_id: str | None = None, job_id: str | None = None) -> None:
        """Raise UnknownStepError when this ledger has no such run, no such job, or the job in another run."""
        if job_id is not None:
            job = self.job(job_id)
            if run_id not in (None, job.run_id):
                raise UnknownStepError(f"job {job_id} belongs to run {job.run_id!r}, not to {run_id!r}")
        elif run_id is not None and not self.rows_where("job_ids", run_id=run_id):
            known = [row["run_id"] for row in self.rows("run_ids")]
            hint = did_you_mean(run_id, known) or "planvow runs lists them"
            raise UnknownStepError(f"there is no run {run_id!r} in this ledger", hint=hint)

    def steps(self, job_id: str) -> tuple[StepState, ...]:
        """Return a job's steps with their states, in order."""
        rows = self.rows("steps_of_job", job_id=job_id)
        return tuple(StepState(**{**row, "status": StepStatus(row["status"])}) for row in rows)

    def receipts_by(self, worker_prefix: str, *, since: int) -> tuple[Receipt, ...]:
        """Return the receipts since a time of workers whose id begins so. Looks at every receipt: for rare use."""
        rows = self.rows("receipts_of_worker", prefix=worker_prefix, length=len(worker_prefix), since=since)
        return tuple(receipt_from(row) for row in rows)

    def has_open_steps(self, *, run_id: str | None = None, job_id: str | None = None) -> bool:
        """Say whether any step is still waiting or leased."""
        return bool(self.rows_where("open_steps", run_id=run_id, job_id=job_id))

    def open_operations(self, *, run_id: str | None = None, job_id: str | None = None) -> OpenOperations:
        """Return which operations open steps wait for, and which may come next."""
        rows = self.rows_where("open_operations", run_id=run_id, job_id=job_id)
        return OpenOperations(
            ready=frozenset(row["op"] for row in rows if row["ready"] == 1),
            coming=frozenset(row["op"] for row in rows if row["ready"] == 0),
            later=frozenset(row["op"] for row in rows if row["ready"] == 2),
        )

    def plans(
        self, *, run_id: str | None = None, request_id: str | None = None, job_id: str | None = None
    ) -> tuple[PlanRecord, ...]:
        """Return stored plans with their requests, oldest first."""
        rows = self.rows_where("plan_records", run_id=run_id, request_id=request_id, job_id=job_id)
        return tuple(plan_record(row) for row in rows)

    def receipts(self, job_id: str) -> tuple[Receipt, ...]:
        """Return a job's receipts in chain order."""
        return tuple(receipt_from(row) for row in self.rows("receipts_of_job", job_id=job_id))

    def outputs(self, job_id: str) -> dict[str, Any]:
        """Return what the committed steps of a job gave, by output key where a step names one and by step id."""
        found: dict[str, Any] = {}
        for row in self.rows("outputs_of_job", job_id=job_id):
            output = json.loads(row["receipt_json"]).get("output")
            found[row["step_id"]] = output
            if row["output_key"] is not None:
                found[row["output_key"]] = output
        return found

    def request(self, job_id: str) -> Any:
        """Return the request a job came from."""
        rows = self.rows("request_of_job", job_id=job_id)
        if not rows:
            raise UnknownStepError(f"there is no job {job_id}")
        return json.loads(rows[0]["payload_json"])
