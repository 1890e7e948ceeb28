"""What is hashed, and that the fast way of writing it gives the canonical bytes."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from planvow.canonical import MAX_SAFE_INTEGER, canonical_bytes
from planvow.cassette.ledger.chain import list_hash

text = st.text(st.characters(exclude_categories=["Cs"]))
integers = st.integers(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER)
flat = st.recursive(st.none() | text | integers, lambda inner: st.lists(inner, max_size=5), max_leaves=20)


@given(st.lists(flat, max_size=6))
def test_a_flat_list_is_hashed_over_its_canonical_bytes(values):
    assert list_hash(values) == hashlib.sha256(canonical_bytes(values)).hexdigest()
