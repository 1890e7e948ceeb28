"""The one order among the clauses of a wish, where all others only tell something."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from planvow.goals.clauses.cutting import Clause, clauses_of
from planvow.goals.clauses.telling import is_courtesy, other_order, takes_back, tells
from planvow.goals.grammar.quotes import quotes_hidden
from planvow.goals.grammar.tokens import straight
from planvow.goals.rephrase.courtesy import plain
from planvow.goals.rephrase.remarks import Things
from planvow.goals.values.config import folded
from planvow.goals.values.values import ToolGoal

MOST_CLAUSES = 14
_THERE = re.compile(r"\b(?:(?:look|search|check)(?: on)? there for|search (?:it|there) for)\b", re.I)
_POINTS = re.compile(
    r"\b(?P<to>(?<=go )there|(?<=me )there|(?<=over )there)\b|\b(?:it|them|that(?: (?:site|page|app|program|file"
    r"|website))?|(?:this|the) (?:site|page|app|program|website))(?=$| please| for me| then| now| up| i guess|[.!?,])",
    re.I,
)
_LAST_WORDS = re.compile(
    r"[\s,]+(?:i guess|i suppose|will you|would you|would ya|will ya|can you|could you|if you could"
    r"|(?:please )?(?:hun|love|mate|bro|dear|pet)|even|actually|asap|and thank you(?: for .*)?|please and thank you|lol"
    r"|right now)\W*$",
    re.I,
)
_FIRST_WORDS = re.compile(
    r"before (?:you do )?anything(?: else)?, |(?:(?:so|and|but|yeah|well|ok|okay|anyway|now|then|just|maybe|today|oh"
    r"|right|time to be good|as a first step)[\s,]+)+|(?:so |and )?(?:before (?:i|he|she|they|we|my \w+|anyone|somebody"
    r"|someone|anybody) [^,;:.]+?(?:,|:| (?=make|open|create|start|launch|list|show|tell|copy|search|look|google)) ?)",
    re.I,
)
_BEFORE = re.compile(r"\s+before (?:i|he|she|they|we|anyone|someone|somebody|my \w+) [^,;:.\"]+$", re.I)
_SEARCHES = re.compile(r"\b(?:search|google|look|find|youtube|wikipedia|bing|duckduckgo|reddit|amazon)\b", re.I)


def order_in(text: str, things: Things, is_order: Callable[[str], bool]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield ways to say the order of a wish without what is only told around it, and what is told.

    All clauses from the first to the last that does not merely tell something are the order: nothing that may be part
    of it is left out.
    """
    clauses = clauses_of(text)
    if not 1 <= len(clauses) <= MOST_CLAUSES:
        return
    first = next((n for n, one in enumerate(clauses) if not _idle(one, is_order, things, after=False)), None)
    if first is None:
        return
    last = len(clauses) - 1
    while last > first and _idle(clauses[last], is_order, things, after=True, last=is_courtesy(clauses[last - 1].text)):
        last -= 1
    order = text[clauses[first].start : clauses[last].end].strip()
    told = tuple(one.text for number, one in enumerate(clauses) if not first <= number <= last)
    if not told and not re.search(r"\bbefore\b", order, re.I):
        return
    if first and re.match(r"(?:and )?then\b", order, re.I):
        return
    order = re.sub(r"\bon (?:the|a) map$", "on maps", order, flags=re.I)
    named = tuple(dict.fromkeys(thing for one in clauses[:first] for thing in things(one.text)))
    for way in _shorter(order):
        yield from _pointed(way, named, things)
        if all(_in(thing, way) for thing in named) or not any(map(_wishes_for, told)):
            yield way, told


def unheard(text: str, goals: Iterable[ToolGoal]) -> str | None:
    """Return why a sentence says more than its goals: another order, or that all is taken back."""
    done = folded(" ".join(f"{goal.query} {goal.content} {goal.target} {goal.new_name}" for goal in goals))
    for clause in clauses_of(straight(text)):
        if folded(clause.text) not in done and (other_order(clause.text) or takes_back(clause.text)):
            return "it says more than can be done"
    return None


def _wishes_for(told: str) -> bool:
    """Say whether a statement that names something may ask for it, or is about a file."""
    return (
        re.search(r"\b(?:want|need|like|fancy|wanna|open|have|got)\b|\w\.\w|\b(?:file|folder)\b", told, re.I)
        is not None
    )


def _in(thing: str, order: str) -> bool:
    return thing.split()[-1].casefold() in order.casefold()


def _shorter(order: str) -> Iterator[str]:
    """Yield an order, and the order without what is only said at its ends."""
    bare = _FIRST_WORDS.sub("", order, count=1) if _FIRST_WORDS.match(order) else order
    while (less := _LAST_WORDS.sub("", bare)) != bare:
        bare = less
    if not _SEARCHES.search(quotes_hidden(bare)):
        bare = _BEFORE.sub("", bare)
    yield bare
    if bare != order:
        yield order


def _pointed(order: str, named: tuple[str, ...], things: Things) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield an order with the one thing that was named before in the place of what points at it."""
    order = plain(order)
    pages = tuple(name for name in named if "." in name)
    named = pages if len(pages) == 1 and re.search(r"\b(?:page|site|website)\b", order, re.I) else named
    if len(named) != 1 or things(order):
        return
    there = _THERE.search(order)
    if there is not None:
        yield f"{order[: there.start()]}search {named[0]} for{order[there.end() :]}", ()
    if re.fullmatch(r"(?:open|launch|start)(?: up)?", order, re.I):
        yield f"open {named[0]}", ()
    points = _POINTS.search(quotes_hidden(order))
    if points is not None and there is None and not _SEARCHES.search(order):
        thing = named[0] if points["to"] is None else f"to {named[0]}"
        yield f"{order[: points.start()]}{thing}{order[points.end() :]}", ()


def _idle(clause: Clause, is_order: Callable[[str], bool], things: Things, *, after: bool, last: bool = False) -> bool:
    if is_courtesy(clause.text):
        return tells(clause.text, after=after, joint=clause.joint)
    if after and things(clause.text):
        return False
    return tells(clause.text, after=after, joint=clause.joint, last=last) and not is_order(clause.text)
