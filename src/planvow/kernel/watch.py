"""What a search tells those who look on, and what it hands over in the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from planvow.kernel.domain import Command
from planvow.kernel.state import State

SATISFIED = "satisfied"
NO_METHOD = "none of its methods leads on"
NO_REASON = "it gave no reason"

Node = tuple[int, Any, Any, int]
"""One node of a finished path: (parent id, item, how, ordinal). `how` is the Command or Method, or the word "satisfied"
or "check" for a goal that held; `ordinal` says which of a generator's decompositions was taken."""


class Trail(Sequence[Node]):
    """A finished path as a sequence of nodes, which are made when they are first asked for."""

    def __init__(self, parents: list[int], items: list[Any], hows: list[Any], ordinals: list[int]) -> None:
        self._columns = parents, items, hows, ordinals

    @cached_property
    def _nodes(self) -> tuple[Node, ...]:
        return tuple(zip(*self._columns, strict=True))

    @cached_property
    def commands(self) -> tuple[Any, ...]:
        """The items of the commands, in order."""
        _, items, hows, _ = self._columns
        return tuple([item for item, how in zip(items, hows, strict=True) if type(how) is Command])

    def __len__(self) -> int:
        return len(self._columns[0])

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


class Watcher(Protocol):
    """Told everything a search does. A node id is a place on the path.

    After `back(n)` the nodes n+1, n+2 … are gone and n is about to be done in another way; after `back(0)` the search
    starts again.
    """

    def chose(self, node_id: int, parent_id: int, item: Any, how: Any, ordinal: int) -> None: ...

    def refused(self, node_id: int, item: Any, how: Any, reason: str) -> None: ...

    def dead_end(self, node_id: int, parent_id: int, item: Any, reason: str) -> None: ...

    def back(self, node_id: int) -> None: ...


class Progress(NamedTuple):
    """How far a running search is."""

    iterations: int
    depth: int
    backtracks: int


class Found(NamedTuple):
    """A plan, as the path that led to it."""

    trail: Sequence[Node]
    final_state: State
    cost: float
    reports: Mapping[str, Any]
    annotations: Mapping[int, Mapping[str, Any]]
    """Metadata that `attach_metadata` put on items, by node id."""
