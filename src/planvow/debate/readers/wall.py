"""Guessing turns where nobody is named: what between two sentences speaks for a change of speaker.

Weights are added up between neighbouring sentences; from 0.30 on a new turn begins, and after twenty sentences one is
forced. The sum stays on the turn as its boundary confidence, so nobody mistakes a guess for a label (spec/000 section
2).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

BOUNDARY = 0.30
MAX_SENTENCES = 20
FORCED_CONFIDENCE = 0.10

_OPENER = re.compile(r"(?:yes|no|well|look|hold on|wait|okay|ok|sure|right|absolutely|exactly)\b[,.!]?", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?:(?:Mr|Mrs|Ms|Dr|Madam|Senator|Governor|Congressman|Congresswoman|Secretary|President|Vice President)\.?"
    r"(?: (?:President|Vice President|Speaker|Secretary|[A-Z]\w+))?),"
)
_THANKS = re.compile(r"thank(?:s| you)\b", re.IGNORECASE)
_ENDS_WITH_THANKS = re.compile(r"thank(?:s| you)\b[^.!?]{0,30}[.!?]+$", re.IGNORECASE)


def boundary_weight(before: str, after: str, *, stage_direction_between: bool = False) -> float:
    """Return how much speaks for a new speaker between two sentences."""
    weight = 0.0
    if before.rstrip("\"'”’)").endswith("?") and not after.rstrip("\"'”’)").endswith("?"):
        weight += 0.30
    if _OPENER.match(after):
        weight += 0.35
    if _ADDRESS.match(after):
        weight += 0.40
    if stage_direction_between:
        weight += 0.50
    if _THANKS.match(after):
        weight += 0.25
    if _ENDS_WITH_THANKS.search(before):
        weight += 0.25
    return round(weight, 2)


def guess_turns(sentences: Sequence[str], directions_before: frozenset[int] = frozenset()) -> list[tuple[int, float]]:
    """Return (index of the first sentence, confidence) of each guessed turn."""
    turns = [(0, 1.0)] if sentences else []
    for index in range(1, len(sentences)):
        weight = boundary_weight(
            sentences[index - 1], sentences[index], stage_direction_between=index in directions_before
        )
        if weight >= BOUNDARY:
            turns.append((index, min(1.0, weight)))
        elif index - turns[-1][0] >= MAX_SENTENCES:
            turns.append((index, FORCED_CONFIDENCE))
    return turns
