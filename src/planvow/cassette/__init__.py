"""The cassette: an append-only ledger of requests, plans, steps and receipts, and the workers that live from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planvow._lazy import lazily

if TYPE_CHECKING:  # what type checkers and editors see; at run time `_HOMES` says the same
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

_HOMES = {
    "SqliteStore": "databases.sqlite",
    "Claim": "ledger.model",
    "JobStatus": "ledger.model",
    "Outcome": "ledger.model",
    "PlanRecord": "ledger.model",
    "Posted": "ledger.model",
    "Receipt": "ledger.model",
    "Source": "ledger.model",
    "StepState": "ledger.model",
    "StepStatus": "ledger.model",
    "StoredPlan": "ledger.model",
    "Wanted": "ledger.model",
    "Store": "ledger.store",
    "needs_approval": "work.confidential",
    "Handler": "work.values",
    "StepContext": "work.values",
    "StepResult": "work.values",
    "Worker": "work.worker",
    "WorkerOptions": "work.values",
    "WorkReport": "work.values",
}

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


if not TYPE_CHECKING:  # or a checker would take any misspelt name
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
