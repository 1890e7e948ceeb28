"""What is the case after each step of a plan, from its certificate: for following a plan step by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planvow.adapters.console.views.texts import item_text, value_text

_ABSENT = "absent"
_NOT = "not "


@dataclass(frozen=True, kw_only=True)
class FactLine:
    """A fact, its value now, and what it was before if this step has changed it."""

    name: str
    value: str
    changed: bool
    before: str


@dataclass(frozen=True, kw_only=True)
class StateView:
    """The state after a step; step 0 is the beginning."""

    step: int
    last: int
    text: str
    facts: tuple[FactLine, ...]


def state_view(certificate: Mapping[str, Any], asked: str) -> StateView:
    """Return the facts that a plan read or wrote as they are after a step."""
    steps = certificate.get("steps") or []
    number = min(int(asked) if asked.isdecimal() and len(asked) < 7 else 0, len(steps))
    facts: dict[str, str] = {}
    for fact in certificate.get("initial") or ():
        if fact[0] != "#table":
            facts[_name(fact)] = _value(fact)
    before = dict(facts)
    for step in steps[:number]:
        before = dict(facts)
        for fact in step.get("writes") or ():
            facts[_name(fact)] = _value(fact)
    lines = [
        FactLine(
            name=name,
            value=value,
            changed=bool(number) and before.get(name) != value,
            before=before.get(name, _ABSENT) if number and before.get(name) != value else "",
        )
        for name, value in sorted(facts.items(), key=lambda fact: (before.get(fact[0]) == fact[1], fact[0]))
    ]
    text = item_text(steps[number - 1].get("command")) if number else ""
    return StateView(step=number, last=len(steps), text=text, facts=tuple(lines))


def _name(fact: Any) -> str:
    if isinstance(fact, str):  # a fact that is true or not, as its language writes it
        return fact.removeprefix(_NOT)
    return f"{value_text(fact[0])}[{value_text(fact[1])}]"


def _value(fact: Any) -> str:
    if isinstance(fact, str):
        return value_text(not fact.startswith(_NOT))
    return value_text(fact[2]) if len(fact) > 2 else _ABSENT
