"""What a performing run leaves behind: status, diagnostics, parked work, statistics, trace.

The artifacts themselves are on the blackboard; an application adds them to its own result. The trace is for debugging
and never part of what is shown across the boundary (seed 000, sections 6 and Overview; DESIGN ruling 16).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from planvow.kernel.perform.budgets import BudgetStatus
from planvow.status import Status
from planvow.trace import TraceEvent


class Severity(StrEnum):
    """How bad a diagnostic is."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, kw_only=True)
class Diagnostic:
    """Something a reader of the result must know."""

    diagnostic_type: str
    message: str
    severity: Severity = Severity.ERROR
    context: Mapping[str, Any] = field(default_factory=dict)
    method_path: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ParkedTask:
    """Work that waits for something outside."""

    task_id: str
    task_type: str
    span: tuple[int, int]
    reason: str


@dataclass(frozen=True, kw_only=True)
class PlannerStats:
    """What was spent.

    >>> found.stats.llm_calls
    0
    """

    tasks_executed: int = 0
    llm_calls: int = 0
    llm_tokens: int = 0
    backtracks: int = 0
    elapsed_ms: int = 0
    """0 unless a clock was passed in."""
    dedup_skips: int = 0
    undone_changes: int = 0


@dataclass(frozen=True, kw_only=True)
class PerformResult:
    """How a run ended."""

    status: Status
    budget_status: BudgetStatus
    """The hard limit that ended or trimmed the run, or OK."""
    truncated: bool
    diagnostics: tuple[Diagnostic, ...]
    parked: tuple[ParkedTask, ...]
    stats: PlannerStats
    trace: tuple[TraceEvent, ...]

    @property
    def success(self) -> bool:
        """Whether nothing was cut by a hard limit and nothing failed for good."""
        return self.budget_status is BudgetStatus.OK and not any(
            found.severity is Severity.ERROR for found in self.diagnostics
        )
