"""Placeholders keep types, fail closed, and cannot be smuggled in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planvow.contract.errors import UnresolvedReferenceError
from planvow.contract.plan.placeholders import escape, is_placeholder, references, resolve

OUTPUTS = {"s1": {"body": {"items": [1, {"name": "tea"}], "ok": True, "none": None}}, "s2": "plain"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{{s1.body.items}}", [1, {"name": "tea"}]),
        ("{{ s1.body.items.1.name }}", "tea"),
        ("{{s1.body.ok}}", True),
        ("{{s1.body.none}}", None),
        ("{{s2}}", "plain"),
        ("{{s2}}{{s2}}", "plainplain"),
        ("items: {{s1.body.items}}", 'items: [1,{"name":"tea"}]'),
        ("ok={{s1.body.ok}} none={{s1.body.none}}", "ok=true none=null"),
        ("no braces", "no braces"),
        ("{one} }} {", "{one} }} {"),
        ("{{input.url}}", "https://x.test"),
    ],
)
def test_a_lone_placeholder_keeps_its_type_and_an_embedded_one_becomes_text(text, value):
    assert resolve(text, OUTPUTS, {"url": "https://x.test"}) == value


def test_values_inside_lists_and_objects_are_filled():
    assert resolve({"a": ["{{s2}}", 3]}, OUTPUTS) == {"a": ["plain", 3]}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{{s9}}", "no output or input is called 's9'"),
        ("{{s1.body.missing}}", "s1.body has no 'missing'"),
        ("{{s1.body.items.2}}", "s1.body.items has no '2'"),
        ("{{s1.body.items.-1}}", "has no '-1'"),
        ("{{s2.x}}", "s2 has no 'x'"),
        ("{{input.url}}", "input has no 'url'"),
        ("{{a b}}", "not a placeholder"),
        ("{{}}", "not a placeholder"),
        ("{{s1.body.items.99999999999999999999}}", "has no"),
    ],
)
def test_what_nothing_fills_is_an_error_with_the_path(text, why):
    with pytest.raises(UnresolvedReferenceError, match=why) as caught:
        resolve({"deep": ["x", text]}, OUTPUTS)
    assert caught.value.place == "$.deep[1]"
    assert caught.value.details["known"] == ["input", "s1", "s2"]


def test_an_output_cannot_smuggle_a_placeholder_in():
    assert resolve("{{s1.text}}", {"s1": {"text": "{{input.secret}}"}}, {"secret": "x"}) == "{{input.secret}}"
    assert resolve("a {{s1.text}}", {"s1": {"text": "{{input.secret}}"}}, {"secret": "x"}) == "a {{input.secret}}"


def test_a_run_input_cannot_be_shadowed_by_an_output():
    assert resolve("{{input.x}}", {"input": {"x": "forged"}}, {"x": "real"}) == "real"


def test_references_are_found_in_order_with_their_paths():
    found = list(references({"b": "{{s1.x.y}} {{bad one}}", "a": ["{{input.u}}"]}))
    assert [(r.path, r.key, r.fields) for r in found] == [
        ("$.a[0]", "input", ("u",)),
        ("$.b", "s1", ("x", "y")),
        ("$.b", None, ()),
    ]


def test_only_a_lone_placeholder_counts_as_one():
    assert is_placeholder("{{a.b}}")
    assert not is_placeholder("x{{a.b}}")
    assert not is_placeholder(escape("{{a.b}}"))
    assert not is_placeholder(5)


@given(st.text(alphabet='{}"ab. ', max_size=30))
def test_escaped_text_contains_no_placeholder_and_comes_back_as_it_was(text):
    assert list(references(escape(text))) == []
    assert resolve(escape(text), {}) == text
