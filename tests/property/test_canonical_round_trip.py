"""Whatever has a canonical form keeps it: through JSON, whatever the order of keys, in any process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from enum import IntEnum, StrEnum
from typing import NamedTuple

import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from planvow.canonical import MAX_SAFE_INTEGER, _convert, canonical_bytes, full_hash, is_canonical, to_jsonable
from planvow.errors import NotCanonicalError

NUMBERS = st.integers(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=[]))
    | st.binary() | st.dates() | st.datetimes() | st.complex_numbers() | st.builds(object),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.integers(), inner, max_size=4)
    | st.tuples(inner, inner) | st.frozensets(st.integers() | st.text(), max_size=4),
    max_leaves=15,
)  # fmt: skip


def bytes_or_place(value):
    try:
        return canonical_bytes(value)
    except NotCanonicalError as error:
        return error.place


def shuffled(value):
    """The same JSON with every object's keys in another order."""
    if isinstance(value, dict):
        return {key: shuffled(value[key]) for key in sorted(value, reverse=True)}
    return [shuffled(item) for item in value] if isinstance(value, list) else value


@given(JSON)
def test_bytes_survive_a_trip_through_json_and_another_key_order(value):
    try:
        made = canonical_bytes(value)
    except NotCanonicalError:
        return  # whole-valued floats beyond 2^53, which no reader would give back
    again = json.loads(made)
    assert canonical_bytes(again) == made
    assert canonical_bytes(shuffled(again)) == made
    assert to_jsonable(again) == to_jsonable(value)
    assert is_canonical(made)


@given(ANYTHING)
def test_anything_at_all_gives_bytes_or_an_error_with_a_path(value):
    outcome = bytes_or_place(value)
    assert is_canonical(outcome) if isinstance(outcome, bytes) else outcome.startswith("$")


def test_hashes_are_the_same_in_processes_with_other_hash_seeds():
    code = (
        "from planvow.canonical import full_hash\n"
        "print(full_hash({'words': set('abcdefgh'), 'pairs': {(x, y) for x in 'ab' for y in 'cd'}}, tag='t/1'))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1", "77")
    }
    here = full_hash({"words": set("abcdefgh"), "pairs": {(x, y) for x in "ab" for y in "cd"}}, tag="t/1")
    assert found == {f"{here}\n".encode()}


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
        max_leaves=12,
    )
)
@settings(max_examples=500, deadline=None)
def test_the_fast_encoder_writes_what_rfc_8785_writes(value):
    assert canonical_bytes(value) == rfc8785.dumps(value)


class Text(str):
    __slots__ = ()


class Level(IntEnum):
    LOW = 1
    BEYOND = 2**60


class Name(StrEnum):
    ANN = "ann"


class Row(list):
    pass


class Sheet(dict):
    pass


class Pair(NamedTuple):
    first: object
    second: object


UNUSUAL = st.recursive(
    ANYTHING | st.sampled_from([-0.0, 1e16, Text("a"), Level.LOW, Level.BEYOND, Name.ANN, True, MAX_SAFE_INTEGER + 1]),
    lambda inner: st.builds(Row, st.lists(inner, max_size=3)) | st.builds(Pair, inner, inner)
    | st.builds(Sheet, st.dictionaries(st.sampled_from(["a", Text("b"), Name.ANN, "\ud800", 1]), inner, max_size=3)),
    max_leaves=6,
)  # fmt: skip


def typed(value):
    if isinstance(value, dict):
        return [(typed(key), typed(item)) for key, item in value.items()]
    return [typed(item) for item in value] if type(value) is list else (type(value), repr(value))


def outcome(make):
    try:
        return make()
    except NotCanonicalError as error:
        return str(error), error.place


@settings(max_examples=200)
@given(UNUSUAL)
def test_the_quick_ways_give_what_the_careful_way_gives(value):
    assert outcome(lambda: typed(to_jsonable(value))) == outcome(lambda: typed(_convert(value, "$", 0)))
    assert outcome(lambda: canonical_bytes(value)) == outcome(lambda: rfc8785.dumps(_convert(value, "$", 0)))
