"""Trees of hashes: a proof for any set of leaves gives the root, and no other leaf, place or size does."""

from __future__ import annotations

import itertools

from planvow.cassette.log.merkle import merkle_root
from planvow.hash_tree import EMPTY_ROOT, HashTree, proved_root


def leaves(count):
    return [f"leaf {n}".encode() for n in range(count)]


def proof_of(tree, places):
    return [bytes.fromhex(part) for part in tree.proof(places)]


def test_the_root_is_that_of_the_rfc():
    for count in range(20):
        assert HashTree(iter(leaves(count))).root == merkle_root(leaves(count))
    assert HashTree(iter(())).root == EMPTY_ROOT


def test_every_set_of_leaves_of_small_trees_is_proved_by_its_proof():
    for count in range(10):
        rows = leaves(count)
        tree = HashTree(iter(rows))
        for size in range(count + 1):
            for places in itertools.combinations(range(count), size):
                shown = {place: rows[place] for place in places}
                assert proved_root(shown, count, proof_of(tree, places)) == tree.root


def test_a_changed_leaf_place_size_or_proof_does_not_give_the_root():
    rows = leaves(11)
    tree = HashTree(iter(rows))
    places = (2, 3, 9)
    shown, proof = {place: rows[place] for place in places}, proof_of(tree, places)
    assert proved_root(shown, 11, proof) == tree.root
    for forged in (
        ({**shown, 3: b"another"}, 11, proof),
        ({2: rows[2], 4: rows[3], 9: rows[9]}, 11, proof),
        (shown, 20, proof),
        (shown, 10, proof),
        (shown, 11, proof[:-1]),
        (shown, 11, [*proof, proof[0]]),
        (shown, 11, [b"short", *proof[1:]]),
        ({**shown, 11: b"beyond"}, 11, proof),
        ({-1: rows[2]}, 11, proof),
    ):
        assert proved_root(*forged) != tree.root


def test_a_proof_grows_with_what_is_shown_and_not_with_the_tree():
    tree = HashTree(iter(leaves(5000)))
    assert len(tree.proof([77])) == 13
    assert len(tree.proof([77, 78, 79])) <= 15
