"""Which argument of a command becomes which argument of its tool, settled before anything is planned.

By name where the tool has all the names; else by place, where the numbers fit. So a command `fetch(state, thing)` can
be run by a tool `download(url)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from planvow.agent.errors import ToolArgumentsError, ToolError
from planvow.agent.tools.adapt import as_tool
from planvow.agent.tools.imported import ImportedTools
from planvow.agent.tools.signature import names_of, parameters_of
from planvow.agent.tools.tool import Call, Tool
from planvow.contract.plan.schema_check import schema_problems
from planvow.errors import did_you_mean
from planvow.kernel.domain.domain import Domain


@dataclass(frozen=True, kw_only=True)
class BoundTool:
    """A tool as one command uses it: `renamed` maps the command's names to the tool's.

    `names` are the command's own, in order: stored steps have lost it, and a tool may take its arguments by place.
    """

    tool: Tool
    names: tuple[str, ...]
    renamed: Mapping[str, str]

    def arguments(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Return a step's arguments under the tool's names; raise ToolArgumentsError unless they fit its schema."""
        ordered = [name for name in self.names if name in payload]
        if len(ordered) < len(payload):
            ordered += sorted(payload.keys() - set(self.names), key=_number)
        given = {self.renamed.get(name, name): payload[name] for name in ordered}
        if self.tool.schema is not None and not self._fits_plainly(given):
            for place, message in schema_problems(given, self.tool.schema, self.tool.name, filled=True):
                raise ToolArgumentsError(message, place=place)
        return given

    def _fits_plainly(self, given: Mapping[str, Any]) -> bool:
        """Say whether arguments fit a schema that asks for nothing but types, as most do; False means: look closer."""
        rules = self._plain_rules
        return (
            rules is not None
            and all(name in rules and rules[name](type(value)) for name, value in given.items())
            and all(name in given for name in self._required)
        )

    @cached_property
    def _required(self) -> tuple[str, ...]:
        return tuple((self.tool.schema or {}).get("required", ()))

    @cached_property
    def _plain_rules(self) -> Mapping[str, Callable[[type], bool]] | None:
        """What may be said of each argument by its type alone; None if the schema asks for more than that."""
        schema = self.tool.schema or {}
        properties = schema.get("properties")
        if not isinstance(properties, Mapping) or schema.keys() - _ABOUT - {
            "type", "properties", "required", "additionalProperties"
        }:  # fmt: skip
            return None
        return {name: _plain_rule(rule) for name, rule in properties.items()}


def bind_tools(domain: Domain, tools: Mapping[str, Any]) -> dict[str, BoundTool]:
    """Return the tools by command; refuse a tool that no command names and one that takes other arguments."""
    bound = {}
    for name, given in tools.items():
        if name not in domain.commands and isinstance(tools, ImportedTools):
            continue  # a server may offer more than a domain needs
        if name not in domain.commands:
            hint = did_you_mean(name, domain.commands) or f"commands are {', '.join(domain.commands)}"
            raise ToolError(f"the domain {domain.name!r} has no command {name!r}", place=f"tool {name}", hint=hint)
        made = _as_tool(name, given)
        model = domain.commands[name].model
        bound[name] = _bound(made, names_of(model, reserved=()), _named(model))
    missing = [name for name in domain.commands if name not in tools]
    if missing:
        hint = "give each a tool, or None where nothing needs to be done"
        raise ToolError(f"there is no tool for {_listed(missing)}", place="tools", hint=hint)
    for name, command in domain.commands.items():
        if command.ordered and name in bound and not bound[name].tool.ordered:
            bound[name] = replace(bound[name], tool=replace(bound[name].tool, ordered=True))
    return bound


def bind_skills(tools: Mapping[str, Any]) -> dict[str, BoundTool]:
    """Return the tools by the skill that a planner's steps name; their arguments are the steps' own."""
    made = {name: _as_tool(name, given) for name, given in tools.items()}
    return {name: BoundTool(tool=tool, names=tool.parameters or (), renamed={}) for name, tool in made.items()}


def _as_tool(name: str, given: Any) -> Tool:
    return Tool(name=name, run=_nothing, idempotent=True) if given is None else as_tool(name, given)


def _bound(tool: Tool, takes: tuple[str, ...] | None, names: tuple[str, ...]) -> BoundTool:
    if tool.parameters is None or takes is None:
        return BoundTool(tool=tool, names=names, renamed={})
    required = (tool.schema or {}).get("required", tool.parameters)
    if set(names) <= set(tool.parameters) and set(required) <= set(names):
        return BoundTool(tool=tool, names=names, renamed={})
    if len(required) <= len(names) <= len(tool.parameters) and set(required) <= set(tool.parameters[: len(names)]):
        return BoundTool(tool=tool, names=names, renamed=dict(zip(names, tool.parameters, strict=False)))
    raise ToolError(
        f"the command gives {_listed(names)}, the tool takes {_listed(tool.parameters)}",
        place=f"tool {tool.name}",
        hint="give the tool the command's arguments, or default values to those that the command does not have",
    )


def _named(function: Any) -> tuple[str, ...]:
    """Return the names of a command's arguments, without the state and without those that have no name."""
    parts = (parameters_of(function) or [])[1:]
    return tuple(part.name for part in parts if part.kind in (part.POSITIONAL_ONLY, part.POSITIONAL_OR_KEYWORD))


_PLAINLY: Mapping[str, tuple[type, ...]] = {"string": (str,), "integer": (int,), "number": (int, float)}
_ABOUT = {"title", "description", "default"}  # words that allow and forbid nothing


def _plain_rule(rule: Any) -> Callable[[type], bool]:
    """Return what says of a type that each of its values is allowed."""
    if rule is True or (isinstance(rule, Mapping) and not rule.keys() - _ABOUT):
        return lambda kind: True
    if isinstance(rule, Mapping) and isinstance(rule.get("type"), str) and not rule.keys() - _ABOUT - {"type"}:
        return _PLAINLY.get(rule["type"], ()).__contains__
    return lambda kind: False


def _number(name: str) -> tuple[int, str]:
    """Order the arguments without a name, which are called arg1, arg2 and so on, by their number."""
    digits = name.removeprefix("arg")
    return (int(digits) if digits.isdecimal() else 0, name)


def _nothing(call: Call) -> None:
    """Do nothing: for commands that only keep the books."""


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "nothing"
