"""The list of analyses that are kept, and claims that were said in several debates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from planvow.debate.desk.matching import Group, Saying, matched
from planvow.debate.export.brief import clock

MOST = 200
"""Debates, or groups of claims, on a page."""


@dataclass(frozen=True, kw_only=True)
class Words:
    """What is needed to find the claims of an analysis in other debates: the same where the mark is."""

    mark: str
    document: Mapping[str, Any] = field(compare=False)


class Listed(Protocol):
    """An analysis as the list knows it."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def transcript_id(self) -> str: ...
    @property
    def speakers(self) -> tuple[tuple[str, int], ...]: ...
    @property
    def words(self) -> Words | None: ...


@dataclass(frozen=True, kw_only=True)
class Said:
    """One time that a claim was said, with the way to it."""

    name: str
    title: str
    speaker: str
    time: str
    text: str
    claim_id: str


@dataclass(frozen=True, kw_only=True)
class Again:
    """A claim that was said more than once."""

    text: str
    said: tuple[Said, ...]
    debates: int


def found_in(summaries: Sequence[Any], words: str) -> list[Any]:
    """Return the analyses whose title, speakers or claims have these words."""
    wanted = words.casefold().split()
    return [one for one in summaries if all(word in _text(one) for word in wanted)]


def _text(one: Listed) -> str:
    claims = one.words.document["claims"] if one.words else ()
    parts = [one.title, one.name, *(name for name, _ in one.speakers), *(claim["standalone_text"] for claim in claims)]
    return "\n".join(parts).casefold()


def groups(summaries: Iterable[Listed], first: str = "") -> tuple[Group, ...]:
    """Return claims said more than once; of several analyses of a transcript one counts, `first` before others."""
    chosen: dict[str, Words] = {}
    for one in summaries:
        if one.words is not None and (one.name == first or one.transcript_id not in chosen):
            chosen[one.transcript_id] = one.words
    return _matched(tuple(chosen.values()))


@lru_cache(maxsize=4)
def _matched(chosen: tuple[Words, ...]) -> tuple[Group, ...]:
    """Return the groups; who walks from claim to claim asks for them each time."""
    return tuple(matched([words.document for words in chosen]))


def again(found: Iterable[Group], titles: Mapping[str, str], words: str = "") -> list[Again]:
    """Return groups for people to read; with words, those that have them."""
    wanted = words.casefold().split()
    shown = []
    for group in found:
        text = "\n".join([group.text, *(f"{s.text} {s.speaker} {titles[s.debate]}" for s in group.sayings)]).casefold()
        if all(word in text for word in wanted):
            said = tuple(_said(saying, titles) for saying in group.sayings)
            shown.append(Again(text=group.text, said=said, debates=len({one.name for one in said})))
    return sorted(shown, key=lambda one: -one.debates)  # across debates first, then as they were


def said_too(found: Iterable[Group], name: str, claim_id: str, titles: Mapping[str, str]) -> tuple[Said, ...]:
    """Return the other times that one claim of a debate was said."""
    for group in found:
        here = [s for s in group.sayings if s.debate == name and s.claim_id == claim_id]
        if here:
            return tuple(_said(saying, titles) for saying in group.sayings if saying is not here[0])
    return ()


def _said(saying: Saying, titles: Mapping[str, str]) -> Said:
    return Said(
        name=saying.debate,
        title=titles[saying.debate],
        speaker=saying.speaker,
        time=clock(saying.start_ms),
        text=saying.text,
        claim_id=saying.claim_id,
    )
