"""ToolEntry lists as others write them: which shape it is, and each shape's reader.

Known are the answer of an MCP server to `tools/list`, the tool lists of the OpenAI and Anthropic interfaces, OpenAPI 3
documents, skill manifests of seed 004, and planvow's own manifest. To add a shape, write its reader and add a line to
`SHAPES`: the first whose test says yes reads the list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from planvow.contract.plan.manifest import read_skill
from planvow.errors import InputError, expect
from planvow.tools.openapi import read_openapi
from planvow.tools.schemas import tidied
from planvow.tools.tool import FORMAT, ToolEntry, read_tool, unique

SKILLS = "skill manifest"
CAPABILITIES = "capabilities"
_WITHOUT = 'a tool without arguments has {"type": "object"}'


class Shape(NamedTuple):
    """One way to write a tool list."""

    name: str
    looks_like: Callable[[Any], bool]
    read: Callable[[Any, str], list[ToolEntry]]


def read_tools(data: Any, *, place: str = "tools") -> tuple[ToolEntry, ...]:
    """Return the tools of a list of any known shape, in order of name; raise InputError with the place of a fault.

    >>> read_tools([{"name": "ping", "inputSchema": {"type": "object"}}])[0].name
    'ping'
    """
    for shape in SHAPES:
        if shape.looks_like(data):
            return unique(shape.read(data, place))
    if isinstance(data, Mapping) and "swagger" in data:
        hint = "convert it to OpenAPI 3 first, with swagger2openapi or https://converter.swagger.io"
        raise InputError("Swagger 2 documents are no known shape", place=place, hint=hint)
    _check_named(data, place)
    known = ", ".join(shape.name for shape in SHAPES)
    raise InputError("this is no tool list of a known shape", place=place, hint=f"known are: {known}")


def shape_of(data: Any) -> str | None:
    """Return the name of the shape that would read a list."""
    return next((shape.name for shape in SHAPES if shape.looks_like(data)), None)


def _check_named(data: Any, place: str) -> None:
    """Raise InputError if the list has a named tool and no word on arguments, which is how each shape is known."""
    first = next(iter(_entries(data)), None)
    if isinstance(first, Mapping) and isinstance(first.get("name"), str):
        hint = f"{_WITHOUT}; OpenAI says parameters, Anthropic input_schema, a capability can_achieve"
        raise InputError(f"the tool {first['name']!r:.80} lacks inputSchema", place=f"{place}[0]", hint=hint)


def _entries(data: Any) -> list[Any]:
    """Return the entries of a list that may stand alone or as `tools` of an object."""
    if isinstance(data, Mapping):
        data = data.get("tools")
    return data if isinstance(data, list) else []


def _some_has(*names: str) -> Callable[[Any], bool]:
    """Return a test: an entry is an object with these fields. Others may lack one; their reader then says which."""

    def looks(data: Any) -> bool:
        return any(isinstance(entry, Mapping) and all(name in entry for name in names) for entry in _entries(data))

    return looks


def _first_has(*names: str) -> Callable[[Any], bool]:
    """Return a test: the first entry is an object with these fields."""

    def looks(data: Any) -> bool:
        first = next(iter(_entries(data)), None)
        return isinstance(first, Mapping) and all(name in first for name in names)

    return looks


def _is_ours(data: Any) -> bool:
    return isinstance(data, Mapping) and data.get("format") == FORMAT


def _read_ours(data: Any, place: str) -> list[ToolEntry]:
    expect(data.get("tools"), list, f"{place}.tools", "a list of tools")
    return [read_tool(entry, f"{place}.tools[{number}]") for number, entry in enumerate(data["tools"])]


def _each(read: Callable[[Mapping[str, Any], str], ToolEntry]) -> Callable[[Any, str], list[ToolEntry]]:
    """Return a reader of whole lists out of a reader of one entry."""

    def read_all(data: Any, place: str) -> list[ToolEntry]:
        tools = []
        for number, entry in enumerate(_entries(data)):
            here = f"{place}[{number}]"
            expect(entry, Mapping, here, "an object")
            try:
                tools.append(read(entry, here))
            except InputError as error:
                if error.place is not None and not error.place.startswith(place):
                    error.place = f"{here}.{error.place}"
                raise
        return tools

    return read_all


def _mcp(entry: Mapping[str, Any], place: str) -> ToolEntry:
    hints = entry.get("annotations") or {}
    expect(hints, Mapping, f"{place}.annotations", "an object")
    return ToolEntry(
        name=_text(entry, "name", place),
        description=_text(entry, "description", place, entry.get("title") or ""),
        input_schema=_input(entry, "inputSchema", place),
        output_schema=_output(entry.get("outputSchema"), f"{place}.outputSchema"),
        read_only=hints.get("readOnlyHint"),
        destructive=hints.get("destructiveHint"),
        idempotent=hints.get("idempotentHint"),
    )


def _input(entry: Mapping[str, Any], name: str, place: str) -> dict[str, Any]:
    """Return the schema of a tool's arguments where a shape has to have one."""
    if name not in entry:
        raise InputError(f"the tool {entry.get('name')!r:.80} lacks {name}", place=place, hint=_WITHOUT)
    return tidied(entry[name], f"{place}.{name}")


def _output(schema: Any, place: str) -> dict[str, Any] | None:
    return None if schema is None else tidied(schema, place)


def _openai(entry: Mapping[str, Any], place: str) -> ToolEntry:
    if entry.get("type") != "function":
        raise InputError(
            f"only functions can be planned with, this is {entry.get('type')!r:.40}", place=f"{place}.type"
        )
    inner = entry.get("function", entry)
    expect(inner, Mapping, f"{place}.function", "an object")
    return ToolEntry(
        name=_text(inner, "name", place),
        description=_text(inner, "description", place, ""),
        input_schema=tidied(inner.get("parameters"), f"{place}.parameters"),
    )


def _anthropic(entry: Mapping[str, Any], place: str) -> ToolEntry:
    return ToolEntry(
        name=_text(entry, "name", place),
        description=_text(entry, "description", place, ""),
        input_schema=_input(entry, "input_schema", place),
    )


def _skill(entry: Mapping[str, Any], place: str) -> ToolEntry:
    skill = read_skill(entry, place)
    return ToolEntry(
        name=skill.skill_id,
        description=skill.description,
        input_schema=skill.input_schema or {"type": "object"},
        output_schema=skill.output_schema,
        read_only=None if "side_effects" not in entry else not skill.side_effects,
    )


def _capability(entry: Mapping[str, Any], place: str) -> ToolEntry:
    """Read a capability of seed 003: its goal words become effects, so that one list serves both planners."""
    words = {name: entry.get(name, ()) for name in ("can_achieve", "requires", "effects")}
    for name, value in words.items():
        expect(value, (list, tuple), f"{place}.{name}", "a list of words")
    return ToolEntry(
        name=_text(entry, "name", place),
        requires=tuple(words["requires"]),
        effects=tuple(dict.fromkeys([*words["effects"], *words["can_achieve"]])),
    )


def _text(entry: Mapping[str, Any], name: str, place: str, default: Any = None) -> str:
    value = entry.get(name)
    if value is None and default is not None:
        return str(default)
    expect(value, str, f"{place}.{name}", "a text")
    return str(value)


def _is_openai(data: Any) -> bool:
    first = next(iter(_entries(data)), None)
    if not isinstance(first, Mapping):
        return False
    return first.get("type") == "function" or ("type" in first and ("function" in first or "parameters" in first))


def _is_openapi(data: Any) -> bool:
    return isinstance(data, Mapping) and isinstance(data.get("openapi"), str) and "paths" in data


SHAPES: tuple[Shape, ...] = (
    Shape("planvow's own manifest", _is_ours, _read_ours),
    Shape("OpenAPI 3", _is_openapi, read_openapi),
    Shape("MCP tools/list", _some_has("name", "inputSchema"), _each(_mcp)),
    Shape("OpenAI tools", _is_openai, _each(_openai)),
    Shape("Anthropic tools", _some_has("name", "input_schema"), _each(_anthropic)),
    Shape(SKILLS, _first_has("skill_id"), _each(_skill)),
    Shape(CAPABILITIES, _some_has("name", "can_achieve"), _each(_capability)),
)
