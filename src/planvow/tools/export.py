"""The manifest as others want it: MCP, OpenAI, Anthropic, and the skill manifest of seed 004."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from planvow.canonical import to_jsonable
from planvow.tools.tool import ToolEntry


def to_mcp(tools: Iterable[ToolEntry]) -> list[dict[str, Any]]:
    """Return the tools as an MCP server lists them.

    >>> to_mcp(tools)[0]["name"]
    'find_flight'
    """
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "inputSchema": _plain(tool.input_schema),
            **({"outputSchema": _plain(tool.output_schema)} if tool.output_schema is not None else {}),
            **_hints(tool),
        }
        for tool in tools
    ]


def _hints(tool: ToolEntry) -> dict[str, Any]:
    said = {
        "readOnlyHint": tool.read_only, "destructiveHint": tool.destructive, "idempotentHint": tool.idempotent
    }  # fmt: skip
    hints = {name: value for name, value in said.items() if value is not None}
    return {"annotations": hints} if hints else {}


def to_openai(tools: Iterable[ToolEntry]) -> list[dict[str, Any]]:
    """Return the tools as the OpenAI chat interface takes them.

    >>> to_openai(tools)[0]["type"]
    'function'
    """
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": _plain(tool.input_schema)},
        }
        for tool in tools
    ]


def to_anthropic(tools: Iterable[ToolEntry]) -> list[dict[str, Any]]:
    """Return the tools as the Anthropic interface takes them.

    >>> sorted(to_anthropic(tools)[0])
    ['description', 'input_schema', 'name']
    """
    return [
        {"name": tool.name, "description": tool.description, "input_schema": _plain(tool.input_schema)}
        for tool in tools
    ]


def to_skills(tools: Iterable[ToolEntry]) -> list[dict[str, Any]]:
    """Return the tools as the skill manifest that every planner of the contract takes.

    >>> to_skills(tools)[0]["skill_id"]
    'find_flight'
    """
    return [
        {
            "skill_id": tool.name,
            "description": tool.description,
            "input_schema": _plain(tool.input_schema),
            **({"output_schema": _plain(tool.output_schema)} if tool.output_schema is not None else {}),
            "side_effects": tool.read_only is not True,
        }
        for tool in tools
    ]


def _plain(schema: Mapping[str, Any]) -> Any:
    return to_jsonable(dict(schema))


EXPORTS = {"mcp": to_mcp, "openai": to_openai, "anthropic": to_anthropic, "skills": to_skills}
"""Who the manifest can be written for."""
