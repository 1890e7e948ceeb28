"""What operators decide about jobs and steps, and what they see of workers, as values.

A decision is about when and in which order steps run, never about what they do: no plan, no hash and no id depends on
it. Each is kept with who made it and why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from planvow.cassette.ledger.model import check_count, check_name
from planvow.errors import ContractViolation, InputError, expect
from planvow.step import Step

MAX_PRIORITY = 1000
MAX_WHY = 2000
SCOPES = ("operation", "key")
EACH_KEY = "*"


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """Where a job stands in the queue: its priority, when it may start, and the keys by which limits count its steps.

    A higher priority goes first. `starts_at` is in milliseconds since 1970. None leaves things as they are. `keys`
    names steps by their ids; it is given with a post.
    """

    priority: int | None = None
    starts_at: int | None = None
    keys: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.priority is not None:
            check_count("priority", self.priority, at_least=-MAX_PRIORITY, at_most=MAX_PRIORITY)
        if self.starts_at is not None:
            check_count("starts_at", self.starts_at)
        expect(self.keys, Mapping, "keys", "a mapping from step ids to names")
        for key in self.keys.values():
            check_name("a key", key)
            if key == EACH_KEY:
                raise InputError(f"a step's key is not {EACH_KEY!r}, which stands for each key in limits")

    def for_steps(self, steps: Sequence[Step]) -> Placing:
        """Return it with steps named by their numbers."""
        numbers = {step.step_id: number for number, step in enumerate(steps, 1)}
        unknown = next((name for name in self.keys if name not in numbers), None)
        if unknown is not None:
            raise ContractViolation(f"keys names the step {unknown!r}, which the plan has not got")
        keys = {str(numbers[name]): key for name, key in self.keys.items()}
        return Placing(priority=self.priority, starts_at=self.starts_at, keys=keys)


@dataclass(frozen=True, kw_only=True)
class Placing:
    """A schedule as it is stored: keys by the steps' numbers."""

    priority: int | None = None
    starts_at: int | None = None
    keys: Mapping[str, str] = field(default_factory=dict)

    @property
    def lines(self) -> str | None:
        """The keys as they are stored: a line for each, with a line's end before and after."""
        if not self.keys:
            return None
        return "\n".join(("", *(f"{n}={self.keys[n]}" for n in sorted(self.keys, key=int)), ""))


@dataclass(frozen=True, kw_only=True)
class Decider:
    """Who decides, and why."""

    made_by: str
    why: str = ""

    def __post_init__(self) -> None:
        check_name("who decides", self.made_by)
        expect(self.why, str, "why", "text")
        if len(self.why) > MAX_WHY:
            raise InputError(f"a reason has at most {MAX_WHY} characters, this one has {len(self.why)}")


@dataclass(frozen=True, kw_only=True)
class Limit:
    """How many steps of an operation, or with a key, may run at once, and begin within any minute.

    `running` and `begun` say how it stands; for the key "*", which stands for each key without a limit of its own, they
    are 0.
    """

    scope: str
    name: str
    at_once: int | None = None
    per_minute: int | None = None
    running: int = 0
    begun: int = 0

    def __post_init__(self) -> None:
        if self.scope not in SCOPES:
            raise InputError(f"a limit is on an operation or on a key, found {self.scope!r}")
        check_name(f"the {self.scope} of a limit", self.name)
        for what in ("at_once", "per_minute"):
            if getattr(self, what) is not None:
                check_count(what, getattr(self, what), at_least=1, at_most=1_000_000)


@dataclass(frozen=True, kw_only=True)
class Cancelled:
    """What cancelling did: how many waiting steps ended, and how many are still running and end with their workers."""

    job_id: str
    cancelled: int
    running: int


@dataclass(frozen=True, kw_only=True)
class PutBack:
    """A step that was put back: whose it was and what became of it."""

    worker_id: str
    job_id: str
    ordinal: int
    became: str


@dataclass(frozen=True, kw_only=True)
class Presence:
    """A worker process as it makes itself known: `boot` tells one start of one machine from every other."""

    worker_id: str
    machine: str
    boot: str
    pid: int


@dataclass(frozen=True, kw_only=True)
class WorkerSeen:
    """A worker as the ledger last heard of it."""

    worker_id: str
    machine: str
    boot: str
    pid: int
    started_at: int
    seen_at: int
    stopped_at: int | None
    waiting_until: int | None
    login: str


@dataclass(frozen=True, kw_only=True)
class Lease:
    """A step that is out, and with whom."""

    worker_id: str
    job_id: str
    ordinal: int
    op: str
    fence: int
    lease_expires_at: int
    step_id: str


@dataclass(frozen=True, kw_only=True)
class Action:
    """A decision as it is stored. `login` is who the database knows it came from."""

    seq: int
    kind: str
    job_id: str | None
    ordinal: int | None
    fence: int | None
    worker_id: str | None
    priority: int | None
    starts_at: int | None
    step_keys: str | None
    details: Mapping[str, Any]
    made_by: str
    why: str
    login: str
    at: int
