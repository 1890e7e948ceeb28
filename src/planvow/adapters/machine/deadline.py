"""A wall clock that may end a search early, and never changes which plan comes out."""

from __future__ import annotations

import time
from collections.abc import Callable

from planvow.errors import InputError


def deadline(max_seconds: float | None, *, place: str = "--max-seconds") -> Callable[[], bool] | None:
    """Return a function that says whether the time is over; None when there is no limit. `place` is its name."""
    if max_seconds is None:
        return None
    if not max_seconds >= 0:
        raise InputError(f"expected a number of seconds of at least 0, found {max_seconds}", place=place)
    end = time.monotonic() + max_seconds
    return lambda: time.monotonic() >= end
