"""Time as something that is passed in.

Nothing below the adapters reads a clock. Code that wants a time stamp takes a `Clock`; the default
is a logical clock that counts its own readings, so that tests and replays see the same stamps.
The real clock is `planvow.adapters.machine.system_clock`.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Anything that can say what time it is, in milliseconds."""

    def now_ms(self) -> int: ...


class LogicalClock:
    """A clock that advances by a fixed tick at each reading: order without wall time."""

    def __init__(self, start_ms: int = 0, tick_ms: int = 1) -> None:
        self._next_ms = start_ms
        self._tick_ms = tick_ms

    def now_ms(self) -> int:
        now = self._next_ms
        self._next_ms += self._tick_ms
        return now


def timestamp(now_ms: int) -> str:
    """Write a reading of a clock as ISO 8601 in UTC, with milliseconds."""
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=now_ms)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
