"""A text with a name, and places in it: how every message about an HDDL file says where."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

_SHOWN = 100


@dataclass(frozen=True)
class Place:
    """A file, a line and a column, both counted from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def line_starts(text: str) -> list[int]:
    """Return the offset at which each line starts; lines end with a line feed."""
    starts, position = [0], text.find("\n")
    while position >= 0:
        starts.append(position + 1)
        position = text.find("\n", position + 1)
    return starts


@dataclass(frozen=True)
class Source:
    """The text of one file. Offsets are cheap to carry; lines and columns are worked out when somebody asks."""

    text: str
    file: str

    @cached_property
    def _line_starts(self) -> list[int]:
        return line_starts(self.text)

    def place(self, at: int) -> Place:
        """Return the place of an offset."""
        line = bisect_right(self._line_starts, at)
        return Place(self.file, line, at - self._line_starts[line - 1] + 1)

    def excerpt(self, at: int) -> str:
        """Return the line an offset is in, with a caret below the place; a very long line is cut around it."""
        place = self.place(at)
        start = self._line_starts[place.line - 1]
        end = self.text.find("\n", start)
        line = self.text[start : end if end >= 0 else len(self.text)]
        column = place.column - 1
        left = max(0, column - _SHOWN // 2) if len(line) > _SHOWN else 0
        shown = "".join(c if c.isprintable() else "·" for c in line[left : left + _SHOWN].replace("\t", " "))
        number = str(place.line)
        return f"  {number} | {shown}\n  {' ' * len(number)} | {' ' * (column - left)}^"


NO_SOURCE = Source("", "<built>")
