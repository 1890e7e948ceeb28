"""Sets of words, written as a text."""

from __future__ import annotations


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())
