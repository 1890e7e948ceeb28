"""One run in three zooms: a line, the attempts by worker, every receipt; and what people may decide about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from shlex import quote
from typing import Any

from planvow.adapters.console.views.facts import suggested
from planvow.adapters.console.views.lanes import Lanes, attempt_word, every_lanes
from planvow.adapters.console.views.runs import CANCELLED, FAILED, HELD, asked_text, state_of
from planvow.adapters.console.views.texts import call_text, cut, fact_text, item_text, shortened

_STEP_WORDS = {
    "COMMITTED": "done", "PENDING": "waiting", "LEASED": "running", "FAILED": "failed", "DEAD": "failed",
    "SKIPPED": "given up", "CANCELLED": CANCELLED,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class AttemptLine:
    """One attempt of a step."""

    token: int
    worker: str
    word: str
    begun_at: int
    took: int | None
    error: str
    put_back_by: str


@dataclass(frozen=True, kw_only=True)
class StepLine:
    """One step of one plan of the run."""

    number: int
    ordinal: int
    step_id: str
    anchor: str
    call: str
    state: str
    worker: str
    took: int | None
    reason: str
    arguments: Any
    output: Any
    needs: tuple[int, ...]
    attempts: tuple[AttemptLine, ...]
    question: str
    """Why a person must agree first; empty where nobody must."""


@dataclass(frozen=True, kw_only=True)
class PlanLine:
    """One plan of the run and how it came about."""

    number: int
    job_id: str
    plan_hash: str
    planner: str
    state: str
    because: str
    created_at: int
    certified: bool
    is_open: bool
    question: str
    """Why a person must agree to the plan as a whole; empty where nobody must."""
    steps: tuple[StepLine, ...]


@dataclass(frozen=True, kw_only=True)
class Word:
    """Something that somebody decided, or was asked."""

    at: int
    what: str
    by: str
    reason: str
    sha256: str


@dataclass(frozen=True, kw_only=True)
class ReceiptLine:
    """A link of a job's chain."""

    seq: int
    plan: int
    ordinal: int
    outcome: str
    worker: str
    at: int
    sha256: str
    before: str
    body: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class RunView:
    """The page of a run."""

    run_id: str
    state: str
    sentence: str
    asked: str
    plans: tuple[PlanLine, ...]
    lanes: tuple[Lanes, ...]
    receipts: tuple[ReceiptLine, ...]
    words: tuple[Word, ...]
    waiting: tuple[Any, ...]
    why: str
    finished: bool
    mark: str = ""
    repair: str = ""
    """The repair that somebody asked for and that nobody has made yet."""
    may_repair: bool = False
    facts: tuple[str, ...] = ()
    """What the latest plan took for the case, as people write it."""
    resume: str = ""
    """The command that goes on with an agent's run: it calls tools, so it is given where those are."""

    @property
    def head(self) -> PlanLine:
        """The plan that is followed now."""
        return self.plans[-1]

    @property
    def done(self) -> int:
        return sum(step.state == "done" for plan in self.plans for step in plan.steps)

    @property
    def total(self) -> int:
        before = sum(step.state == "done" for plan in self.plans[:-1] for step in plan.steps)
        return before + len(self.head.steps)


def run_view(seen: Any) -> RunView:
    """Return the page of a run."""
    planned = [job for job in seen.jobs if job.steps] or list(seen.jobs[:1])
    numbers = {job.status.job_id: number for number, job in enumerate(planned, start=1)}
    plans, count = [], 0
    for job in planned:
        plans.append(_plan(job, numbers[job.status.job_id], seen, count))
        count += len(job.steps)
    last = planned[-1]
    ended = not seen.jobs[-1].steps and _origin(seen.jobs[-1]).get("status")
    late = any(s.state.lease_expires_at and s.state.lease_expires_at < seen.now for s in last.steps)
    state = FAILED if ended else state_of(last.status, late=late, asked=bool(seen.questions))
    finished = bool(ended) or all(job.status.finished for job in seen.jobs)
    repair = next((str(asked) for job_id, asked in seen.repairs if job_id == seen.jobs[-1].status.job_id), "")
    repair = "" if state == "done" else repair
    return RunView(
        run_id=seen.run_id,
        state=state,
        sentence=_sentence(seen, state, plans[-1]),
        asked=asked_text(seen.asked),
        plans=tuple(plans),
        lanes=every_lanes(planned, seen.now, seen.commands),
        receipts=tuple(_receipt(row, numbers) for row in seen.receipts if row.job_id in numbers),
        words=_words(seen, numbers),
        waiting=tuple(seen.questions),
        why=seen.why,
        finished=finished and state != HELD and not repair,
        mark=seen.mark,
        repair=repair,
        may_repair=seen.status is not None and state != "done",
        facts=suggested(seen.facts),
        resume="" if seen.status is None or state == "done" else f"planvow agent resume AGENT.py {quote(seen.run_id)}",
    )


def _sentence(seen: Any, state: str, plan: PlanLine) -> str:
    failed = next((step for step in plan.steps if step.state == "failed" and step.reason), None)
    if state == HELD and seen.questions:
        return f"waits for a person: “{seen.questions[0].reason}”"
    if seen.status is not None and state in (FAILED, "done"):
        return str(seen.status[1])
    return f"step {failed.ordinal} failed: {failed.reason}" if failed else ""


def _origin(job: Any) -> Mapping[str, Any]:
    origin = job.request.get("origin") if isinstance(job.request, Mapping) else None
    return origin if isinstance(origin, Mapping) else {}


def _plan(job: Any, number: int, seen: Any, before: int) -> PlanLine:
    status = job.status
    asked = {q.step_id: q.reason for q in seen.questions if q.job_id == status.job_id}
    late = any(step.state.lease_expires_at and step.state.lease_expires_at < seen.now for step in job.steps)
    because = _origin(job).get("reason") or ("" if status.parent_job_id is None else "it replaced the rest of another")
    return PlanLine(
        number=number,
        job_id=status.job_id,
        plan_hash=status.plan_hash,
        planner=status.planner_id,
        state=state_of(status, late=late, asked=bool(asked)),
        because=cut(str(because)),
        created_at=status.created_at,
        certified=status.job_id in seen.certified,
        is_open=not status.finished,
        question=asked.get(None, ""),
        steps=tuple(_step(status.job_id, step, before, asked, seen.commands) for step in job.steps),
    )


def _step(
    job_id: str, step: Any, before: int, asked: Mapping[str | None, str], commands: Mapping[tuple[str, int], Any]
) -> StepLine:
    state = step.state
    command = commands.get((job_id, state.ordinal))
    last = step.attempts[-1] if step.attempts else None
    question = asked.get(state.step_id, "")
    return StepLine(
        number=before + state.ordinal,
        ordinal=state.ordinal,
        step_id=state.step_id,
        anchor=f"s-{shortened(job_id)}-{state.ordinal}",
        call=call_text(state.op, step.arguments) if command is None else item_text(command),
        state=HELD if question and state.status.value == "PENDING" else _STEP_WORDS[state.status.value],
        worker=worker_text(last.worker_id if last else None),
        took=None if last is None or last.ended_at is None else last.ended_at - last.begun_at,
        reason=step.reason or "",
        arguments=step.arguments,
        output=step.output,
        needs=step.needs,
        attempts=tuple(_attempt(attempt) for attempt in step.attempts),
        question=question,
    )


def _attempt(attempt: Any) -> AttemptLine:
    error = attempt.error
    return AttemptLine(
        token=attempt.token,
        worker=worker_text(attempt.worker_id),
        word=attempt_word(attempt),
        begun_at=attempt.begun_at,
        took=None if attempt.ended_at is None else attempt.ended_at - attempt.begun_at,
        error="" if not error else cut(f"{error.get('code')}: {error.get('message')}"),
        put_back_by=attempt.put_back_by or "",
    )


def worker_text(worker_id: str | None) -> str:
    """Return a worker's name without what tells its processes apart."""
    return "" if worker_id is None else shortened(worker_id, 24)


def _receipt(row: Any, numbers: Mapping[str, int]) -> ReceiptLine:
    return ReceiptLine(
        seq=row.chain_seq,
        plan=numbers[row.job_id],
        ordinal=row.ordinal,
        outcome=row.outcome.value.lower(),
        worker=worker_text(row.worker_id),
        at=row.created_at,
        sha256=row.sha256,
        before=row.prev_sha256,
        body=row.body,
    )


def _words(seen: Any, numbers: Mapping[str, int]) -> tuple[Word, ...]:
    """Return what was asked of people and what they decided, in order; each about a plan, or about the end of one."""
    places, at = dict[str, int](), 1
    for job in seen.jobs:
        places[job.status.job_id] = at = numbers.get(job.status.job_id, at)
    found = [
        Word(
            at=row.at,
            what=f"{row.kind.value} of {'the plan' if row.step_id is None else f'step {row.ordinal}'}"
            f" (plan {places[row.job_id]})",
            by=row.by or "",
            reason=row.reason,
            sha256=row.sha256,
        )
        for row in seen.decisions
    ]
    for job in seen.jobs:
        for action in job.actions:
            step = "" if action.ordinal is None else f" step {action.ordinal}"
            what = f"{action.kind.lower()}{step} (plan {places[job.status.job_id]})"
            found.append(Word(at=action.at, what=what, by=action.made_by, reason=action.why, sha256=""))
    for job_id, asked in seen.repairs:
        about = ", ".join(fact_text(tuple(fact)) for fact in asked.facts)
        what = f"repair asked for (plan {places[job_id]})"
        why = f"{asked.reason} ({about})" if about else asked.reason
        found.append(Word(at=asked.at, what=what, by=asked.by, reason=why, sha256=asked.sha256))
    for line in seen.called:
        what = f"call of {line.operation} (plan {places[line.job_id]})"
        why = f"from {line.origin}"
        if line.refused:
            many = "" if line.times == 1 else f" {line.times} times"
            what, why = f"refused{many}: {what}", f"{line.refused}, {line.reason}; {why}"
        found.append(Word(at=line.at, what=what, by=line.by, reason=cut(why), sha256=""))
    return tuple(sorted(found, key=lambda word: word.at))
