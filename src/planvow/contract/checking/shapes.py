"""Shapes of JSON documents: said once, they check a document and write its JSON Schema.

A shape answers with the first thing that does not fit, as (path, message); the path is put together on the way out,
so a document that fits costs nothing for it. Imports nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

Misfit = tuple[str, str] | None
_NAMES = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    dict: "an object",
    list: "a list",
    type(None): "null",
}
_JSON = {str: "string", int: "integer", bool: "boolean", dict: "object", list: "array", type(None): "null"}


class Shape(Protocol):
    """Something that a value can fit."""

    def misfit(self, value: Any) -> Misfit: ...

    def schema(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Plain:
    """A value of one of some types; none named means any value. A boolean is no whole number."""

    kinds: tuple[type, ...] = ()

    def misfit(self, value: Any) -> Misfit:
        if not self.kinds or type(value) in self.kinds:
            return None
        return "", f"expected {' or '.join(_NAMES[kind] for kind in self.kinds)}, found {found(value)}"

    def schema(self) -> dict[str, Any]:
        names = [_JSON[kind] for kind in self.kinds]
        return {} if not names else {"type": names[0] if len(names) == 1 else names}


@dataclass(frozen=True)
class Word:
    """One of some texts."""

    words: tuple[str, ...]

    def misfit(self, value: Any) -> Misfit:
        if type(value) is str and value in self.words:
            return None
        return "", f"expected {' or '.join(map(repr, self.words))}, found {value!r:.60}"

    def schema(self) -> dict[str, Any]:
        return {"const": self.words[0]} if len(self.words) == 1 else {"enum": list(self.words)}


@dataclass(frozen=True)
class ListOf:
    """A list of values of one shape."""

    item: Shape
    about: str = ""

    def misfit(self, value: Any) -> Misfit:
        if type(value) is not list:
            return "", f"expected a list, found {found(value)}"
        for place, part in enumerate(value):
            wrong = self.item.misfit(part)
            if wrong is not None:
                return f"[{place}]{wrong[0]}", wrong[1]
        return None

    def schema(self) -> dict[str, Any]:
        return _described({"type": "array", "items": self.item.schema()}, self.about)


@dataclass(frozen=True)
class Row:
    """A list with a shape for each place; those from `least` on may be left out."""

    items: tuple[Shape, ...]
    least: int
    about: str

    def misfit(self, value: Any) -> Misfit:
        if type(value) is not list or not self.least <= len(value) <= len(self.items):
            return "", f"expected {self.about}"
        for place, (part, shape) in enumerate(zip(value, self.items, strict=False)):
            wrong = shape.misfit(part)
            if wrong is not None:
                return f"[{place}]{wrong[0]}", wrong[1]
        return None

    def schema(self) -> dict[str, Any]:
        rows = {"type": "array", "prefixItems": [shape.schema() for shape in self.items]}
        return _described({**rows, "minItems": self.least, "maxItems": len(self.items)}, self.about)


@dataclass(frozen=True)
class MapOf:
    """An object whose keys are free and whose values have one shape."""

    item: Shape
    about: str = ""

    def misfit(self, value: Any) -> Misfit:
        if type(value) is not dict:
            return "", f"expected an object, found {found(value)}"
        for name, part in value.items():
            wrong = self.item.misfit(part)
            if wrong is not None:
                return f".{name:.60}{wrong[0]}", wrong[1]
        return None

    def schema(self) -> dict[str, Any]:
        return _described({"type": "object", "additionalProperties": self.item.schema()}, self.about)


@dataclass(frozen=True)
class Exactly:
    """An object with these fields and no others; optional ones may be left out."""

    fields: Mapping[str, Shape]
    about: str = ""
    optional: Mapping[str, Shape] = field(default_factory=dict)

    def misfit(self, value: Any) -> Misfit:
        if type(value) is not dict:
            return "", f"expected an object, found {found(value)}"
        for name, shape in self.fields.items():
            if name not in value:
                return f".{name}", "missing"
            wrong = shape.misfit(value[name])
            if wrong is not None:
                return f".{name}{wrong[0]}", wrong[1]
        if len(value) == len(self.fields):
            return None
        for name in sorted(set(value) - set(self.fields), key=str):
            if name not in self.optional:
                return f".{name!s:.60}", "unknown field"
            wrong = self.optional[name].misfit(value[name])
            if wrong is not None:
                return f".{name}{wrong[0]}", wrong[1]
        return None

    def schema(self) -> dict[str, Any]:
        every = {**self.fields, **self.optional}
        described = {
            "type": "object",
            "properties": {name: shape.schema() for name, shape in every.items()},
            "required": sorted(self.fields),
            "additionalProperties": False,
        }
        return _described(described, self.about)


@dataclass(frozen=True)
class OrNull:
    """A value of a shape, or null."""

    shape: Shape

    def misfit(self, value: Any) -> Misfit:
        return None if value is None else self.shape.misfit(value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self.shape.schema(), {"type": "null"}]}


def found(value: Any) -> str:
    """Say what kind of value stands somewhere."""
    return _NAMES.get(type(value), type(value).__name__)


def _described(schema: dict[str, Any], about: str) -> dict[str, Any]:
    return {**schema, "description": about} if about else schema
