"""Limits and the meter that spends them.

Counts decide, clocks only interrupt: every limit here is a count, part of the input, and gives the
same answer on a slow machine as on a fast one. A **hard** limit ends the work; a **soft** one is reported
and the work goes on. A dataclass states its limits as fields made with `hard(...)` or `soft(...)`; one `Meter` can
spend the limits of any such class.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from planvow.errors import BudgetExceededError, InputError, did_you_mean, shown

UNLIMITED = None


class Severity(StrEnum):
    """Whether reaching a limit ends the work or is only reported."""

    HARD = "hard"
    SOFT = "soft"


def hard(default: int | None) -> Any:
    """Declare a limit that ends the work."""
    return field(default=default, metadata={"severity": Severity.HARD})


def soft(default: int | None) -> Any:
    """Declare a limit that is reported and passed."""
    return field(default=default, metadata={"severity": Severity.SOFT})


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
    severity: Severity = Severity.HARD

    def __str__(self) -> str:
        return f"{self.budget} = {self.limit} was reached; raise {self.budget} to go further"


def limits_of(budgets: Any) -> Mapping[str, tuple[int | None, Severity]]:
    """Return the limits a budgets dataclass declares, by name."""
    return {
        f.name: (getattr(budgets, f.name), f.metadata["severity"])
        for f in dataclasses.fields(budgets)
        if "severity" in f.metadata
    }


def check_limits(budgets: Any) -> None:
    """Raise InputError unless every limit is None or a whole number of at least 0."""
    for name, (value, _) in limits_of(budgets).items():
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise InputError(f"a limit is a whole number of at least 0, or None; got {shown(value)}", place=name)


SEED_BUDGETS = Budgets(max_depth=10, max_iterations=50_000, max_stack_size=10_000)
"""What seed 001 says for `find_plan`: depth 10, 50,000 iterations; 10,000 open nodes is our reading."""


class Meter:
    """Counts what was spent against the limits of one run."""

    def __init__(self, budgets: Any) -> None:
        self._limits = limits_of(budgets)
        self._spent = dict.fromkeys(self._limits, 0)

    def spend(self, name: str, amount: int = 1) -> BudgetHit | None:
        """Count `amount` against a limit; return a hit when the total now exceeds it."""
        try:
            self._spent[name] += amount
        except KeyError:
            raise InputError(f"no limit is called {shown(name)}", hint=did_you_mean(str(name), self._limits)) from None
        return self._hit(name, self._spent[name])

    def would_exceed(self, name: str, amount: int = 1) -> BudgetHit | None:
        """Return the hit that spending `amount` would cause, without spending it."""
        return self._hit(name, self._spent[name] + amount)

    def require(self, name: str, amount: int = 1) -> None:
        """Count `amount`, or raise BudgetExceededError: for work that is all or nothing."""
        hit = self.spend(name, amount)
        if hit is not None:
            raise BudgetExceededError(name, hit.limit, needed=self._spent[name])

    def spent(self, name: str) -> int:
        """Return what was counted against a limit so far."""
        return self._spent[name]

    def remaining(self, name: str) -> int | None:
        """Return what is left of a limit, or None when there is no limit."""
        limit = self._limits[name][0]
        return None if limit is None else max(0, limit - self._spent[name])

    def _hit(self, name: str, total: int) -> BudgetHit | None:
        limit, severity = self._limits[name]
        if limit is None or total <= limit:
            return None
        return BudgetHit(budget=name, limit=limit, severity=severity)
