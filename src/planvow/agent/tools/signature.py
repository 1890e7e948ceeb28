"""What a Python function takes: its parameters by name, and a JSON Schema made of its annotations.

Only annotations that JSON can be held to become part of the schema; anything else is left open.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

PLAIN: Mapping[Any, str] = {
    str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null",
    list: "array", tuple: "array", dict: "object",
}  # fmt: skip
GIVEN = ("call", "idempotency_key", "secrets")
"""Parameters that are filled for a function that has them, unless its command has an argument of that name."""


def parameters_of(function: Callable[..., Any]) -> list[inspect.Parameter] | None:
    """Return a function's parameters, None where Python does not know them."""
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None


def names_of(function: Callable[..., Any], reserved: tuple[str, ...] = GIVEN) -> tuple[str, ...] | None:
    """Return the names of a function's arguments in order; None if it takes any number."""
    parameters = parameters_of(function)
    if parameters is None or any(part.kind in (part.VAR_POSITIONAL, part.VAR_KEYWORD) for part in parameters):
        return None
    return tuple(part.name for part in parameters if part.name not in reserved)


def schema_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return a JSON Schema of a function's arguments."""
    hints = _hints(function)
    properties: dict[str, Any] = {}
    required = []
    is_open = False
    for part in parameters_of(function) or []:
        if part.kind in (part.VAR_POSITIONAL, part.VAR_KEYWORD):
            is_open = True
        elif part.name not in GIVEN:
            properties[part.name] = _schema(hints.get(part.name))
            if part.default is part.empty:
                required.append(part.name)
    closed = {} if is_open else {"additionalProperties": False}
    return {"type": "object", "properties": properties, "required": required, **closed}


def _hints(function: Any) -> Mapping[str, Any]:
    plain = function if inspect.isroutine(function) else getattr(type(function), "__call__", function)  # noqa: B004
    try:
        return get_type_hints(inspect.unwrap(plain))
    except Exception:  # annotations may name what is not there at run time
        return {}


def _schema(hint: Any) -> dict[str, Any]:
    origin, inside = get_origin(hint), get_args(hint)
    if hint in PLAIN:
        return {"type": PLAIN[hint]}
    if origin in (Union, types.UnionType):
        forms = [_schema(part) for part in inside]
        return {"anyOf": forms} if all(forms) else {}
    if origin is Literal and all(isinstance(part, str | int | bool | type(None)) for part in inside):
        return {"enum": list(inside)}
    if isinstance(hint, type) and issubclass(hint, Enum):
        values = [member.value for member in hint]
        return {"enum": values} if all(isinstance(value, str | int | bool) for value in values) else {}
    if origin is list and len(inside) == 1:
        items = _schema(inside[0])
        return {"type": "array", **({"items": items} if items else {})}
    if origin in (tuple, dict):
        return {"type": PLAIN[origin]}
    return {}
