"""Operations as MCP tools, with descriptions and schemas short enough to stand in every prompt."""

from __future__ import annotations

from typing import Any

import mcp_types as types

from planvow.service.catalogue import OPERATIONS
from planvow.service.declare.operation import MCP, Operation, Right
from planvow.service.declare.reading import schema_of

ALWAYS = (Right.READ, Right.PLAN)


def offered(*, posting: bool) -> dict[str, Operation]:
    """Return the operations that are tools; those that post or approve only where that was allowed."""
    return {
        name: operation
        for name, operation in OPERATIONS.items()
        if MCP not in operation.missing and (posting or operation.right in ALWAYS)
    }


def tool_of(operation: Operation) -> types.Tool:
    """Return an operation as a tool: flat parameters, and the first level of its answer."""
    return types.Tool(
        name=operation.name,
        description=operation.summary,
        input_schema=_input(operation),
        output_schema=_output(operation),
        annotations=_annotations(operation),
    )


def _annotations(operation: Operation) -> types.ToolAnnotations:
    if operation.read_only:
        return types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return types.ToolAnnotations(
        read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )


def _input(operation: Operation) -> dict[str, Any]:
    schema = schema_of(operation.question)
    hidden = {*operation.advanced, *(("answer",) if operation.right is Right.APPROVE else ())}  # a person's answer
    named = {name: part for name, part in schema.get("properties", {}).items() if name not in hidden}
    required = {"required": schema["required"]} if schema.get("required") else {}
    return {"type": "object", "properties": {name: _flat(part) for name, part in named.items()}, **required}


def _flat(part: dict[str, Any]) -> dict[str, Any]:
    """Leave out what a model does not need to fill in a parameter."""
    kept: dict[str, Any] = {key: part[key] for key in ("type", "enum", "description", "default") if key in part}
    if part.get("type") == "array" and "type" in part.get("items", {}):
        kept["items"] = {"type": part["items"]["type"]}
    return kept


def _output(operation: Operation) -> dict[str, Any]:
    """Return the first level of an answer; the whole schema is at schema://operation.NAME."""
    schema = schema_of(operation.output)
    parts = {name: _kind(part) for name, part in schema["properties"].items()}
    return {"type": "object", "properties": parts, "required": schema.get("required", [])}


def _kind(part: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in part:
        return {"type": "object"}
    return {"type": part["type"]} if "type" in part else {}
