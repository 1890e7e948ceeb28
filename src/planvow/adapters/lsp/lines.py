"""A text as editors see it: lines from 0, and columns in the units of the client's encoding."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from planvow.hddl.language.source import line_starts

UTF8, UTF16, UTF32 = "utf-8", "utf-16", "utf-32"


class Lines:
    """One version of a text. Lines end with a line feed, as in the reader."""

    def __init__(self, text: str, encoding: str = UTF16) -> None:
        self.text = text
        self._encoding = encoding

    @cached_property
    def _starts(self) -> list[int]:
        return line_starts(self.text)

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset) - 1
        return line, self._units(self.text[self._starts[line] : offset])

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a place; one beyond a line or the text is at its end."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self.text)
        start = self._starts[line]
        end = self._starts[line + 1] - 1 if line + 1 < len(self._starts) else len(self.text)
        found, units = start, 0
        if self._encoding == UTF32 or self.text[start:end].isascii():
            return min(start + max(0, column), end)
        while found < end and units < column:
            units += self._units(self.text[found])
            found += 1
        return found

    def start_of(self, line: int) -> int:
        """Return the offset at which a line starts."""
        return self._starts[line]

    def replaced(self, text: str) -> Lines:
        """Return another text in the same encoding."""
        return Lines(text, self._encoding)

    def changed(self, start: tuple[int, int], end: tuple[int, int], text: str) -> Lines:
        """Return the text with what stands between two places replaced."""
        first, last = self.offset(*start), self.offset(*end)
        return self.replaced(self.text[:first] + text + self.text[max(first, last) :])

    def _units(self, text: str) -> int:
        if self._encoding == UTF32 or text.isascii():
            return len(text)
        if self._encoding == UTF8:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(character > "\uffff" for character in text)
