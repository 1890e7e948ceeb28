"""The schema that a model's plan is bound to: for every skill, its own parameters.

Services take a small part of JSON Schema: closed objects whose properties are all required, types, enumerations and
alternatives. A skill's schema is brought into that form: what may be left out may be null, whatever is no text may
also be a placeholder, and limits (lengths, patterns, ranges) are left to the check afterwards. A schema that cannot be
brought into it (open objects, recursion, no types) leaves its skill's parameters as JSON text, and so does a manifest
that is too large for a schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planvow.contract.plan.manifest import Skill
from planvow.step import OnError

MAX_PROPERTIES = 1_000  # what services take in one schema; more skills than that are named with parameters as text
_MAX_PARTS = 4_000
_MAX_DEPTH = 12
_REFERENCE = "#/$defs/"
_PLACEHOLDER = {"type": "string", "description": "{{step.field}} or {{input.name}}"}
_NULL = {"type": "null"}
_AS_TEXT = {"type": "string", "description": "the skill's parameters: a JSON object written as text"}


def plan_schema(skills: Mapping[str, Skill] | None) -> dict[str, Any]:
    """Return the JSON Schema of an answer. With a manifest, only its skills can be named."""
    closed = {} if not skills else closed_parameters(skills)
    as_text = sorted(set(skills or {}) - set(closed))  # sorted: the order of the manifest is no part of the schema
    kinds = [_step({"type": "string", "enum": [name]}, closed[name]) for name in sorted(closed)]
    if as_text or not kinds:
        kinds.append(_step({"type": "string", **({"enum": as_text} if as_text else {})}, _AS_TEXT))
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["steps"],
        "properties": {"steps": {"type": "array", "items": kinds[0] if len(kinds) == 1 else {"anyOf": kinds}}},
    }


def closed_parameters(skills: Mapping[str, Skill]) -> dict[str, dict[str, Any]]:
    """Return the parameters of every skill whose schema can be said in the small form."""
    found = {name: _closed(skill.input_schema) for name, skill in skills.items()}
    closed = {name: schema for name, schema in found.items() if schema is not None}
    return closed if sum(map(_size, closed.values())) <= MAX_PROPERTIES else {}


def given_parameters(params: Any, skill: Skill | None) -> Any:
    """Return parameters without those that the model left out by writing null, where null is no value of theirs."""
    schema = {} if skill is None else skill.input_schema or {}
    if not isinstance(params, dict):
        return params
    needed = set(schema.get("required", ()))
    properties = schema.get("properties", {})
    return {
        name: value
        for name, value in params.items()
        if value is not None or name in needed or name not in properties or _takes_null(properties[name], schema)
    }


def _step(skill: dict[str, Any], params: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["step_id", "skill", "params", "depends_on", "on_error"],
        "properties": {
            "step_id": {"type": "string"},
            "skill": skill,
            "params": params,
            "depends_on": {"type": "array", "items": {"type": "string"}},
            "on_error": {"type": "string", "enum": [policy.value for policy in OnError]},
        },
    }


class _Unsayable(Exception):
    """A schema that cannot be said in the small form: open, recursive, without types, or out of all measure."""


class _Closing:
    """Brings one schema into the small form. Every part that is looked at is counted: references can multiply."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._definitions = root.get("$defs")
        self._left = _MAX_PARTS

    def object_of(self, schema: Any, depth: int = 0) -> dict[str, Any]:
        """Return the schema of an object, with every property required and no other allowed."""
        if not isinstance(schema, Mapping) or not isinstance(schema.get("properties"), Mapping):
            raise _Unsayable
        if schema.get("additionalProperties") not in (False, None):
            raise _Unsayable
        required = schema.get("required", ())
        made = {}
        for name, part in sorted(schema["properties"].items()):
            choices = self.choices(part, depth + 1)
            made[name] = _any_of(choices if name in required or _NULL in choices else [*choices, _NULL], part)
        return {"type": "object", "additionalProperties": False, "required": list(made), "properties": made}

    def choices(self, schema: Any, depth: int = 0) -> list[dict[str, Any]]:
        """Return what a value may be, each in the small form."""
        self._left -= 1
        if self._left < 0 or depth > _MAX_DEPTH:
            raise _Unsayable
        schema = self._resolved(schema)
        for word in ("anyOf", "oneOf"):
            if isinstance(schema.get(word), list):
                return _distinct(one for part in schema[word] for one in self.choices(part, depth + 1))
        if "enum" in schema or "const" in schema:
            return [{"enum": list(schema.get("enum", [schema.get("const")]))}, _PLACEHOLDER]
        types = schema.get("type")
        named = types if isinstance(types, list) else [types]
        return _distinct(one for kind in named for one in self._of_type(kind, schema, depth))

    def _of_type(self, kind: Any, schema: Mapping[str, Any], depth: int) -> list[dict[str, Any]]:
        if kind in ("string", "null"):
            return [{"type": kind}]
        if kind in ("integer", "number", "boolean"):
            return [{"type": kind}, _PLACEHOLDER]
        if kind == "array":
            items = self.choices(schema.get("items"), depth + 1)
            return [{"type": "array", "items": _any_of(items, {})}, _PLACEHOLDER]
        if kind == "object":
            return [self.object_of(schema, depth + 1), _PLACEHOLDER]
        raise _Unsayable

    def _resolved(self, schema: Any) -> Mapping[str, Any]:
        """Follow a reference within the document, one step."""
        target = schema.get("$ref") if isinstance(schema, Mapping) else None
        if isinstance(target, str) and target.startswith(_REFERENCE) and isinstance(self._definitions, Mapping):
            schema = self._definitions.get(target.removeprefix(_REFERENCE))
        if not isinstance(schema, Mapping) or "$ref" in schema:
            raise _Unsayable
        return schema


def _closed(schema: Mapping[str, Any] | None) -> dict[str, Any] | None:
    try:
        return None if schema is None else _Closing(schema).object_of(schema)
    except _Unsayable:
        return None


def _any_of(choices: list[dict[str, Any]], part: Any) -> dict[str, Any]:
    made = choices[0] if len(choices) == 1 else {"anyOf": choices}
    description = part.get("description") if isinstance(part, Mapping) else None
    return {**made, "description": description} if isinstance(description, str) else made


def _distinct(choices: Any) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = []
    for choice in choices:
        if choice not in kept:
            kept.append(choice)
    return kept


def _takes_null(schema: Any, root: Mapping[str, Any]) -> bool:
    try:
        return _NULL in _Closing(root).choices(schema)
    except _Unsayable:
        return True


def _size(schema: Any) -> int:
    """Return how many properties a schema has, at every depth."""
    if isinstance(schema, dict):
        return len(schema.get("properties", ())) + sum(map(_size, schema.values()))
    return sum(map(_size, schema)) if isinstance(schema, list) else 0
