"""A run as people see it: its steps numbered through all its plans, where each stands, and what is waited for.

Read from the ledger alone: no domain and no tool is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from planvow.agent.errors import UnknownRunError
from planvow.agent.loop.move import Question, Waiting, is_moving
from planvow.agent.record.jobs import ENDED, AgentJob, read_run
from planvow.agent.record.lost import asked_doubts, open_fences
from planvow.agent.record.private import output_in
from planvow.cassette.dossier import open_questions
from planvow.cassette.ledger.model import Receipt, StepState, StepStatus
from planvow.cassette.ledger.notes import WHOLE_PLAN
from planvow.cassette.ledger.store import Store
from planvow.contract.certificate.items import item_from_data
from planvow.contract.errors import UnresolvedReferenceError
from planvow.contract.plan.placeholders import resolve
from planvow.kernel.domain.terms import item_text
from planvow.status import Status


@dataclass(frozen=True, kw_only=True)
class RunStep:
    """One step of a run. `number` counts through all plans of the run; `ordinal` within its job."""

    number: int
    job_id: str
    ordinal: int
    command: tuple[Any, ...]
    status: StepStatus
    output: Any = None
    error: str | None = None
    worker_id: str | None = None

    def __str__(self) -> str:
        words = {"COMMITTED": "done", "PENDING": "waiting", "LEASED": "running", "SKIPPED": "given up"}
        word = words.get(self.status.value, self.status.value.lower())
        return f"{self.number}. {item_text(self.command)}: {word}{f': {self.error}' if self.error else ''}"


@dataclass(frozen=True, kw_only=True)
class Run:
    """Where a run stands."""

    id: str
    status: Status
    reason: str
    steps: tuple[RunStep, ...]
    plans: int
    """How many plans were made: the first and one for each repair."""
    waiting: tuple[Question, ...] = field(default=())
    state: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)

    @property
    def success(self) -> bool:
        return self.status.is_success

    @property
    def done(self) -> tuple[tuple[Any, ...], ...]:
        """The commands that were done, in the order of the plans."""
        return tuple(step.command for step in self.steps if step.status is StepStatus.COMMITTED)

    def __str__(self) -> str:
        plans = "" if self.plans < 2 else f", {self.plans - 1} repair{'' if self.plans == 2 else 's'}"
        head = f"{self.id}: {self.status}{plans} ({self.reason})"
        return "\n".join([head, *(f"  {step}" for step in self.steps)])

    def as_dict(self) -> dict[str, Any]:
        """Return the run as JSON data."""
        from planvow.canonical import to_jsonable
        from planvow.kernel.domain.terms import item_json

        rows = [{**vars(step), "command": item_json(step.command)} for step in self.steps]
        told: dict[str, Any] = to_jsonable(
            {
                "run_id": self.id,
                "status": self.status.value,
                "reason": self.reason,
                "plans": self.plans,
                "steps": rows,
                "waiting": [vars(question) for question in self.waiting],
            }
        )
        return told


@dataclass(frozen=True, kw_only=True)
class StepHistory:
    """Everything the ledger has about one step."""

    step: RunStep
    job: AgentJob
    receipts: tuple[Receipt, ...]


def numbered(store: Store, jobs: Sequence[AgentJob]) -> tuple[StepHistory, ...]:
    """Return the steps of a run, numbered through all its jobs."""
    found: list[StepHistory] = []
    for job in jobs:
        receipts: dict[int, list[Receipt]] = {}
        for receipt in store.receipts(job.job_id):
            receipts.setdefault(receipt.ordinal, []).append(receipt)
        commands = commands_of(job)
        calls = job.steps if _is_of_calls(job) else ()
        came: dict[str, Any] = {}
        for state in store.steps(job.job_id):
            own = tuple(receipts.get(state.ordinal, ()))
            last = own[-1].body if own else {}
            output = output_in(store, own[-1]) if own else None
            error = last.get("error") if isinstance(last.get("error"), Mapping) else None
            command = commands[state.ordinal - 1]
            if calls:
                command = (command[0], *(_as_known(value, came) for value in command[1:]))
                if state.status is StepStatus.COMMITTED and "output" in last:  # what is private stands elsewhere
                    call = calls[state.ordinal - 1]
                    came[call["step_id"]] = came[call.get("output_key") or call["step_id"]] = last["output"]
            step = RunStep(
                number=len(found) + 1,
                job_id=job.job_id,
                ordinal=state.ordinal,
                command=command,
                status=state.status,
                output=output,
                error=f"{error['code']} {error['message']}".strip() if error else None,
                worker_id=own[-1].worker_id if own else None,
            )
            found.append(StepHistory(step=step, job=job, receipts=own))
    return tuple(found)


def commands_of(job: AgentJob) -> list[tuple[Any, ...]]:
    """Return the commands of a job's plan, as its certificate has them; as its steps do where that was erased."""
    if _is_of_calls(job):
        return [(step["skill"], *step["params"].values()) for step in job.steps]
    return [item_from_data(step["command"]) for step in (job.certificate or {})["steps"]]


def _is_of_calls(job: AgentJob) -> bool:
    """Say whether the steps are calls with placeholders, and not the commands of a domain."""
    return job.certificate is None or "nodes" not in job.certificate


def _as_known(value: Any, came: Mapping[str, Any]) -> Any:
    """Return an argument with what earlier calls gave filled in, or as the plan has it while that is not known."""
    try:
        return resolve(value, came)
    except UnresolvedReferenceError:
        return value


def view(
    store: Store, run_id: str, *, waiting: tuple[Question, ...] = (), arrival: tuple[Status, str] | None = None
) -> Run:
    """Return where a run stands; `arrival` is what a pursuit that has just ended says about it."""
    jobs = read_run(store, run_id)
    history = numbered(store, jobs)
    if arrival is None:
        status, reason, waiting = _standing(store, jobs[-1], [entry for entry in history if entry.job is jobs[-1]])
    else:
        status, reason = arrival
    plans = sum(job.origin.kind != ENDED for job in jobs)
    steps = tuple(entry.step for entry in history)
    return Run(id=run_id, status=status, reason=reason, steps=steps, plans=plans, waiting=waiting)


def approvals_asked(store: Store, job_id: str) -> tuple[Question, ...]:
    """Return the approvals that a job waits for."""
    ids = store.step_ids(job_id)
    return tuple(
        Question(
            kind=Waiting.APPROVAL,
            job_id=job_id,
            ordinal=WHOLE_PLAN if asked.step_id is None else ids.index(asked.step_id) + 1,
            text=f"{asked.op or 'the plan'} waits for an approval: {asked.reason}",
        )
        for asked in open_questions(store, job_id=job_id)
    )


def doubts_asked(
    store: Store, job_id: str, steps: Sequence[StepState], receipts: Sequence[Receipt]
) -> tuple[Question, ...]:
    """Return the calls of a job about which an agent asked whether they happened, and nobody has answered."""
    return tuple(
        Question(kind=Waiting.UNKNOWN, job_id=job_id, ordinal=ordinal, text=text)
        for ordinal, text in asked_doubts(store, job_id, steps, receipts).items()
    )


def _standing(store: Store, job: AgentJob, own: Sequence[StepHistory]) -> tuple[Status, str, tuple[Question, ...]]:
    """Say where the latest plan of a run stands, as the ledger alone tells it."""
    steps = [entry.step for entry in own]
    if job.origin.kind == ENDED:
        return Status(job.origin.status or "internal"), job.origin.reason, ()
    if all(step.status is StepStatus.COMMITTED for step in steps):
        done = (Status.SOLVED, "every step is done") if steps else (Status.SATISFIED, "nothing needs to be done")
        return *done, ()
    states = store.steps(job.job_id)
    doubts = doubts_asked(store, job.job_id, states, [receipt for entry in own for receipt in entry.receipts])
    asked = doubts + (approvals_asked(store, job.job_id) if any(state.questions for state in states) else ())
    if doubts:
        return Status.BLOCKED, doubts[0].text, asked
    failed = next((step for step in steps if step.status in (StepStatus.FAILED, StepStatus.DEAD)), None)
    if failed is not None:
        reason = f"step {failed.number} failed and the plan is not repaired yet; resume does that"
        return Status.INTERRUPTED, reason, ()
    for state, entry in zip(states, own, strict=True):
        if state.status is StepStatus.PENDING and open_fences(state.ordinal, state.fence, entry.receipts):
            number = entry.step.number
            reason = f"nobody knows whether step {number} happened; resume goes on where its tool says how, else asks"
            return Status.INTERRUPTED, reason, asked
    if asked and not is_moving(states):
        return Status.BLOCKED, asked[0].text, asked
    return Status.INTERRUPTED, "steps are left; resume goes on with them", asked


def step_of(history: Sequence[StepHistory], number: int, run_id: str) -> StepHistory:
    """Return a step by its number, or say which there are."""
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= len(history):
        hint = f"its steps are 1 to {len(history)}" if history else "nothing was planned for it"
        raise UnknownRunError(f"run {run_id!r:.80} has no step {number!r:.40}", hint=hint)
    return history[number - 1]
