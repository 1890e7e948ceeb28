"""A second look at a sure reading: does it leave out, cut short or run together what the sentence says?

Rules that read by gist, drop remarks or mend slips may be sure of less than was said. What is found here is asked about
instead of done; nothing is ever added to a reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from planvow.goals.values.config import GoalConfig, folded
from planvow.goals.values.values import ToolGoal

_GIVEN = re.compile(r"\W*(?:please\s+)?(?:chuck|toss|throw|sling|dump|shoot|flick)\s+(?:me|us)\b", re.I)
_POINTS_BACK = re.compile(
    r"(?:(?:some|any|more)\s+)?(?:(?:stuff|things?|something|anything|info|information|more)\s+(?:(?:about|on|of|for|like)"
    r"\s+)?)?(?:it|that|this|them|those|these|him|her)",
    re.I,
)
_TWICE = re.compile(r"\b(\w{3,}) \1\b", re.I)
_AND_FOR = re.compile(r"\sand (?:then )?for\s", re.I)
_AFTERWARDS = re.compile(r"\b(?P<when>(?:after|before|during) (?:my|our) [\w ]+?)\W*$", re.I)
_EXPLAINED = re.compile(r",\s+(?:the|an?)\s[^,]+?,?\s+i (?:mean|meant)\W*$", re.I)


def left_out(text: str, goals: Iterable[ToolGoal], config: GoalConfig) -> str | None:
    """Return why a reading of a sentence should be asked about, or None."""
    checks: tuple[Callable[[str, ToolGoal], str | None], ...] = (_given, _cut_off, _query)
    several = [*goals]
    for goal in several:
        for check in checks:
            reason = check(text, goal)
            if reason is not None:
                return reason
    places = [goal.destination for goal in several if goal.destination and not goal.destination.endswith("/")]
    if len(places) > len({*places}):
        return "several things cannot have one name: is that a folder?"
    said = folded(" ".join(f"{goal.query} {goal.target} {goal.content}" for goal in several))
    return _later(text, said) or _elsewhere(text, said, several, config)


def _given(text: str, goal: ToolGoal) -> str | None:
    """`chuck me a folder` asks for one; it throws none away."""
    if goal.action == "delete" and _GIVEN.match(text):
        return "is something to be made or to be deleted?"
    return None


def _cut_off(text: str, goal: ToolGoal) -> str | None:
    """`a folder called Rota March`: a name goes on while its words are written large."""
    name = goal.target if goal.goal_type == "file_operation" else None
    if name and name[:1].isupper() and re.search(rf"\b(?:called|named)\s+{re.escape(name)} [A-Z]\w", text):
        return f"does the name end with {name!r:.60}?"
    return None


def _query(text: str, goal: ToolGoal) -> str | None:
    query = goal.query if goal.goal_type == "browser_search" else None
    if query is None or f'"{query}"' in text:
        return None
    if _POINTS_BACK.fullmatch(query):
        return "what is searched for is not said"
    twice = _TWICE.search(query)
    if twice is not None and not re.search(re.escape(twice[0]), text, re.I):
        return "what is searched for was said in two ways"
    if _AND_FOR.search(query):
        return "that may be one search or two"
    if _EXPLAINED.search(text):
        return "is that another search, or what the first one means?"
    return None


def _later(text: str, said: str) -> str | None:
    """`open youtube after my nap`: a time, whatever it is called."""
    found = _AFTERWARDS.search(text)
    return "it names a time" if found is not None and folded(found["when"]) not in said else None


def _elsewhere(text: str, said: str, goals: list[ToolGoal], config: GoalConfig) -> str | None:
    """`i fancy some jazz on youtube, search miles davis`: a place was named, and the search goes to another."""
    searches = [goal for goal in goals if goal.goal_type == "browser_search"]
    if not searches or any(goal.platform for goal in searches):
        return None
    for name in {**config.platforms, **config.platform_aliases}:
        if len(name) > 2 and name not in said and re.search(rf"\b(?:on|at) {re.escape(name)}\b", text, re.I):
            return f"is it to be searched for on {name}?"
    return None
