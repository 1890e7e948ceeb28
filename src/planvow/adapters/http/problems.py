"""Refusals as RFC 9457 problems, and which status belongs to which error."""

from __future__ import annotations

from typing import Any

from planvow.cassette.errors import (
    IdempotencyConflictError,
    LedgerBusyError,
    LedgerUnreachableError,
    NoLedgerError,
    RoleMissingError,
    StorageError,
    UnknownStepError,
)
from planvow.errors import InputError, MemoryLimitError, PlanvowError, RefusedError
from planvow.service.declare.document import Refusal, data_of, refusal_of
from planvow.service.declare.errors import (
    BusyError,
    RightMissingError,
    TooManyCallsError,
    UnknownCallError,
    UnknownDocumentError,
    UnknownDomainError,
)

_STATUS: tuple[tuple[type[PlanvowError], int], ...] = (
    (RightMissingError, 403),
    (TooManyCallsError, 429),
    (BusyError, 429),
    (UnknownCallError, 404),
    (UnknownDocumentError, 404),
    (UnknownDomainError, 404),
    (UnknownStepError, 404),
    (NoLedgerError, 404),
    (IdempotencyConflictError, 409),
    (RoleMissingError, 409),
    (LedgerUnreachableError, 503),
    (LedgerBusyError, 503),
    (StorageError, 503),
    (MemoryLimitError, 504),
    (InputError, 400),
    (RefusedError, 409),
)


AWAY_SECONDS = 2
"""When to ask again while the ledger is away."""


def status_of(error: PlanvowError) -> int:
    """Return the HTTP status of an error: the first kind in the table that it is."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def problem(refusal: Refusal, status: int) -> dict[str, Any]:
    """Return a refusal as a problem document."""
    told = data_of(refusal)
    words = {"type": f"urn:planvow:error:{refusal.code}", "title": refusal.code, "status": status}
    return {**words, "detail": refusal.reason, **told}


def problem_of(error: PlanvowError) -> tuple[int, dict[str, Any]]:
    """Return the status and the problem document of an error."""
    status = status_of(error)
    return status, problem(refusal_of(error), status)
