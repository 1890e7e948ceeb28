"""Refusals as responses."""

from __future__ import annotations

import math

from fastapi.responses import JSONResponse, Response

from planvow.adapters.http.description import PROBLEM
from planvow.adapters.http.problems import problem, problem_of
from planvow.errors import PlanvowError
from planvow.service.declare.document import Refusal
from planvow.service.declare.errors import TooManyCallsError


def failed(error: PlanvowError) -> Response:
    """Return an error as a response."""
    status, content = problem_of(error)
    headers = {"Retry-After": _after(error.seconds)} if isinstance(error, TooManyCallsError) else None
    return JSONResponse(content, status_code=status, media_type=PROBLEM, headers=headers)


def told(refusal: Refusal, status: int) -> Response:
    """Return a refusal as a response; who asked too much is told when to come back."""
    headers = {"Retry-After": _after(1)} if status == 429 else None
    return JSONResponse(problem(refusal, status), status_code=status, media_type=PROBLEM, headers=headers)


def _after(seconds: float) -> str:
    return str(max(1, math.ceil(seconds)))
