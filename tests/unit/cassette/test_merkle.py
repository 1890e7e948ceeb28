"""Trees against the vectors of RFC 6962 implementations and against the definition, written out."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planvow.cassette.log.merkle import (
    consistency_proof,
    inclusion_proof,
    merkle_root,
    verify_consistency,
    verify_inclusion,
)

# Inputs and roots as published with the certificate-transparency reference implementation.
CT_LEAVES = [
    bytes.fromhex(text)
    for text in (
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
    )
]  # fmt: skip
CT_ROOTS = {
    0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}

leaves_strategy = st.lists(st.binary(max_size=4), min_size=1, max_size=40)


@pytest.mark.parametrize("size", sorted(CT_ROOTS))
def test_roots_are_those_of_certificate_transparency(size):
    assert merkle_root(CT_LEAVES[:size]) == CT_ROOTS[size]


def by_definition(leaves):
    """RFC 6962, section 2.1, word for word."""
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return hashlib.sha256(b"\x01" + by_definition(leaves[:k]) + by_definition(leaves[k:])).digest()


@given(leaves_strategy)
def test_the_root_is_the_one_of_the_definition(leaves):
    assert merkle_root(leaves) == by_definition(leaves).hex()


@given(leaves_strategy, st.data())
def test_every_leaf_has_a_proof_and_no_other_leaf_passes_with_it(leaves, data):
    index = data.draw(st.integers(0, len(leaves) - 1))
    proof, root = inclusion_proof(leaves, index), merkle_root(leaves)
    assert verify_inclusion(leaves[index], index, len(leaves), proof, root)
    assert not verify_inclusion(leaves[index] + b"x", index, len(leaves), proof, root)
    assert not verify_inclusion(leaves[index], index, len(leaves), (*proof, "00" * 32), root)


@given(leaves_strategy, st.data())
def test_a_later_tree_is_shown_to_begin_with_an_earlier_one(leaves, data):
    earlier = data.draw(st.integers(1, len(leaves)))
    old, new = merkle_root(leaves[:earlier]), merkle_root(leaves)
    proof = consistency_proof(leaves, earlier)
    assert verify_consistency(earlier, old, len(leaves), new, proof)
    if earlier < len(leaves):
        other = [b"changed", *leaves[1:]]
        assert not verify_consistency(earlier, old, len(leaves), merkle_root(other), consistency_proof(other, earlier))


@pytest.mark.long
@pytest.mark.parametrize("size", range(1, 34))
def test_every_proof_of_every_small_tree_holds_and_none_serves_another_place(size):
    leaves = [bytes([number]) for number in range(size)]
    root = merkle_root(leaves)
    for index in range(size):
        proof = inclusion_proof(leaves, index)
        passing = [at for at in range(-1, size + 1) if verify_inclusion(leaves[index], at, size, proof, root)]
        assert passing == [index]
    for earlier in range(1, size + 1):
        proof, old = consistency_proof(leaves, earlier), merkle_root(leaves[:earlier])
        passing = [count for count in range(size + 2) if verify_consistency(count, old, size, root, proof)]
        assert passing == [earlier]


def test_there_is_no_proof_for_what_is_not_in_the_tree():
    leaves = [b"a", b"b"]
    for index in (-1, 2):
        with pytest.raises(IndexError):
            inclusion_proof(leaves, index)
    for earlier in (0, 3):
        with pytest.raises(IndexError):
            consistency_proof(leaves, earlier)
    assert not verify_consistency(1, merkle_root(leaves[:1]), 3, merkle_root(leaves), ())
