"""Clock times as transcripts write them."""

from __future__ import annotations

import re

CLOCK = r"(?:\d{1,3}:)?[0-5]?\d:[0-5]\d(?:[.,]\d{1,3})?"
_CLOCK_PARTS = re.compile(r"(?:(\d{1,3}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?")


def parse_clock(text: str) -> int | None:
    """Return the milliseconds of the first clock stamp in a text."""
    found = _CLOCK_PARTS.search(text)
    if found is None:
        return None
    hours, minutes, seconds, fraction = found.groups()
    return ((int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int((fraction or "0").ljust(3, "0"))
