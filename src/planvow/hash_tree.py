"""One hash over many leaves, as in RFC 6962, and a proof that some leaves stand where they are said to stand.

Leaves and inner nodes are hashed with different prefixes, so that neither can be passed off as the other. A proof for
any number of leaves is the list of hashes of the largest subtrees that hold none of them, from left to right: whoever
has the leaves can put the root together again, in time that grows with the leaves shown and the depth of the tree. A
root does not say how many leaves there are: keep the two together.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

EMPTY_ROOT = hashlib.sha256(b"").hexdigest()
_WIDTH = 32


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def split_point(size: int) -> int:
    """Return where a tree of at least two leaves parts: the largest power of two below the size."""
    return 1 << ((size - 1).bit_length() - 1)


class GrowingTree:
    """A tree of which only the roots of its whole subtrees are kept, largest first: what adding leaves needs.

    So a tree of any size takes a few hundred bytes. `peaks` continues one that was written down.
    """

    def __init__(self, size: int = 0, peaks: Sequence[bytes] = ()) -> None:
        if len(peaks) != size.bit_count():
            raise ValueError(f"a tree of {size} leaves has {size.bit_count()} whole subtrees, not {len(peaks)}")
        self.size = size
        self.peaks = list(peaks)

    def add(self, leaf: bytes) -> None:
        """Add a leaf; each whole subtree of its size to the left is joined with it."""
        node, rest = leaf_hash(leaf), self.size
        while rest % 2 == 1:
            node = node_hash(self.peaks.pop(), node)
            rest //= 2
        self.peaks.append(node)
        self.size += 1

    @property
    def root(self) -> str:
        if not self.peaks:
            return EMPTY_ROOT
        node = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            node = node_hash(peak, node)
        return node.hex()


class HashTree:
    """The hashes of a tree, level by level, each level as one piece of bytes."""

    def __init__(self, leaves: Iterator[bytes]) -> None:
        level = [leaf_hash(leaf) for leaf in leaves]
        self.size = len(level)
        self._levels = [b"".join(level)]
        while len(level) > 1:  # neighbours are joined; one without a neighbour moves up, which is the RFC's tree
            paired = [node_hash(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
            level = paired + level[-1:] if len(level) % 2 else paired
            self._levels.append(b"".join(level))

    @property
    def root(self) -> str:
        return self._levels[-1].hex() if self.size else EMPTY_ROOT

    def proof(self, places: Sequence[int]) -> list[str]:
        """Return the hashes that, with the leaves at these places (sorted), give the root."""
        return [self._hash_of(start, end).hex() for start, end in hidden_ranges(places, self.size)]

    def _hash_of(self, start: int, end: int) -> bytes:
        """Return the hash of a subtree: it stands alone on the first level on which its leaves have become one."""
        depth = (end - start - 1).bit_length()
        place = (start >> depth) * _WIDTH
        return self._levels[depth][place : place + _WIDTH]


def proved_root(leaves: Mapping[int, bytes], size: int, proof: Sequence[bytes]) -> str | None:
    """Return the root that leaves at their places and a proof give, or None where they do not fit together."""
    places = sorted(leaves)
    if size < 0 or any(not 0 <= place < size for place in places):
        return None
    if size == 0:
        return None if proof else EMPTY_ROOT
    given = iter(proof)
    hidden = {(start, end): next(given, b"") for start, end in hidden_ranges(places, size)}
    if next(given, None) is not None or any(len(value) != _WIDTH for value in hidden.values()):
        return None
    return _joined(0, size, places, leaves, hidden).hex()


def _joined(
    start: int, end: int, places: list[int], leaves: Mapping[int, bytes], hidden: Mapping[tuple[int, int], bytes]
) -> bytes:
    """Put a subtree together; as deep as the tree, which is the logarithm of its size."""
    known = hidden.get((start, end))
    if known is not None:
        return known
    if end - start == 1:
        return leaf_hash(leaves[start])
    middle = start + split_point(end - start)
    return node_hash(_joined(start, middle, places, leaves, hidden), _joined(middle, end, places, leaves, hidden))


def hidden_ranges(places: Sequence[int], size: int) -> Iterator[tuple[int, int]]:
    """Yield the largest subtrees with none of the places, from left to right."""
    todo = [(0, size)] if size else []
    while todo:
        start, end = todo.pop()
        if bisect_left(places, start) == bisect_left(places, end):
            yield start, end
        elif end - start > 1:
            middle = start + split_point(end - start)
            todo += [(middle, end), (start, middle)]
