"""Keys as rows of parts, some of them open: which effects may be about what a statement asks."""

from __future__ import annotations

from collections.abc import Iterator

from planvow.tools.statements import Statement

Pattern = tuple[str, ...]
OPEN = "{}"


def key_pattern(statement: Statement) -> Pattern:
    """Return the parts of a key between its dots; one that holds a name is open."""
    plain = statement.bound(dict.fromkeys(statement.names, OPEN)) if statement.names else statement
    return tuple(OPEN if OPEN in part else part for part in plain.key.split("."))


class KeyTree:
    """Names by the key they are about: a part is found under itself and under the open part."""

    def __init__(self) -> None:
        self._children: dict[str, KeyTree] = {}
        self._names: dict[str, None] = {}

    def add(self, pattern: Pattern, name: str) -> None:
        """Put a name under a key."""
        node = self
        for part in pattern:
            node = node._children.setdefault(part, KeyTree())
        node._names[name] = None

    def meeting(self, pattern: Pattern) -> Iterator[str]:
        """Yield the names under every key that can be the same as this one."""
        nodes = [self]
        for part in pattern:
            if part == OPEN:
                nodes = [child for node in nodes for child in node._children.values()]
            else:
                found = [node._children.get(one) for node in nodes for one in (part, OPEN)]
                nodes = [child for child in found if child is not None]
        for node in nodes:
            yield from node._names
