"""Names that HDDL can write, for things that may be called anything.

unified-planning takes any text as a name: with blanks, parentheses, words of HDDL, and names that differ in case only,
which most HDDL readers take for one. A name that can be written stays as it is, so plans and messages read as the
author wrote; any other gets the nearest one that is free, the same in every run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_STRANGE = re.compile(r"[^A-Za-z0-9_-]")
_RESERVED = frozenset(
    [
        "and",
        "assign",
        "decrease",
        "define",
        "domain",
        "either",
        "exists",
        "forall",
        "imply",
        "increase",
        "maximize",
        "minimize",
        "not",
        "number",
        "object",
        "or",
        "preference",
        "problem",
        "root",
        "sortof",
        "total-cost",
        "when",
    ]
)


class Names:
    """One name for each key. `mark` stands before all of them (`?` for variables)."""

    def __init__(self, mark: str = "", wanted: Iterable[str] = ()) -> None:
        self._mark = mark
        self._given: dict[str, str] = {}
        self._used: set[str] = set()
        for name in wanted:
            self.add(name)

    def __contains__(self, key: str) -> bool:
        return key in self._given

    def __getitem__(self, key: str) -> str:
        return self._given[key]

    def add(self, key: str, wanted: str | None = None) -> str:
        """Give a key its name, made of the wanted one (or of the key), and return it."""
        name = self._free(_writable(key if wanted is None else wanted))
        self._used.add(name.lower())
        self._given[key] = f"{self._mark}{name}"
        return self._given[key]

    def _free(self, name: str) -> str:
        number, free = 1, name
        while free.lower() in self._used:
            number += 1
            free = f"{name}_{number}"
        return free


def _writable(name: str) -> str:
    if not _PLAIN.fullmatch(name):
        name = _STRANGE.sub("_", name)
        if not name[:1].isalpha():
            name = f"n{name}" if name else "nameless"
    return f"{name}_" if name.lower() in _RESERVED else name
