"""The loop that claims steps, runs their operation and records what happened.

A worker is given functions by operation name and takes steps of these operations only; it knows none itself. Before a
step runs, placeholders in its payload are filled from the outputs of earlier steps, the request, what is kept apart and
the worker's secrets. What a failure means (try again, give up, go on) is decided by the pure rules of
`planvow.execution`, and the ledger carries it out. A step whose operation needs a person is handed back and waits,
unless somebody approved it. A worker that loses its connection tries again: every call may be repeated. A worker that
is killed leaves a lease that runs out.

Seed 002, "Workers can claim steps"; seed 004, on_error, retry_count, output placeholders.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import repeat
from typing import Any, TypeVar

from planvow.cassette.dossier.approvals import open_questions, require
from planvow.cassette.errors import JobBudgetError, LeaseError
from planvow.cassette.ledger.model import Claim, OpenOperations, Outcome, Receipt, Ticket, Wanted
from planvow.cassette.ledger.notes import PrivateText
from planvow.cassette.ledger.store import Store
from planvow.cassette.work.attendance import Attendance
from planvow.cassette.work.checkpoints import Checkpoints, Make, make_checkpoint
from planvow.cassette.work.confidential import (
    Filling,
    JobFacts,
    body_of,
    filling_for,
    has_placeholder,
    job_facts,
    reason_to_ask,
)
from planvow.cassette.work.encode import storable
from planvow.cassette.work.heartbeat import Heartbeat
from planvow.cassette.work.patience import patiently
from planvow.cassette.work.side_by_side import awaited, run_side_by_side
from planvow.cassette.work.values import Handler, Sign, StepContext, StepResult, WorkerOptions, WorkReport
from planvow.cassette.work.waiting import Waiting
from planvow.contract.plan.attempt import failure_of, resolve_params
from planvow.errors import InputError, PlanvowError
from planvow.execution import Reaction, after_failure
from planvow.retry import Failure
from planvow.spans import span, span_moment, tool_attributes

Answer = TypeVar("Answer")

JOBS_REMEMBERED = 64
"""Of so many jobs a worker keeps the facts: with `spread` it changes its job at nearly every step."""
STOPPED = {"reason": "the worker was stopped"}
CANCELLED = {"reason": "the job was cancelled"}


class Worker:
    """Runs steps of one ledger, one at a time, until told to stop.

    >>> Worker(lambda: SqliteStore("ledger.db"), {"NOTE": lambda step: step.payload["message"]}).run().failed
    0
    """

    def __init__(
        self,
        open_store: Callable[[], Store],
        handlers: Mapping[str, Handler],
        options: WorkerOptions | None = None,
        *,
        stop: threading.Event | None = None,
        on_receipt: Callable[[Claim, Receipt], None] = lambda _claim, _receipt: None,
        checkpoint: Make = make_checkpoint,
        secrets: Mapping[str, str] | None = None,
        sign: Sign | None = None,
    ) -> None:
        self._open_store = open_store
        self._handlers = dict(handlers)
        self._options = chosen = options or WorkerOptions()
        self._wanted = Wanted(
            run_id=chosen.run_id,
            job_id=chosen.job_id,
            operations=frozenset(handlers),
            lease_ms=chosen.lease_ms,
            spread=chosen.spread,
        )
        self._stop = stop or threading.Event()
        self._on_receipt = on_receipt
        self._sign = sign
        self._given: dict[str, Any] = {
            "on_receipt": on_receipt,
            "checkpoint": checkpoint,
            "secrets": secrets,
            "sign": sign,
        }
        self._checkpoints = Checkpoints(
            open_store, checkpoint, entries=chosen.checkpoint_entries, seconds=chosen.checkpoint_seconds
        )
        self._attendance = Attendance(chosen.worker_id)
        self._waiting = Waiting(self._attendance, self._stop, chosen.poll_seconds)
        self._store: Store | None = None
        self._taken = 0
        self._asked = 0
        self._next: Claim | None = None  # leased together with the completion of the step before
        self._secrets = secrets or {}
        self._jobs: dict[str, JobFacts] = {}  # the one used last stands last
        self._asked_at: int | None = None

    def run(self) -> WorkReport:
        """Work until nothing is left (or, with `until_done=False`, until stopped) and return what was done.

        Nothing is left when each open step is of an operation this worker has no function for, or waits for such a
        step while nobody is at work on its job.
        """
        if self._options.concurrency > 1:
            report: WorkReport = run_side_by_side(self._another, self._options.concurrency, self._stop)
            return report
        counts = dict.fromkeys(("committed", "failed", "retried", "cancelled", "lost", "held"), 0)
        missing: tuple[str, ...] = ()
        later: tuple[str, ...] = ()
        with self._attending() as heartbeat:
            while self._next is not None or self._wants_more():
                if self._next is None:
                    self._asked_at = span_moment()
                claim, self._next = self._next or self._call(self._claiming()), None
                if claim is None:
                    if self._options.until_done:
                        left = self._call(self._open_operations)
                        if self._handlers.keys().isdisjoint(left.ready | left.coming):
                            missing, later = tuple(sorted(left.ready)), tuple(sorted(left.later))
                            break
                    self._call(self._waiting.wait)
                    continue
                self._call(self._waiting.over)
                self._taken += 1
                counts[self._traced_step(claim, heartbeat)] += 1
            counts["held"] = self._call(self._count_held) if self._options.until_done else 0
        return WorkReport(**counts, missing_operations=missing, later_operations=later)

    def _another(self, number: int) -> Worker:
        """Return a worker like this one that runs one step at a time, under an id of its own."""
        alone = replace(self._options, concurrency=1, worker_id=f"{self._options.worker_id}.{number}")
        return Worker(self._open_store, self._handlers, alone, stop=self._stop, **self._given)

    def _wants_more(self) -> bool:
        return not self._stop.is_set() and self._taken != self._options.max_steps

    @contextmanager
    def _attending(self) -> Iterator[Heartbeat]:
        """Be known as a worker that lives, keep leases alive, and leave nothing behind."""
        heartbeat = Heartbeat(self._open_store, self._options.lease_ms, self._attendance)
        try:
            self._call(self._attendance.arrive)
            yield heartbeat
        finally:
            heartbeat.stop()
            left, self._next = self._next, None
            if left is not None:  # something went wrong between two steps
                with suppress(PlanvowError):
                    self._call(lambda store: self._complete(store, left, Outcome.ABORTED, STOPPED, None))
            self._checkpoints.finish(self._store)
            self._attendance.leave(self._store)
            if self._store is not None:
                self._store.close()
                self._store = None

    def _claiming(self) -> Callable[[Store], Claim | None]:
        """Return a claim that may be repeated: it asks with the same ticket until it has its answer."""
        tickets = self._tickets()
        return lambda store: store.claim(self._options.worker_id, **vars(self._wanted), ticket=next(tickets))

    def _tickets(self) -> Iterator[Ticket]:
        self._asked += 1
        yield Ticket(number=self._asked)
        yield from repeat(Ticket(number=self._asked, again=True))

    def _complete(
        self, store: Store, claim: Claim, outcome: Outcome, body: Mapping[str, Any], ticket: Ticket | None, **more: Any
    ) -> tuple[Receipt, Claim | None]:
        """Record a step, and with a ticket lease the next one in the same transaction."""
        if self._sign is not None:
            body = self._sign(claim, outcome, body, more.get("bytes_used", 0))
        if ticket is not None:
            return store.complete_and_claim(claim, outcome, body, wanted=self._wanted, ticket=ticket, **more)
        return store.complete(claim, outcome, body, **more), None

    def _count_held(self, store: Store) -> int:
        return len(open_questions(store, run_id=self._options.run_id, job_id=self._options.job_id))

    def _open_operations(self, store: Store) -> OpenOperations:
        return store.open_operations(run_id=self._options.run_id, job_id=self._options.job_id)

    def _traced_step(self, claim: Claim, heartbeat: Heartbeat) -> str:
        """Run one step, told as a span below the one that its job was posted in."""
        above = self._facts(claim).trace
        named = {"planvow.run_id": claim.run_id, "planvow.job_id": claim.job_id, "planvow.step": claim.ordinal}
        with span("claim", named, parent=above, since=self._asked_at):
            pass
        with span(f"step {claim.op}", {**named, "planvow.attempt": claim.attempt}, parent=above) as told:
            became = self._run_step(claim, heartbeat)
            told.set({"planvow.became": became})
        return became

    def _run_step(self, claim: Claim, heartbeat: Heartbeat) -> str:
        """Run one step and record it; return under which count it falls."""
        reason = reason_to_ask(self._handlers[claim.op])
        if reason is not None and claim.approval is None:
            return self._hold(claim, reason)
        job, filling, held = self._facts(claim), Filling(), None
        try:
            filling = self._filling(claim)
            with heartbeat.during(claim) as held:
                result = self._perform(claim, job.request, filling, held.lost)
            private = result.private or claim.op in job.privacy.outputs
            output = storable(result.output, hide=filling.secrets)
            body, apart = body_of(claim, output.data, filling, private=private)
            if output.warnings and not private:
                body["warnings"] = [filling.shown(text) for text in output.warnings[:20]]
        except (KeyboardInterrupt, SystemExit):
            self._record(claim, Outcome.ABORTED, STOPPED)
            raise
        except Exception as error:
            if held is not None and held.cancelled.is_set():
                return self._record(claim, Outcome.ABORTED, CANCELLED)
            return self._record_failure(claim, filling.shown_failure(failure_of(error)))
        try:
            return self._record(claim, Outcome.SUCCESS, body, apart, bytes_used=result.bytes_used)
        except (InputError, JobBudgetError) as error:  # an output that is too long, or bytes the job has not got
            return self._record_failure(claim, filling.shown_failure(failure_of(error)))

    def _hold(self, claim: Claim, reason: str) -> str:
        """Hand a step back whose operation needs a person, and ask: both or neither."""

        def hand_back(store: Store) -> Receipt:
            with store.transaction():
                receipt = store.complete(claim, Outcome.ABORTED, {"reason": f"needs a person's approval: {reason}"})
                if not store.rows("last_word", job_id=claim.job_id, ordinal=claim.ordinal):
                    require(store, claim.job_id, claim.step_id, by=f"operation {claim.op}", reason=reason)
                return receipt

        try:
            self._on_receipt(claim, self._call(hand_back))
        except LeaseError:
            return "lost"
        return "held"

    def _facts(self, claim: Claim) -> JobFacts:
        """Return the job's request and what of it is private, read once while the job is among the last ones.

        Neither can change: a job has one request and one manifest for ever, and its id is never given again.
        """
        job = self._jobs.pop(claim.job_id, None)
        if job is None:
            job = self._call(lambda store: job_facts(store, claim.job_id))
            if len(self._jobs) == JOBS_REMEMBERED:
                del self._jobs[next(iter(self._jobs))]
        self._jobs[claim.job_id] = job
        return job

    def _filling(self, claim: Claim) -> Filling:
        """Return what fills the payload's placeholders, if it has any."""
        if not has_placeholder(claim.payload):
            return Filling()
        return self._call(lambda store: filling_for(store, claim, self._secrets))

    def _perform(self, claim: Claim, request: Any, filling: Filling, lost: threading.Event) -> StepResult:
        inputs = request.get("input") if isinstance(request, Mapping) else None
        payload = resolve_params(claim.step, filling.values, inputs if isinstance(inputs, Mapping) else {})
        context = StepContext(
            claim=claim,
            payload=payload,
            request=request,
            outputs=filling.outputs,
            lease_lost=lost,
            stop=self._stop,
            taken=self._taken,
        )
        with span(f"execute_tool {claim.op}", tool_attributes(claim.op)):
            result = self._handlers[claim.op](context)
            if inspect.isawaitable(result):
                result = asyncio.run(awaited(result))
        return result if isinstance(result, StepResult) else StepResult(output=result)

    def _record_failure(self, claim: Claim, failure: Failure) -> str:
        decision = after_failure(claim.step, failure, attempt=claim.failures + 1, run_id=claim.run_id)
        body = {
            "op": claim.op,
            "step_id": claim.step_id,
            "error": {"code": failure.code, "class": failure.kind.value, "message": failure.message},
            "decision": decision.reason,
        }
        again = decision.delay_ms if decision.reaction is Reaction.RETRY else None
        return self._record(claim, Outcome.FAILURE, body, retry_after_ms=again)

    def _record(
        self, claim: Claim, outcome: Outcome, body: Mapping[str, Any], apart: PrivateText | None = None, **more: Any
    ) -> str:
        going_on = self._wants_more() and outcome is not Outcome.ABORTED  # and the same when it has to be sent again
        tickets = self._tickets() if going_on else repeat(None)

        def complete(store: Store) -> tuple[Receipt, Claim | None]:
            if apart is None:
                return self._complete(store, claim, outcome, body, next(tickets), **more)
            with store.transaction():
                store.keep_apart(claim.job_id, claim.worker_id, apart)
                return self._complete(store, claim, outcome, body, next(tickets), **more)

        self._asked_at = span_moment()
        try:
            receipt, self._next = self._call(complete)
        except LeaseError:
            return "lost"
        self._checkpoints.noted(job_left=self._next is None or self._next.job_id != claim.job_id)
        self._on_receipt(claim, receipt)
        if outcome is Outcome.SUCCESS:
            return "committed"
        if outcome is Outcome.ABORTED:
            return "cancelled"
        return "failed" if more.get("retry_after_ms") is None else "retried"

    def _call(self, action: Callable[[Store], Answer]) -> Answer:
        """Do something with the ledger, patiently, opening it when it is not open."""

        def call() -> Answer:
            if self._store is None:
                self._store = self._open_store()
            return action(self._store)

        return patiently(call)  # also while stopping: a result in hand must be recorded
