"""From exceptions to the error codes of the contract, in one place.

Inside a planner misuse and failure raise; at its boundary they are values. Each code has one exception class
(`contract.errors`), so the two forms say the same thing (ADR 0003).
"""

from __future__ import annotations

import traceback
from enum import StrEnum
from typing import Any

from planvow.canonical import to_jsonable
from planvow.contract import errors
from planvow.contract.errors import PlannerFailedError
from planvow.errors import (
    BudgetExceededError,
    InputError,
    MissingExtraError,
    NotCanonicalError,
    PlanvowError,
    RefusedError,
)


class PlannerErrorCode(StrEnum):
    """Every code a `PlannerError` can have.

    >>> PlannerErrorCode.RATE_LIMITED.value
    'PLANNER_RATE_LIMITED'
    """

    RATE_LIMITED = "PLANNER_RATE_LIMITED"
    CONTEXT_TOO_LONG = "PLANNER_CONTEXT_TOO_LONG"
    INVALID_GOAL = "PLANNER_INVALID_GOAL"
    INVALID_INPUT = "PLANNER_INVALID_INPUT"
    NO_SKILLS_AVAILABLE = "PLANNER_NO_SKILLS_AVAILABLE"
    GENERATION_FAILED = "PLANNER_GENERATION_FAILED"
    INVALID_PLAN = "PLANNER_INVALID_PLAN"
    TIMEOUT = "PLANNER_TIMEOUT"
    BUDGET_EXCEEDED = "PLANNER_BUDGET_EXCEEDED"
    UNRESOLVED_REFERENCE = "PLANNER_UNRESOLVED_REFERENCE"
    INTERNAL = "PLANNER_INTERNAL"


_CLASSES: dict[str, type[PlannerFailedError]] = {cls.code: cls for cls in PlannerFailedError.__subclasses__()}


def error_class(code: str) -> type[PlannerFailedError]:
    """Return the exception class of a planner's error code."""
    return _CLASSES.get(code, PlannerFailedError)


def describe_exception(error: BaseException) -> tuple[str, str, bool, dict[str, Any]]:
    """Return code, message, retryable and details for an exception that reached a planner's boundary."""
    if isinstance(error, PlannerFailedError):
        return error.code, _text(error), error.retryable, _plain(error.details)
    if isinstance(error, PlanvowError):
        details = {"error": error.code, **({"hint": error.hint} if error.hint else {}), **_plain(error.details)}
        return _code_for(error).value, _text(error), error.retryable, details
    where = traceback.extract_tb(error.__traceback__)
    place = f"{where[-1].filename}:{where[-1].lineno}" if where else "unknown"
    kind = type(error).__name__
    message = f"{kind} was raised: {readable(error)}"
    return PlannerErrorCode.INTERNAL.value, message, False, {"exception": kind, "raised_at": place}


def _code_for(error: PlanvowError) -> PlannerErrorCode:
    if isinstance(error, BudgetExceededError):
        return PlannerErrorCode.BUDGET_EXCEEDED
    if isinstance(error, errors.UnresolvedReferenceError):
        return PlannerErrorCode.UNRESOLVED_REFERENCE
    if isinstance(error, errors.InvalidPlanError):
        return PlannerErrorCode.INVALID_PLAN
    if isinstance(error, InputError):
        return PlannerErrorCode.INVALID_INPUT
    refused = isinstance(error, RefusedError | MissingExtraError | errors.MissingCredentialsError)
    return PlannerErrorCode.GENERATION_FAILED if refused else PlannerErrorCode.INTERNAL


def _text(error: PlanvowError) -> str:
    return f"{error.place}: {error.message}" if error.place else error.message


def _plain(details: dict[str, Any]) -> dict[str, Any]:
    try:
        plain: dict[str, Any] = to_jsonable(details)
    except NotCanonicalError:
        return {"details": "not representable as JSON"}
    return plain


def readable(error: BaseException) -> str:
    """Return an exception's text, short and valid Unicode, even when the exception cannot say it."""
    try:
        text = error.message if isinstance(error, PlanvowError) else str(error)
    except Exception:  # an exception whose own text cannot be made must not break the report of it
        return "(no readable message)"
    return text[:500].encode("utf-8", "replace").decode("utf-8")
