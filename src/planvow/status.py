"""The one table of status words (ruling 4). Where a seed spells others, they are mapped to these in one place.

Seed 003 says `success`; `planvow.goals` keeps its words and maps them (`goals/values/values.py`).
"""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """How a planning call ended.

    >>> Status.SOLVED.is_success, Status.NO_PLAN.is_success
    (True, False)
    """

    SOLVED = "solved"
    SATISFIED = "satisfied"
    """Nothing to do: what is wanted holds already. A success with an empty plan."""
    PARTIAL = "partial"
    """A complete plan for a stated part of what was wanted."""
    REJECTED = "rejected"
    """The request itself is unusable: malformed, ambiguous, forbidden."""
    NO_CAPABILITY = "no_capability"
    BLOCKED = "blocked"
    """Something outside stands in the way, and the answer names it."""
    NO_PLAN = "no_plan"
    """Proven: the whole search space was looked at and nothing was cut."""
    BUDGET_EXCEEDED = "budget_exceeded"
    """A counted limit ended the work; nothing was proved."""
    INTERRUPTED = "interrupted"
    """A wall clock or a caller ended the work. Never cached, never stored."""
    INTERNAL = "internal"

    @property
    def is_success(self) -> bool:
        """Whether there is a plan that does all that was wanted."""
        return self in (Status.SOLVED, Status.SATISFIED)
