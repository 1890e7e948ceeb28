"""Capitals for text that has none, or nothing but capitals. No character moves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum

from planvow.debate.words.names import FEMALE_NAMES, LANDS, MALE_NAMES, PEOPLES
from planvow.debate.words.wordsets import word_set

_LETTER_SHARE = 0.9  # of capitals, in text that has nothing else
_WORD_SHARE = 0.01  # of words with a capital, "I" aside, in text that has none; names alone are more
_FEWEST_WORDS = 8
_FEWEST_TURNS = 5
_SMALL_SHARE = 0.8  # of turns that open with a small letter, where people type as they like: names may have capitals
_WORD = re.compile(r"[^\W\d_]+")
_AFTER_END = re.compile(r"(?<![A-Z][.!?])(?:^|(?<=[.!?…])\s+)[\"“‘'(]*[a-z]")
_MONTH = re.compile(r"(?<=\bin )(?:may|march)\b|(?<=\bsince )(?:may|march)\b|(?<=\buntil )(?:may|march)\b")
_JOINS = frozenset("-_./@'’0123456789")
_DAYS_AND_MONTHS = word_set(
    "monday tuesday wednesday thursday friday saturday sunday january february april june july august september "
    "october november december"
)
# Words as well as names: written small they are words.
_WORDS_TOO = word_set(
    "mark bill frank grace rose sue jean amber holly lily max art ray rob pat will may march hope faith drew grant "
    "roman liberal conservative labour democratic christian thai turkey china mason logan tyler austin florence "
    "virginia stella jack"
)
_KNOWN = (MALE_NAMES | FEMALE_NAMES | LANDS | PEOPLES | _DAYS_AND_MONTHS | {"i"}) - _WORDS_TOO


class Case(Enum):
    """How a transcript is written."""

    MIXED = "mixed"
    LOWER = "lower"
    UPPER = "upper"


def case_of(texts: Iterable[str]) -> Case:
    """How the words of a transcript are written, all in all."""
    texts = list(texts)
    words = [word for text in texts for word in _WORD.findall(text)]
    if len(words) < _FEWEST_WORDS:
        return Case.MIXED
    letters = sum(map(len, words))
    if sum(c.isupper() for word in words for c in word) >= _LETTER_SHARE * letters:
        return Case.UPPER
    capitals = sum(word[0].isupper() and word != "I" for word in words)
    opened = [opening.group() for text in texts if (opening := _WORD.search(text))]
    small = sum(word[0].islower() for word in opened)
    is_typed = len(opened) >= _FEWEST_TURNS and small >= _SMALL_SHARE * len(opened)
    return Case.LOWER if capitals <= _WORD_SHARE * len(words) or is_typed else Case.MIXED


def without_capitals(text: str) -> str:
    """The text in small letters."""
    return "".join(lower if len(lower := c.lower()) == 1 else c for c in text)


def with_capitals(text: str, names: frozenset[str] = frozenset()) -> str:
    """The text with capitals at the starts of sentences that marks tell, of known names, and for "I"."""
    known = _KNOWN | (names - _WORDS_TOO)
    text = _MONTH.sub(lambda m: m.group().capitalize(), text)
    text = _WORD.sub(lambda m: m.group().capitalize() if _is_name(m, known) else m.group(), text)
    return _AFTER_END.sub(lambda m: m.group()[:-1] + m.group()[-1].upper(), text)


def _is_name(match: re.Match[str], known: frozenset[str]) -> bool:
    """A word of `known` that is no part of a longer one: not the "i" of "i-95" or of "i.e."."""
    if match.group() not in known or len(match.group().capitalize()) != len(match.group()):
        return False
    before = match.string[max(0, match.start() - 1) : match.start()]
    after = match.string[match.end() : match.end() + 2]
    if before in _JOINS or (after[:1] in _JOINS and after[:1] not in (".", "'", "’")):
        return False
    return after[:1] != "." or not after[1:].isalnum()
