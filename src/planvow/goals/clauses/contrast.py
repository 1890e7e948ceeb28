"""Contrasts: one thing is asked for and another is not, or what was said first is taken back.

"Open chrome, not firefox", "neither chrome nor edge, brave", "go to reddit... nah go to wikipedia". Only "
"what opens, asks
or searches is read so, and only where both things are known by name and differ: what is denied is never done.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from planvow.goals.clauses.cutting import clauses_of
from planvow.goals.clauses.telling import tells

Things = Callable[[str], tuple[str, ...]]
_OPENS = r"(?:open|launch|start|run|pull up|bring up|fire up|go to|visit)(?: up)?"
_DONT = r"(?:do not|don't|dont)"
_STOP = r"\s*(?:[,;.!?–—]|\s-\s|…|\.\.\.)+\s*"
_FACT = r"(?:time|date|memory|ram|battery|disk space|ip|ip address|running programs)"
_ASIDE = (
    re.compile(rf"(?P<order>{_OPENS} .+?), not (?P<y>.+)", re.I),
    re.compile(rf"(?P<order>{_OPENS} .+?), but (?:please )?{_DONT} (?:open|launch|start|run) (?P<y>.+)", re.I),
    re.compile(
        rf"(?P<order>(?:{_OPENS}|tell me|show me|what's|what is|check) .+?){_STOP}(?:i {_DONT} (?:care about|need|want)"
        r"|no need for|never mind) (?P<y>.+)",
        re.I,
    ),
)
"""An order, and what is not asked for after it."""
_ANY_MORE = r"(?: any ?more| now| today| right now| please)?"
_FIRST = (
    re.compile(rf"(?:no,? )?not (?P<x>[^,;]+?){_STOP}(?:but |just |rather )?(?P<z>.+)", re.I),
    re.compile(
        rf"neither (?P<x>[^,;]+?) nor (?P<y>[^,;]+?){_ANY_MORE}{_STOP}(?:but |just |only |rather )?(?P<z>.+)", re.I
    ),
    re.compile(
        rf"(?:i|we) {_DONT} (?:need|want) (?P<x>[^,;]+?){_ANY_MORE}{_STOP}(?:but |just |only |rather |simply "
        r"|i need |i want |i'd like )+(?P<z>.+)",
        re.I,
    ),
    re.compile(
        rf"(?:please )?(?:{_DONT}|no need to|you needn't|there's no (?:reason"
        rf"|need) to) {_OPENS} (?P<x>[^,;.]+?){_ANY_MORE}"
        rf"(?:{_STOP}|\s+(?={_OPENS} ))(?:but |just |rather |instead )*(?P<z>.+?)(?: instead)?",
        re.I,
    ),
    re.compile(
        rf"(?:forget(?: about)?|never mind|no more|screw|enough of|skip) (?P<x>[^,;.]+?){_STOP}(?:and |just |please )*"
        r"(?P<z>.+?)(?: instead)?",
        re.I,
    ),
    re.compile(
        rf"{_OPENS} (?P<x>[^,;.]+?)(?:{_STOP}(?:or |oh |ah )*(?:nah|nope|naw|no wait|wait,? no|wait|or no|no"
        rf"|jk|just kidding"
        r"|sorry,? force of habit)|(?: lol)? (?:jk|just kidding))[,.!\s]+(?:better |rather |actually |it's |make it )*"
        r"(?P<z>.+?)(?:,? (?:i want|i mean|i meant|instead))?",
        re.I,
    ),
)
"""What is denied or taken back first, and what is asked for then."""
_PLACE = re.compile(
    r"(?P<order>.+?),? (?:but )?not (?P<p>on|in|from|with|at) (?P<x>[^,;]+?)(?:, (?:but )?| but )(?P<q>on|in"
    r"|from|with|at) "
    r"(?P<y>[^,;]+)",
    re.I,
)
_WILL_DO = re.compile(r"(?P<z>.+?) will do(?: fine| nicely| just fine)?", re.I)
_SAID = re.compile(
    rf"(?:{_OPENS}|tell me|what|how|list|show|search|google|look up|i (?:only |just )*want to know)\b", re.I
)
_LEAD = re.compile(r"i (?:only |just )*want to know ", re.I)


def contrasted(text: str, things: Things) -> Iterator[str]:
    """Yield what is asked for where something else is not."""
    sentence = text.strip(" .!?")
    if '"' in sentence:
        return
    for pattern in _ASIDE:
        match = pattern.fullmatch(sentence)
        if match is not None and _other(match["y"], match["order"], things):
            yield match["order"]
    place = _PLACE.fullmatch(sentence)
    if place is not None and place["x"].casefold() != place["y"].casefold():
        yield f"{place['order']} {place['q']} {place['y']}"
    for pattern in _FIRST:
        match = pattern.fullmatch(sentence)
        if match is not None:
            yield from _instead(match, things)


def _instead(match: re.Match[str], things: Things) -> Iterator[str]:
    denied = [match[name] for name in ("x", "y") if name in match.re.groupindex]
    wanted = match["z"]
    if not all(_other(one, wanted, things) for one in denied):
        return
    enough = _WILL_DO.fullmatch(wanted)
    wanted = wanted if enough is None else enough["z"]
    clauses = clauses_of(wanted)
    if len(clauses) > 1 and all(tells(one.text, after=True, joint=one.joint) for one in clauses[:-1]):
        wanted = clauses[-1].text  # "don't start steam, i've got homework. start word"
    if _SAID.match(wanted):
        yield _LEAD.sub("tell me ", wanted)
    elif things(wanted) == (wanted,):
        yield f"open {wanted}"


def _other(denied: str, order: str, things: Things) -> bool:
    """Say whether what is denied is one known thing, and none that the order names."""
    bare = re.sub(r"^(?:the|my|that|any) ", "", denied.strip(), flags=re.I)
    known = things(denied) in ((denied,), (bare,)) or re.fullmatch(_FACT, bare, re.I) is not None
    return known and re.search(rf"\b{re.escape(bare)}\b", order, re.I) is None
