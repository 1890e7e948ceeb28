"""One tool, and the manifest that lists several.

`requires` and `effects` are statements (`statements.py`): `order.{order_id}.status=paid`. `takes` says of which kind
the value of a parameter is, `produces` of which kind a part of the output is; a value of a kind can be handed from the
tool that produces it to one that takes it. Each of the four is a person's word, or a proposal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from planvow.canonical import content_hash, full_hash, to_jsonable
from planvow.contract.plan.schema_form import check_schema
from planvow.errors import InputError, did_you_mean, expect
from planvow.tools.statements import Statement, read_statement

FORMAT = "planvow-tools/1"
GUESSABLE = ("requires", "effects", "takes", "produces", "read_only", "destructive", "idempotent", "cost")
"""What may be proposed where a tool list does not say it."""
_PATH = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")
_ANYTHING: Mapping[str, Any] = MappingProxyType({"type": "object"})


@dataclass(frozen=True, kw_only=True)
class ToolEntry:
    """A tool as planners, agents and other systems see it.

    >>> tools[0].name, tools[0].description
    ('find_flight', 'Find a flight.')
    """

    name: str
    description: str = ""
    input_schema: Mapping[str, Any] = field(default_factory=lambda: _ANYTHING)
    output_schema: Mapping[str, Any] | None = None
    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    cost: int | None = None
    """In whatever unit the manifest counts; plans have the least in all. Nothing said is nothing counted."""
    needs_approval: str | None = None
    """Why a person has to approve each call, where one has to."""
    requires: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    takes: Mapping[str, str] = field(default_factory=dict)
    produces: Mapping[str, str] = field(default_factory=dict)
    proposed: tuple[str, ...] = ()
    """Those of the fields above that nobody has confirmed."""
    origin: Mapping[str, Any] = field(default_factory=dict)
    """Where it came from and how it is called: a server, a method and a path, a module."""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise InputError("a tool has a name, a text that is not empty", place="name")
        for name in ("requires", "effects", "proposed"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        for name in ("takes", "produces", "origin"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        for statement in (*self.requires, *self.effects):
            read_statement(statement)
        for name in self.produces:
            if not _PATH.fullmatch(name):
                raise InputError(f"{name!r:.60} cannot be handed on: no placeholder can name it", place="produces")
        if self.cost is not None and (isinstance(self.cost, bool) or not isinstance(self.cost, int) or self.cost < 0):
            raise InputError(f"a cost is a whole number of at least 0, got {self.cost!r:.40}", place="cost")

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters by name, each with its schema."""
        found = self.input_schema.get("properties")
        return found if isinstance(found, Mapping) else {}

    @property
    def required(self) -> tuple[str, ...]:
        """The parameters that every call has."""
        found = self.input_schema.get("required")
        return tuple(found) if isinstance(found, list | tuple) else ()

    @property
    def needs(self) -> tuple[Statement, ...]:
        return tuple(map(read_statement, self.requires))

    @property
    def brings(self) -> tuple[Statement, ...]:
        return tuple(map(read_statement, self.effects))

    def as_dict(self) -> dict[str, Any]:
        """Return the tool as JSON data, without what was not said."""
        data = {one.name: getattr(self, one.name) for one in fields(self)}
        plain = {name: dict(value) if isinstance(value, Mapping) else value for name, value in data.items()}
        return dict(to_jsonable({name: value for name, value in plain.items() if value not in (None, (), {}, "")}))


_FIELDS = tuple(one.name for one in fields(ToolEntry))
_KINDS: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "name": (str, "a text"), "description": (str, "a text"), "input_schema": (dict, "a JSON Schema object"),
    "output_schema": (dict, "a JSON Schema object"), "read_only": (bool, "true or false"),
    "destructive": (bool, "true or false"), "idempotent": (bool, "true or false"), "cost": (int, "a whole number"),
    "needs_approval": (str, "the reason, a text"),
    "requires": (list, "a list of statements"), "effects": (list, "a list of statements"),
    "takes": (dict, "an object of texts"), "produces": (dict, "an object of texts"),
    "proposed": (list, "a list of field names"), "origin": (dict, "an object"),
}  # fmt: skip


def read_tool(data: Any, place: str) -> ToolEntry:
    """Return a tool of planvow's own manifest, or raise InputError with the path of the fault."""
    expect(data, dict, place, "an object")
    for name, value in data.items():
        if name not in _FIELDS:
            raise InputError(f"a tool has no field {name!r:.60}", place=place, hint=did_you_mean(name, _FIELDS))
        kind, what = _KINDS[name]
        expect(value, kind, f"{place}.{name}", what)
    for name in ("requires", "effects", "proposed"):
        for number, text in enumerate(data.get(name, ())):
            expect(text, str, f"{place}.{name}[{number}]", "a text")
    for name in ("takes", "produces"):
        for key, text in data.get(name, {}).items():
            expect(text, str, f"{place}.{name}.{key}", "a text")
    for name in ("input_schema", "output_schema"):
        check_schema(data.get(name) or {}, f"{place}.{name}")
    try:
        return ToolEntry(**data)
    except TypeError:
        raise InputError("a tool has a name", place=f"{place}.name") from None
    except InputError as error:
        error.place = f"{place}.{error.place}" if error.place else place
        raise


def unique(tools: Iterable[ToolEntry]) -> tuple[ToolEntry, ...]:
    """Return the tools in order of their names; a name twice is an error."""
    found = sorted(tools, key=lambda tool: tool.name)
    for one, other in pairwise(found):
        if one.name == other.name:
            raise InputError(f"two tools are called {one.name!r:.80}", place=one.name)
    return tuple(found)


def tools_data(tools: Iterable[ToolEntry]) -> dict[str, Any]:
    """Return the manifest as JSON data.

    >>> read_tools(tools_data(tools)) == tools
    True
    """
    return {"format": FORMAT, "tools": [tool.as_dict() for tool in unique(tools)]}


def tools_hash(tools: Iterable[ToolEntry]) -> str:
    """Return the hash that names a manifest: whoever plans over it or runs it can pin it.

    >>> tools_hash(tools) == tools_hash(read_tools(tools_data(tools)))
    True
    """
    return content_hash(tools_data(tools), tag=FORMAT)


def manifest_hash(tools: Iterable[ToolEntry]) -> str:
    """Return the whole hash of a manifest, by which a review pins what it speaks of."""
    return full_hash(tools_data(tools), tag=FORMAT)
