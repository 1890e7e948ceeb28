"""The scale of a chart of times: marks at round times, in the words that people use."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from planvow.temporal.durations import TICKS_PER_SECOND, ticks_in_words

_BRIEF = {" minute": " min", " hour": " h", " second": " s", " day": " d"}
_SECONDS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200)
_DAY = 86_400 * TICKS_PER_SECOND


def ticks_in_brief(ticks: int) -> str:
    """Return ticks as a scale says them.

    >>> ticks_in_brief(2250 * TICKS_PER_SECOND)
    '37 min 30 s'
    """
    said = ticks_in_words(ticks)
    for word, brief in _BRIEF.items():
        said = said.replace(f"{word}s", brief).replace(word, brief)
    return said


def round_marks(span: int, most: int = 6) -> list[int]:
    """Return where a scale from 0 to a span has its marks: at round times, at most so many after the first.

    >>> [ticks_in_brief(mark) for mark in round_marks(3000 * TICKS_PER_SECOND)]
    ['0 s', '10 min', '20 min', '30 min', '40 min', '50 min']
    """
    step = next(step for step in _round_steps() if step * most >= span)
    return list(range(0, span + 1, step))


def _round_steps() -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20 ... ticks, then round seconds, minutes and hours, then 1, 2, 5, 10, 20 ... days."""
    for power in range(6):
        yield from (digit * 10**power for digit in (1, 2, 5))
    yield from (seconds * TICKS_PER_SECOND for seconds in _SECONDS)
    for power in count():
        yield from (digit * 10**power * _DAY for digit in (1, 2, 5))
