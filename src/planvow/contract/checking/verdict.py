"""What a checker of certificates answers: the first fault, or the level that was reached and what it does not prove.

Three levels. **Consistent**: the document proves the plan from its own parts. **Faithful**: it also says what was
really asked. **Re-executed**: the commands and methods, run again, do what it says. Imports nothing but the base.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planvow.verdict import Fault, Verdict

CONSISTENT, FAITHFUL, REEXECUTED = "consistent", "faithful", "re-executed"
LEVELS = (CONSISTENT, FAITHFUL, REEXECUTED)
UNKNOWN = "unknown"
"""What stands for the source of a domain that has none: typed in at a prompt, made by code, compiled."""


def judged(checker: str, fault: Fault | None, *, level: str = CONSISTENT, not_proved: tuple[str, ...] = ()) -> Verdict:
    """Return the verdict of a checker that stops at the first fault."""
    return Verdict(checker=checker, faults=() if fault is None else (fault,), level=level, not_proved=not_proved)


_ASKED = (
    "that this is what was asked: agenda, initial facts, limits and durations are the certificate's own word"
    " (--request REQUEST or --domain MODULE.py:problem compares them)"
)
_RUN = "that commands and methods read, write and return what it says (--domain runs them again)"
_PLANNED = "that the planner gives this plan (--replan asks it again)"
_SOURCE = "which code the domain is made of: its source is unknown"
_COMPUTED = "durations that a function of the domain computes (--domain MODULE.py:problem computes them again)"
_COST = "that the plan costs no more than it may (--domain MODULE.py:problem adds it up)"
_WATCHED = "that its propagators would allow it: no check runs them"
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
    asked = document.get("asked") if isinstance(document, Mapping) else None
    asked = asked if isinstance(asked, Mapping) else {}
    if FAITHFUL not in reached:
        words.append(_ASKED)
    if computed_durations:
        words.append(_COMPUTED)
    if REEXECUTED not in reached:
        words.append(_RUN if is_derivation else _PLANNED)
    if "max_cost=" in str(asked.get("optimal")) and not {FAITHFUL, REEXECUTED} <= set(reached):
        words.append(_COST)
    if asked.get("propagators"):
        words.append(_WATCHED)
    domain = document.get("domain") if isinstance(document, Mapping) else None
    if isinstance(domain, Mapping) and domain.get("source") == UNKNOWN:
        words.append(_SOURCE)
    return (*words, _WORLD if is_derivation else _TOOLS, *_ALWAYS)


def still_unproved(verdicts: list[Verdict]) -> tuple[str, ...]:
    """Return what several accepting verdicts, taken together, do not prove."""
    levels = {verdict.level for verdict in verdicts}
    proved = {_ASKED} if FAITHFUL in levels else set()
    proved |= {_RUN, _PLANNED, _COMPUTED} if REEXECUTED in levels else set()
    proved |= {_COST} if any(v.level == REEXECUTED and _COST not in v.not_proved for v in verdicts) else set()
    words = dict.fromkeys(words for verdict in verdicts for words in verdict.not_proved)
    return tuple(text for text in words if text not in proved)
