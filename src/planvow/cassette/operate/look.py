"""One job or one step as an operator wants to see it: what was asked, what came of it, who had it, and why it failed.

Reads only. Ids may be shortened to a beginning that is the only one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planvow.cassette.errors import AmbiguousIdError, UnknownStepError
from planvow.cassette.ledger.job_rows import JobRows, load_job
from planvow.cassette.ledger.model import JobStatus, StepState
from planvow.cassette.ledger.schedule import Action
from planvow.cassette.ledger.statements import filtered_name
from planvow.cassette.ledger.store import Store
from planvow.cassette.ledger.stored_rows import Row, object_in

MOST_NAMED = 10
NEWEST = 2**62


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a short id stands for: a job, or with an ordinal one of its steps."""

    job_id: str
    ordinal: int | None = None

    def __str__(self) -> str:
        return self.job_id if self.ordinal is None else f"{self.job_id}/{self.ordinal}"


@dataclass(frozen=True, kw_only=True)
class AttemptView:
    """One lease of a step: who had it, from when to when, and what was said of it."""

    token: int
    worker_id: str | None
    begun_at: int
    ended_at: int | None
    became: str
    outcome: str | None
    receipt_id: str | None
    error: Mapping[str, Any] | None
    decision: str | None
    output: Any
    put_back_by: str | None


@dataclass(frozen=True, kw_only=True)
class StepView:
    """A step with everything that belongs to it."""

    state: StepState
    arguments: Any
    on_error: str
    retry_count: int
    max_attempts: int
    output_key: str | None
    needs: tuple[int, ...]
    needed_by: tuple[int, ...]
    attempts: tuple[AttemptView, ...]

    @property
    def output(self) -> Any:
        """What the step gave, None unless it is committed."""
        done = [attempt for attempt in self.attempts if attempt.outcome == "SUCCESS"]
        return done[-1].output if done else None

    @property
    def reason(self) -> str | None:
        """Why it failed, was given up or waits, in a sentence; None where there is nothing to say."""
        last = self.attempts[-1] if self.attempts else None
        if last is not None and last.error is not None and self.state.status in ("FAILED", "PENDING", "CANCELLED"):
            return f"{last.error.get('code')}: {last.error.get('message')}"
        if self.state.status == "DEAD":
            return f"{self.state.attempts} workers took it up and none came back"
        return None


@dataclass(frozen=True, kw_only=True)
class JobView:
    """A job with everything that belongs to it."""

    status: JobStatus
    request: Any
    children: tuple[str, ...]
    actions: tuple[Action, ...]
    steps: tuple[StepView, ...]


def find(store: Store, text: str) -> Found:
    """Return what an id, a shortened id or JOB/NUMBER stands for; several are an error that lists them."""
    job_part, slash, number = text.partition("/")
    if slash and number.isascii() and number.isdecimal():
        job = _only(text, [Found(job_id=row["job_id"]) for row in _jobs(store, job_part)])
        if not any(step.ordinal == int(number) for step in store.steps(job.job_id)):
            raise UnknownStepError(f"job {job.job_id} has no step {number}")
        return Found(job_id=job.job_id, ordinal=int(number))
    jobs = [Found(job_id=row["job_id"]) for row in _jobs(store, text)]
    if any(found.job_id == text for found in jobs):
        return Found(job_id=text)
    steps = store.rows("steps_like", prefix=text, length=len(text), most=MOST_NAMED + 1)
    exact = [row for row in steps if row["step_id"] == text]
    found = [Found(job_id=row["job_id"], ordinal=row["ordinal"]) for row in exact or steps]
    return _only(text, [*jobs, *found])


def _jobs(store: Store, text: str) -> list[Row]:
    prefix = text if text.startswith("job_") else f"job_{text}"
    return store.rows("jobs_like", prefix=prefix, length=len(prefix), most=MOST_NAMED + 1)


def _only(text: str, found: Sequence[Found]) -> Found:
    if not found:
        raise UnknownStepError(
            f"no job and no step begins with {text!r}", hint="planvow cassette status lists what is stored"
        )
    if len(found) > 1:
        named = ", ".join(map(str, found[:MOST_NAMED]))
        more = " and more" if len(found) > MOST_NAMED else ""
        raise AmbiguousIdError(
            f"{text!r} may be {named}{more}",
            hint="give more of the id, or a step as JOB/NUMBER",
            details={"candidates": [str(one) for one in found[:MOST_NAMED]]},
        )
    return found[0]


def jobs_before(store: Store, before: str | None, most: int) -> tuple[JobStatus, ...]:
    """Return so many jobs, newest first: from the newest on, or those that are older than one."""
    if before is not None:
        store.check_known(job_id=before)
    rows = store.rows("job_page", before=before or "", newest=NEWEST, most=most)
    return tuple(store.job(row["job_id"]) for row in rows)


def runs_before(
    store: Store,
    before: str | None,
    most: int,
    *,
    find: str = "",
    planner: str = "",
    state: str = "",
    since: int | None = None,
) -> list[tuple[str, str]]:
    """Return runs with their latest jobs, newest first: those that fit, from the newest on or older than one.

    `find` is part of a run's id, a plan's hash, a job's id, or of what was asked or posted. `state` lets through more
    than it says: where a run stands is more than its steps tell.
    """
    if before is not None:
        store.check_known(job_id=before)
    wanted = find.lower().replace("!", "!!").replace("%", "!%").replace("_", "!_")
    given: dict[str, Any] = {"find": f"%{wanted}%" if find else None, "planner": planner or None}
    given |= {"state": state or None, "since": since}
    filters = {name: value for name, value in given.items() if value is not None}
    rows = store.rows(filtered_name("run_page", filters), before=before or "", newest=NEWEST, most=most, **filters)
    return [(row["run_id"], row["job_id"]) for row in rows]


def latest_jobs(store: Store, run_id: str, most: int) -> tuple[JobStatus, ...]:
    """Return the latest jobs of a run, newest first."""
    return tuple(store.job(row["job_id"]) for row in store.rows("run_jobs", run_id=run_id, most=most))


def mark_of(store: Store, run_id: str = "") -> str:
    """Return a text that is another one after anything was written: about a run, or without one about any."""
    name, values = ("mark_of_run", {"run_id": run_id}) if run_id else ("mark_of_ledger", {})
    (row,) = store.rows(name, now_ms=store.now_ms(), **values)
    return "-".join(str(int(value or 0)) for value in row.values())


def view_job(store: Store, job_id: str) -> JobView:
    """Return a job as it is at one moment."""
    with store.snapshot():
        rows = load_job(store, job_id)
        states = store.steps(job_id)
        return JobView(
            status=store.job(job_id),
            request=json.loads(rows.message["payload_json"]),
            children=tuple(row["job_id"] for row in store.rows("children_of", job_id=job_id)),
            actions=store.actions(job_id),
            steps=tuple(
                _step_view(rows, state, definition) for state, definition in zip(states, rows.steps, strict=True)
            ),
        )


def _step_view(rows: JobRows, state: StepState, definition: Row) -> StepView:
    ordinal = state.ordinal
    return StepView(
        state=state,
        arguments=json.loads(definition["payload_json"]),
        on_error=definition["on_error"],
        retry_count=definition["retry_count"],
        max_attempts=definition["max_attempts"],
        output_key=definition["output_key"],
        needs=tuple(row["needs_ordinal"] for row in rows.dependencies if row["ordinal"] == ordinal),
        needed_by=tuple(row["ordinal"] for row in rows.dependencies if row["needs_ordinal"] == ordinal),
        attempts=tuple(_attempts(rows, ordinal)),
    )


def _attempts(rows: JobRows, ordinal: int) -> list[AttemptView]:
    events = [event for event in rows.events if event["ordinal"] == ordinal]
    receipts = {row["fence"]: row for row in rows.receipts if row["ordinal"] == ordinal}
    taken = {a["fence"]: a["made_by"] for a in rows.actions if a["kind"] == "REQUEUE" and a["ordinal"] == ordinal}
    begun = {event["fence"]: event for event in events if event["to_status"] == "LEASED"}
    ended = {event["fence"]: event for event in events if event["from_status"] == "LEASED"}
    return [_attempt(start, ended.get(fence), receipts.get(fence), taken.get(fence)) for fence, start in begun.items()]


def _attempt(start: Row, end: Row | None, receipt: Row | None, put_back_by: str | None) -> AttemptView:
    body = object_in(receipt["receipt_json"]) if receipt is not None else {}
    error, decision = body.get("error"), body.get("decision") or body.get("reason")
    return AttemptView(
        token=start["fence"],
        worker_id=start["worker_id"],
        begun_at=start["at"],
        ended_at=end["at"] if end is not None else None,
        became=end["to_status"] if end is not None else "LEASED",
        outcome=receipt["outcome"] if receipt is not None else None,
        receipt_id=receipt["receipt_id"] if receipt is not None else None,
        error=error if isinstance(error, Mapping) else None,
        decision=decision if isinstance(decision, str) else None,
        output=body.get("output"),
        put_back_by=put_back_by,
    )
