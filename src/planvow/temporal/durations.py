"""Durations as whole microseconds, read from integers or ISO-8601 ("PT1H30M", "P2DT0.5S").

Ticks are integers so that schedules are exact and canonical. Years and months have no fixed length and are refused.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from planvow.errors import InputError

TICKS_PER_SECOND = 1_000_000
"""Times are whole numbers of ticks, so that they are exact and the same everywhere."""
LARGEST = 2**53 - 1
"""The longest time there is: about 285 years, and the largest number that every reader of JSON takes as it is."""

_ISO = re.compile(
    r"(?P<sign>-)?P(?:(?P<weeks>\d+(?:[.,]\d+)?)W)?(?:(?P<days>\d+(?:[.,]\d+)?)D)?"
    r"(?:T(?:(?P<hours>\d+(?:[.,]\d+)?)H)?(?:(?P<minutes>\d+(?:[.,]\d+)?)M)?(?:(?P<seconds>\d+(?:[.,]\d+)?)S)?)?"
)
_SECONDS = {"weeks": 604_800, "days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}


def parse_duration(value: Any) -> int:
    """Return a duration in ticks; raise InputError for anything that is neither ticks nor ISO-8601, or too long.

    >>> parse_duration("PT1M30S") == 90 * TICKS_PER_SECOND
    True
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return require_not_too_long(value)
    if not isinstance(value, str):
        raise InputError(
            f"a duration is whole microseconds or ISO-8601 text, not {value!r}",
            hint="for example 90_000_000 or 'PT1M30S'",
        )
    match = _ISO.fullmatch(value.strip())
    parts = {k: v for k, v in match.groupdict().items() if k in _SECONDS and v is not None} if match else {}
    if match is None or not parts or value.strip().endswith("T"):
        hint = (
            "years and months have no fixed length; use days"
            if re.match(r"-?P\d+[YM]", value)
            else "for example 'PT1M30S'"
        )
        raise InputError(f"not an ISO-8601 duration: {value!r}", hint=hint)
    seconds = sum(Fraction(text.replace(",", ".")) * _SECONDS[unit] for unit, text in parts.items())
    ticks = seconds * TICKS_PER_SECOND
    if ticks.denominator != 1:
        raise InputError(f"finer than a microsecond: {value!r}")
    return require_not_too_long(-ticks.numerator if match["sign"] else ticks.numerator)


def require_not_too_long(ticks: int) -> int:
    """Return a time as it is, or raise InputError if it is longer than times can be."""
    if not -LARGEST <= ticks <= LARGEST:
        raise InputError(f"a time of {ticks} ticks is too long", hint=f"at most {LARGEST} microseconds")
    return ticks


def format_ticks(ticks: int) -> str:
    """Return ticks as the shortest exact ISO-8601 duration.

    >>> format_ticks(90 * TICKS_PER_SECOND)
    'PT1M30S'
    """
    if ticks == 0:
        return "PT0S"
    sign, rest = ("-", -ticks) if ticks < 0 else ("", ticks)
    seconds, micro = divmod(rest, TICKS_PER_SECOND)
    days, seconds = divmod(seconds, 86_400)
    hours, seconds = divmod(seconds, 3_600)
    minutes, seconds = divmod(seconds, 60)
    fraction = f".{micro:06d}".rstrip("0") if micro else ""
    clock = "".join(
        [
            f"{hours}H" if hours else "",
            f"{minutes}M" if minutes else "",
            f"{seconds}{fraction}S" if seconds or micro else "",
        ]
    )
    return f"{sign}P{f'{days}D' if days else ''}{f'T{clock}' if clock else ''}"


def ticks_in_words(ticks: int) -> str:
    """Return ticks as a person says them: "1 hour 30 minutes"."""
    rest, micro = divmod(abs(ticks), TICKS_PER_SECOND)
    words = []
    for unit in ("days", "hours", "minutes"):
        amount, rest = divmod(rest, _SECONDS[unit])
        if amount:
            words.append(f"{amount} {unit if amount > 1 else unit[:-1]}")
    if rest or micro or not words:
        seconds = f"{rest}{f'.{micro:06d}'.rstrip('0') if micro else ''}"
        words.append(f"{seconds} second{'' if seconds == '1' else 's'}")
    return ("minus " if ticks < 0 else "") + " ".join(words)
