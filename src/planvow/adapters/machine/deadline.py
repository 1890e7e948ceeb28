"""A wall clock that may end a search early, and never changes which plan comes out."""

from __future__ import annotations

import time
from collections.abc import Callable

from planvow.errors import InputError


def deadline(max_seconds: float | None) -> Callable[[], bool] | None:
    """Return a function that says whether the time is over; None when there is no limit."""
    if max_seconds is None:
        return None
    if not max_seconds >= 0:
        raise InputError(f"expected a number of seconds of at least 0, found {max_seconds}", place="--max-seconds")
    end = time.monotonic() + max_seconds
    return lambda: time.monotonic() >= end
