"""What a search tells those who look on, and what it hands over in the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from planvow.kernel.domain.domain import Command
from planvow.kernel.search.table import item_key
from planvow.kernel.world.history import History
from planvow.kernel.world.state import State

SATISFIED = "satisfied"
NO_METHOD = "none of its methods leads on"
NO_REASON = "it gave no reason"
NO_OFFER = "it offered nothing"

Node = tuple[int, Any, Any, int]
"""One node of a finished path: (parent id, item, how, ordinal). `how` is the Command or Method, or the word "satisfied"
or "check" for a goal that held; `ordinal` says which of a generator's decompositions was taken."""


Columns = tuple[list[int], list[object], list[object], list[int]]
"""Nodes as four lists: parent ids, items, hows, ordinals."""


class Trail(Sequence[Node]):
    """A finished path as a sequence of nodes, which are made when they are first asked for."""

    def __init__(self, columns: Columns) -> None:
        self._given = columns

    @classmethod
    def of(cls, nodes: Sequence[Node]) -> Trail:
        """Return nodes as a trail."""
        if isinstance(nodes, Trail):
            return nodes
        return cls(([n[0] for n in nodes], [n[1] for n in nodes], [n[2] for n in nodes], [n[3] for n in nodes]))

    @property
    def columns(self) -> Columns:
        return self._given

    @property
    def parents(self) -> list[int]:
        return self.columns[0]

    @property
    def items(self) -> list[Any]:
        return self.columns[1]

    @property
    def hows(self) -> list[Any]:
        return self.columns[2]

    @cached_property
    def commands(self) -> tuple[object, ...]:
        """The items of the commands, in order, in a form that can be hashed."""
        _, items, hows, _ = self.columns
        commands = tuple([item for item, how in zip(items, hows, strict=True) if type(how) is Command])
        try:
            hash(commands)
        except TypeError:  # an argument is a list or the like
            return tuple(map(item_key, commands))
        return commands

    @cached_property
    def _nodes(self) -> tuple[Node, ...]:
        return tuple(zip(*self.columns, strict=True))

    def commands_from(self, index: int) -> tuple[object, ...]:
        """Return the items of the commands from a node on."""
        count = list(map(type, self.hows[index:])).count(Command)
        return self.commands[len(self.commands) - count :]

    def __len__(self) -> int:
        return len(self.columns[0])

    def __getitem__(self, index: Any) -> Any:
        return self._nodes[index]

    def __iter__(self) -> Iterator[Node]:
        return iter(self._nodes)

    def __add__(self, other: tuple[Node, ...]) -> tuple[Node, ...]:
        return self._nodes + tuple(other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._nodes == tuple(other)

    def __hash__(self) -> int:
        return hash(self._nodes)


class ContinuedTrail(Trail):
    """New nodes, then those of an older path from an index on; put together when they are first asked for."""

    def __init__(self, new: Trail, old: Trail, start: int) -> None:
        self.new, self._old, self.start = new, old, start

    @cached_property
    def columns(self) -> Columns:
        parents, items, hows, ordinals = self.new.columns
        start, shift = self.start, len(parents) - self.start
        old_parents, old_items, old_hows, old_ordinals = self._old.columns
        return (
            parents + [parent_id + shift if parent_id > start else 0 for parent_id in old_parents[start:]],
            items + old_items[start:],
            hows + old_hows[start:],
            ordinals + old_ordinals[start:],
        )

    @cached_property
    def commands(self) -> tuple[object, ...]:
        return self.new.commands + self._old.commands_from(self.start)


class Watcher(Protocol):
    """Told everything a search does. A node id is a place on the path.

    After `back(n)` the nodes n+1, n+2 … are gone and n is about to be done in another way; after `back(0)` the search
    starts again.
    """

    def chose(self, node_id: int, parent_id: int, item: Any, how: Any, ordinal: int, subtasks: Any = ()) -> None: ...

    def refused(self, node_id: int, item: Any, how: Any, reason: str) -> None: ...

    def dead_end(self, node_id: int, parent_id: int, item: Any, reason: str) -> None: ...

    def back(self, node_id: int) -> None: ...


class Progress(NamedTuple):
    """How far a running search is.

    >>> Progress(iterations=1000, depth=3, backtracks=7).depth
    3
    """

    iterations: int
    depth: int
    backtracks: int


class Found(NamedTuple):
    """A plan, as the path that led to it."""

    trail: Trail
    final_state: State
    cost: float
    reports: Mapping[str, object]
    annotations: Mapping[int, Mapping[str, object]]
    """Metadata that `attach_metadata` put on items, by node id."""
    history: History | None
    values: tuple[float, ...] | None = None
    """What the plan comes to in terms of what is made small."""
