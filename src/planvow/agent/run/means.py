"""What an agent has to work with, and how a pursuit ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from planvow.agent.loop.move import Question
from planvow.agent.record.needs import Policy
from planvow.agent.run.stepper import Secrets, Sense
from planvow.agent.tools.bind import BoundTool
from planvow.cassette.dossier import Privacy
from planvow.cassette.ledger.store import Store
from planvow.contract.interface.interface import PlannerInterface
from planvow.kernel.domain.domain import Domain
from planvow.status import Status


@dataclass(frozen=True, kw_only=True)
class Means:
    """What an agent has: its domain, its tools, and how it uses them."""

    domain: Domain | None
    """The domain to plan over; None where a planner of the contract plans."""
    planner: PlannerInterface | None
    tools: Mapping[str, BoundTool]
    secrets: Secrets
    sense: Sense | None
    concurrency: int
    lease_ms: int
    max_repairs: int
    policy: Policy | bool | str | None
    privacy: Privacy
    open_store: Callable[[], Store]
    new_worker_id: Callable[[], str]


@dataclass(frozen=True, kw_only=True)
class Arrival:
    """How a pursuit ended: a status word, the reason, and what is waited for."""

    status: Status
    reason: str
    questions: tuple[Question, ...] = ()
