"""One thing to look at in an HDDL file."""

from __future__ import annotations

from dataclasses import dataclass

from planvow.kernel.domain.finding import WARNING, Finding

__all__ = ["INFO", "WARNING", "HddlFinding", "Lint"]

INFO = "info"
"""True of this domain with this problem, and often meant so."""


@dataclass(frozen=True, kw_only=True)
class Lint:
    """One thing to look at, at an offset of the file that was asked about."""

    code: str
    at: int
    message: str
    hint: str | None = None
    severity: str = WARNING


@dataclass(frozen=True, kw_only=True)
class HddlFinding(Finding):
    """A finding with the line and column of a file, both counted from 1, and what may mend it."""

    line: int
    column: int
    hint: str | None = None

    def __str__(self) -> str:
        return super().__str__() + (f"\n  hint: {self.hint}" if self.hint else "")
