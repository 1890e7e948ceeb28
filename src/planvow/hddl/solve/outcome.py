"""What a solver answers: a status word, the plan where there is one, and otherwise the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from planvow.budgets import BudgetHit
from planvow.hddl.language.plan_format import HddlPlan
from planvow.status import Status


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How solving an HDDL problem ended.

    `statistics` are counts (expansions, grounded actions …), the same in every run. `search` names the search that
    found the plan or gave the answer.
    """

    status: Status
    plan: HddlPlan | None = None
    reason: str = ""
    budget: BudgetHit | None = None
    search: str = ""
    statistics: Mapping[str, int | str] = field(default_factory=dict)

    def _repr_html_(self) -> str:
        from planvow.notebook.html import folded, shown, table

        steps = [] if self.plan is None else [(step.step_id, str(step)) for step in self.plan.steps]
        title = f"{self.status}: {self.reason}" if self.plan is None else f"{self.status}: {len(steps):,} actions"
        parts = [table(steps)] if steps else []
        parts.append(folded("counts", table(list(self.statistics.items()))))
        return shown(title, *parts, good=self.status.is_success)


def interrupted_outcome(doing: str, *, statistics: Mapping[str, int | str] | None = None) -> Outcome:
    """Return the outcome of a call that whoever asked ended while something was done."""
    reason = f"interrupted while {doing} (nothing is proved)"
    return Outcome(status=Status.INTERRUPTED, reason=reason, statistics=statistics or {})


@dataclass(frozen=True, kw_only=True)
class Progress:
    """A sign of life during a long search."""

    search: str
    expansions: int
    depth: int = 0
    best_heuristic: int | None = None
