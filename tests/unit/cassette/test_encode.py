"""What a tool returned becomes JSON by a table, whatever it is."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import ipaddress
import pathlib
import uuid
from collections import namedtuple

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planvow import State
from planvow.canonical import canonical_json
from planvow.cassette.work.encode import MAX_BYTES, encode


class Colour(enum.Enum):
    RED = (1, 2)


class Word(enum.StrEnum):
    YES = "yes"


class Number(enum.IntEnum):
    TWO = 2


@dataclasses.dataclass
class Parcel:
    weight: decimal.Decimal
    inside: object


class Model(pydantic.BaseModel):
    name: str
    at: dt.date


Pair = namedtuple("Pair", "left right")


class Silent:
    def __str__(self) -> str:
        raise ValueError("no text")

    __repr__ = __str__


class Treacherous(dict):
    def items(self):
        raise RuntimeError("do not look")


TABLE = [
    (None, None),
    (True, True),
    ("text", "text"),
    (3, 3),
    (2.5, 2.5),
    (2**60, {"$type": "int", "value": str(2**60)}),
    (float("nan"), {"$type": "float", "value": "nan"}),
    (float("-inf"), {"$type": "float", "value": "-inf"}),
    ((1, [2]), [1, [2]]),
    ({"a": {"b": 1}}, {"a": {"b": 1}}),
    ({1: "x"}, {"$type": "dict", "items": [[1, "x"]]}),
    ({"$type": "datetime"}, {"$type": "dict", "items": [["$type", "datetime"]]}),
    ({3, 1, 2}, {"$type": "set", "items": [1, 2, 3]}),
    (dt.datetime(2026, 1, 2, 3, 4), {"$type": "datetime", "value": "2026-01-02T03:04:00"}),
    (dt.date(2026, 1, 2), {"$type": "date", "value": "2026-01-02"}),
    (dt.time(3, 4), {"$type": "time", "value": "03:04:00"}),
    (dt.timedelta(days=1, milliseconds=5), {"$type": "timedelta", "seconds": "86400.005"}),
    (decimal.Decimal("1.10"), {"$type": "decimal", "value": "1.10"}),
    (fractions.Fraction(1, 3), {"$type": "fraction", "value": "1/3"}),
    (1 + 2j, {"$type": "complex", "value": "(1+2j)"}),
    (uuid.UUID(int=7), {"$type": "uuid", "value": str(uuid.UUID(int=7))}),
    (pathlib.PurePosixPath("/a/b"), {"$type": "path", "value": "/a/b"}),
    (ipaddress.ip_address("::1"), {"$type": "ip", "value": "::1"}),
    (b"\x00", {"$type": "bytes", "base64": "AA=="}),
    (Word.YES, {"$type": "enum", "of": f"{__name__}.Word", "name": "YES", "value": "yes"}),
    (Number.TWO, {"$type": "enum", "of": f"{__name__}.Number", "name": "TWO", "value": 2}),
    (Colour.RED, {"$type": "enum", "of": f"{__name__}.Colour", "name": "RED", "value": [1, 2]}),
    (Pair(1, 2), {"$type": "object", "of": f"{__name__}.Pair", "fields": {"left": 1, "right": 2}}),
    (
        Parcel(decimal.Decimal(2), {1}),
        {
            "$type": "object",
            "of": f"{__name__}.Parcel",
            "fields": {"weight": {"$type": "decimal", "value": "2"}, "inside": {"$type": "set", "items": [1]}},
        },
    ),
    (
        Model(name="x", at=dt.date(2026, 1, 2)),
        {
            "$type": "object",
            "of": f"{__name__}.Model",
            "fields": {"name": "x", "at": {"$type": "date", "value": "2026-01-02"}},
        },
    ),
    (
        ExceptionGroup("two", [ValueError("a"), KeyError("b")]),
        {
            "$type": "exception",
            "of": "ExceptionGroup",
            "text": "two (2 sub-exceptions)",
            "exceptions": [
                {"$type": "exception", "of": "ValueError", "text": "a"},
                {"$type": "exception", "of": "KeyError", "text": "'b'"},
            ],
        },
    ),
    (State(at={"lamp": "hall"}), {"$type": "state", "facts": [["at", "lamp", "hall"]]}),
]


@pytest.mark.parametrize(("value", "stored"), TABLE, ids=lambda value: type(value).__name__)
def test_every_row_of_the_table_is_stored_as_it_says_and_without_a_warning(value, stored):
    found = encode(value)
    assert found.data == stored
    assert found.warnings == ()


@pytest.mark.parametrize("value", [Silent(), (n for n in ()), object(), lambda: 0, Treacherous(a=1), [Silent()]])
def test_anything_else_is_kept_as_type_and_text_with_a_warning(value):
    found = encode(value)
    assert '"$type":"text"' in canonical_json(found.data)
    assert len(found.warnings) == 1


def test_what_contains_itself_or_goes_too_deep_comes_to_an_end():
    ring: list[object] = []
    ring.append(ring)
    assert encode(ring).warnings == ("output[0]: a list was kept as text: it contains itself",)
    deep: object = 1
    for _ in range(5_000):
        deep = [deep]
    assert any("nested too deeply" in text for text in encode(deep).warnings)


def test_what_is_too_long_for_a_receipt_is_kept_as_its_hash_and_its_beginning():
    found = encode("x" * (MAX_BYTES + 1))
    assert found.data["$type"] == "too_long"
    assert found.data["begins"].startswith('"xxx')
    assert len(found.warnings) == 1


def test_secrets_never_enter_what_is_stored():
    value = {"key": "Bearer hunter2", "raw": b"hunter2", "hunter2": ValueError("no hunter2")}
    found = encode(value, hide={"PASSWORD": "hunter2"})
    assert "hunter2" not in canonical_json(found.data)
    assert "aHVudGVyMg" not in canonical_json(found.data)
    assert "{{secret.PASSWORD}}" in canonical_json(found.data)


ANYTHING = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters()), st.binary(), st.datetimes(),
        st.decimals(), st.uuids(), st.timedeltas(), st.fractions(), st.complex_numbers(),
    ),
    lambda inner: st.one_of(
        st.lists(inner), st.tuples(inner), st.dictionaries(st.one_of(st.text(), st.integers()), inner)
    ),
    max_leaves=20,
)  # fmt: skip


@pytest.mark.long
@given(ANYTHING)
def test_whatever_is_returned_has_canonical_bytes(value):
    canonical_json(encode(value).data)


NAMES = st.text(max_size=3) | st.just("$type")
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**54), 2**54) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)


@given(PLAIN)
def test_plain_data_is_stored_the_quick_way_as_it_is_the_careful_way(value):
    quick, careful = encode(value), encode(value, hide={"name": "a text that is nowhere in it"})
    assert (quick, canonical_json(quick.data)) == (careful, canonical_json(careful.data))


def test_what_is_stored_is_a_copy_that_the_tool_cannot_change_any_more():
    given_back = {"list": [1, {"deep": "text"}]}
    stored = encode(given_back).data
    given_back["list"][1]["deep"] = "other"
    given_back["list"].append(2)
    assert stored == {"list": [1, {"deep": "text"}]}
