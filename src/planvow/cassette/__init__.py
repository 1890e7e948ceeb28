"""The cassette: an append-only ledger of requests, plans, steps and receipts, and the workers that live from it."""

from planvow.cassette.databases.sqlite import SqliteStore
from planvow.cassette.ledger.model import (
    Claim,
    JobStatus,
    Outcome,
    PlanRecord,
    Posted,
    Receipt,
    Source,
    StepState,
    StepStatus,
    StoredPlan,
    Wanted,
)
from planvow.cassette.ledger.store import Store
from planvow.cassette.work.confidential import needs_approval
from planvow.cassette.work.values import Handler, StepContext, StepResult, WorkerOptions, WorkReport
from planvow.cassette.work.worker import Worker

__all__ = [
    "Claim",
    "Handler",
    "JobStatus",
    "Outcome",
    "PlanRecord",
    "Posted",
    "Receipt",
    "Source",
    "SqliteStore",
    "StepContext",
    "StepResult",
    "StepState",
    "StepStatus",
    "Store",
    "StoredPlan",
    "Wanted",
    "WorkReport",
    "Worker",
    "WorkerOptions",
    "needs_approval",
]
