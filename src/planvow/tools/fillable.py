"""Whether any value can fill a schema: `false`, an empty range, choices of another type, a value that contains itself.

What is called unfillable surely is; keywords are looked at one place at a time, so some that are unfillable pass.
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


def unfillable(schema: Any, root: Mapping[str, Any], within: tuple[str, ...] = ()) -> str | None:
    """Return why no value can fill a schema, or None. `within` are the references on the way to it.

    >>> unfillable({"type": "integer", "minimum": 5, "maximum": 3}, {})
    'minimum is 5 and maximum 3'
    """
    if schema is False:
        return "it allows no value"
    if not isinstance(schema, Mapping):
        return None
    return next(_reasons(schema, root, within), None)


def _reasons(schema: Mapping[str, Any], root: Mapping[str, Any], within: tuple[str, ...]) -> Iterator[str]:
    yield from _own(schema, root)
    reference = schema.get("$ref")
    if reference in within:
        yield CIRCLE
    elif isinstance(reference, str):
        yield from _said(unfillable(follow(root, reference), root, (*within, reference)))
    for part in schema.get("allOf", ()):
        yield from _said(unfillable(part, root, within))
    for name in ("anyOf", "oneOf"):
        ways = [unfillable(part, root, within) for part in schema.get(name, ())]
        if ways and all(ways):
            yield from _said(ways[0])
    if schema.get("type") == "object":
        properties = schema.get("properties", {})
        for name in schema.get("required", ()):
            yield from _said(unfillable(properties.get(name), root, within))


def _own(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[str]:
    """Yield why the words that stand here leave no value."""
    for low, high, types in _RANGES:
        if low in schema and high in schema and schema[low] > schema[high] and schema.get("type") in types:
            yield f"{low} is {schema[low]} and {high} {schema[high]}"
    listed = [schema["const"]] if "const" in schema else schema.get("enum")
    others = {name: value for name, value in schema.items() if name not in ("const", "enum")}
    if listed is not None and all(_is_refused(value, others, root) for value in listed):
        yield "none of its choices fits the rest of it"


def _is_refused(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    whole = {"$defs": root.get("$defs", {}), "definitions": root.get("definitions", {}), **schema}
    return next(schema_problems(value, whole), None) is not None


def _said(reason: str | None) -> Iterator[str]:
    if reason is not None:
        yield reason
