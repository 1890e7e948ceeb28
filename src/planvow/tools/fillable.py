"""Whether any value can fill a schema: `false`, an empty range, choices of another type, a value that contains itself.

What is called unfillable surely is; keywords are looked at one place at a time, so some that are unfillable pass. Each
part of a schema is looked at once, however many references lead there, so references cannot multiply the work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from planvow.contract.plan.schema_check import schema_problems
from planvow.contract.plan.schema_form import follow

CIRCLE = "its value would have to contain itself"
_RANGES = (
    ("minimum", "maximum", ("integer", "number")),
    ("minLength", "maxLength", ("string",)),
    ("minItems", "maxItems", ("array",)),
)


def unfillable(schema: Any, root: Mapping[str, Any]) -> str | None:
    """Return why no value can fill a schema, or None.

    >>> unfillable({"type": "integer", "minimum": 5, "maximum": 3}, {})
    'minimum is 5 and maximum 3'
    """
    parts = _reachable(schema, root)
    able: set[int] = set()
    is_growing = True
    while is_growing:  # what contains itself never gets in: it would have to be able first
        before = len(able)
        for key, part in reversed(parts.items()):
            if key not in able and _is_able(part, root, able):
                able.add(key)
        is_growing = len(able) > before
    return _reason(schema, root, able)


def _reachable(schema: Any, root: Mapping[str, Any]) -> dict[int, Any]:
    """Return all parts that bear on whether a schema can be filled, outer ones first, by their ids."""
    parts: dict[int, Any] = {}
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if id(part) not in parts:
            parts[id(part)] = part
            waiting += [each for ways in _needs(part, root) for each in ways]
    return parts


def _needs(schema: Any, root: Mapping[str, Any]) -> Iterator[list[Any]]:
    """Yield what a value needs beside the words that stand here: each time one of several parts."""
    if not isinstance(schema, Mapping):
        return
    if isinstance(schema.get("$ref"), str):
        yield [follow(root, schema["$ref"])]
    for part in schema.get("allOf", ()):
        yield [part]
    for name in ("anyOf", "oneOf"):
        if schema.get(name):
            yield list(schema[name])
    if schema.get("type") == "object":
        properties = schema.get("properties", {})
        for name in schema.get("required", ()):
            yield [properties.get(name)]


def _is_able(schema: Any, root: Mapping[str, Any], able: set[int]) -> bool:
    """Whether a value can fill a part, as far as is known of the parts it needs."""
    needs = all(any(id(way) in able for way in ways) for ways in _needs(schema, root))
    return needs and _own_reason(schema, root) is None


def _reason(schema: Any, root: Mapping[str, Any], able: set[int]) -> str | None:
    """Say why a part is not able: what it says itself, or the first need that nothing meets, wherever that leads."""
    way: set[int] = set()
    while id(schema) not in able:
        if id(schema) in way:
            return CIRCLE
        way.add(id(schema))
        own = _own_reason(schema, root)
        if own is not None:
            return own
        schema = next(ways[0] for ways in _needs(schema, root) if able.isdisjoint(map(id, ways)))
    return None


def _own_reason(schema: Any, root: Mapping[str, Any]) -> str | None:
    """Return why the words that stand here leave no value, or None."""
    if schema is False:
        return "it allows no value"
    if not isinstance(schema, Mapping):
        return None
    for low, high, types in _RANGES:
        if low in schema and high in schema and schema[low] > schema[high] and schema.get("type") in types:
            return f"{low} is {schema[low]} and {high} {schema[high]}"
    listed = [schema["const"]] if "const" in schema else schema.get("enum")
    others = {name: value for name, value in schema.items() if name not in ("const", "enum")}
    if listed is not None and all(_is_refused(value, others, root) for value in listed):
        return "none of its choices fits the rest of it"
    return None


def _is_refused(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    whole = {"$defs": root.get("$defs", {}), "definitions": root.get("definitions", {}), **schema}
    return next(schema_problems(value, whole), None) is not None
