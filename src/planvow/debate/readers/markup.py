"""Words out of mark-up, with the way back: what a tag or an entity stands for, and where it stood.

The words are put together from pieces of the raw text. Every character remembers where it comes from, so a chunk that
is cut out of them points at the raw text exactly as given: a tag in the middle of a word is a hole, an entity is one
character with a longer raw form.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from dataclasses import replace

from planvow.debate.readers.clean import Chunk

_LONGEST_CHARACTER = 2  # characters that one entity may stand for
_CUE_MARKUP = re.compile(
    r"""(?P<voice><v(?:\.[^\s<>]*)?[ \t]+(?P<name>[^<>\n]+)>)
    |(?P<tag></?[a-zA-Z][^<>\n]{0,80}>|<\d[\d:.]{3,15}>|\{\\[^{}\n]{0,80}\})
    |(?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});)""",
    re.VERBOSE,
)


class PlainWords:
    """The words of marked-up text and the raw place of each character."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._jumps: list[tuple[int, int, int]] = []
        """(position, raw start, raw length) of each character that does not follow the one before it in the raw text"""
        self._raw_end: int | None = None

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def length(self) -> int:
        return self._length

    def add(self, words: str, raw_start: int) -> None:
        """Add characters that stand so in the raw text."""
        if not words:
            return
        if raw_start != self._raw_end:
            self._jumps.append((self._length, raw_start, 1))
        self._parts.append(words)
        self._length += len(words)
        self._raw_end = raw_start + len(words)

    def add_character(self, character: str, raw_start: int, raw_length: int) -> None:
        """Add one character that the raw text writes in another form."""
        self._jumps.append((self._length, raw_start, raw_length))
        self._parts.append(character)
        self._length += 1
        self._raw_end = raw_start + raw_length

    def add_entity(self, entity: str, raw_start: int) -> None:
        """Add what an entity stands for; one that nobody knows stands for itself."""
        meant = html.unescape(entity)
        if not meant or len(meant) > _LONGEST_CHARACTER:
            self.add(entity, raw_start)
            return
        self.add_character(meant[0], raw_start, len(entity))
        for character in meant[1:]:
            self.add_character(character, raw_start + len(entity), 0)

    def raw_place(self, position: int) -> int:
        """Return where a character stands in the raw text."""
        at = bisect_left(self._jumps, (position + 1,)) - 1
        if at < 0:
            return position
        jumped, raw_start, raw_length = self._jumps[at]
        return raw_start if position == jumped else raw_start + raw_length + (position - jumped - 1)

    def placed(self, chunk: Chunk) -> Chunk:
        """Return a chunk of these words as a chunk of the raw text."""
        start, end = chunk.raw_start, chunk.raw_start + len(chunk.content)
        first, after = bisect_left(self._jumps, (start,)), bisect_left(self._jumps, (end,))
        escapes = tuple((at - start, raw_start, length) for at, raw_start, length in self._jumps[first:after])
        return replace(chunk, raw_start=self.raw_place(start) if chunk.content else chunk.raw_start, escapes=escapes)


def cue_words(raw: str, raw_start: int) -> tuple[PlainWords, list[tuple[int, str]]]:
    """The words of a subtitle cue, and (position, name) of the voices that are marked in it."""
    words = PlainWords()
    voices: list[tuple[int, str]] = []
    at = 0
    for mark in _CUE_MARKUP.finditer(raw):
        words.add(raw[at : mark.start()], raw_start + at)
        if mark["entity"]:
            words.add_entity(mark["entity"], raw_start + mark.start())
        elif mark["voice"] and mark["name"].strip():
            voices.append((words.length, html.unescape(mark["name"]).strip()))
        at = mark.end()
    words.add(raw[at:], raw_start + at)
    return words, voices
