"""Merkle trees as in RFC 6962: one hash over many, with short proofs.

Leaves and inner nodes are hashed with different prefixes, so that neither can be passed off as the other. An
inclusion proof shows that one leaf belongs to a root; a consistency proof shows that a later root only added leaves
to an earlier one.
"""

from __future__ import annotations

from collections.abc import Sequence

from planvow.hash_tree import EMPTY_ROOT, leaf_hash, node_hash, split_point


def merkle_root(leaves: Sequence[bytes]) -> str:
    """Return the root (hex) of a tree with these leaves."""
    if not leaves:
        return EMPTY_ROOT
    return _root([leaf_hash(leaf) for leaf in leaves]).hex()


def inclusion_proof(leaves: Sequence[bytes], index: int) -> tuple[str, ...]:
    """Return the hashes beside the way from one leaf to the root, lowest first."""
    if not 0 <= index < len(leaves):
        raise IndexError(f"leaf {index} of {len(leaves)}")
    return tuple(node.hex() for node in _path([leaf_hash(leaf) for leaf in leaves], index))


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


def consistency_proof(leaves: Sequence[bytes], earlier: int) -> tuple[str, ...]:
    """Return what shows that the tree of the first `earlier` leaves is the beginning of the whole tree."""
    if not 1 <= earlier <= len(leaves):
        raise IndexError(f"{earlier} leaves of {len(leaves)}")
    return tuple(node.hex() for node in _consistency([leaf_hash(leaf) for leaf in leaves], earlier, True))


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


def _root(hashes: list[bytes]) -> bytes:
    """Join neighbours level by level; a node without a neighbour moves up. That is the RFC's tree."""
    while len(hashes) > 1:
        paired = [node_hash(hashes[i], hashes[i + 1]) for i in range(0, len(hashes) - 1, 2)]
        hashes = paired + hashes[-1:] if len(hashes) % 2 else paired
    return hashes[0]


def _path(hashes: list[bytes], index: int) -> list[bytes]:
    if len(hashes) == 1:
        return []
    middle = split_point(len(hashes))
    if index < middle:
        return [*_path(hashes[:middle], index), _root(hashes[middle:])]
    return [*_path(hashes[middle:], index - middle), _root(hashes[:middle])]


def _consistency(hashes: list[bytes], earlier: int, whole: bool) -> list[bytes]:
    if earlier == len(hashes):
        return [] if whole else [_root(hashes)]
    middle = split_point(len(hashes))
    if earlier <= middle:
        return [*_consistency(hashes[:middle], earlier, whole), _root(hashes[middle:])]
    return [*_consistency(hashes[middle:], earlier - middle, False), _root(hashes[:middle])]
