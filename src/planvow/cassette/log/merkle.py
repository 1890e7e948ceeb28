"""Merkle trees as in RFC 6962: one hash over many, with short proofs.

Leaves and inner nodes are hashed with different prefixes, so that neither can be passed off as the other. An
inclusion proof shows that one leaf belongs to a root; a consistency proof shows that a later root only added leaves
to an earlier one. Both are the hashes of some subtrees, computed from leaves that are read once and forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from planvow.hash_tree import GrowingTree, leaf_hash, node_hash, split_point

Range = tuple[int, int]
"""A subtree, as the first of its leaves and the one after its last."""


def merkle_root(leaves: Iterable[bytes]) -> str:
    """Return the root (hex) of a tree with these leaves."""
    tree = GrowingTree()
    for leaf in leaves:
        tree.add(leaf)
    return tree.root


def subtree_hashes(leaves: Iterable[bytes], ranges: Sequence[Range]) -> tuple[list[str], str]:
    """Return the hashes of disjoint subtrees, in the order they are asked for, and the root over all leaves."""
    whole = GrowingTree()
    parts = {span: GrowingTree() for span in sorted(ranges)}
    turn = iter(parts)
    current = next(turn, None)
    for index, leaf in enumerate(leaves):
        whole.add(leaf)
        while current is not None and index >= current[1]:
            current = next(turn, None)
        if current is not None and index >= current[0]:
            parts[current].add(leaf)
    return [parts[span].root for span in ranges], whole.root


def inclusion_ranges(index: int, size: int) -> list[Range]:
    """Return the subtrees beside the way from one leaf to the root, lowest first."""
    if not 0 <= index < size:
        raise IndexError(f"leaf {index} of {size}")
    found: list[Range] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + split_point(end - start)
        if index < middle:
            found.append((middle, end))
            end = middle
        else:
            found.append((start, middle))
            start = middle
    return found[::-1]


def inclusion_proof(leaves: Sequence[bytes], index: int) -> tuple[str, ...]:
    """Return the hashes beside the way from one leaf to the root, lowest first."""
    return tuple(subtree_hashes(leaves, inclusion_ranges(index, len(leaves)))[0])


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[str], root: str) -> bool:
    """Say whether a proof leads from this leaf, at this index of a tree of this size, to this root."""
    if not 0 <= index < size:
        return False
    node, at, last = leaf_hash(leaf), index, size - 1
    for step in proof:
        if last == 0:
            return False
        beside = bytes.fromhex(step)
        if at % 2 == 1 or at == last:
            node = node_hash(beside, node)
            while at % 2 == 0 and at != 0:
                at, last = at // 2, last // 2
        else:
            node = node_hash(node, beside)
        at, last = at // 2, last // 2
    return last == 0 and node.hex() == root


def consistency_ranges(earlier: int, size: int) -> list[Range]:
    """Return the subtrees that show that the tree of the first `earlier` leaves is the beginning of the whole tree."""
    if not 1 <= earlier <= size:
        raise IndexError(f"{earlier} leaves of {size}")
    found: list[Range] = []
    start, end = 0, size
    while earlier != end:
        middle = start + split_point(end - start)
        if earlier <= middle:
            found.append((middle, end))
            end = middle
        else:
            found.append((start, middle))
            start = middle
    if start > 0:  # else the earlier tree is a subtree of its own, whose hash is known
        found.append((start, end))
    return found[::-1]


def consistency_proof(leaves: Sequence[bytes], earlier: int) -> tuple[str, ...]:
    """Return what shows that the tree of the first `earlier` leaves is the beginning of the whole tree."""
    return tuple(subtree_hashes(leaves, consistency_ranges(earlier, len(leaves)))[0])


def verify_consistency(earlier: int, earlier_root: str, size: int, root: str, proof: Sequence[str]) -> bool:
    """Say whether the tree with `root` begins with the whole tree that had `earlier_root`."""
    if not 1 <= earlier <= size:
        return False
    if earlier == size:
        return not proof and earlier_root == root
    nodes = [bytes.fromhex(step) for step in proof]
    at, last = earlier - 1, size - 1
    while at % 2 == 1:
        at, last = at // 2, last // 2
    if at == 0:  # the earlier tree is a whole left branch, so its root stands for it
        nodes.insert(0, bytes.fromhex(earlier_root))
    if not nodes:
        return False
    old = new = nodes[0]
    for beside in nodes[1:]:
        if last == 0:
            return False
        if at % 2 == 1 or at == last:
            old, new = node_hash(beside, old), node_hash(beside, new)
            while at % 2 == 0 and at != 0:
                at, last = at // 2, last // 2
        else:
            new = node_hash(new, beside)
        at, last = at // 2, last // 2
    return last == 0 and old.hex() == earlier_root and new.hex() == root
