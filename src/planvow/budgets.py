"""Limits, and which of them was reached.

Counts decide, clocks only interrupt: every limit here is a count, part of the input, and gives the
same answer on a slow machine as on a fast one. A **hard** limit ends the work; a **soft** one is reported
and the work goes on. A dataclass states its limits as fields made with `hard(...)` or `soft(...)`; each loop counts
what it spends in its own way.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from planvow.errors import InputError, shown

UNLIMITED = None
ASK_EVERY = 200
"""Units of work between two questions of a deadline: a few milliseconds."""


def hard(default: int | None) -> Any:
    """Declare a limit that ends the work."""
    return field(default=default, metadata={"limit": "hard"})


def soft(default: int | None) -> Any:
    """Declare a limit that is reported and passed."""
    return field(default=default, metadata={"limit": "soft"})


@dataclass(frozen=True, kw_only=True)
class Budgets:
    """Limits of one search. None means no limit. `planvow.plan()` uses these defaults (ruling 6).

    >>> plan(travel, start, todo, budgets=Budgets(max_iterations=1)).status
    <Status.BUDGET_EXCEEDED: 'budget_exceeded'>
    """

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


class Interrupted(Exception):
    """Whoever asked wants no answer any more. Caught where the call began; nothing was proved."""


class Deadline:
    """Asks now and then whether a call shall end: once in so many units of counted work, whatever the work is.

    A clock behind it can end a call and do nothing else: when it is asked depends on counts alone.
    """

    def __init__(self, is_over: Callable[[], bool] | None = None) -> None:
        self._is_over = is_over
        self._left = 0
        self.doing = ""
        """What the work is, in words that end a sentence: `while …`."""

    @contextmanager
    def during(self, doing: str) -> Iterator[None]:
        """Say what the work is while the block runs; in an interrupted one it stays said."""
        before, self.doing = self.doing, doing
        yield
        self.doing = before

    def spend(self, units: int = 1) -> None:
        """Count work; raise Interrupted when it is time to ask and the call shall end."""
        self._left -= units
        if self._left <= 0:
            self.ask()

    def ask(self) -> None:
        """Raise Interrupted when the call shall end."""
        self._left = ASK_EVERY
        if self._is_over is not None and self._is_over():
            raise Interrupted(self.doing)


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
