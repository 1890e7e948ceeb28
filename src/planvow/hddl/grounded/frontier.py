"""Nodes that wait, and which of them comes next.

The node with the smallest estimate comes first; among equals one that is preferred, then the one met last. On a plateau
that order looks at the neighbours of one node for ever. A diverse frontier therefore takes every other node from
anywhere: a kind of node (estimate and length of the way to it) drawn evenly, then a node of that kind. The draws derive
from a counter, so they are the same in every run.

Source: Xie, Müller, Holte, Imai, Type-Based Exploration with Multiple Search Queues (AAAI 2014).
"""

from __future__ import annotations

import heapq
from typing import Any

from planvow.hddl.lifted.depth_first import mix

Node = tuple[Any, ...]


class Frontier:
    """Nodes under estimates. `diverse` draws every other one from all kinds evenly."""

    def __init__(self, *, diverse: bool) -> None:
        self._queue: list[tuple[int, bool, int, Node]] = []
        self._kinds: dict[tuple[int, int], list[tuple[int, Node]]] | None = {} if diverse else None
        self._names: list[tuple[int, int]] = []
        self._taken: set[int] = set()
        """Nodes, by the order of their arrival, that one way took and the other has still to pass over."""
        self._order = 0
        self._turn = 0
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def put(self, estimate: int, is_less: bool, length: int, node: Node) -> None:
        """Let a node wait; `is_less` puts it behind those of the same estimate that are preferred."""
        self._order -= 1
        self._size += 1
        heapq.heappush(self._queue, (estimate, is_less, self._order, node))
        if self._kinds is not None:
            kind = (estimate, length)
            if kind not in self._kinds:
                self._kinds[kind] = []
                self._names.append(kind)
            self._kinds[kind].append((self._order, node))

    def pop(self) -> Node:
        """Take the next node. There must be one."""
        self._size -= 1
        self._turn += 1
        if self._kinds is not None and self._turn % 2 == 0:
            return self._drawn()
        while True:
            _, _, order, node = heapq.heappop(self._queue)
            if self._is_left(order):
                return node

    def _drawn(self) -> Node:
        assert self._kinds is not None
        step = 0
        while True:
            step += 1
            place = mix(self._turn, step) % len(self._names)
            group = self._kinds[self._names[place]]
            other = mix(self._turn, step, place) % len(group)
            group[other], group[-1] = group[-1], group[other]
            order, node = group.pop()
            if not group:
                del self._kinds[self._names[place]]
                self._names[place] = self._names[-1]
                self._names.pop()
            if self._is_left(order):
                return node

    def _is_left(self, order: int) -> bool:
        """Whether a node was not taken the other way; afterwards it is taken."""
        if self._kinds is None:
            return True
        if order in self._taken:
            self._taken.discard(order)
            return False
        self._taken.add(order)
        return True
