"""Nodes that wait, and which of them comes next.

The node with the smallest estimate comes first; among equals one that is preferred, then the one met last. On a plateau
that order looks at the neighbours of one node for ever. Every other node may therefore be taken in other ways, which
take turns:

- The first of those that are new: a node is new when its state has a fact, or its agenda a task in front, that no node
  under the same estimate had before. What was seen is one bit set for each estimate.
- One from anywhere: a kind of node (estimate and length of the way to it) drawn evenly, then a node of that kind. The
  draws derive from a counter, so they are the same in every run.

Sources: Katz, Lipovetzky, Moshkovich, Tuisov, Adapting Novelty to Classical Planning as Heuristic Search (ICAPS 2017);
Xie, Müller, Holte, Imai, Type-Based Exploration with Multiple Search Queues (AAAI 2014).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any

from planvow.hddl.lifted.depth_first import mix

Node = tuple[Any, ...]
Queue = list[tuple[int, bool, int, Node]]


class Frontier:
    """Nodes under estimates. `novel` and `diverse` say which other ways there are to take every other node."""

    def __init__(self, *, novel: bool, diverse: bool) -> None:
        self._queue: Queue = []
        self._is_novel, self._is_diverse = novel, diverse
        ways = ((Frontier._new, novel), (Frontier._drawn, diverse))
        self._others: list[Callable[[Frontier], Node]] = [take for take, is_in in ways if is_in]
        self._novel: Queue = []
        self._facts: dict[int, int] = {}
        """By estimate, the facts that held in any of its nodes."""
        self._fronts: set[tuple[int, object]] = set()
        """Estimates, and the tasks in front of their nodes."""
        self._kinds: dict[tuple[int, int], list[tuple[int, Node]]] = {}
        self._names: list[tuple[int, int]] = []
        self._is_taken = bytearray()
        """By the order of their arrival: a node taken one way has still to be passed over in the others."""
        self._turn = 0
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def put(
        self, estimate: int, is_less: bool, length: int, node: Node, *, state: int = 0, front: object = None
    ) -> None:
        """Let a node wait, under an estimate and the length of the way to it.

        `is_less` puts it behind those of the same estimate that are preferred. `state` and `front`, the task that comes
        next, say whether it is new; without `novel` nobody asks for them.
        """
        number = len(self._is_taken)
        self._is_taken.append(False)
        self._size += 1
        entry = (estimate, is_less, -number, node)
        heapq.heappush(self._queue, entry)
        if self._is_novel and self._is_new(estimate, state, front):
            heapq.heappush(self._novel, entry)
        if self._is_diverse:
            kind = (estimate, length)
            if kind not in self._kinds:
                self._kinds[kind] = []
                self._names.append(kind)
            self._kinds[kind].append((number, node))

    def pop(self) -> Node:
        """Take the next node. There must be one."""
        self._size -= 1
        self._turn += 1
        turn, is_other = divmod(self._turn, 2)
        if is_other or not self._others:
            return self._best()
        return self._others[(turn - 1) % len(self._others)](self)

    def _best(self) -> Node:
        node = self._first(self._queue)
        assert node is not None
        return node

    def _new(self) -> Node:
        """Take the best new node, or the best of all when there is none."""
        node = self._first(self._novel)
        return node if node is not None else self._best()

    def _drawn(self) -> Node:
        step = 0
        while True:
            step += 1
            place = mix(self._turn, step) % len(self._names)
            group = self._kinds[self._names[place]]
            other = mix(self._turn, step, place) % len(group)
            group[other], group[-1] = group[-1], group[other]
            number, node = group.pop()
            if not group:
                del self._kinds[self._names[place]]
                self._names[place] = self._names[-1]
                self._names.pop()
            if self._take(number):
                return node

    def _is_new(self, estimate: int, state: int, front: object) -> bool:
        """Whether a node shows something that none before showed under this estimate; afterwards it is seen."""
        seen = self._facts.get(estimate, 0)
        key = (estimate, front)
        if not state & ~seen and key in self._fronts:
            return False
        self._facts[estimate] = seen | state
        self._fronts.add(key)
        return True

    def _first(self, queue: Queue) -> Node | None:
        """Take the first node of a queue that was not taken another way."""
        while queue:
            _, _, number, node = heapq.heappop(queue)
            if self._take(-number):
                return node
        return None

    def _take(self, number: int) -> bool:
        """Whether a node was not taken another way; afterwards it is taken."""
        if self._is_taken[number]:
            return False
        self._is_taken[number] = True
        return True
