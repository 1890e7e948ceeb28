"""Keys as rows of parts, some of them open, with their values: which effects may bring what a statement asks."""

from __future__ import annotations

from collections.abc import Iterator

from planvow.canonical import canonical_json
from planvow.tools.statements import NOTHING, Statement

Pattern = tuple[str, ...]
OPEN = "{}"
_NOT_TRUE = "not true"


def key_pattern(statement: Statement) -> Pattern:
    """Return the parts of a key between its dots; one that holds a name is open."""
    plain = statement.bound(dict.fromkeys(statement.names, OPEN)) if statement.names else statement
    return tuple(OPEN if OPEN in part else part for part in plain.key.split("."))


def value_word(statement: Statement) -> str:
    """Return which value a statement is about, in one spelling; a value that holds a name is open.

    That a key is not true is met by nothing known as well as by false, so both have one word.
    """
    if statement.value is NOTHING or statement.value is False:
        return _NOT_TRUE
    if isinstance(statement.value, str) and "{" in statement.value and statement.names:
        return OPEN
    return canonical_json(statement.value)


class KeyTree:
    """Names by the key they are about and the value they give it; an open part, or value, may be any."""

    def __init__(self) -> None:
        self._children: dict[str, KeyTree] = {}
        self._names: dict[str, dict[str, None]] = {}

    def add(self, statement: Statement, name: str) -> None:
        """Put a name under what a statement says."""
        node = self
        for part in key_pattern(statement):
            node = node._children.setdefault(part, KeyTree())
        node._names.setdefault(value_word(statement), {})[name] = None

    def meeting(self, pattern: Pattern, value: str) -> Iterator[str]:
        """Yield the names under everything that can be the same as this key with this value."""
        nodes = [self]
        for part in pattern:
            if part == OPEN:
                nodes = [child for node in nodes for child in node._children.values()]
            else:
                found = [node._children.get(one) for node in nodes for one in (part, OPEN)]
                nodes = [child for child in found if child is not None]
        for node in nodes:
            for word in node._names if value == OPEN else (value, OPEN):
                yield from node._names.get(word, ())
