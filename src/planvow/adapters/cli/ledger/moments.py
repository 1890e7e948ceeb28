"""Moments as people write and read them."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from planvow.errors import InputError

_AFTER = re.compile(r"\+(\d{1,9})([smhd])")
_UNITS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


def moment_text(milliseconds: int) -> str:
    """Return a moment of the ledger's clock, in UTC."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        return f"{milliseconds} ms"


def start_moment(text: str, now_ms: int) -> int:
    """Return the moment that a text names: an ISO date or time (UTC unless it says otherwise), or +10m from now."""
    if text == "now":
        return now_ms
    if found := _AFTER.fullmatch(text):
        return now_ms + int(found[1]) * _UNITS[found[2]]
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise InputError(
            f"{text!r} is no moment", hint="give 2030-01-31T08:00, 2030-01-31, +10m, +2h, +1d or now"
        ) from None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)
