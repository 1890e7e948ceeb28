"""Near names: how many slips of the finger lie between two words, and which known word a misspelt one may be."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache


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


@lru_cache(maxsize=20_000)
def is_slip(word: str, name: str) -> bool:
    """Say whether a word can only be a slip for a name: for short names two letters swapped or one missing or doubled,
    because another letter mostly makes another word."""
    if not word.isascii() or not word.isalpha() or len(name) < 4 or word == name or slips(word, name, 1) > 1:
        return False
    if len(name) > 5:
        return word[0] == name[0] or word[:2] == name[1::-1]
    if len(word) == len(name):
        return sorted(word) == sorted(name)
    if len(word) < len(name):
        return word[0] == name[0] and word not in _WORDS
    return any(word[:i] + word[i + 1 :] == name and word[i] in word[max(i - 1, 0)] for i in range(1, len(word)))


_WORDS = frozenset({"end", "fin", "find", "fine", "lit", "red", "rad", "rea", "pen", "star"})
