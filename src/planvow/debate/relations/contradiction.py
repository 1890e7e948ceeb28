"""Statements that cannot both be so: about the same things, and one denied, with another number, or turned round.

Two statements are about the same things when they share half of the words of the shorter one, and at least two. What
they say is then compared: who is denied, how many of what, and words that mean the opposite.
"""

from typing import NamedTuple

from planvow.debate.relations.opposites import OPPOSITES, word_forms
from planvow.debate.relations.relations import Proposition
from planvow.debate.words.words import Sentence
from planvow.debate.words.wordsets import word_set

LEAST_SHARED = 2
_DENYING = word_set("not n't never no none nobody nothing neither nor nowhere cannot without")
_UNITS = word_set("percent % per million billion trillion thousand hundred")
_MEASURES = _UNITS | word_set(
    "dollar dollars euro euros pound pounds cent cents year years month months week weeks day days"
)
"""What things are counted in: to share it is not to speak of the same thing."""
_OPEN = word_set("if whether when unless would could might may should")


class Contradiction(NamedTuple):
    """Why two statements cannot both be so, in words for people."""

    reason: str
    shared: int


def contradiction(source: Proposition, target: Proposition) -> Contradiction | None:
    """How `source` says otherwise than `target`, if the words show it."""
    if len(source.content & target.content) < LEAST_SHARED:
        return None  # most pairs, so asked first
    mine, theirs = _things(source), _things(target)
    shared = mine & theirs
    if len(shared) < LEAST_SHARED or 2 * len(shared) < min(len(mine), len(theirs)):
        return None
    if not _OPEN.isdisjoint(_lower(source.words)) or not _OPEN.isdisjoint(_lower(target.words)):
        return None  # what is only possible, wished or supposed denies nothing
    opposite = _opposite(source, target)
    denied = _is_denied(source.words) != _is_denied(target.words)
    if opposite and not denied:
        return Contradiction(f"says the opposite: {opposite!r}", len(shared))
    if denied and not opposite:
        return Contradiction("one says so and the other denies it", len(shared))
    if not denied and (numbers := _other_number(source.words, target.words)):
        return Contradiction(f"gives another number: {numbers}", len(shared))
    return None  # "it is not cheap" after "it is expensive" says the same


def _things(piece: Proposition) -> frozenset[str]:
    return frozenset(word for word in piece.content - _MEASURES if not word[:1].isdigit())


def _lower(words: Sentence) -> list[str]:
    return [word.text.lower().replace("’", "'") for word in words]


def _is_denied(words: Sentence) -> bool:
    return sum(word in _DENYING or word.endswith("n't") for word in _lower(words)) % 2 == 1


def _opposite(source: Proposition, target: Proposition) -> str:
    """The word of `source` whose opposite `target` has, where that is not said of something else they share."""
    theirs = {form for word in target.words for form in word_forms(word)}
    mine = {form for word in source.words for form in word_forms(word)}
    for word in source.words:
        for form in word_forms(word):
            met = OPPOSITES.get(form, set()) & theirs
            if met and not met & mine and form not in theirs:
                return word.text.lower()
    return ""


def _other_number(source: Sentence, target: Sentence) -> str:
    """Two numbers of the same thing that differ, as "40 against 60 percent"."""
    mine, theirs = _counted(source), _counted(target)
    for unit, number in mine.items():
        if unit in theirs and theirs[unit] != number:
            return f"{number} against {theirs[unit]} {unit}"
    return ""


def _counted(words: Sentence) -> dict[str, str]:
    """The numbers of a statement by what they count; what is counted twice is left out."""
    found: dict[str, str] = {}
    twice: set[str] = set()
    for at, word in enumerate(words[:-1]):
        if not word.text[:1].isdigit():
            continue
        following = words[at + 1]
        lower = following.text.lower()
        if lower in _UNITS or following.pos == "NOUN":
            unit = lower if lower in _UNITS else following.lemma.lower()
            if unit in found:
                twice.add(unit)
            found[unit] = word.text
    return {unit: number for unit, number in found.items() if unit not in twice}
