"""Python functions and pydantic models as tools: the signature is the schema, the docstring's first line the rest."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, get_type_hints

from planvow.errors import InputError, expect
from planvow.tools.schemas import tidied
from planvow.tools.tool import ToolEntry, unique


def of_functions(functions: Iterable[Callable[..., Any]]) -> tuple[ToolEntry, ...]:
    """Return annotated functions as tools.

    >>> def greet(name: str) -> str:
    ...     "Say hello."
    ...     return f"hello {name}"
    >>> of_functions([greet])[0].name
    'greet'
    """
    return unique(_of_function(function) for function in functions)


def of_models(models: Iterable[type]) -> tuple[ToolEntry, ...]:
    """Return pydantic models as tools: a call's arguments are the fields of the model.

    >>> from pydantic import BaseModel
    >>> class Book(BaseModel):
    ...     "Book a room."
    ...     nights: int
    >>> of_models([Book])[0].input_schema["required"]
    ['nights']
    """
    return unique(_of_model(model) for model in models)


def _of_function(function: Callable[..., Any]) -> ToolEntry:
    name = getattr(function, "__name__", type(function).__name__)
    try:
        signature = inspect.signature(function)
        hints = get_type_hints(function, include_extras=True)
    except (TypeError, ValueError, NameError) as error:
        raise InputError(f"the signature cannot be read: {error}", place=name) from None
    properties: dict[str, Any] = {}
    required = []
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise InputError(
                f"the parameter {parameter.name!r} cannot be given by name", place=name, hint="name every parameter"
            )
        properties[parameter.name] = _schema_of(hints.get(parameter.name, Any), f"{name}({parameter.name})")
        if parameter.default is parameter.empty:
            required.append(parameter.name)
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    returns = hints.get("return")
    return ToolEntry(
        name=name,
        description=(inspect.getdoc(function) or "").partition("\n")[0],
        input_schema=tidied(_with_shared_definitions(schema), name),
        output_schema=None if returns in (None, type(None)) else _output(returns, f"{name} -> …"),
        origin={"kind": "python", "module": getattr(function, "__module__", ""), "name": name},
    )


def _of_model(model: type) -> ToolEntry:
    make = getattr(model, "model_json_schema", None)
    if not callable(make):
        raise InputError("a pydantic model was expected", place=getattr(model, "__name__", repr(model)))
    return ToolEntry(
        name=model.__name__,
        description=inspect.cleandoc(model.__doc__ or "").partition("\n")[0],  # its own, not its base's
        input_schema=tidied(make(), model.__name__),
        origin={"kind": "python", "module": model.__module__, "name": model.__name__},
    )


def _schema_of(hint: Any, place: str) -> dict[str, Any]:
    from pydantic import TypeAdapter  # only what is asked for needs it
    from pydantic.errors import PydanticSchemaGenerationError, PydanticUserError

    try:
        found = TypeAdapter(hint).json_schema()
    except (PydanticSchemaGenerationError, PydanticUserError, TypeError, NameError) as error:
        raise InputError(f"no schema can be made of this type: {str(error).splitlines()[0]}", place=place) from None
    expect(found, dict, place, "a schema")
    return found


def _output(hint: Any, place: str) -> dict[str, Any] | None:
    found = _schema_of(hint, place)
    return tidied(found, place) if found.get("type") == "object" else None


def _with_shared_definitions(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema whose parameters' own `$defs` stand at the top, where their references look for them."""
    definitions: dict[str, Any] = {}
    for part in schema["properties"].values():
        definitions |= part.pop("$defs", {})
    return {**schema, "$defs": definitions} if definitions else schema
