"""Refusals as responses."""

from __future__ import annotations

import math

from fastapi.responses import JSONResponse, Response

from planvow.adapters.http.description import PROBLEM
from planvow.adapters.http.problems import AWAY_SECONDS, problem, problem_of
from planvow.errors import PlanvowError
from planvow.service.declare.document import Refusal
from planvow.service.declare.errors import TooManyCallsError

_WAITS = {429: 1, 503: AWAY_SECONDS}


def failed(error: PlanvowError) -> Response:
    """Return an error as a response."""
    status, content = problem_of(error)
    seconds = error.seconds if isinstance(error, TooManyCallsError) else _WAITS.get(status)
    return JSONResponse(content, status_code=status, media_type=PROBLEM, headers=_later(seconds))


def told(refusal: Refusal, status: int) -> Response:
    """Return a refusal as a response; who asked too much, or while the ledger is away, is told when to come back."""
    return JSONResponse(
        problem(refusal, status), status_code=status, media_type=PROBLEM, headers=_later(_WAITS.get(status))
    )


def _later(seconds: float | None) -> dict[str, str] | None:
    return None if seconds is None else {"Retry-After": str(max(1, math.ceil(seconds)))}
