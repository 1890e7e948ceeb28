"""Keys as rows of parts, some of them open, with their values: which effects may bring what a statement asks.

A value may have dots in it, as `notes.txt` in `file.{path}.exists`: an open part stands for one part or several.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from typing import Generic, TypeVar

from planvow.canonical import canonical_json
from planvow.tools.statements import NOTHING, Statement

Pattern = tuple[str, ...]
OPEN = "{}"
NOT_TRUE = "not true"
Maker = TypeVar("Maker", bound=Hashable)


def key_pattern(statement: Statement) -> Pattern:
    """Return the parts of a key between its dots; one that holds a name is open."""
    plain = statement.bound(dict.fromkeys(statement.names, OPEN)) if statement.names else statement
    return tuple(OPEN if OPEN in part else part for part in plain.key.split("."))


def value_word(statement: Statement) -> str:
    """Return which value a statement is about, in one spelling; a value that holds a name is open.

    That a key is not true is met by nothing known as well as by false, so both have one word.
    """
    if statement.value is NOTHING or statement.value is False:
        return NOT_TRUE
    if isinstance(statement.value, str) and "{" in statement.value and statement.names:
        return OPEN
    return canonical_json(statement.value)


class KeyTree(Generic[Maker]):
    """Makers by the key they are about and the value they give it; an open part, or value, may be any."""

    def __init__(self, *, is_open: bool = False) -> None:
        self._is_open = is_open
        self._children: dict[str, KeyTree[Maker]] = {}
        self._makers: dict[str, dict[Maker, None]] = {}
        self._found: dict[Pattern, bool] = {}

    def add(self, statement: Statement, maker: Maker) -> None:
        """Put a maker under what a statement says."""
        self.put(key_pattern(statement), value_word(statement), maker)

    def put(self, pattern: Pattern, value: str, maker: Maker) -> None:
        """Put a maker under a key and a value."""
        self._found.clear()
        node = self
        for part in pattern:
            node = node._children.setdefault(part, KeyTree(is_open=part == OPEN))
        node._makers.setdefault(value, {})[maker] = None

    def has(self, pattern: Pattern) -> bool:
        """Say whether something here can be the same as this key."""
        first = pattern[0]
        if first not in self._children and first != OPEN and OPEN not in self._children:
            return False  # as of most
        known = self._found.get(pattern)
        if known is None:
            known = self._found[pattern] = any(node._makers for node in self._under(pattern))
        return known

    def meeting(self, pattern: Pattern, value: str) -> Iterator[Maker]:
        """Yield the makers under everything that can be the same as this key with this value."""
        for group in self.groups(pattern, value):
            yield from group

    def groups(self, pattern: Pattern, value: str) -> Iterator[dict[Maker, None]]:
        """Yield the same, those together that are under one key and one value."""
        for node in self._under(pattern):
            for word in node._makers if value == OPEN else (value, OPEN):
                if word in node._makers:
                    yield node._makers[word]

    def _under(self, pattern: Pattern) -> Iterable[KeyTree[Maker]]:
        nodes: dict[KeyTree[Maker], None] = {self: None}
        for part in pattern:
            after = {node: None for node in nodes if node._is_open}
            if part == OPEN:
                after |= {below: None for node in nodes for below in node._below()}
            else:
                found = [node._children.get(one) for node in nodes for one in (part, OPEN)]
                after |= {child: None for child in found if child is not None}
            nodes = after
        return nodes

    def _below(self) -> Iterator[KeyTree[Maker]]:
        line = deque(self._children.values())
        while line:
            node = line.popleft()
            yield node
            line += node._children.values()
