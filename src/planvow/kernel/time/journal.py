"""Tables that can go back: every entry is noted with what was there, and undone down to a mark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Table = dict[Any, Any]
Shared = Any
"""A list that branches share: None, or (first, rest)."""


class Journal:
    """What was put into which table; one that never goes back notes nothing."""

    def __init__(self, *, goes_back: bool) -> None:
        self._goes_back = goes_back
        self._log: list[Any] = []  # three places an entry: table, key, what was there; no object per entry

    def mark(self) -> int:
        return len(self._log)

    def undo(self, mark: int) -> None:
        """Forget everything since a mark."""
        log = self._log
        for place in range(len(log) - 3, mark - 1, -3):
            table, key, old = log[place : place + 3]
            if old is None:
                table.pop(key, None)
            else:
                table[key] = old
        del log[mark:]

    def _put(self, table: Table, key: object, value: object) -> None:
        if self._goes_back:
            self._log += (table, key, table.get(key))
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value

    def _prepend(self, table: Table, key: object, element: object) -> None:
        """Put an element before the list that a table holds."""
        held = table.get(key)
        if self._goes_back:
            self._log += (table, key, held)
        table[key] = (element, held)


def elements(listed: Shared) -> Iterator[Any]:
    """Go through a shared list."""
    while listed is not None:
        yield listed[0]
        listed = listed[1]
