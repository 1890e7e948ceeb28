"""What a wish denies beside its order: "open word but don't start excel", "use edge instead of chrome".

The order counts where it is whole without the denial, and where what is denied is understood and is something else: a
known name, a place or an order of its own that shares nothing with what is ordered. What is denied is never done, and
where it could bear on the order the denial vetoes the wish.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from planvow.goals.values.config import folded
from planvow.goals.values.values import ToolGoal

Things = Callable[[str], tuple[str, ...]]
Read = Callable[[str], Iterable[ToolGoal]]
_STOP = r"(?:\s*[,;.!–—]+\s*|\s+-\s+)"
_JOIN = r"(?:(?:and|but|though|just|only|so|please|rather)\s+)*"
_DONT = (
    r"(?:please )?(?:do not|don't|dont|never|no need to|you needn't"
    r"|(?:i|we) (?:do not|don't) (?:want|need)(?: to| you to)?)"
)
_NOT = r"(?:not|instead of|rather than)"
_DENIED = rf"(?:(?P<dont>{_DONT})|{_NOT}|no need for|without(?= \w+ing\b)) (?P<denied>[^,;.]+?)"
_WAYS = tuple(
    re.compile(way, re.I)
    for way in (
        rf"(?P<order>.+?)(?:{_STOP}|\s+(?=and|but|instead of|rather than|without)){_JOIN}{_DENIED}(?: please)?",
        rf"{_DENIED}{_STOP}{_JOIN}(?P<order>.+?)(?: instead)?",
        rf"(?P<order>.+?)(?:,? (?:and |but )?{_NOT}) (?P<denied>[^,;.]+?),? (?P<rest>(?:for|to|called|named|in|on) .+)",
    )
)
_FACT = re.compile(r"(?:time|date|memory|ram|cpu|battery|disk space|ip|ip address|running programs)", re.I)
_PLACE = re.compile(r"(?:in|on|from|to|with|using) (?:the |my )?(?P<name>.+)", re.I)
_DOING = re.compile(r"(?P<verb>open|launch|start|us|search|mak|creat|delet|list|show)ing\b", re.I)
_ELSE = re.compile(
    r"(?:\w+ )?(?:anything|any(?:thing)? ?(?:else|other \w+)|something else|any other \w+"
    r"|(?:any|a|the|my) (?:page|pages|site|app|program|browser|file|folder|window|tab))",
    re.I,
)
_FOLDERS = ("desktop", "documents", "downloads", "home")


@dataclass(frozen=True)
class Denial:
    """An order, and what its sentence says is not to be done."""

    order: str
    denied: str
    is_order: bool
    """Said with a verb: "don't open word", not "without word"."""


def denials(text: str) -> Iterator[Denial]:
    """Yield the ways to take a sentence for an order and one denial beside it."""
    sentence = text.strip(" .!?")
    if '"' in sentence:
        return
    for way in _WAYS:
        match = way.fullmatch(sentence)
        if match is not None:
            said = match.groupdict()
            order = " ".join(filter(None, (said["order"], said.get("rest"))))
            denied = said["denied"].strip()
            yield Denial(order, denied, is_order=said.get("dont") is not None or _DOING.match(denied) is not None)


def is_beside(denial: Denial, goals: Iterable[ToolGoal], things: Things, read: Read) -> bool:
    """Say whether what is denied is understood, and shares nothing with the goals of the order.

    Beside a search only what denies another place to search is: "jobs without weekends" is searched for.
    """
    goals = tuple(goals)
    searches = any(goal.goal_type == "browser_search" for goal in goals)
    if searches and not all(goal.platform for goal in goals if goal.goal_type == "browser_search"):
        return False
    said = re.sub(r"^(?:the|my|any) ", "", denial.denied, flags=re.I)
    if re.search(rf"\b{re.escape(said)}\b", denial.order, re.I):
        return False
    if _ELSE.fullmatch(said) or _ELSE.fullmatch(_DOING.sub("", said, count=1).strip()):
        return not (said.endswith("browser") and any(goal.goal_type == "browser_navigate" for goal in goals))
    place = _PLACE.fullmatch(denial.denied)
    if place is not None:
        return _is_name(place["name"], things) and not re.search(rf"\b{re.escape(place['name'])}\b", denial.order, re.I)
    if _is_name(said, things):
        return True
    others = () if not denial.is_order else tuple(read(_DOING.sub(_order, said, count=1)))
    return bool(others) and not _objects(others) & _objects(goals)


def _is_name(said: str, things: Things) -> bool:
    return things(said) == (said,) or folded(said) in _FOLDERS or _FACT.fullmatch(said) is not None


def _order(match: re.Match[str]) -> str:
    verb = match["verb"].casefold()
    return f"{verb}e" if verb in ("us", "mak", "creat", "delet") else verb


def _objects(goals: Iterable[ToolGoal]) -> set[str]:
    """Return what goals are about: the same thing denied and ordered is no denial beside the order."""
    return {folded(name) for goal in goals for name in (goal.target, goal.query, goal.new_name) if name}
