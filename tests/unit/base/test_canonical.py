"""One way to make bytes: RFC 8785, refusals with a path, hashes, ids, text keys."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from enum import Enum, IntEnum, StrEnum
from types import MappingProxyType

import pytest

from planvow.canonical import (
    MAX_SAFE_INTEGER,
    canonical_bytes,
    canonical_hash,
    canonical_hash_short,
    canonical_json,
    canonicalize_text,
    claim_dedup_key,
    content_hash,
    derived_id,
    entity_dedup_key,
    full_hash,
    is_canonical,
    llm_cache_key,
    to_jsonable,
)
from planvow.errors import NotCanonicalError

VECTORS = ("arrays", "french", "structures", "unicode", "values", "weird")


class Colour(StrEnum):
    RED = "red"


class Size(IntEnum):
    BIG = 3


class Word(Enum):
    A = "a"


class Kind(Enum):
    PAIR = ("a", 1)


@dataclass(frozen=True)
class Point:
    x: int
    label: Colour = Colour.RED


Pair = namedtuple("Pair", "left right")


@pytest.mark.parametrize("name", VECTORS)
def test_the_vectors_of_the_standard_give_the_standards_bytes(shared_data, name):
    source = json.loads((shared_data / f"jcs/input/{name}.json").read_bytes())
    expected = (shared_data / f"jcs/output/{name}.json").read_bytes()
    assert canonical_bytes(source) == expected
    assert canonical_bytes(source).hex(" ") == " ".join((shared_data / f"jcs/outhex/{name}.txt").read_text().split())
    assert is_canonical(expected)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"), (True, "true"), (0, "0"), (-0.0, "0"), (1.0, "1"), (1e-7, "1e-7"), (1e21, "1e+21"),
        (0.1, "0.1"),
        (MAX_SAFE_INTEGER, "9007199254740991"), (float(MAX_SAFE_INTEGER), "9007199254740991"),
        ("é\n\"\\", '"é\\n\\"\\\\"'),
        ((1, [2]), "[1,[2]]"), ({"b": 1, "a": 2}, '{"a":2,"b":1}'),
        ({"\U0001f600": 1, "\ufb33": 2}, '{"\U0001f600":1,"\ufb33":2}'),
        ({3, 1, 2}, "[1,2,3]"), (frozenset({"b", "a"}), '["a","b"]'), ({(2, 1), (1, 2)}, "[[1,2],[2,1]]"),
        (b"\x00\xff", '"AP8="'), (bytearray(b"a"), '"YQ=="'), (Colour.RED, '"red"'), (Size.BIG, "3"),
        (Kind.PAIR, '["a",1]'),
        (Point(1), '{"label":"red","x":1}'), (Pair(1, 2), "[1,2]"), ({Colour.RED: 1}, '{"red":1}'),
        (OrderedDict(b=1, a=2), '{"a":2,"b":1}'), (MappingProxyType({"a": 1}), '{"a":1}'),
        (date(2025, 1, 2), '"2025-01-02"'),
        (datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC), '"2025-01-02T03:04:05Z"'),
        (datetime(2025, 1, 2, 3, tzinfo=timezone(timedelta(hours=2))), '"2025-01-02T01:00:00Z"'),
    ],
)  # fmt: skip
def test_values_have_one_form(value, text):
    assert canonical_json(value) == text
    assert canonical_json(json.loads(text)) == text


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (float("nan"), "$"), (float("inf"), "$"), (2**53, "$"), (-(2**53), "$"), (float(2**53), "$"), (1e20, "$"),
        ([10**5000], "$[0]"), (object(), "$"), (Point, "$"), (1j, "$"), (lambda: 1, "$"), (iter([1]), "$"),
        ({1: 2}, "$"), ({None: 2}, "$"), ({10**5000: 2}, "$"), ({("a",): 1}, "$"),
        ("\ud800", "$"), ({"\udfff": 1}, "$"),
        ({"steps": [0, 1, 2, {"params": {"x": object()}}]}, "$.steps[3].params.x"), ([[], [float("nan")]], "$[1][0]"),
        (Pair(1, {object()}), "$[1]{}"), (datetime(2025, 1, 2), "$"), ({Word.A: 1, "a": 2}, "$"),
        (timedelta(1), "$"), (memoryview(b"x"), "$"),
    ],
)  # fmt: skip
def test_what_has_no_form_is_refused_with_its_path(value, place):
    with pytest.raises(NotCanonicalError) as caught:
        canonical_bytes(value)
    assert caught.value.place == place
    assert caught.value.code == "NOT_CANONICAL"


def test_addresses_never_reach_a_hash():
    with pytest.raises(NotCanonicalError) as caught:
        content_hash({"x": object()})
    assert "0x" not in str(caught.value)


def test_a_hundred_thousand_levels_are_refused_quickly_with_a_short_path():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(NotCanonicalError, match="nested deeper than 200 levels") as caught:
        canonical_bytes(deep)
    assert len(caught.value.place) <= 200


def test_a_value_that_contains_itself_is_refused():
    loop = {}
    loop["again"] = loop
    with pytest.raises(NotCanonicalError, match="nested deeper"):
        canonical_bytes(loop)


def test_ten_megabytes_of_text_and_a_wide_list_are_no_problem():
    assert len(canonical_bytes("x" * 10_000_000)) == 10_000_002
    assert len(canonical_bytes(list(range(100_000)))) == 588_891


def test_conversion_gives_a_copy():
    inner = [1]
    copy = to_jsonable({"a": inner})
    inner.append(2)
    assert copy == {"a": [1]}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ('{"a":1,"b":[true,null]}', True), (b"[1]", True), ('{"a": 1}', False), ('{"b":1,"a":2}', False),
        ("1.0", False),
        ('{"a":1,"a":1}', False), ("NaN", False), ("", False), ("[" * 100_000, False), (b"\xff", False),
        ("1" * 5000, False),
        ('"\ud800"', False), ('"\\u00e9"', False), (" 1", False),
    ],
)  # fmt: skip
def test_canonical_text_is_recognised_byte_for_byte(text, verdict):
    assert is_canonical(text) is verdict


def test_hashes_are_those_of_the_bytes():
    assert full_hash({"a": 1}) == hashlib.sha256(b'{"a":1}').hexdigest()
    assert content_hash({"a": 1}) == full_hash({"a": 1})[:16]


def test_a_tag_keeps_kinds_apart():
    tagged = full_hash({"a": 1}, tag="plan/1")
    assert tagged == hashlib.sha256(b'{"tag":"plan/1","value":{"a":1}}').hexdigest()
    assert len({tagged, full_hash({"a": 1}), full_hash({"a": 1}, tag="plan/2")}) == 3


def test_ids_come_from_content_and_kind():
    assert derived_id("step", {"a": 1}) == derived_id("step", {"a": 1.0})
    assert derived_id("step", {"a": 1}).removeprefix("step_") != derived_id("job", {"a": 1}).removeprefix("job_")
    assert len(derived_id("step", 1)) == len("step_") + 16
    assert len(derived_id("key", 1, length=24)) == len("key_") + 24


def test_text_keys_are_those_of_seed_000():
    assert canonicalize_text("  Hello,   World! ") == "hello world"
    assert canonical_hash("Hello, World!") == hashlib.sha256(b"hello world").hexdigest()
    assert canonical_hash_short("x") == canonical_hash("x")[:24]
    assert entity_dedup_key("The  UN.") == entity_dedup_key("the un")
    expected = hashlib.sha256(f"{canonical_hash('A claim')}:3:9".encode()).hexdigest()[:24]
    assert claim_dedup_key("A claim", (3, 9)) == expected
    assert claim_dedup_key("A claim", (3, 9)) != claim_dedup_key("A claim", (4, 9))


def test_recorded_answers_are_found_by_the_exact_prompt():
    assert llm_cache_key("grew 1.5%", "v1", "m") != llm_cache_key("grew 15%", "v1", "m")
    keys = {llm_cache_key("p", "v1", "m"), llm_cache_key("p", "v2", "m"), llm_cache_key("p", "v1", "n")}
    assert len(keys) == 3
