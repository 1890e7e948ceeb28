"""Slips of the finger anywhere in a sentence: words nobody knows become the one word they are nearest to.

Looser than the slips the lexicon mends while it reads, so a sentence is mended so only when nothing else reads it, and
what comes out may neither destroy anything nor name something that was not typed (`interpreter`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files

from planvow.goals.grammar.near import slips
from planvow.goals.grammar.words import words_of

ORDINARY = words_of(files("planvow.goals.rephrase").joinpath("ordinary.words").read_text(encoding="utf-8"))
"""Ordinary words of English: whoever types one of them has made no slip."""
_WORD = re.compile(r"(?<![\w./~'\"-])[A-Za-z]{3,}(?![\w'/\"-]|\.\w)")
_ENDS = ("s", "d", "r", "ed", "er", "ing", "es", "ers", "ly", "y", "n", "en", "t")


def _is_form(word: str, other: str) -> bool:
    """Say whether two words are forms of one: `seconds`, `renamed`."""
    longer, shorter = (word, other) if len(word) > len(other) else (other, word)
    if not longer.startswith(shorter.removesuffix("e").removesuffix("y")):
        return False
    stem = shorter.removesuffix("e")
    return longer in {shorter + end for end in _ENDS} | {stem + end for end in _ENDS} | {
        stem + stem[-1:] + end for end in _ENDS
    }


@lru_cache(maxsize=4_000)
def _nearest(word: str, known: frozenset[str]) -> str | None:
    room = 1 if len(word) < 7 else 2
    if word in ORDINARY or any(_is_form(word, other) for other in known):
        return None
    best: dict[int, list[str]] = {}
    for other in known:
        if len(other) < 3 or abs(len(other) - len(word)) > room or (other[0] != word[0] and other[:2] != word[1::-1]):
            continue
        if len(word) == 3 and len(other) == 3:
            continue
        count = slips(word, other, room)
        if count <= room:
            best.setdefault(count, []).append(other)
    nearest = best[min(best)] if best else []
    return nearest[0] if len(nearest) == 1 else None


def mended(sentence: str, known: frozenset[str], plain: Iterable[str]) -> str:
    """Return a sentence with unknown words replaced by the one known word that is near; `plain` words stand."""
    standing = frozenset(plain)
    quoted = [match.span() for match in re.finditer(r"\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)", sentence)]

    def better(match: re.Match[str]) -> str:
        word = match[0].casefold()
        if word in known or word in standing or any(start <= match.start() < end for start, end in quoted):
            return match[0]
        return _nearest(word, known) or match[0]

    return _WORD.sub(better, sentence)
