"""Time: a Simple Temporal Network, the relations that feed it, and durations. Knows nothing of planning."""

from __future__ import annotations

from planvow.temporal.conflict import Conflict
from planvow.temporal.durations import TICKS_PER_SECOND, format_ticks, parse_duration
from planvow.temporal.relations import (
    Relation,
    after,
    before,
    during,
    equals,
    finishes,
    meets,
    overlaps,
    starts,
    within,
)
from planvow.temporal.stn import ORIGIN, Constraint, Stn, latest_times

__all__ = [
    "ORIGIN",
    "TICKS_PER_SECOND",
    "Conflict",
    "Constraint",
    "Relation",
    "Stn",
    "after",
    "before",
    "during",
    "equals",
    "finishes",
    "format_ticks",
    "latest_times",
    "meets",
    "overlaps",
    "parse_duration",
    "starts",
    "within",
]
