"""Searches said otherwise: by the name of a platform and what is wanted there, in any order (`searches.frames`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from planvow.goals.rephrase.fillers import VERB_WORDS
from planvow.goals.rephrase.frames import Frames, read_frames

_NO_QUERY = re.compile(
    r"(?:for|and|is|are|was|has|the)?$|(?:please|thanks|now|it|that|this|them|one|me|here|there|again|first|too)$"
    r"|(?:and|or|is|was|has|to|on|in|are|not|please|for|now|if|then|versus|vs|me|us|up|search|at|it|about|more)\b"
    r"|.*\b(?:it|that|this|them) (?:there|here|up|for me)?$",
    re.I,
)
_THERE = re.compile(
    r"(?:[,.;!?]+\s*(?:so |and )?(?:please |kindly |can you |could you |would you |will you |just )+|[?]\s*)(?:search"
    r"|look|check|find|google|go look|have a look)(?: for| up)?(?: (?:that|it|there|them|this|on there|one|some))*(?: "
    r"(?:please|for me|there))*$",
    re.I,
)
"""`…, could you search for that?`: what is wished stands before it."""
_SAYS = re.compile(r"what (?:does|do|would) (?:the )?\w+ (?:say|know|think|have)\b", re.I)


_JOINED = re.compile(r"[,;.]|\b(?:on|it|them|those|that|this)\b", re.I)
_BROKEN = re.compile(r"[;\"]|\b(?:and then|then)\b")


def searched(sentence: str, platforms: Iterable[str]) -> Iterator[str]:
    """Yield a sentence as the search it amounts to."""
    names = tuple(name for name in platforms if name != "so")  # a small word, too
    found = [*_ways(_THERE.sub("", sentence), names)]
    yield from found or (() if _SAYS.match(sentence) else _ways(sentence, names))


def _ways(sentence: str, platforms: tuple[str, ...]) -> Iterator[str]:
    for order, match in _frames(platforms).fitting(sentence):
        parts = {name: text.strip(" ,.!?:") for name, text in match.groupdict().items()}
        if all(_FITS[name](match[name]) for name in parts if name in _FITS) and not _goes_on(match, platforms):
            yield order.format(**parts)


@lru_cache(maxsize=8)
def _frames(platforms: tuple[str, ...]) -> Frames:
    names = "|".join(re.escape(name) for name in sorted(platforms, key=lambda name: (-len(name), name)))
    return read_frames("searches", P=f"(?P<p>{names})", O=f"(?P<o>{names})")


def _goes_on(match: re.Match[str], platforms: tuple[str, ...]) -> bool:
    """Say whether a query holds a search of its own: "… on youtube for …"."""
    before, more, _ = match.groupdict().get("q", "").casefold().partition(" for ")
    return bool(more and before.split() and before.split()[-1] in platforms)


def _is_query(said: str) -> bool:
    query = said.strip(" ,.!?:")
    return bool(query) and not (_is_order(query) or _NO_QUERY.match(query) or _BROKEN.search(query))


def _is_one_of_two(said: str) -> bool:
    return not (_is_order(said) or _NO_QUERY.match(said) or _JOINED.search(said))


def _is_order(query: str) -> bool:
    return query.partition(" ")[0].casefold() in VERB_WORDS


_FITS: dict[str, Callable[[str], bool]] = {
    "q": _is_query,
    "one": _is_one_of_two,
    "other": _is_one_of_two,
    "place": lambda said: not _NO_QUERY.match(said),
    "b": lambda said: "," not in said,
}
"""Which words can be the part of an order that has this name."""
