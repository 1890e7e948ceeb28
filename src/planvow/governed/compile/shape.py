"""Checking a JSON value against one of our schemas, with the path to the first fault and a hint.

Only the keywords our own schemas use are known. Tests compare the verdicts with a full JSON Schema validator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planvow.errors import did_you_mean
from planvow.governed.errors import InvalidRequestError

_NAMES = {dict: "an object", list: "a list", str: "a string", int: "a whole number", bool: "a boolean"}
_TYPES: Mapping[str, type] = {"object": dict, "array": list, "string": str, "integer": int}


def check_shape(value: Any, schema: Mapping[str, Any], place: str) -> None:
    """Raise InvalidRequestError at the first place, in schema order, where a value does not fit."""
    if "anyOf" in schema:
        fitting = [option for option in schema["anyOf"] if type(value) is _TYPES[option["type"]]]
        if not fitting:
            expected = " or ".join(_NAMES[_TYPES[option["type"]]] for option in schema["anyOf"])
            raise InvalidRequestError(f"expected {expected}, got {_shown(value)}", place=place)
        check_shape(value, fitting[0], place)
        return
    kind: Any = _TYPES[schema["type"]]
    if type(value) is not kind:
        raise InvalidRequestError(f"expected {_NAMES[kind]}, got {_shown(value)}", place=place)
    if kind is str:
        _check_text(value, schema, place)
    elif kind is int:
        _check_number(value, schema, place)
    elif kind is list:
        if len(value) > schema.get("maxItems", len(value)):
            raise InvalidRequestError(f"has {len(value)} items, at most {schema['maxItems']} are allowed", place=place)
        items = schema["items"]
        for position, item in enumerate(value):
            check_shape(item, items, f"{place}[{position}]")
    else:
        _check_object(value, schema, place)


def _check_object(value: Mapping[str, Any], schema: Mapping[str, Any], place: str) -> None:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            raise InvalidRequestError("is required and missing", place=_below(place, name))
    for name, item in value.items():
        if name in properties:
            check_shape(item, properties[name], _below(place, name))
        elif schema.get("additionalProperties") is False:
            hint = did_you_mean(name, properties) or "known are " + ", ".join(properties)
            raise InvalidRequestError("there is no such field", place=_below(place, name[:60]), hint=hint)


def _check_text(value: str, schema: Mapping[str, Any], place: str) -> None:
    if len(value) < schema.get("minLength", 0):
        raise InvalidRequestError("must not be empty", place=place)
    if len(value) > schema.get("maxLength", len(value)):
        raise InvalidRequestError(
            f"has {len(value)} characters, at most {schema['maxLength']} are allowed", place=place
        )
    if "enum" in schema and value not in schema["enum"]:
        hint = did_you_mean(value, schema["enum"]) or "one of " + ", ".join(schema["enum"])
        raise InvalidRequestError(f"{value[:40]!r} is not known here", place=place, hint=hint)


def _check_number(value: int, schema: Mapping[str, Any], place: str) -> None:
    if value < schema.get("minimum", value):
        raise InvalidRequestError(f"is {value}, at least {schema['minimum']} is needed", place=place)
    if value > schema.get("maximum", value):
        raise InvalidRequestError(f"is larger than {schema['maximum']}", place=place)


def _below(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _shown(value: Any) -> str:
    if value is None:
        return "null"
    return _NAMES.get(type(value), "a number" if isinstance(value, float) else type(value).__name__)
