"""The values that go into the ledger and come out of it.

A `StoredPlan` is any planner's plan made ready for workers: the plan's own document and hash, and its steps. The
ledger looks into none of them. Everything that comes out is a frozen value; times are integer milliseconds since 1970
(UTC) by the database's clock.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from planvow.canonical import MAX_SAFE_INTEGER
from planvow.errors import ContractViolation, InputError, expect
from planvow.step import OnError, Step

DEFAULT_LEASE_MS = 300_000  # seed 002, Phase 3: ttl 300 seconds
MAX_LEASE_MS = 7 * 24 * 3_600_000  # heartbeats prolong a lease; a week is how long a dead worker can keep a step
MAX_MESSAGE_BYTES = 1 << 20
MAX_STEP_BYTES = 1 << 40
MAX_RETRY_MS = 100 * 31_557_600_000  # years
MAX_PLAN_BYTES = 1 << 26
MAX_STEPS = 100_000
MAX_COUNT = 1_000_000
DEFAULT_MAX_ATTEMPTS = 5


_NAME = re.compile("[^\\x00-\\x1f\\x7f\ud800-\udfff]{1,256}")
_WORKER = re.compile(r"[A-Za-z0-9_.:@/+-]{1,128}")  # appears unescaped inside hashed JSON


class Source(StrEnum):
    """Who wrote a message.

    >>> [source.value for source in Source]
    ['USER', 'PLANNER', 'SYSTEM', 'WORKER']
    """

    USER = "USER"
    PLANNER = "PLANNER"
    SYSTEM = "SYSTEM"
    WORKER = "WORKER"


class StepStatus(StrEnum):
    """Where a step stands. The last five are final.

    >>> [status.value for status in StepStatus][:3]
    ['PENDING', 'LEASED', 'COMMITTED']
    """

    PENDING = "PENDING"
    LEASED = "LEASED"
    COMMITTED = "COMMITTED"
    FAILED = "FAILED"
    DEAD = "DEAD"
    SKIPPED = "SKIPPED"
    CANCELLED = "CANCELLED"


class Outcome(StrEnum):
    """What a worker reports.

    >>> Outcome.SUCCESS.value
    'SUCCESS'
    """

    SUCCESS = "SUCCESS"
    FAILURE = "FAILURE"
    ABORTED = "ABORTED"


@dataclass(frozen=True, kw_only=True)
class StoredPlan:
    """A plan of any planner, ready to be stored with its steps.

    >>> from planvow.contract import Step
    >>> steps = (Step(step_id="a", skill="NOTE", params={"message": "hi"}),)
    >>> facts = {"planner_id": "demo", "planner_version": "1", "plan_hash": "0" * 64, "plan": {}}
    >>> with SqliteStore("ledger.db") as store:
    ...     store.post("run-2", {}, StoredPlan(request_id="coffee", steps=steps, **facts)).created
    True
    """

    planner_id: str
    planner_version: str
    plan_hash: str
    plan: Any
    steps: tuple[Step, ...]
    request_id: str
    intent: str = ""
    index_hash: str | None = None
    budgets: Mapping[str, Any] = field(default_factory=dict)
    parent_job_id: str | None = None
    max_attempts: Mapping[str, int] = field(default_factory=dict)
    """How often workers may take a step up when they die on it, by step id; `DEFAULT_MAX_ATTEMPTS` otherwise."""

    def __post_init__(self) -> None:
        for name in ("planner_id", "planner_version", "plan_hash", "request_id"):
            check_name(name, getattr(self, name))
        if not isinstance(self.intent, str) or not isinstance(self.budgets, Mapping):
            raise ContractViolation("intent is a text and budgets an object")
        if self.intent:
            check_name("intent", self.intent)
        for name in ("index_hash", "parent_job_id"):
            if getattr(self, name) is not None:
                check_name(name, getattr(self, name))
        if self.max_bytes is not None:
            check_count("budgets.max_bytes", self.max_bytes)
        if len(self.steps) > MAX_STEPS:
            raise InputError(f"a plan has at most {MAX_STEPS} steps, this one has {len(self.steps)}")
        if not isinstance(self.max_attempts, Mapping):
            raise ContractViolation("max_attempts is an object: step id → number")
        for attempts in self.max_attempts.values():
            check_count("max_attempts", attempts, at_least=1, at_most=MAX_COUNT)
        earlier: set[str] = set()
        for step in self.steps:
            _check_step(step)
            if step.step_id in earlier:
                raise ContractViolation(f"two steps have the id {step.step_id!r}")
            unknown = [needed for needed in step.depends_on if needed not in earlier]
            if unknown:
                raise ContractViolation(
                    f"step {step.step_id!r} depends on {unknown[0]!r}, which does not stand before it"
                )
            earlier.add(step.step_id)

    @property
    def max_bytes(self) -> int | None:
        """The bytes all committed steps together may use, when the plan's budgets name a limit."""
        limit: int | None = self.budgets.get("max_bytes")
        return limit


@dataclass(frozen=True, kw_only=True)
class Posted:
    """The ids of a stored request and plan. `created` is False when the same request was stored before.

    >>> posted.created
    True
    """

    message_id: str
    job_id: str
    step_ids: tuple[str, ...]
    plan_hash: str
    created: bool


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A step leased to a worker. `fence` is the token that a completion must show.

    >>> claim = store.claim("worker-1")
    >>> claim.worker_id
    'worker-1'
    """

    run_id: str
    job_id: str
    ordinal: int
    step: Step
    fence: int
    worker_id: str
    attempt: int
    failures: int
    lease_expires_at: int
    approval: str | None = None
    """The hash of the approval this step rests on, where it needed one; the receipt repeats it."""

    @property
    def step_id(self) -> str:
        return self.step.step_id

    @property
    def op(self) -> str:
        return self.step.op

    @property
    def payload(self) -> Mapping[str, Any]:
        return self.step.payload


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which steps a worker takes, and for how long. `operations` None stands for any.

    >>> Wanted().operations is None
    True
    """

    run_id: str | None = None
    job_id: str | None = None
    operations: Set[str] | None = None
    lease_ms: int = DEFAULT_LEASE_MS
    spread: bool = False

    def __post_init__(self) -> None:
        check_count("lease_ms", self.lease_ms, at_most=MAX_LEASE_MS)
        if self.operations is None:
            return
        expect(self.operations, Set, "operations", "a set of names")
        for name in self.operations:
            check_name("an operation", name)


@dataclass(frozen=True, kw_only=True)
class Ticket:
    """A worker's own number for one claim.

    When the answer got lost it asks `again` with the same number, and is given what it was given then if the lease
    lasts still: nothing waits for a lease that nobody knows of.
    """

    number: int
    again: bool = False


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """What a worker did with one lease, as link of its job's hash chain.

    >>> _ = store.complete(store.claim("worker-1"), Outcome.SUCCESS, {"output": 1})
    >>> [receipt.outcome for receipt in store.receipts(posted.job_id)]
    [<Outcome.SUCCESS: 'SUCCESS'>]
    """

    receipt_id: str
    job_id: str
    ordinal: int
    fence: int
    chain_seq: int
    worker_id: str
    outcome: Outcome
    body: Mapping[str, Any]
    bytes_used: int
    bytes_total: int
    retry_after_ms: int | None
    prev_sha256: str
    sha256: str
    created_at: int


@dataclass(frozen=True, kw_only=True)
class JobStatus:
    """A job at a glance: how many steps stand where.

    >>> store.jobs()[0].run_id
    'run-1'
    """

    run_id: str
    request_id: str
    job_id: str
    message_id: str
    planner_id: str
    plan_hash: str
    intent: str
    parent_job_id: str | None
    created_at: int
    steps: int
    pending: int
    leased: int
    committed: int
    failed: int
    dead: int
    skipped: int
    cancelled: int
    priority: int
    starts_at: int
    receipts: int
    workers: int
    held: int = 0
    """Pending steps that wait for a person's approval."""

    @property
    def finished(self) -> bool:
        return self.pending == 0 and self.leased == 0

    @property
    def state(self) -> str:
        """One word for people: waiting, held (for an approval), running, committed, cancelled or failed."""
        if self.cancelled:
            return "cancelled" if self.finished else "cancelling"
        if self.failed or self.dead:
            return "failed" if self.finished else "failing"
        if self.finished:
            return "committed"
        if self.held and not self.leased:
            return "held"
        return "running" if self.leased or self.committed else "waiting"


@dataclass(frozen=True, kw_only=True)
class StepState:
    """One step at a glance.

    >>> [state.status for state in store.steps(posted.job_id)]
    [<StepStatus.PENDING: 'PENDING'>]
    """

    job_id: str
    ordinal: int
    step_id: str
    op: str
    status: StepStatus
    fence: int
    attempts: int
    failures: int
    worker_id: str | None
    lease_expires_at: int | None
    waiting_for: int
    limit_key: str | None
    hold: str | None
    wake_at: int | None
    questions: int = 0
    """How many questions to a person are open: those about the plan and about this step."""


@dataclass(frozen=True, kw_only=True)
class OpenOperations:
    """The operations of steps that are not finished: those ready to be claimed, and those that may be soon.

    `coming` are the operations of leased steps, which may be put back, and of what waits in the same jobs. `later` are
    those of steps that may not start before a time that was set for them, or without something else.
    """

    ready: frozenset[str]
    coming: frozenset[str]
    later: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class PlanRecord:
    """A stored plan with the request it came from, as they were stored.

    >>> [record.planner_id for record in store.plans()]
    ['demo']
    """

    run_id: str
    request_id: str
    message_id: str
    job_id: str
    request: Any
    plan: Any
    plan_hash: str
    planner_id: str
    planner_version: str
    index_hash: str | None
    budgets: Mapping[str, Any]
    parent_job_id: str | None
    created_at: int


def _check_step(step: Step) -> None:
    """Raise unless a step is fit to be stored; that it depends only on earlier ones is the plan's rule."""
    expect(step, Step, "a step", "a planvow.contract.Step")
    check_name("step_id", step.step_id)
    check_name("op", step.op)
    if step.output_key is not None:
        check_name("output_key", step.output_key)
    if not isinstance(step.payload, Mapping):
        raise ContractViolation(f"the payload of step {step.step_id!r} is not an object")
    if not isinstance(step.depends_on, tuple) or not all(isinstance(name, str) for name in step.depends_on):
        raise ContractViolation(f"depends_on of step {step.step_id!r} is not a tuple of step ids")
    if not isinstance(step.on_error, str) or step.on_error not in set(OnError):
        raise ContractViolation(f"on_error is {step.on_error!r}, expected one of {', '.join(OnError)}")
    check_count("retry_count", step.retry_count, at_most=MAX_COUNT)


def check_name(what: str, text: str) -> str:
    """Return a name that is fit to be stored: 1 to 256 characters, no control characters."""
    expect(text, str, what, "text")
    if not _NAME.fullmatch(text):
        raise InputError(f"{what} must be 1 to 256 characters without control characters, found {text!r:.60}")
    return text


def check_count(what: str, number: int, *, at_least: int = 0, at_most: int = MAX_SAFE_INTEGER) -> int:
    """Return a whole number that is fit to be stored."""
    if isinstance(number, bool) or not isinstance(number, int) or not at_least <= number <= at_most:
        raise InputError(f"{what} is a whole number from {at_least} to {at_most}, found {number!r:.60}")
    return number


def check_worker_id(worker_id: str) -> str:
    """Return a worker id made of letters, digits and _ . : @ / + - only."""
    if not isinstance(worker_id, str) or not _WORKER.fullmatch(worker_id):
        raise InputError(f"a worker id is 1 to 128 of A-Z a-z 0-9 _ . : @ / + -, found {worker_id!r:.60}")
    return worker_id


ANY_STEP = Wanted()
