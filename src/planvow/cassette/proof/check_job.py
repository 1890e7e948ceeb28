"""Whether one job's rows fit together: hashes, chain, states and events. Reads rows, trusts none of them.

Every stored value of a job is covered by a hash or can be derived from values that are. Each broken rule becomes a
fault with the place and what was expected there; the check goes on, so that one fault does not hide the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

from planvow.canonical import derived_id
from planvow.cassette.ledger.chain import receipt_hash, receipt_id, sha256_text
from planvow.cassette.ledger.job_rows import JobRows
from planvow.cassette.ledger.notes import WHOLE_PLAN
from planvow.cassette.ledger.stored_rows import ID_LENGTH
from planvow.cassette.proof.check_actions import check_actions
from planvow.cassette.proof.check_notes import check_notes, denied, open_questions
from planvow.cassette.proof.dsse import Verifier
from planvow.cassette.proof.kept_apart import check_kept_apart
from planvow.errors import PlanOrderError
from planvow.execution import StepStatus, next_steps
from planvow.step import OnError, Step
from planvow.verdict import Fault

MOVES = {
    ("PENDING", "LEASED"), ("PENDING", "SKIPPED"), ("LEASED", "COMMITTED"), ("LEASED", "FAILED"), ("LEASED", "PENDING"),
    ("LEASED", "DEAD"), ("LEASED", "SKIPPED"), ("PENDING", "CANCELLED"), ("LEASED", "CANCELLED"), ("PENDING", "FAILED"),
}  # fmt: skip
RUN_STATUS = {
    "PENDING": StepStatus.PENDING, "LEASED": StepStatus.RUNNING, "COMMITTED": StepStatus.SUCCEEDED,
    "FAILED": StepStatus.FAILED, "DEAD": StepStatus.FAILED, "SKIPPED": StepStatus.PENDING,
}  # fmt: skip
"""The ledger's words in those of `planvow.execution`; whether a step had to be skipped is what is asked."""
REPORTS = {
    "SUCCESS": ("COMMITTED",),
    "FAILURE": ("FAILED", "PENDING", "CANCELLED"),
    "ABORTED": ("PENDING", "SKIPPED", "CANCELLED"),
}


def check_job(rows: JobRows, approvers: Sequence[Verifier] = ()) -> Iterator[Fault]:
    """Yield everything that is wrong with a job; with keys of approvers, every decision must be signed by one."""
    yield from _check_posted(rows)
    yield from _check_chain(rows)
    yield from _check_histories(rows)
    yield from _check_skips(rows)
    yield from check_actions(rows)
    yield from check_notes(rows, approvers)
    yield from check_kept_apart(rows)


def _check_posted(rows: JobRows) -> Iterator[Fault]:
    message, job, plan = rows.message, rows.job, rows.plan
    place = rows.job_id
    for what, text, stored in (
        ("the request", message["payload_json"], message["payload_sha256"]),
        ("the plan", plan["plan_json"], plan["plan_sha256"]),
        *((f"step {s['ordinal']}", s["payload_json"], s["payload_sha256"]) for s in rows.steps),
    ):
        if sha256_text(text) != stored:
            yield Fault(place=place, message=f"{what} does not have the hash stored beside it")
    derived = derived_id("msg", [message["run_id"], message["idempotency_key"]], length=ID_LENGTH)
    if message["message_id"] != derived or job["message_id"] != derived:
        yield Fault(place=place, message="the message id does not derive from run and key")
    if job["job_id"] != derived_id("job", [derived], length=ID_LENGTH) or plan["job_id"] != job["job_id"]:
        yield Fault(place=place, message="the job id does not derive from its message")
    if [s["ordinal"] for s in rows.steps] != list(range(1, job["step_count"] + 1)):
        yield Fault(place=place, message=f"the job has {job['step_count']} steps, stored are {len(rows.steps)}")
    if [(s["ordinal"], s["op"]) for s in rows.states] != [(s["ordinal"], s["op"]) for s in rows.steps]:
        yield Fault(place=place, message="steps and their states do not correspond")
    if rows.head() != job["head_sha256"]:
        yield Fault(place=place, message="what was posted does not have the hash the chain begins with")


def _check_chain(rows: JobRows) -> Iterator[Fault]:
    before, total = rows.job["head_sha256"], 0
    for number, receipt in enumerate(rows.receipts, 1):
        place = f"{rows.job_id} receipt {number}"
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
        before = receipt["sha256"]
    limit = rows.job["max_bytes"]
    if limit is not None and total > limit:
        yield Fault(place=rows.job_id, message=f"{total} bytes were used, {limit} are allowed")


def _check_histories(rows: JobRows) -> Iterator[Fault]:
    events: dict[int, list[Mapping[str, Any]]] = {}
    for event in rows.events:
        events.setdefault(event["ordinal"], []).append(event)
    receipts: dict[int, list[Mapping[str, Any]]] = {}
    for receipt in rows.receipts:
        receipts.setdefault(receipt["ordinal"], []).append(receipt)
    unmet = _unmet_dependencies(rows, events)
    known = {state["ordinal"] for state in rows.states}
    for ordinal in sorted((set(events) | set(receipts)) - known):
        yield Fault(place=f"{rows.job_id} step {ordinal}", message="has a history but no state")
    for state in rows.states:
        ordinal = state["ordinal"]
        place = f"{rows.job_id} step {ordinal}"
        for message in _history_problems(rows, state, events.get(ordinal, []), receipts.get(ordinal, [])):
            yield Fault(place=place, message=message)
        waits = unmet[ordinal] + state.get("questions", 0)
        if state["waiting_for"] != waits:
            yield Fault(place=place, message=f"waits for {state['waiting_for']} steps, {waits} are not done")


def _unmet_dependencies(rows: JobRows, events: Mapping[int, list[Mapping[str, Any]]]) -> Counter[int]:
    """Count what each step still waits for; one that was skipped or cancelled stopped counting then."""
    last = {ordinal: history[-1] for ordinal, history in events.items()}
    committed = {o: event["seq"] for o, event in last.items() if event["to_status"] == "COMMITTED"}
    skipped = {o: event["seq"] for o, event in last.items() if event["to_status"] in ("SKIPPED", "CANCELLED")}
    unmet: Counter[int] = Counter()
    for row in rows.dependencies:
        done = committed.get(row["needs_ordinal"])
        if done is None or done > skipped.get(row["ordinal"], done):
            unmet[row["ordinal"]] += 1
    return unmet


def _history_problems(
    rows: JobRows, state: Mapping[str, Any], events: list[Mapping[str, Any]], receipts: list[Mapping[str, Any]]
) -> Iterator[str]:
    refused = denied(rows, WHOLE_PLAN) or denied(rows, state["ordinal"])
    status, fence, holder = yield from _moves(events, receipts, refused)
    yield from _questions(rows, state, status, fence)
    yield from _present_state(rows, state, receipts, status, fence, holder)
    for receipt in receipts:
        if not 1 <= receipt["fence"] <= fence:
            yield f"has a receipt for token {receipt['fence']}, which it never had"
    if sum(receipt["outcome"] == "SUCCESS" for receipt in receipts) != (status == "COMMITTED"):
        yield f"is {status} with another number of successes than that"


def _moves(
    events: list[Mapping[str, Any]], receipts: list[Mapping[str, Any]], refused: bool
) -> Generator[str, None, tuple[str, int, str | None]]:
    """Follow a step's events; return its status, the token it has come to and who held that.

    A step that was denied (`refused`) fails without having been leased.
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


def _questions(rows: JobRows, state: Mapping[str, Any], status: str, fence: int) -> Iterator[str]:
    """Compare how many questions to a person a pending step waits for with what its notes say."""
    waits = state.get("questions", 0)
    asked = open_questions(rows, state["ordinal"])
    if status == "PENDING" and waits != asked and not (fence > 0 and waits < asked):  # it was out when one was asked
        yield f"waits for {waits} answers, {asked} questions are open"
    approvals = {note["sha256"] for note in rows.notes if note["kind"] == "approval"}
    if state.get("approval_sha256") is not None and state["approval_sha256"] not in approvals:
        yield "rests on an approval that nobody gave"


def _present_state(
    rows: JobRows,
    state: Mapping[str, Any],
    receipts: list[Mapping[str, Any]],
    status: str,
    fence: int,
    holder: str | None,
) -> Iterator[str]:
    """Compare what is stored of a step with what its history makes of it."""
    expected = {
        "status": status,
        "fence": fence,
        "attempts": fence,
        "failures": sum(receipt["outcome"] == "FAILURE" for receipt in receipts),
        "run_id": rows.job["run_id"],
        "message_seq": rows.message["seq"],
        "not_before": _not_before(rows, receipts, status),
    }
    for name, value in expected.items():
        if state[name] != value:
            yield f"{name} is {state[name]!r}, its history says {value!r}"
    if status == "LEASED" and state["worker_id"] != holder:
        yield f"is leased to {state['worker_id']!r}, its history says {holder!r}"
    if status != "LEASED" and {state[name] for name in ("worker_id", "lease_expires_at", "lease_ms")} != {None}:
        yield "names a lease that does not exist"


def _not_before(rows: JobRows, receipts: list[Mapping[str, Any]], status: str) -> int:
    """The time of the last retry that took effect, else the time of the post."""
    delays = [r for r in receipts if r["outcome"] == "FAILURE" and r["retry_after_ms"] is not None]
    if delays and status in ("FAILED", "CANCELLED") and receipts[-1] is delays[-1]:
        delays = delays[:-1]  # asked for a retry, but its job had ended
    if not delays:
        return int(rows.job["created_at"])
    return int(delays[-1]["created_at"] + delays[-1]["retry_after_ms"])


def _check_skips(rows: JobRows) -> Iterator[Fault]:
    """Hold the steps that were left out against the rules of running a plan: nothing is skipped without a failure."""
    names = {step["ordinal"]: str(step["ordinal"]) for step in rows.steps}
    needs: dict[int, list[str]] = {ordinal: [] for ordinal in names}
    for row in rows.dependencies:
        if row["ordinal"] in needs and row["needs_ordinal"] in names:
            needs[row["ordinal"]].append(names[row["needs_ordinal"]])
    steps = [
        Step(
            step_id=names[step["ordinal"]],
            skill=step["op"],
            params={},
            depends_on=tuple(needs[step["ordinal"]]),
            on_error=OnError.CONTINUE if step["on_error"] == OnError.CONTINUE else OnError.ABORT,
        )
        for step in rows.steps
    ]
    statuses = {
        names[s["ordinal"]]: RUN_STATUS.get(s["status"], StepStatus.PENDING)
        for s in rows.states
        if s["ordinal"] in names
    }
    try:
        allowed = set(next_steps(steps, statuses).skip)
    except PlanOrderError as error:
        yield Fault(place=rows.job_id, message=f"its steps have no order: {error.message}")
        return
    if denied(rows, WHOLE_PLAN):
        return  # nothing that had not begun was to run
    for state in rows.states:
        if state["status"] == "SKIPPED" and names.get(state["ordinal"]) not in allowed:
            place = f"{rows.job_id} step {state['ordinal']}"
            yield Fault(place=place, message="was skipped, though no failure asks for that")
