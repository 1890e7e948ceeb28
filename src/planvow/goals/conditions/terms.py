"""Values that calls can be made with: given ones, choices a schema lists, and outputs of earlier calls.

An output is named by the call that gives it, so that a tool called with other arguments gives another value, and one
called again with the same gives the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from planvow.canonical import canonical_json
from planvow.contract.plan.schema_check import schema_problems
from planvow.tools.schemas import types_of
from planvow.tools.tool import ToolEntry

_MAX_CHOICES = 16
OUTSIDE = "\0outside "
"""Begins the names of what stands for tools that are not looked at; no tool has such a name."""


@dataclass(frozen=True, eq=False)
class Given:
    """A value that is known before anything is called.

    Two are the same where JSON writes them alike: 1 and true are two, and lists can be compared, too.
    """

    value: Any

    depth = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Given) and other.label == self.label

    def __hash__(self) -> int:
        return hash(self.label)

    @cached_property
    def text(self) -> str:
        """How statements write it: the number 1 and the text 1 name the same order."""
        return self.value if isinstance(self.value, str) else canonical_json(self.value)

    @cached_property
    def label(self) -> str:
        """How calls write it: two values have two labels."""
        return canonical_json(self.value)


@dataclass(frozen=True)
class Output:
    """A part of what a call gives."""

    call: Call
    name: str

    @property
    def depth(self) -> int:
        return self.call.depth

    @cached_property
    def text(self) -> str:
        return f"\0{self.call.text}.{self.name}"  # no value that somebody gives is written so

    @property
    def label(self) -> str:
        return self.text


Term = Given | Output


@dataclass(frozen=True)
class Call:
    """A tool and what it is called with."""

    tool: str
    arguments: tuple[tuple[str, Term], ...]

    @cached_property
    def depth(self) -> int:
        """How many calls stand behind one another up to this one."""
        return 1 + max((term.depth for _, term in self.arguments), default=0)

    @cached_property
    def text(self) -> str:
        return f"{self.tool}({', '.join(f'{name}={term.label}' for name, term in self.arguments)})"

    def names(self, tool: ToolEntry) -> dict[str, str]:
        """Return what the names in the tool's statements stand for: its parameters, then its outputs."""
        outputs = {name: Output(self, name).text for name in tool.produces}
        return {**outputs, **{name: term.text for name, term in self.arguments}}


def choices(schema: Any) -> tuple[Given, ...]:
    """Return the values that a schema itself lists."""
    if not isinstance(schema, Mapping):
        return ()
    if "const" in schema:
        return (Given(schema["const"]),)
    listed = schema.get("enum")
    if isinstance(listed, list) and len(listed) <= _MAX_CHOICES:
        return tuple(Given(value) for value in listed)
    return ()


def misfit(term: Term, schema: Any, root: Mapping[str, Any], tools: Mapping[str, ToolEntry]) -> str | None:
    """Return why a parameter may not get a value: checked where it is known, by the kinds of JSON where it is not."""
    if isinstance(term, Given):
        whole = {**root, "type": "object", "properties": {"value": schema}, "required": ["value"]}
        whole.pop("additionalProperties", None)
        return next((problem for _, problem in schema_problems({"value": term.value}, whole)), None)
    made = (tools[term.call.tool].output_schema or {}).get("properties", {}).get(term.name, {})
    if not (types_of(made) and types_of(schema)) or types_of(made) & types_of(schema):
        return None
    return f"{term.name} of {term.call.tool} is of another type"


def kind_of(tool: ToolEntry, parameter: str) -> str:
    """Return the kind of a parameter: what the manifest says, else its own name."""
    return tool.takes.get(parameter, parameter)


def filled(tool: ToolEntry) -> tuple[str, ...]:
    """Return the parameters that get a value: the required ones, and those that statements speak of."""
    spoken = {name for statement in (*tool.needs, *tool.brings) for name in statement.names}
    return tuple(name for name in tool.parameters if name in tool.required or name in spoken) or tuple(
        name for name in tool.required if name not in tool.parameters
    )
