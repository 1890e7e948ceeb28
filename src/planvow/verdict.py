"""What a checker says: that something holds, or what is wrong with it and where; and what even a yes does not prove.

One value for everything that is judged: certificates, HDDL plans, ledgers and bundles. A checker may stop at the first
fault, because later conditions rely on earlier ones, or list all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One thing that is wrong: which condition, where, and what was found."""

    place: str
    message: str
    condition: str = ""

    def __str__(self) -> str:
        return ": ".join(part for part in (self.condition, self.place, self.message) if part)


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The answer of a checker. It is true when nothing is wrong.

    >>> problem = parse_problem(problem_text, parse_domain(domain_text))
    >>> verdict = verify_plan(problem, parse_plan(plan_text))
    >>> verdict.accepted, verdict.faults
    (True, ())
    """

    checker: str
    faults: tuple[Fault, ...] = ()
    level: str = ""
    """How much was checked, for checkers that know several levels."""
    not_proved: tuple[str, ...] = ()
    """What an acceptance at this level does not prove, in words."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """How much of what was looked at."""

    def __bool__(self) -> bool:
        return self.accepted

    @property
    def accepted(self) -> bool:
        return not self.faults

    @property
    def fault(self) -> Fault | None:
        """The first thing that is wrong."""
        return self.faults[0] if self.faults else None

    @property
    def reason(self) -> str:
        """What the first fault says; empty when there is none."""
        return self.faults[0].message if self.faults else ""

    @property
    def place(self) -> str:
        """Where the first fault is; empty when there is none."""
        return self.faults[0].place if self.faults else ""

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict as JSON data; what a checker has nothing to say about is left out."""
        said: dict[str, Any] = {"checker": self.checker, "accepted": self.accepted}
        if self.level:
            said["level"] = self.level
        said["fault"] = None if self.fault is None else vars(self.fault)
        if self.not_proved:
            said["not_proved"] = list(self.not_proved)
        return {**said, **self.counts}
