"""What a search tells those who look on, and what it hands over in the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from planvow.kernel.state import State

SATISFIED = "satisfied"
NO_METHOD = "none of its methods leads on"
NO_REASON = "it gave no reason"

Node = tuple[int, Any, Any, int]
"""One node of a finished path: (parent id, item, how, ordinal). `how` is the Command or Method, or the word "satisfied"
or "check" for a goal that held; `ordinal` says which of a generator's decompositions was taken."""


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

    trail: tuple[Node, ...]
    final_state: State
    cost: float
    reports: Mapping[str, Any]
    annotations: Mapping[int, Mapping[str, Any]]
    """Metadata that `attach_metadata` put on items, by node id."""
