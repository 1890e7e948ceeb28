"""Limits, and which of them was reached.

Counts decide, clocks only interrupt: every limit here is a count, part of the input, and gives the
same answer on a slow machine as on a fast one. A **hard** limit ends the work; a **soft** one is reported
and the work goes on. A dataclass states its limits as fields made with `hard(...)` or `soft(...)`; each loop counts
what it spends in its own way.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from planvow.errors import InputError, shown

UNLIMITED = None


def hard(default: int | None) -> Any:
    """Declare a limit that ends the work."""
    return field(default=default, metadata={"limit": "hard"})


def soft(default: int | None) -> Any:
    """Declare a limit that is reported and passed."""
    return field(default=default, metadata={"limit": "soft"})


@dataclass(frozen=True, kw_only=True)
class Budgets:
    """Limits of one search. None means no limit. `planvow.plan()` uses these defaults (ruling 6)."""

    max_depth: int | None = hard(UNLIMITED)
    max_iterations: int | None = hard(10_000_000)
    max_stack_size: int | None = hard(UNLIMITED)

    def __post_init__(self) -> None:
        check_limits(self)


@dataclass(frozen=True, kw_only=True)
class BudgetHit:
    """Which limit was reached, its value, and how to go further."""

    budget: str
    limit: int

    def __str__(self) -> str:
        return f"{self.budget} = {self.limit} was reached; raise {self.budget} to go further"


def check_limits(budgets: Any) -> None:
    """Raise InputError unless every limit is None or a whole number of at least 0."""
    for declared in dataclasses.fields(budgets):
        value = getattr(budgets, declared.name)
        if "limit" not in declared.metadata or value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise InputError(
                f"a limit is a whole number of at least 0, or None; got {shown(value)}", place=declared.name
            )


SEED_BUDGETS = Budgets(max_depth=10, max_iterations=50_000, max_stack_size=10_000)
"""What seed 001 says for `find_plan`: depth 10, 50,000 iterations; 10,000 open nodes is our reading."""
