"""The real clock, for time stamps on records that are history and never part of a plan."""

from __future__ import annotations

import time


class SystemClock:
    """Wall time in milliseconds since the epoch."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000
