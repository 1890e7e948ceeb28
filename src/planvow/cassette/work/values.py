"""What a worker is told, what its functions get and give, and what it reports."""

from __future__ import annotations

import os
import secrets
import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from planvow.cassette.ledger.chain import sha256_text
from planvow.cassette.ledger.model import DEFAULT_LEASE_MS, Claim, Outcome
from planvow.cassette.work.checkpoints import ENTRIES, SECONDS

POLL_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class StepContext:
    """What an operation gets to know: its filled-in payload, where it stands, and whether it is still wanted.

    `taken` counts the steps that this worker has taken, this one included.

    >>> Worker(lambda: SqliteStore("ledger.db"), {"NOTE": lambda step: step.payload["message"]}).run().committed
    1
    """

    claim: Claim
    payload: Mapping[str, Any]
    request: Any
    outputs: Mapping[str, Any]
    lease_lost: threading.Event
    stop: threading.Event
    taken: int

    @property
    def attempt_token(self) -> str:
        """A name no other attempt at any step has, fit for a file name: for temporary files and logs.

        A lease that the database lost in a crash is given again with the same number, to another worker or to this
        one: hence the worker and the count of what it took.
        """
        claim = self.claim
        who = sha256_text(f"{claim.worker_id} {self.taken}")[:16]
        return f"{claim.job_id}.{claim.ordinal}.{claim.fence}.{who}"

    @property
    def idempotency_key(self) -> str:
        """A name that all attempts at this step share and no other step has: for services that do a thing once."""
        return f"{self.claim.job_id}.{self.claim.ordinal}"


@dataclass(frozen=True, kw_only=True)
class StepResult:
    """An operation's output when it also says how many bytes of the job's budget it used, or that it is private.

    >>> StepResult(output={"title": "hello"}, bytes_used=5).bytes_used
    5
    """

    output: Any = None
    bytes_used: int = 0
    private: bool = False


Handler = Callable[[StepContext], Any]
"""What carries out an operation: it gets the step and returns what the receipt keeps."""
Sign = Callable[[Claim, Outcome, Mapping[str, Any], int], Mapping[str, Any]]
"""Makes a receipt's body into a signed one, from the lease it is about, the outcome, the body and the bytes used."""


@dataclass(frozen=True, kw_only=True)
class WorkerOptions:
    """Which steps a worker takes and how long it holds them.

    >>> WorkerOptions(worker_id="worker-1").worker_id
    'worker-1'
    """

    worker_id: str = field(default_factory=lambda: new_worker_id())
    run_id: str | None = None
    job_id: str | None = None
    lease_ms: int = DEFAULT_LEASE_MS
    spread: bool = False
    until_done: bool = True
    max_steps: int | None = None
    concurrency: int = 1
    """How many steps run at once, each in a thread; `max_steps` counts for each of them."""
    poll_seconds: float = POLL_SECONDS
    """How long an idle worker waits at most before it looks again, though nothing woke it."""
    checkpoint_entries: int = ENTRIES
    checkpoint_seconds: float | None = SECONDS
    """How many steps, and how long, until the worker makes a checkpoint of the log; None: never."""


@dataclass(frozen=True, kw_only=True)
class WorkReport:
    """How many attempts a worker committed, saw fail for good, will try again, and lost to another worker.

    `cancelled` counts those that it gave up because their job was cancelled. `missing_operations` are those that steps
    waited for when the worker ended because it has no function for them, `later_operations` those of steps that may
    not start yet, and `held` counts what it left waiting for a person's approval.

    >>> Worker(lambda: SqliteStore("ledger.db"), {"NOTE": lambda step: "noted"}).run().committed
    1
    """

    committed: int
    failed: int
    retried: int
    lost: int
    cancelled: int = 0
    missing_operations: tuple[str, ...] = ()
    later_operations: tuple[str, ...] = ()
    held: int = 0


def new_worker_id(name: str | None = None) -> str:
    """Return an id that no other process has, not even a later one with the same number on the same host.

    `name` is the one that the worker's key is registered for.
    """
    return f"{worker_id_prefix(os.getpid(), name)}{secrets.token_hex(4)}"


def worker_id_prefix(pid: int, name: str | None = None) -> str:
    """Return what the ids of workers in a process of this host begin with."""
    host = "".join(c for c in socket.gethostname() if (c.isalnum() and c.isascii()) or c in "-.")[:40] or "host"
    return f"{'' if name is None else f'{name}@'}{host}:{pid}:"
