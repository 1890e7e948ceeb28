"""YAML as the JSON data it stands for: words are not guessed at, faults have their place."""

from __future__ import annotations

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planvow.adapters.cli.options.tool_policy import read_list
from planvow.adapters.machine.yaml_files import parse_yaml, read_data
from planvow.errors import InputError, MissingExtraError

API = """\
openapi: 3.0.3
info: {title: Shop, version: 1.0}
paths:
  /orders/{order_id}:
    get:
      operationId: get_order
      parameters:
        - {name: order_id, in: path, required: true, schema: {type: string}}
        - name: country
          in: query
          schema: {type: string, enum: [no, se, on]}
      responses:
        200: {description: ok}
"""


def test_a_document_in_yaml_is_the_document_in_json(tmp_path):
    written = tmp_path / "api.yaml"
    written.write_text(API)
    read = read_data(written)
    assert list(read["paths"]["/orders/{order_id}"]["get"]["responses"]) == ["200"]
    (tmp_path / "api.json").write_text(json.dumps(read))
    (tool,) = read_list(written, None)
    assert (tool,) == read_list(tmp_path / "api.json", None)
    assert tool.parameters["country"]["enum"] == ["no", "se", "on"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: no", "no"), ("a: 2026-01-01", "2026-01-01"), ("a: 0x1F", "0x1F"), ("a: 012", "012"), ("a: 1_000", "1_000"),
        ("a: .inf", ".inf"), ("a: 12:30", "12:30"), ("a: 7", 7), ("a: '7'", "7"), ("a: -1.5e3", -1500.0),
        ("a: !!str 7", "7"),
        ("a: true", True), ("a: True", "True"), ("a: null", None), ("a: ~", None), ("a:", None), ('a: ""', ""),
        ("a: |\n  one\n  two\n", "one\ntwo\n"),
    ],
)  # fmt: skip
def test_plain_words_are_read_by_the_rules_of_json(text, value):
    found = parse_yaml(text, place="x")["a"]
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a: 1\na: 2", "x:2:1", "stands twice"),
        ("a: &n {b: 1}\nc: *n", "x:1:4", "alias"),
        ("a: &n [*n]", "x:1:4", "alias"),
        ("a: 1\n<<: {b: 1}", "x:2:1", "a key is a text"),
        ("? [a]\n: 1", "x:1:3", "a key is a text"),
        ("a: !!python/object:os.system x", "x:1:4", "is not read"),
        ("a: !!int '7'", "x:1:4", "is not read"),
        ("a: !mine {b: 1}", "x:1:4", "is not read"),
        ("a: [1\nb: 2", "x:2:2", "not YAML"),
        ("a: 1\n---\nb: 2", "x:2:1", "not YAML"),
        ("a: " + "9" * 5000, "x:1:4", "not usable as a number"),
        ("\x01", "x", "not YAML"),
        ("", "x", "holds nothing"),
        ("[" * 2_000, "x", "nested too deeply"),
        pytest.param("[" * 20_000, "x", "nested too deeply", marks=pytest.mark.long),
    ],
)
def test_what_json_cannot_say_is_refused_with_its_place(text, place, words):
    with pytest.raises(InputError, match=words) as refused:
        parse_yaml(text, place="x")
    assert refused.value.place == place


_SCALARS = st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="ascii", exclude_categories=["C"]))
_DATA = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc 1", max_size=4), inner, max_size=4),
    max_leaves=12,
)
_WIDE_DATA = st.recursive(_SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text("abc 1"), inner))


@given(st.dictionaries(st.text("abc", max_size=4), _DATA, max_size=4))
def test_whatever_json_says_is_read_as_json_reads_it(data):
    assert parse_yaml(json.dumps(data), place="x") == data


@pytest.mark.long
@given(st.dictionaries(st.text("abc"), _WIDE_DATA))
def test_long_lists_and_long_keys_are_read_as_json_reads_them(data):
    assert parse_yaml(json.dumps(data), place="x") == data


def test_without_the_package_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(MissingExtraError) as missing:
        parse_yaml("a: 1", place="x")
    assert missing.value.hint == "pip install 'planvow[yaml]'"
