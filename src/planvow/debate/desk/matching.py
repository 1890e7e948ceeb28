"""The same claim, said again: claims of several debates in groups, with who said each and when.

Two claims are one when they share most of their words and all of their numbers, as with the fact store. Groups are what
such pairs connect; each is told by its most check-worthy wording.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planvow.debate.analysis.facts import normalised_words
from planvow.debate.state.helpers import FactChecker

NEARLY = 0.6
"""The share of the longer claim's words that two claims have in common when they are nearly the same."""
FEWEST = 3  # words; "it is not true" is said in every debate
_RARE = 50  # claims: a word in more of them leads to nothing new, unless all words are so common


@dataclass(frozen=True, kw_only=True)
class Saying:
    """One time a claim was said."""

    debate: str
    speaker: str
    start_ms: int | None
    text: str
    claim_id: str
    check_worthiness: float


@dataclass(frozen=True, kw_only=True)
class Group:
    """A claim that was said several times, as told by one of them."""

    text: str
    sayings: tuple[Saying, ...]
    status: str = ""
    """What the fact store knows of it."""
    sources: tuple[str, ...] = ()


def matched(analyses: Sequence[Mapping[str, Any]], facts: FactChecker | None = None) -> list[Group]:
    """Groups of claims said more than once, and with facts those that are known; most often said first."""
    sayings = [_saying(public, claim) for public in analyses for claim in public["claims"]]
    words = [frozenset(normalised_words(saying.text)) for saying in sayings]
    groups = [_told(tuple(sayings[at] for at in members), facts) for members in _connected(words)]
    known = [group for group in groups if len(group.sayings) > 1 or group.status not in ("", "NO_DATA")]
    return sorted(known, key=lambda group: (-len(group.sayings), group.sayings[0].debate, group.text))  # then as given


def _saying(public: Mapping[str, Any], claim: Mapping[str, Any]) -> Saying:
    meta = public["meta"]
    return Saying(
        debate=meta.get("title") or meta["transcript_id"],
        speaker=claim["speaker"] or "",
        start_ms=claim["start_ms"],
        text=claim["standalone_text"],
        claim_id=claim["claim_id"],
        check_worthiness=claim["check_worthiness"],
    )


def _told(sayings: tuple[Saying, ...], facts: FactChecker | None) -> Group:
    best = max(sayings, key=lambda saying: saying.check_worthiness)
    if facts is None:
        return Group(text=best.text, sayings=sayings)
    verdict = facts.check_claim(best.text)
    return Group(text=best.text, sayings=sayings, status=verdict.status.value, sources=tuple(verdict.sources))


def _connected(words: Sequence[frozenset[str]]) -> list[list[int]]:
    """Indices of claims that lead to each other by pairs that are nearly the same."""
    leader = list(range(len(words)))

    def find(at: int) -> int:
        while leader[at] != at:
            leader[at] = leader[leader[at]]
            at = leader[at]
        return at

    for one, other in _pairs(words):
        leader[max(find(one), find(other))] = min(find(one), find(other))
    groups: dict[int, list[int]] = defaultdict(list)
    for at in range(len(words)):
        groups[find(at)].append(at)
    return list(groups.values())  # the first of each leads it, so they are in order


def _pairs(words: Sequence[frozenset[str]]) -> list[tuple[int, int]]:
    counts = Counter(word for own in words for word in own)
    having: dict[str, list[int]] = defaultdict(list)
    found = []
    for at, own in enumerate(words):
        if len(own) < FEWEST:
            continue
        rare = [word for word in own if counts[word] <= _RARE] or [min((counts[word], word) for word in own)[1]]
        for other in {other for word in rare for other in having[word]}:
            if _is_same(own, words[other]):
                found.append((other, at))
        for word in own:
            having[word].append(at)
    return found


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    if len(one & other) < NEARLY * max(len(one), len(other)):
        return False
    return _numbers(one) == _numbers(other) and ("not" in one) == ("not" in other)


def _numbers(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if word[0].isdigit())
