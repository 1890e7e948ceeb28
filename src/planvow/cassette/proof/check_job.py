"""Whether one job's rows fit together: hashes, chain, states and events. Reads rows, trusts none of them.

Every stored value of a job is covered by a hash or can be derived from values that are. Each broken rule becomes a
fault with the place and what was expected there; the check goes on, so that one fault does not hide the others.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from itertools import zip_longest
from typing import Any

from planvow.canonical import derived_id
from planvow.cassette.ledger.chain import (
    STATE_FIELDS,
    STEP_FIELDS,
    HashedList,
    covering_dossier,
    receipt_hash,
    receipt_id,
    sha256_text,
)
from planvow.cassette.ledger.stored_rows import ID_LENGTH, Row
from planvow.cassette.proof.beside import Beside
from planvow.cassette.proof.decisions import Decisions
from planvow.cassette.proof.job_parts import Histories, JobParts, SealedLeaves, begun_head, begun_tail
from planvow.cassette.proof.step_facts import StepFacts
from planvow.verdict import Fault

MOVES = {
    ("PENDING", "LEASED"), ("PENDING", "SKIPPED"), ("LEASED", "COMMITTED"), ("LEASED", "FAILED"), ("LEASED", "PENDING"),
    ("LEASED", "DEAD"), ("LEASED", "SKIPPED"), ("PENDING", "CANCELLED"), ("LEASED", "CANCELLED"), ("PENDING", "FAILED"),
}  # fmt: skip
REPORTS = {
    "SUCCESS": ("COMMITTED",),
    "FAILURE": ("FAILED", "PENDING", "CANCELLED"),
    "ABORTED": ("PENDING", "SKIPPED", "CANCELLED"),
}


def check_job(parts: JobParts, beside: Beside | None = None) -> Iterator[Fault]:
    """Yield everything that is wrong with a job; its rows are read once, as they come."""
    beside = beside or Beside(parts)
    sealed = SealedLeaves(parts.leaves)
    decisions = Decisions(parts.job_id, parts.actions)
    head, tail = begun_head(parts), begun_tail(parts, decided=bool(decisions.actions))
    facts = StepFacts(denied=beside.denied)
    yield from _check_post(parts)
    yield from _check_steps(parts, facts, decisions, beside, head, tail)
    yield from facts.problems(parts.job_id, parts.dependencies, head)
    begins = head.hexdigest()
    if beside.manifest_sha256 is not None:
        begins = covering_dossier(begins, beside.manifest_sha256)
    if begins != parts.job["head_sha256"]:
        yield Fault(place=parts.job_id, message="what was posted does not have the hash the chain begins with")
    sealed.expect(begins)
    yield from _check_chain(parts, facts, beside, sealed)
    for note in beside.notes:
        sealed.expect_if_there(note["sha256"])  # others may have come since
    tail.end()
    decisions.end(tail)
    sealed.expect(tail.hexdigest())
    if not sealed.hold():
        yield Fault(place=f"seals of run {parts.job['run_id']}", message=f"{parts.job_id} is not what was sealed")
    yield from beside.faults()


def _check_post(parts: JobParts) -> Iterator[Fault]:
    message, job, plan = parts.message, parts.job, parts.plan
    place = parts.job_id
    for what, text, stored in (
        ("the request", message["payload_json"], message["payload_sha256"]),
        ("the plan", plan["plan_json"], plan["plan_sha256"]),
    ):
        if sha256_text(text) != stored:
            yield Fault(place=place, message=f"{what} does not have the hash stored beside it")
    derived = derived_id("msg", [message["run_id"], message["idempotency_key"]], length=ID_LENGTH)
    if message["message_id"] != derived or job["message_id"] != derived:
        yield Fault(place=place, message="the message id does not derive from run and key")
    if job["job_id"] != derived_id("job", [derived], length=ID_LENGTH) or plan["job_id"] != job["job_id"]:
        yield Fault(place=place, message="the job id does not derive from its message")


def _check_steps(
    parts: JobParts, facts: StepFacts, decisions: Decisions, beside: Beside, head: HashedList, tail: HashedList
) -> Iterator[Fault]:
    """Look at each step with its state, its events and what was reported of it."""
    histories = Histories(parts.events, parts.reports)
    corresponding = True
    count = 0
    for step, state in zip_longest(parts.steps, parts.states):
        corresponding &= _same_step(step, state)
        if step is not None:
            count += 1
            head.add([step[name] for name in STEP_FIELDS])
            if sha256_text(step["payload_json"]) != step["payload_sha256"]:
                message = f"step {step['ordinal']} does not have the hash stored beside it"
                yield Fault(place=parts.job_id, message=message)
            corresponding &= step["ordinal"] == count
        if state is None:
            continue
        tail.add([state[name] for name in STATE_FIELDS])
        ordinal = state["ordinal"]
        events, reports = histories.of(ordinal)
        facts.add(step, state, events, reports)
        refused = beside.denies(ordinal)
        for problem in (
            *_history_problems(parts, state, events, reports, refused),
            *decisions.problems(state, events),
            *beside.step_problems(step, state, events),
        ):
            yield Fault(place=f"{parts.job_id} step {ordinal}", message=problem)
    head.end()
    yield from decisions.left()
    for ordinal in histories.without_state():
        yield Fault(place=f"{parts.job_id} step {ordinal}", message="has a history but no state")
    if count != parts.job["step_count"]:
        yield Fault(place=parts.job_id, message=f"the job has {parts.job['step_count']} steps, stored are {count}")
    if not corresponding:
        facts.numbered = False
        yield Fault(place=parts.job_id, message="steps and their states do not correspond")


def _same_step(step: Row | None, state: Row | None) -> bool:
    return step is not None and state is not None and (step["ordinal"], step["op"]) == (state["ordinal"], state["op"])


def _check_chain(parts: JobParts, facts: StepFacts, beside: Beside, sealed: SealedLeaves) -> Iterator[Fault]:
    before, total, number = parts.job["head_sha256"], 0, 0
    for number, receipt in enumerate(parts.receipts, 1):
        place = f"{parts.job_id} receipt {number}"
        if receipt["chain_seq"] != number:
            yield Fault(place=place, message=f"the chain has number {receipt['chain_seq']} here")
        if receipt["prev_sha256"] != before:
            yield Fault(place=place, message="does not continue the chain")
        if sha256_text(receipt["receipt_json"]) != receipt["receipt_json_sha256"]:
            yield Fault(place=place, message="the body does not have the hash stored beside it")
        if receipt_hash(receipt) != receipt["sha256"]:
            yield Fault(place=place, message="does not have its hash")
        if receipt["receipt_id"] != receipt_id(receipt["sha256"]):
            yield Fault(place=place, message="its id does not derive from its hash")
        total += receipt["bytes_used"]
        if receipt["bytes_total"] != total:
            yield Fault(place=place, message=f"the bytes add up to {total}, not to {receipt['bytes_total']}")
        for problem in beside.receipt_problems(receipt):
            yield Fault(place=place, message=problem)
        before = receipt["sha256"]
        sealed.expect(before)
    limit = parts.job["max_bytes"]
    if limit is not None and total > limit:
        yield Fault(place=parts.job_id, message=f"{total} bytes were used, {limit} are allowed")
    if number != facts.reported:
        message = f"{number} receipts are stored, {facts.reported} of them ended a lease"
        yield Fault(place=parts.job_id, message=message)


def _history_problems(
    parts: JobParts,
    state: Mapping[str, Any],
    events: list[Mapping[str, Any]],
    receipts: list[Mapping[str, Any]],
    refused: bool,
) -> Iterator[str]:
    status, fence, holder = yield from _moves(events, receipts, refused)
    not_before = _not_before(parts, events, receipts)
    yield from _present_state(parts, state, receipts, status, fence, holder, not_before)
    for receipt in receipts:
        if not 1 <= receipt["fence"] <= fence:
            yield f"has a receipt for token {receipt['fence']}, which it never had"
    if sum(receipt["outcome"] == "SUCCESS" for receipt in receipts) != (status == "COMMITTED"):
        yield f"is {status} with another number of successes than that"


def _moves(
    events: list[Mapping[str, Any]], receipts: list[Mapping[str, Any]], refused: bool
) -> Generator[str, None, tuple[str, int, str | None]]:
    """Follow a step's events; return its status, the token it has come to and who held that.

    A step that a person refused fails without having been leased.
    """
    status, fence, holder = "PENDING", 0, None
    reports = {receipt["fence"]: receipt for receipt in receipts}
    for event in events:
        move = (event["from_status"], event["to_status"])
        if event["from_status"] != status or move not in MOVES:
            yield f"moved from {move[0]} to {move[1]} while {status}"
        status = event["to_status"]
        if status == "LEASED":
            fence, holder = fence + 1, event["worker_id"]
        report = reports.get(fence) if move[0] == "LEASED" else None
        if event["fence"] != fence:
            yield f"an event has token {event['fence']}, expected {fence}"
        if event["worker_id"] != (holder if "LEASED" in move else None):
            yield f"an event of token {fence} names the worker {event['worker_id']!r}"
        if move[0] == "LEASED" and status not in REPORTS.get(report["outcome"] if report else "", (status,)):
            yield f"token {fence} reported {report and report['outcome']} and became {status}"
        if report is not None and report["worker_id"] != holder:
            yield f"the receipt of token {fence} is not by its holder"
        if status in ("COMMITTED", "FAILED") and report is None and not (refused and move == ("PENDING", "FAILED")):
            yield f"became {status} without a receipt"
    return status, fence, holder


def _present_state(
    parts: JobParts,
    state: Mapping[str, Any],
    receipts: list[Mapping[str, Any]],
    status: str,
    fence: int,
    holder: str | None,
    not_before: int,
) -> Iterator[str]:
    """Compare what is stored of a step with what its history makes of it."""
    expected = {
        "status": status,
        "fence": fence,
        "attempts": fence,
        "failures": sum(receipt["outcome"] == "FAILURE" for receipt in receipts),
        "run_id": parts.job["run_id"],
        "message_seq": parts.message["seq"],
        "not_before": not_before,
    }
    for name, value in expected.items():
        if state[name] != value:
            yield f"{name} is {state[name]!r}, its history says {value!r}"
    if status == "LEASED" and state["worker_id"] != holder:
        yield f"is leased to {state['worker_id']!r}, its history says {holder!r}"
    if status != "LEASED" and {state[name] for name in ("worker_id", "lease_expires_at", "lease_ms")} != {None}:
        yield "names a lease that does not exist"


def _not_before(parts: JobParts, events: list[Mapping[str, Any]], receipts: list[Mapping[str, Any]]) -> int:
    """The time of the last retry that took effect, else the time of the post."""
    again = {e["fence"] for e in events if (e["from_status"], e["to_status"]) == ("LEASED", "PENDING")}
    delays = [
        r
        for r in receipts
        if r["outcome"] == "FAILURE"
        and r["retry_after_ms"] is not None
        and r["fence"] in again  # else its job had ended
    ]
    if not delays:
        return int(parts.job["created_at"])
    return int(delays[-1]["created_at"] + delays[-1]["retry_after_ms"])
