"""Schemas that no value can fill, found before anything is called; what may be filled is never blamed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planvow.contract.plan.schema_check import schema_problems
from planvow.tools import ToolEntry, check_tools
from planvow.tools.fillable import CIRCLE, unfillable
from planvow.tools.schemas import is_scalar

NODE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}, "required": ["next"]}
LIST = {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/List"}, {"type": "null"}]}},
        "required": ["next"]}  # fmt: skip
ROOT = {"$defs": {"Node": NODE, "List": LIST, "Rest": {**NODE, "required": []}, "Word": {"type": "string"}}}


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        (False, "it allows no value"),
        ({"type": "integer", "minimum": 5, "maximum": 3}, "minimum is 5 and maximum 3"),
        ({"type": "string", "minLength": 2, "maxLength": 1}, "minLength is 2 and maxLength 1"),
        ({"type": "array", "minItems": 2, "maxItems": 1}, "minItems is 2 and maxItems 1"),
        ({"type": "string", "enum": [1, 2]}, "none of its choices fits the rest of it"),
        ({"type": "string", "const": 1}, "none of its choices fits the rest of it"),
        ({"$ref": "#/$defs/Word", "enum": [1]}, "none of its choices fits the rest of it"),
        ({"$ref": "#/$defs/Node"}, CIRCLE),
        ({"allOf": [{"type": "string"}, False]}, "it allows no value"),
        ({"anyOf": [False, {"$ref": "#/$defs/Node"}]}, "it allows no value"),
        ({"type": "object", "properties": {"a": False}, "required": ["a"]}, "it allows no value"),
    ],
)
def test_a_schema_that_nothing_fills_says_why(schema, why):
    assert unfillable(schema, ROOT) == why


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {},
        {"minimum": 5, "maximum": 3},  # a text is below no number
        {"type": "string", "enum": [1, "a"]},
        {"anyOf": [False, {"type": "string"}]},
        {"$ref": "#/$defs/List"},
        {"$ref": "#/$defs/Rest"},
        {"type": "object", "properties": {"a": False}},
    ],
)
def test_what_can_be_filled_is_not_blamed(schema):
    assert unfillable(schema, ROOT) is None


def doubling(keyword, end, levels=60):
    """A schema whose every level names the next one twice: as many ways to the end as 2 to the number of levels."""
    names = {f"L{level}": {keyword: [{"$ref": f"#/$defs/L{level + 1}"}] * 2} for level in range(levels)}
    return {"$ref": "#/$defs/L0"}, {"$defs": {**names, f"L{levels}": end}}


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_each_part_is_looked_at_once_however_many_references_lead_there(keyword):
    assert unfillable(*doubling(keyword, False)) == "it allows no value"
    assert unfillable(*doubling(keyword, {"type": "integer"})) is None
    assert is_scalar(*doubling("anyOf", {"type": "integer"}))
    assert not is_scalar(*doubling("anyOf", {"type": "object"}))


def test_what_may_end_elsewhere_is_no_circle():
    """Whether a part can be filled does not depend on the way that leads there first."""
    either = {"anyOf": [{"$ref": "#/$defs/Other"}, {"type": "string"}]}
    other = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Either"}}, "required": ["next"]}
    root = {"$defs": {"Either": either, "Other": other}}
    assert unfillable({"allOf": [{"$ref": "#/$defs/Either"}, {"$ref": "#/$defs/Other"}]}, root) is None


VALUES = st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=2) | st.lists(st.integers(0, 2), max_size=2)
PARTS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["integer", "string", "array", "boolean", "null"]),
        "minimum": st.integers(-2, 2),
        "maximum": st.integers(-2, 2),
        "minLength": st.integers(0, 2),
        "maxLength": st.integers(0, 2),
        "enum": st.lists(VALUES, min_size=1, max_size=3),
    },
)


@given(PARTS, VALUES)
def test_no_schema_that_takes_a_value_is_called_unfillable(schema, value):
    if next(schema_problems(value, schema), None) is None:
        assert unfillable(schema, schema) is None


def needing(schema, **words):
    return ToolEntry(
        name="need", input_schema={"type": "object", "properties": {"n": schema}, "required": ["n"]}, **words
    )


def messages(*tools):
    return [mistake.message for mistake in check_tools(tools)]


def test_a_manifest_is_checked_for_parameters_that_nothing_can_fill():
    assert messages(needing({"type": "string", "enum": [1]})) == [
        "nothing can fill its parameter 'n': none of its choices fits the rest of it"
    ]
    assert messages(ToolEntry(name="words", input_schema={"type": "string"})) == [
        "its arguments would be string, not an object"
    ]


@pytest.mark.parametrize(("made", "fits"), [("string", False), ("number", True), ("integer", True), (None, True)])
def test_a_value_of_the_right_kind_and_another_type_is_told(made, fits):
    output = {"type": "object", "properties": {"label": {} if made is None else {"type": made}}}
    source = ToolEntry(name="source", output_schema=output, produces={"label": "label"})
    found = messages(needing({"type": "integer"}, takes={"n": "label"}), source)
    assert found == ([] if fits else ["its parameter 'n' is of another type than each label that a tool produces"])
