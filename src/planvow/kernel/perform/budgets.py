"""Limits of a performing run: hard ones end or trim the work, soft ones are reported and the work goes on.

The defaults are the seed's. Counts decide; the time limit needs a clock that is passed in, and what it cuts is
marked as interrupted (seed 000, section 4; DESIGN rulings 5 and 7).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from planvow.budgets import check_limits, hard, soft


@dataclass(frozen=True)
class PlannerBudgets:
    """What one run may spend. None means no limit.

    >>> PlannerBudgets(max_tasks=10).max_depth
    12
    """

    max_tasks: int | None = hard(1000)
    max_depth: int | None = hard(12)
    max_children_per_task: int | None = hard(50)
    global_time_budget_ms: int | None = hard(60_000)

    max_backtracks_global: int | None = soft(20)
    max_llm_calls_per_transcript: int | None = soft(100)
    max_llm_tokens: int | None = soft(50_000)

    def __post_init__(self) -> None:
        check_limits(self)


class BudgetStatus(Enum):
    """Which limit was met, if any."""

    OK = auto()
    DEPTH_EXCEEDED = auto()
    TASK_LIMIT = auto()
    TIME_EXCEEDED = auto()
    BACKTRACK_LIMIT = auto()
    CHILD_LIMIT = auto()
    INTERRUPTED = auto()
    """The caller asked to stop."""
