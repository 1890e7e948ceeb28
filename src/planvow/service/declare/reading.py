"""From JSON data to a question, with an error that names the field; and the published schema of an operation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from planvow.errors import InputError, did_you_mean, shown
from planvow.service.declare.operation import Operation

_LONGEST_TEXT = 200


@cache
def _adapter(kind: type) -> Any:
    from pydantic import TypeAdapter  # only ways in from outside need it

    return TypeAdapter(kind)


def read_question(operation: Operation, data: Any) -> Any:
    """Return the question that JSON data holds, or raise InputError for the first field that is wrong."""
    from pydantic import ValidationError

    if not isinstance(data, Mapping):
        raise InputError(f"{operation.name} takes an object of arguments, got {type(data).__name__}", place="arguments")
    known = operation.question.__dataclass_fields__  # type: ignore[attr-defined]
    for name in data:
        if name not in known:
            hint = did_you_mean(name, known) or f"it takes {', '.join(known)}"
            raise InputError(f"{operation.name} has no argument {shown(name)}", place=str(name)[:80], hint=hint)
    given = {name: value for name, value in data.items() if value is not None}
    try:
        return _adapter(operation.question).validate_python(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "arguments"
        raise InputError(f"{first['msg']:.{_LONGEST_TEXT}}", place=place, hint=_takes(operation, place)) from None


def _takes(operation: Operation, place: str) -> str | None:
    field = schema_of(operation.question).get("properties", {}).get(place.partition(".")[0])
    return None if field is None else f"{place.partition('.')[0]}: {field.get('description') or field.get('type')}"


@cache
def schema_of(kind: type) -> dict[str, Any]:
    """Return the JSON Schema of a document: closed, without titles, and a field that may be absent is never null."""
    schema: dict[str, Any] = _plain(_adapter(kind).json_schema())
    return schema


def _plain(schema: Any, *, named: bool = False) -> Any:
    """Leave out what says nothing; `named` stands for an object whose keys are names and not words of JSON Schema."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if named:
        return {name: _plain(part) for name, part in schema.items()}
    kinds = schema.get("anyOf")
    if kinds and {"type": "null"} in kinds:
        others = [kind for kind in kinds if kind != {"type": "null"}]
        rest = {key: value for key, value in schema.items() if key not in ("anyOf", "default")}
        return _plain({**(others[0] if len(others) == 1 else {"anyOf": others}), **rest})
    made = {
        key: _plain(value, named=key in ("properties", "$defs")) if key != "default" else value
        for key, value in schema.items()
        if key != "title"
        and not (key == "default" and value in (None, "", [], {}))
        and not (key == "additionalProperties" and value is True)
    }
    if "properties" in made:
        made["additionalProperties"] = False
        for part in made["properties"].values():
            if isinstance(part, dict) and "description" in part:
                part["description"] = " ".join(part["description"].split())
    if "description" in made:
        made["description"] = " ".join(made["description"].split())
    return made
