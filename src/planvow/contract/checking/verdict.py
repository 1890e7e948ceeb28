"""What a checker of certificates answers: the first fault, or the level that was reached and what it does not prove.

Three levels. **Consistent**: the document proves the plan from its own parts. **Faithful**: it also says what was
really asked. **Re-executed**: the commands and methods, run again, do what it says. Imports nothing but the base.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

CONSISTENT, FAITHFUL, REEXECUTED = "consistent", "faithful", "re-executed"
LEVELS = (CONSISTENT, FAITHFUL, REEXECUTED)
UNKNOWN = "unknown"
"""What stands for the source of a domain that has none: typed in at a prompt, made by code, compiled."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One thing that is wrong: which condition, where, and what was found."""

    condition: str
    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.condition}: {self.place}: {self.message}"


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The answer of a checker: the level it speaks of, and the first fault if there is one."""

    checker: str
    fault: Fault | None = None
    level: str = CONSISTENT
    not_proved: tuple[str, ...] = ()
    """What even an accepted certificate does not prove at this level, in words."""

    @property
    def accepted(self) -> bool:
        return self.fault is None

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict as JSON data."""
        return {
            "checker": self.checker,
            "level": self.level,
            "accepted": self.accepted,
            "fault": None if self.fault is None else vars(self.fault),
            "not_proved": list(self.not_proved),
        }


_ASKED = (
    "that this is what was asked: agenda, initial facts, limits and durations are the certificate's own word"
    " (--request REQUEST or --domain MODULE.py:problem compares them)"
)
_RUN = "that commands and methods read, write and return what it says (--domain runs them again)"
_PLANNED = "that the planner gives this plan (--replan asks it again)"
_SOURCE = "which code the domain is made of: its source is unknown"
_COMPUTED = "durations that a function of the domain computes (--domain MODULE.py:problem computes them again)"
_WORLD = "that the domain describes the world"
_TOOLS = "that the tools do what the manifest says of them"
_ALWAYS = (
    "that no other plan is better",
    "who made it: a hash is no signature",
)


def not_proved(document: Any, *reached: str, computed_durations: bool = False) -> tuple[str, ...]:
    """Return what a certificate that reached these levels does not prove."""
    words = []
    is_derivation = isinstance(document, Mapping) and document.get("kind") != "contract"
    if FAITHFUL not in reached:
        words.append(_ASKED)
    if computed_durations:
        words.append(_COMPUTED)
    if REEXECUTED not in reached:
        words.append(_RUN if is_derivation else _PLANNED)
    domain = document.get("domain") if isinstance(document, Mapping) else None
    if isinstance(domain, Mapping) and domain.get("source") == UNKNOWN:
        words.append(_SOURCE)
    return (*words, _WORLD if is_derivation else _TOOLS, *_ALWAYS)


def still_unproved(verdicts: list[Verdict]) -> tuple[str, ...]:
    """Return what several accepting verdicts, taken together, do not prove."""
    levels = {verdict.level for verdict in verdicts}
    proved = {_ASKED} if FAITHFUL in levels else set()
    proved |= {_RUN, _PLANNED, _COMPUTED} if REEXECUTED in levels else set()
    words = dict.fromkeys(words for verdict in verdicts for words in verdict.not_proved)
    return tuple(text for text in words if text not in proved)
