"""Time stamps of records that are history: UTC, one format, from a clock that is passed in."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_stamp(milliseconds: int) -> str:
    """Return `2026-01-31T12:00:00.000Z` for milliseconds since the epoch."""
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{milliseconds % 1000:03d}Z"
