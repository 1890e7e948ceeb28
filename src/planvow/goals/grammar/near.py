"""Near names: how many slips of the finger lie between two words, and which known word a misspelt one may be."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise


@lru_cache(maxsize=20_000)
def slips(one: str, other: str, limit: int = 2) -> int:
    """Return the slips (a letter missing, doubled, wrong, or two swapped) between two words, at most `limit` + 1."""
    if abs(len(one) - len(other)) > limit:
        return limit + 1
    before = list(range(len(other) + 1))
    last: list[int] = []
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, there in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != there))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == there:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        before, last = row, before
    return min(before[-1], limit + 1)


def near(word: str, known: Iterable[str], limit: int = 2) -> tuple[str, ...]:
    """Return the known names that a word may be a slip for, the nearest first. Short words have no room for slips."""
    room = 0 if len(word) < 4 or not word.isascii() else 1 if len(word) < 6 else limit
    scored = sorted((slips(word, name, room), name) for name in known if len(name) > 3)
    return tuple(name for count, name in scored if 0 < count <= room)


@lru_cache(maxsize=200_000)
def is_slip(word: str, name: str) -> bool:
    """Say whether a word can only be a slip for a name: for short names two letters swapped, one missing or doubled, or
    the key beside it, because another letter mostly makes another word; long names have room for two slips."""
    room = 2 if len(name) > 7 else 1
    if word == name or len(name) < 4:
        return False
    if len(word) > 3 and word == _skeleton(name):
        return True
    if abs(len(word) - len(name)) > room:
        return False
    if (word[:1] != name[0] and word[:2] != name[1::-1]) or not word.isascii() or not word.isalpha():
        return False
    if word in _WORDS or slips(word, name, room) > room or _is_form(word, name):
        return False
    if len(name) > 5:
        return True
    if len(word) == len(name):
        return sorted(word) == sorted(name) or _is_beside(word, name)
    if len(word) < len(name):
        return word[0] == name[0]
    return len(name) > 4 or any(
        word[:i] + word[i + 1 :] == name and word[i] == word[i - 1] for i in range(1, len(word))
    )


@lru_cache(maxsize=2_000)
def _skeleton(name: str) -> str:
    """Return a name without its vowels: `sptfy`."""
    return name[0] + "".join(letter for letter in name[1:] if letter not in "aeiou")


def _is_form(word: str, name: str) -> bool:
    """Say whether a word is only another form of a name: `renamed`, `searches`, `creating`."""
    longer, shorter = (word, name) if len(word) > len(name) else (name, word)
    stem = shorter.removesuffix("e")
    return longer in {shorter + end for end in _ENDS} | {stem + end for end in _ENDS}


def _is_beside(word: str, name: str) -> bool:
    """Say whether one letter was hit on the key beside it, after the first."""
    pairs = [(a, b) for a, b in zip(word, name, strict=True) if a != b]
    return len(pairs) == 1 and word[0] == name[0] and frozenset(pairs[0]) in _BESIDE


def _split(text: str) -> list[str]:
    return text.split()


_ENDS = ("s", "d", "r", "ed", "er", "ing", "es", "ers")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_BESIDE = frozenset(frozenset(pair) for row in _ROWS for pair in pairwise(row))
_WORDS = frozenset(
    _split(
        "bake batch bead bear bind binge bling block bold bone bong bread break bring budget bunch "
        "bung cake came cape catch chance charge "
        "chat clock code cold cope cord core cosy cove cow creak cream crop crow data date dead deal dear deem delta "
        "dine does dome done dope dose dove dream dump end face faint fear feed file fin fine fins fire fold ford "
        "fork form game gave goes gold gone gong gore grate great hat hatch head heading hear heart hire hold holder "
        "hole hope hunch item jump kind lack lake last latch lead lime line lit load lock lord lost love mace maid "
        "mail main male mare mark marked market mart mask mass massage match meal mess message mice mile mind mine "
        "mist mode mold mote near need nine nope note older pack pain pant past patch pear pen pint plaint plane "
        "planet plant plate point poll pool pope post pull pump punch push race rad raid rare rate rave rea reading "
        "real rear red reed relate remote remover rime road rope rove sack saint sake same sane saved seal seam seed "
        "seem seems shop side slap slow smart snow soap sock soft soil sole sort spring star starch stat stem stow "
        "stream string sword tale target team teas teem than though thought through tide tie tile tire toad told tone "
        "treat tune wake ward watch wear weed whet wide widget wire wish wit work world year zoo"
    )
)
"""Words that stand for themselves."""
