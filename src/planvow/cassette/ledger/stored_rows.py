"""How values become rows of the ledger, and rows values again. Pure; both databases use it.

JSON is stored as the canonical text that was hashed and never written anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from planvow.canonical import canonical_json, derived_id
from planvow.cassette.errors import BadOutcomeError, ReceiptConflictError, WrongWorkerError
from planvow.cassette.ledger.chain import sha256_text
from planvow.cassette.ledger.model import (
    DEFAULT_MAX_ATTEMPTS,
    MAX_MESSAGE_BYTES,
    MAX_PLAN_BYTES,
    MAX_RETRY_MS,
    MAX_STEP_BYTES,
    Claim,
    Outcome,
    PlanRecord,
    Receipt,
    Source,
    StoredPlan,
    check_count,
    check_name,
)
from planvow.cassette.ledger.notes import Laid
from planvow.errors import InputError
from planvow.step import OnError, Step

Row = Mapping[str, Any]

_LONGEST_CHARACTER = 4  # bytes of UTF-8
ID_LENGTH = 32  # 128 bits: two of a billion jobs share an id with probability 10^-21

Leaf = tuple[str, str]  # the job, the hash


@dataclass(frozen=True, kw_only=True)
class Posting:
    """A request with its plan as rows, but for the number and the time that the database gives.

    Ids and hashes come with `identified`: PostgreSQL makes them itself.
    """

    message: Row
    plan: Row
    job: Row
    steps: Sequence[Row]
    dependencies: Sequence[tuple[int, int]]
    laid: Laid | None = None


@dataclass(frozen=True, kw_only=True)
class Completion:
    """What a worker reports of one lease, checked and as it is stored."""

    outcome: Outcome
    body_json: str
    bytes_used: int
    retry_after_ms: int | None


def approved(claim: Claim, body: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return the body of a receipt with the approval its step rests on: a hash that nobody could name before it."""
    if claim.approval is None or (body is not None and not isinstance(body, Mapping)):
        return body
    return {**(body or {}), "approval": claim.approval}


def completion_of(
    outcome: Outcome | str, body: Mapping[str, Any] | None, bytes_used: int, retry_after_ms: int | None
) -> Completion:
    """Return a completion ready to be stored, or say what is wrong with it."""
    try:
        outcome = Outcome(outcome)
    except ValueError:
        raise BadOutcomeError(f"outcome is {outcome!r}, expected SUCCESS, FAILURE or ABORTED") from None
    if outcome is not Outcome.FAILURE and retry_after_ms is not None:
        raise InputError("retry_after_ms goes with FAILURE only")
    check_count("bytes_used", bytes_used, at_most=MAX_STEP_BYTES)
    if retry_after_ms is not None:
        check_count("retry_after_ms", retry_after_ms, at_most=MAX_RETRY_MS)
    if body is not None and not isinstance(body, Mapping):
        raise InputError("the body of a receipt is an object")
    body_json = sized("the receipt", canonical_json({} if body is None else body), MAX_MESSAGE_BYTES)
    return Completion(outcome=outcome, body_json=body_json, bytes_used=bytes_used, retry_after_ms=retry_after_ms)


def receipt_from(row: Row) -> Receipt:
    """Return a stored receipt as a value."""
    return Receipt(
        receipt_id=row["receipt_id"],
        job_id=row["job_id"],
        ordinal=row["ordinal"],
        fence=row["fence"],
        chain_seq=row["chain_seq"],
        worker_id=row["worker_id"],
        outcome=Outcome(row["outcome"]),
        body=read_stored(row["receipt_json"]),
        bytes_used=row["bytes_used"],
        bytes_total=row["bytes_total"],
        retry_after_ms=row["retry_after_ms"],
        prev_sha256=row["prev_sha256"],
        sha256=row["sha256"],
        created_at=row["created_at"],
    )


def same_receipt(stored: Row, claim: Claim, completion: Completion) -> Receipt:
    """Return the receipt of a completion that was sent before; another completion of the same lease is refused."""
    if stored["worker_id"] != claim.worker_id:
        raise WrongWorkerError(f"this lease was completed by {stored['worker_id']}, not by {claim.worker_id}")
    if stored["outcome"] != completion.outcome.value or stored["receipt_json"] != completion.body_json:
        raise ReceiptConflictError(f"step {claim.ordinal} of {claim.job_id} was completed otherwise with this token")
    return receipt_from(stored)


def claim_from(row: Row, worker_id: str, prefix: str = "") -> Claim:
    """Return a claimed row, definition and new lease together, as a value; its columns may begin with a prefix."""
    return Claim(
        run_id=row[prefix + "run_id"],
        job_id=row[prefix + "job_id"],
        ordinal=row[prefix + "ordinal"],
        step=Step(
            step_id=row[prefix + "step_id"],
            skill=row[prefix + "op"],
            params=read_stored(row[prefix + "payload_json"]),
            on_error=OnError(row[prefix + "on_error"]),
            retry_count=row[prefix + "retry_count"],
            output_key=row[prefix + "output_key"],
        ),
        fence=row[prefix + "fence"],
        worker_id=worker_id,
        attempt=row[prefix + "attempts"],
        failures=row[prefix + "failures"],
        lease_expires_at=row[prefix + "lease_expires_at"],
        approval=row[prefix + "approval_sha256"],
    )


def plan_record(row: Row) -> PlanRecord:
    """Return a stored plan with its request as a value."""
    plain = {name: row[name] for name in row if name not in ("payload_json", "plan_json", "budgets_json")}
    return PlanRecord(
        **plain,
        request=json.loads(row["payload_json"]),
        plan=json.loads(row["plan_json"]),
        budgets=json.loads(row["budgets_json"]),
    )


def posting_of(
    run_id: str, payload: Any, plan: StoredPlan, *, idempotency_key: str, source: Source, laid: Laid | None = None
) -> Posting:
    """Return a request and its plan ready to be stored, or say what is wrong with them."""
    check_name("run_id", run_id)
    check_name("idempotency_key", idempotency_key)
    steps, dependencies = _step_rows(plan)
    return Posting(
        message={
            "run_id": run_id,
            "source": Source(source).value,
            "idempotency_key": idempotency_key,
            "payload_json": sized("the request", canonical_json(payload), MAX_MESSAGE_BYTES),
        },
        plan=_plan_row(run_id, plan),
        job={
            "run_id": run_id,
            "intent": plan.intent,
            "ordinal": 1,
            "step_count": len(steps),
            "max_bytes": plan.max_bytes,
        },
        steps=steps,
        dependencies=dependencies,
        laid=laid,
    )


def identified(posting: Posting) -> Posting:
    """Return a posting with the ids that follow from its run and key, and the hashes of its texts."""
    message, plan = posting.message, posting.plan
    message_id = derived_id("msg", [message["run_id"], message["idempotency_key"]], length=ID_LENGTH)
    job_id = derived_id("job", [message_id], length=ID_LENGTH)
    return replace(
        posting,
        message={**message, "message_id": message_id, "payload_sha256": sha256_text(message["payload_json"])},
        plan={**plan, "job_id": job_id, "plan_sha256": sha256_text(plan["plan_json"])},
        job={**posting.job, "job_id": job_id, "message_id": message_id},
        steps=[
            {**step, "job_id": job_id, "payload_sha256": sha256_text(step["payload_json"])} for step in posting.steps
        ],
    )


def _plan_row(run_id: str, plan: StoredPlan) -> Row:
    return {
        "run_id": run_id,
        "request_id": plan.request_id,
        "planner_id": plan.planner_id,
        "planner_version": plan.planner_version,
        "plan_hash": plan.plan_hash,
        "index_hash": plan.index_hash,
        "budgets_json": canonical_json(dict(plan.budgets)),
        "plan_json": sized("the plan", canonical_json(plan.plan), MAX_PLAN_BYTES),
        "parent_job_id": plan.parent_job_id,
    }


def _step_rows(plan: StoredPlan) -> tuple[list[Row], list[tuple[int, int]]]:
    """Return the rows of a plan's steps and their dependencies, numbered from 1."""
    ordinals = {step.step_id: ordinal for ordinal, step in enumerate(plan.steps, 1)}
    steps: list[Row] = []
    dependencies: list[tuple[int, int]] = []
    for ordinal, step in enumerate(plan.steps, 1):
        steps.append(
            {
                "ordinal": ordinal,
                "step_id": step.step_id,
                "op": step.op,
                "payload_json": sized(f"step {ordinal}", canonical_json(dict(step.payload)), MAX_MESSAGE_BYTES),
                "on_error": str(step.on_error),
                "retry_count": step.retry_count,
                "output_key": step.output_key,
                "max_attempts": plan.max_attempts.get(step.step_id, DEFAULT_MAX_ATTEMPTS),
            }
        )
        needed = sorted({ordinals[step_id] for step_id in step.depends_on})  # sorted: the order the head is hashed in
        dependencies.extend((ordinal, needs) for needs in needed)
    return steps, dependencies


_scanned = json.JSONDecoder().raw_decode


def read_stored(text: str) -> Any:
    """Return what a stored text says: canonical JSON, which has no white space around it to look for."""
    value, end = _scanned(text)
    return value if end == len(text) else json.loads(text)


def object_in(text: str) -> Mapping[str, Any]:
    """Return the JSON object in a text, empty where it is something else: who wrote a row may have meant harm."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, Mapping) else {}


def sized(what: str, text: str, limit: int) -> str:
    """Return a text that is short enough to be stored."""
    if len(text) <= limit // _LONGEST_CHARACTER:
        return text
    size = len(text.encode("utf-8"))
    if size > limit:
        raise InputError(f"{what} has {size} bytes, at most {limit} are stored")
    return text
