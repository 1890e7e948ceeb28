"""What a check says about a domain: one thing to mend, and where."""

from __future__ import annotations

from dataclasses import dataclass

ERROR, WARNING = "error", "warning"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing to mend, with the place of it."""

    code: str
    severity: str
    message: str
    place: str

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.message}"
