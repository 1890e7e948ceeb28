"""A small checker for the part of JSON Schema that skill manifests use to describe parameters.

Constraining keywords it does not know are reported by `unsupported_keywords`, so nothing passes because it was not
understood. `format` and `pattern` are annotations here: a hostile pattern could hang the planner, so the skill itself
enforces them. A value that is one placeholder is accepted anywhere: its type is known only when the plan runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from planvow.canonical import canonical_bytes
from planvow.contract.plan.placeholders import is_placeholder

_ANNOTATIONS = frozenset(
    {"$schema", "$id", "$comment", "title", "description", "default", "examples", "deprecated", "format", "pattern",
     "readOnly", "writeOnly"}
)  # fmt: skip
_CONSTRAINTS = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "enum", "const", "minimum", "maximum",
     "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems",
     "anyOf", "allOf", "oneOf"}
)  # fmt: skip
_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "boolean": (bool,), "null": (type(None),),
    "integer": (int,), "number": (int, float),
}  # fmt: skip
_NUMBER_KEYWORDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
_COUNT_KEYWORDS = frozenset({"minLength", "maxLength", "minItems", "maxItems"})


def unsupported_keywords(schema: Any) -> list[str]:
    """Return the keywords, anywhere in a schema, that this checker cannot enforce or whose value makes no sense."""
    return sorted(set(_unsupported(schema)))


def _unsupported(schema: Any) -> Iterator[str]:
    if isinstance(schema, bool):
        return
    if not isinstance(schema, Mapping):
        yield f"schema of type {type(schema).__name__}"
        return
    for keyword, value in schema.items():
        if keyword in _ANNOTATIONS:
            continue
        if keyword not in _CONSTRAINTS or not _well_formed(keyword, value):
            yield keyword
        elif keyword == "properties":
            for child in value.values():
                yield from _unsupported(child)
        elif keyword in ("items", "additionalProperties"):
            yield from _unsupported(value)
        elif keyword in ("anyOf", "allOf", "oneOf"):
            for child in value:
                yield from _unsupported(child)


def _well_formed(keyword: str, value: Any) -> bool:
    if keyword == "type":
        names = value if isinstance(value, list) else [value]
        return bool(names) and all(isinstance(name, str) and name in _TYPES for name in names)
    if keyword == "properties":
        return isinstance(value, Mapping)
    if keyword == "required":
        return isinstance(value, list) and all(isinstance(name, str) for name in value)
    if keyword in ("enum", "anyOf", "allOf", "oneOf"):
        return isinstance(value, list) and bool(value)
    if keyword in _NUMBER_KEYWORDS:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if keyword in _COUNT_KEYWORDS:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return True


def schema_problems(value: Any, schema: Any, path: str = "$") -> Iterator[tuple[str, str]]:
    """Yield (path, what is wrong) for every way in which a value breaks a schema."""
    if schema is True or is_placeholder(value):
        return
    if schema is False:
        yield path, "nothing is allowed here"
        return
    wanted = schema.get("type")
    if wanted is not None and not _has_type(value, wanted):
        names = " or ".join(wanted) if isinstance(wanted, list) else wanted
        yield path, f"{names} expected, got {_type_name(value)}"
        return
    if "enum" in schema and not any(_equal(value, option) for option in schema["enum"]):
        yield path, f"not one of the {len(schema['enum'])} allowed values"
    if "const" in schema and not _equal(value, schema["const"]):
        yield path, "not the one allowed value"
    yield from _bounds(value, schema, path)
    if isinstance(value, Mapping):
        yield from _object_problems(value, schema, path)
    elif isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from schema_problems(item, schema["items"], f"{path}[{index}]")
    yield from _combinations(value, schema, path)


def _object_problems(value: Mapping[str, Any], schema: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{path}.{name}", "this parameter is required"
    for name in sorted(value):  # sorted: problems come in the same order whatever the key order
        rule = properties.get(name, schema.get("additionalProperties", True))
        if rule is False:
            yield f"{path}.{name}", "this parameter is not allowed"
        else:
            yield from schema_problems(value[name], rule, f"{path}.{name}")


def _bounds(value: Any, schema: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        if "minimum" in schema and value < schema["minimum"]:
            yield path, f"less than the minimum {schema['minimum']}"
        if "maximum" in schema and value > schema["maximum"]:
            yield path, f"more than the maximum {schema['maximum']}"
        if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
            yield path, f"must be more than {schema['exclusiveMinimum']}"
        if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
            yield path, f"must be less than {schema['exclusiveMaximum']}"
    for kind, low, high, what in (
        (str, "minLength", "maxLength", "characters"),
        (list, "minItems", "maxItems", "items"),
    ):
        if isinstance(value, kind):
            size = len(value)
            if size < schema.get(low, 0):
                yield path, f"{size} {what}, at least {schema[low]} needed"
            if size > schema.get(high, size):
                yield path, f"{size} {what}, at most {schema[high]} allowed"


def _combinations(value: Any, schema: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    for part in schema.get("allOf", ()):
        yield from schema_problems(value, part, path)
    if "anyOf" in schema and not any(_fits(value, part) for part in schema["anyOf"]):
        yield path, "fits none of the allowed forms"
    if "oneOf" in schema and sum(_fits(value, part) for part in schema["oneOf"]) != 1:
        yield path, "does not fit exactly one of the allowed forms"


def _fits(value: Any, schema: Any) -> bool:
    return next(schema_problems(value, schema), None) is None


def _has_type(value: Any, wanted: str | list[str]) -> bool:
    for name in wanted if isinstance(wanted, list) else [wanted]:
        if isinstance(value, bool) and name != "boolean":
            continue  # Python's booleans are integers, JSON's are not
        if isinstance(value, _TYPES[name]):
            return True
    return False


def _type_name(value: Any) -> str:
    for name in ("boolean", "null", "object", "array", "string", "integer", "number"):
        if isinstance(value, _TYPES[name]):
            return name
    return type(value).__name__


def _equal(left: Any, right: Any) -> bool:
    return canonical_bytes(left) == canonical_bytes(right)  # bytes: True and 1 are different JSON values
