"""A sentence as tokens that remember where they stand: words, quotations and marks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

MOST_TOKENS = 80
"""Longer sentences are not read: charts grow with the square of their length."""
WORD, QUOTED, COMMA, STOP = "word", "quoted", "comma", "stop"
_TOKEN = re.compile(
    r"\"(?P<double>[^\"]*)\"|(?<![\w])'(?P<single>[^']*)'(?!\w)|(?P<comma>,|[–—]|--+|(?<=\s)-(?=\s)|…|\.\.\.+(?=\s))"
    r"|(?P<stop>;|[.!?]+(?=\s))|(?P<colon>:(?=\s))|(?P<word>(?:(?![,;\"–—…]|[.!?]+\s|:\s|\.\.\.\s)\S)+)|(?P<other>\S)"
)  # fmt: skip
_BULLET = re.compile(r"^\s*[-*•]\s+")
_CURLY = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'"})


@dataclass(frozen=True)
class Token:
    """One word, quotation or mark: what it is, what it says, and where it stands in the sentence."""

    kind: str
    text: str
    start: int
    end: int

    @cached_property
    def folded(self) -> str:
        """The word as it is compared."""
        return self.text.casefold()


def straight(text: str) -> str:
    """Return a text with single blanks and straight quotes."""
    return " ".join(text.translate(_CURLY).split())


def lines_as_steps(text: str) -> str | None:
    """Return a text of several lines with a full stop after each, or None for one line or quotes that go on."""
    lines = [_BULLET.sub("", line).strip() for line in text.translate(_CURLY).splitlines()]
    lines = [line for line in lines if line]
    if len(lines) < 2 or any(line.count('"') % 2 for line in lines):
        return None
    return " ".join(line if line[-1] in ".,;:!?" else f"{line}." for line in lines)


def tokens_of(sentence: str) -> tuple[Token, ...]:
    """Cut a sentence (already `straight`) into tokens."""
    found = []
    for match in _TOKEN.finditer(sentence):
        kind = {"double": QUOTED, "single": QUOTED, "comma": COMMA, "stop": STOP}.get(match.lastgroup or "", WORD)
        text = match[match.lastgroup or 0] if kind == QUOTED else match[0]
        found.append(Token(kind, text, match.start(), match.end()))
    return tuple(found)
