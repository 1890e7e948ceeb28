"""Hashes of many subtrees of one log, for which the whole log is read once.

The root of every 256 leaves is kept, which is an eighth of a byte for each. A larger subtree is joined from those; for
a smaller one the leaves of its block are read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from planvow.cassette.log.merkle import merkle_root
from planvow.hash_tree import node_hash

BLOCK = 256
Read = Callable[[int, int], Iterable[bytes]]
"""Return the leaves from one place up to another, which is left out."""


class LogBlocks:
    """The first `size` leaves of a log."""

    def __init__(self, read: Read, size: int) -> None:
        self._read = read
        leaves = iter(read(0, size))
        self._roots = [bytes.fromhex(merkle_root(islice(leaves, BLOCK))) for _ in range(-(-size // BLOCK))]
        self.size = size
        self._block: tuple[int, list[bytes]] = (-1, [])

    def hash_of(self, start: int, end: int) -> str:
        """Return the hash of a subtree. Those of fewer leaves than a block lie in one, larger ones begin with one."""
        if end - start < BLOCK:
            leaves = self._leaves(start // BLOCK)
            return merkle_root(leaves[start % BLOCK : start % BLOCK + end - start])
        level = self._roots[start // BLOCK : -(-end // BLOCK)]
        while len(level) > 1:  # neighbours are joined; one without a neighbour moves up, which is the RFC's tree
            paired = [node_hash(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
            level = paired + level[-1:] if len(level) % 2 else paired
        return level[0].hex()

    def _leaves(self, number: int) -> list[bytes]:
        if self._block[0] != number:
            self._block = (number, list(self._read(number * BLOCK, min(self.size, (number + 1) * BLOCK))))
        return self._block[1]
