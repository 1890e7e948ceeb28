"""Parameters against a skill's schema: the standard's answers, references, placeholders, hostile schemas."""

from __future__ import annotations

from typing import Literal

import jsonschema
import pytest
from pydantic import BaseModel, Field

from planvow.contract import PlannerOutput, StubPlanner
from planvow.contract.plan.attempt import resolve_params
from planvow.contract.plan.manifest import read_skill
from planvow.contract.plan.plan import Step
from planvow.contract.plan.schema_check import MAX_LEVELS, schema_problems
from planvow.contract.plan.schema_form import check_schema
from planvow.errors import InputError

LIST = {
    "$ref": "#/$defs/cell",
    "$defs": {
        "cell": {
            "type": "object",
            "properties": {
                "head": {"type": "integer"},
                "tail": {"anyOf": [{"$ref": "#/$defs/cell"}, {"type": "null"}]},
            },
            "required": ["head"],
            "additionalProperties": False,
        }
    },
}


def paths(value, schema, **options):
    return [path for path, _ in schema_problems(value, schema, **options)]


@pytest.mark.parametrize(
    ("value", "schema", "wrong"),
    [
        (1, {"type": "integer"}, None), (True, {"type": "integer"}, "$"), (1.5, {"type": "integer"}, "$"),
        (1.0, {"type": "integer"}, None), (True, {"type": "number"}, "$"), ([True], {"const": [1]}, "$"),
        (True, {"type": "boolean"}, None), (None, {"type": ["string", "null"]}, None), (1, {"type": ["string"]}, "$"),
        ({"a": 1}, {"properties": {"a": {"type": "string"}}}, "$.a"), ({}, {"required": ["a"]}, "$.a"),
        ({"b": 1}, {"additionalProperties": False}, "$.b"), ({"b": 1}, {"additionalProperties": {"minimum": 2}}, "$.b"),
        ([1, "x"], {"items": {"type": "integer"}}, "$[1]"), ("b", {"enum": ["a"]}, "$"), (1, {"enum": [True]}, "$"),
        (1, {"const": 1.0}, None), (5, {"minimum": 6}, "$"), (5, {"maximum": 4}, "$"),
        (5, {"exclusiveMinimum": 5}, "$"),
        (5, {"exclusiveMaximum": 5}, "$"), ("ab", {"minLength": 3}, "$"), ("ab", {"maxLength": 1}, "$"),
        ([1], {"minItems": 2}, "$"), ([1], {"maxItems": 0}, "$"),
        (1, {"anyOf": [{"type": "string"}, {"minimum": 0}]}, None),
        (1, {"anyOf": [{"type": "string"}]}, "$"), (1, {"oneOf": [{}, {"minimum": 0}]}, "$"),
        (1, {"allOf": [{"minimum": 2}]}, "$"), (1, False, "$"), (1, True, None),
        ({"head": 1, "tail": {"head": 2, "tail": None}}, LIST, None), ({"head": "x"}, LIST, "$.head"),
        ({"head": 1, "tail": {"head": "x"}}, LIST, "$.tail"),
        ([[], [[]]], {"items": {"$ref": "#"}, "type": "array"}, None),
        ([[1]], {"items": {"$ref": "#"}, "type": "array"}, "$[0][0]"),
        (1, {"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"minimum": 2}}}, "$"),
        (1, {"$ref": "#/$defs/a%25", "$defs": {"a%": {"minimum": 2}}}, "$"),
        (1, {"$ref": "#/definitions/old", "definitions": {"old": {"type": "string"}}}, "$"),
        (1, {"$ref": "#/$defs/a", "maximum": 0, "$defs": {"a": {}}}, "$"),  # neighbours of $ref count
    ],
)  # fmt: skip
def test_the_answer_is_that_of_the_standard(value, schema, wrong):
    check_schema(schema)
    assert paths(value, schema) == ([] if wrong is None else [wrong])
    assert jsonschema.Draft202012Validator(schema).is_valid(value) == (wrong is None)


@pytest.mark.parametrize(
    ("schema", "message", "place"),
    [
        ({"patternProperties": {}}, "'patternProperties' is not supported", "s"),
        ({"items": {"not": {}}}, "'not' is not supported", "s#/items"),
        ({"properties": {"a/b": {"$dynamicRef": "#x"}}}, "not supported", "s#/properties/a~1b"),
        ({"properties": {"a": {"$id": "b"}}}, "'\\$id' is not supported", "s#/properties/a"),
        ({"minLength": -1}, "cannot have the value", "s"), ({"required": "x"}, "cannot have the value", "s"),
        ({"enum": []}, "cannot have the value", "s"), ({"minimum": True}, "cannot have the value", "s"),
        ({"$defs": []}, "cannot have the value", "s"), ({"$ref": 1}, "cannot have the value", "s"),
        ({"anyOf": [1]}, "not int", "s#/anyOf/0"),
        ({"$ref": "https://example.org/a.json"}, "leads out of this schema", "s#/$ref"),
        ({"items": {"$ref": "other.json#/a"}}, "leads out of this schema", "s#/items/$ref"),
        ({"$ref": "#anchor"}, "leads out of this schema", "s#/$ref"),
        ({"$ref": "#/$defs/b", "$defs": {"a": {}}}, "leads to no schema", "s#/$ref"),
        ({"$ref": "#/examples/0", "examples": [{"not": {}}]}, "leads to no schema", "s#/$ref"),
        ({"$ref": "#"}, "leads back to itself", "s#"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}}, "to itself", "s#/$defs/a/anyOf/0"),
    ],
)  # fmt: skip
def test_a_schema_that_could_not_be_held_to_is_refused_with_its_place(schema, message, place):
    with pytest.raises(InputError, match=message) as refused:
        check_schema(schema, "s")
    assert refused.value.place == place


def test_the_hint_says_how_to_mend_a_reference():
    with pytest.raises(InputError) as remote:
        check_schema({"$ref": "https://example.org/a.json"})
    assert "#/$defs/NAME" in remote.value.hint
    with pytest.raises(InputError) as misspelt:
        check_schema({"$ref": "#/$defs/adress", "$defs": {"address": {}}})
    assert misspelt.value.hint == "did you mean '#/$defs/address'?"


class Address(BaseModel):
    street: str = Field(pattern="^[A-Z]")
    zip: str


class Letter(BaseModel):
    to: Address
    copies: list[Address] = []
    mode: Literal["plain", "registered"] = "plain"


def test_a_schema_with_definitions_is_planned_with_and_held_to():
    manifest = [{"skill_id": "mail", "input_schema": Letter.model_json_schema()}, {"skill_id": "echo"}]
    assert isinstance(StubPlanner().plan("a", "say tea", tool_manifest=manifest), PlannerOutput)
    schema = read_skill(manifest[0]).input_schema
    good = {"to": {"street": "a hostile pattern is not run", "zip": "1"}, "copies": [{"street": "{{s.x}}", "zip": "2"}]}
    assert paths(good, schema) == []
    assert paths({"to": {"street": "x"}, "copies": [{"zip": 1}], "mode": "loud"}, schema) == [
        "$.copies[0].street", "$.copies[0].zip", "$.mode", "$.to.zip",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        ("{{s1.x}}", {"type": "integer"}),
        ({"kind": "{{s1.kind}}"}, {"enum": [{"kind": "a"}]}),
        ("tea {{s1.x}}", {"const": "tea time"}), ("a {{s1.x}}", {"maxLength": 4}),
        ({"k": "{{s1.x}}"}, {"oneOf": [{"properties": {"k": {"const": 1}}}, {"properties": {"k": {"const": 2}}}]}),
    ],
)  # fmt: skip
def test_what_a_placeholder_leaves_open_is_accepted_until_it_is_filled(value, schema):
    assert paths(value, schema) == []
    assert paths(value, schema, filled=True) != []


def test_a_placeholder_inside_a_text_is_a_text():
    assert paths("a{{s1.x}}", {"type": "integer"}) == ["$"]


def test_an_output_that_looks_like_a_placeholder_does_not_pass_for_a_number():
    step = Step(step_id="b", skill="cook", params={"eggs": "{{a.text}}"})
    skill = read_skill({"skill_id": "cook", "input_schema": {"properties": {"eggs": {"type": "integer"}}}})
    with pytest.raises(InputError, match="integer expected"):
        resolve_params(step, {"a": {"text": "{{x}}"}}, skill=skill)


def test_references_do_not_multiply_the_work():
    doubling = {f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{i + 1}"}, {"$ref": f"#/$defs/d{i + 1}"}]} for i in range(60)}
    schema = {"$ref": "#/$defs/d0", "$defs": {**doubling, "d60": {"type": "string"}}}
    check_schema(schema)
    assert paths(1, schema) == ["$"]  # 2**60 questions when each is asked anew
    twice = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(60)}
    assert paths(1, {**schema, "$defs": {**twice, "d60": {"type": "string"}}}) == ["$"]


def test_equal_paths_of_different_places_are_told_apart():
    schema = {"type": ["object", "integer"], "additionalProperties": {"$ref": "#"}}
    assert paths({"a": {"b": 1}, "a.b": "x"}, schema) == ["$.a.b"]


def nested(levels):
    value = {"head": 0}
    for _ in range(levels):
        value = {"head": 0, "tail": value}
    return value


def test_values_that_nest_deeper_than_can_be_checked_are_refused_and_not_a_crash():
    assert paths(nested(MAX_LEVELS // 2 - 1), LIST) == []
    assert paths(nested(MAX_LEVELS), LIST) != []
    chain = {"type": "array", "items": {"$ref": "#"}}
    deep = []
    for _ in range(MAX_LEVELS + 1):
        deep = [deep]
    assert [message for _, message in schema_problems(deep, chain)] == ["nested too deeply to be checked"]
