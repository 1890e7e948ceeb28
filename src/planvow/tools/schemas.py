"""Schemas of others made ready for our checker: what it cannot hold a call to is told, never kept in silence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planvow.canonical import to_jsonable
from planvow.contract.plan.schema_form import ANNOTATIONS, KEYWORDS, check_schema, follow
from planvow.errors import InputError, expect

_SCALARS = frozenset({"string", "integer", "number", "boolean"})
LOST = "planvow:not-checked"
"""Where a tidied schema lists the keywords that were left out of it."""


def tidied(schema: Any, place: str) -> dict[str, Any]:
    """Return a schema with the keywords our checker holds to; others are listed under `$comment` where they stood.

    Nothing becomes stricter than it was: a call that the tool would take is never refused for a word left out.
    """
    if schema is None:
        return {"type": "object"}
    expect(schema, Mapping, place, "a JSON Schema object")
    found = _tidied(to_jsonable(schema))
    if not isinstance(found, dict):
        raise InputError("an object was expected", place=place)
    found.setdefault("type", "object")
    check_schema(found, place)
    return found


def _tidied(part: Any) -> Any:
    if not isinstance(part, dict):
        return part
    part = _nullable(part)
    kept: dict[str, Any] = {}
    for name, value in part.items():
        if name in ("properties", "$defs", "definitions") and isinstance(value, dict):
            kept[name] = {key: _tidied(inner) for key, inner in value.items()}
        elif name in ("allOf", "anyOf", "oneOf") and isinstance(value, list):
            kept[name] = [_tidied(inner) for inner in value]
        elif name in ("items", "additionalProperties"):
            kept[name] = _tidied(value)
        elif name in KEYWORDS or name in ANNOTATIONS:
            kept[name] = value
    lost = sorted(set(part) - set(kept))
    if lost:
        kept["$comment"] = f"{LOST} {', '.join(lost)}"
    return kept


def _nullable(part: dict[str, Any]) -> dict[str, Any]:
    """Return OpenAPI 3.0's `nullable` as JSON Schema says it."""
    if part.get("nullable") is not True or not isinstance(part.get("type"), str):
        return {name: value for name, value in part.items() if name != "nullable"}
    return {**{name: value for name, value in part.items() if name != "nullable"}, "type": [part["type"], "null"]}


def is_scalar(schema: Any, root: Mapping[str, Any] | None) -> bool:
    """Say whether each value of a schema is a text, a number or a truth value; where it may be null, one beside that.

    >>> is_scalar({"anyOf": [{"type": "string"}, {"type": "null"}]}, None)
    True
    """
    waiting, met = [schema], set[int]()
    while waiting:
        part = waiting.pop()
        if id(part) in met:
            continue  # references may name a part more than once
        met.add(id(part))
        if not isinstance(part, Mapping):
            return False
        kinds = part.get("type")
        if "$ref" in part:  # a tool's schemas are checked: references lead somewhere, and end
            waiting.append(follow(root, part["$ref"]))
        elif kinds is not None:
            said = {kinds} if isinstance(kinds, str) else set(kinds)
            if not said - {"null"} or not said <= _SCALARS | {"null"}:
                return False
        else:
            ways = [way for way in part.get("anyOf") or part.get("oneOf") or () if way != {"type": "null"}]
            if not ways:
                return False
            waiting += ways
    return True


def types_of(schema: Any) -> frozenset[str]:
    """Return the types that a schema allows where it stands; nothing where it says none.

    >>> sorted(types_of({"type": "number"}))
    ['integer', 'number']
    """
    said = schema.get("type") if isinstance(schema, Mapping) else None
    types = frozenset([said] if isinstance(said, str) else said or ())
    return types | {"integer", "number"} if "number" in types else types


def properties_of(schema: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the properties that a schema of an object lists."""
    found = (schema or {}).get("properties")
    return found if isinstance(found, Mapping) else {}
