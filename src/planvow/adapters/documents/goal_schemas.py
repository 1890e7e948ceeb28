"""JSON Schemas of what the goal planner reads and prints: goal, world, capabilities, agenda, and `goal --json`.

Fields come from the dataclasses, so a new one is published by itself. Each schema is committed under `planvow/schemas`,
as those of the contract are.
"""

from __future__ import annotations

import json
from typing import Any

from planvow.adapters.documents.json_schemas import closed
from planvow.goals.values.values import GOAL_TYPES, PlannedAction, ToolCapability, ToolGoal, WorldState

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TEXT = {"type": "string"}
_MAYBE_TEXT = {"type": ["string", "null"]}


def goal_schemas() -> dict[str, dict[str, Any]]:
    """Return the schemas by name."""
    made = {
        "goal": _goal(),
        "world": _of(WorldState),
        "capabilities": {"type": "array", "items": _capability()},
        "agenda": _agenda(),
        "goal_answer": _goal_answer(),
    }
    return {
        name: {"$schema": _DIALECT, "$id": f"urn:planvow:schema:{name}:1", **schema} for name, schema in made.items()
    }


def goal_schema_text(name: str) -> str:
    """Return a schema as its committed file should be."""
    return json.dumps(goal_schemas()[name], ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _of(kind: type) -> dict[str, Any]:
    from pydantic import TypeAdapter  # only generating needs it, printing does not

    schema = TypeAdapter(kind).json_schema()
    closed(schema)
    return schema


def _capability() -> dict[str, Any]:
    """A capability, and what the tool says about itself."""
    schema = _of(ToolCapability)
    schema["properties"]["description"] = {"type": "string", "title": "Description"}
    return schema


def _one_goal() -> dict[str, Any]:
    schema = _of(ToolGoal)
    schema["properties"]["goal_type"] = {"enum": list(GOAL_TYPES)}
    return schema


def _goal() -> dict[str, Any]:
    """One goal, several, or several with what each waits for: what `goal --file` and the planner `goal` take."""
    one = {"$ref": "#/$defs/goal"}
    several = {"type": "array", "items": one, "minItems": 1}
    waits = {
        "type": "object",
        "propertyNames": {"pattern": "^[0-9]+$"},
        "additionalProperties": {"type": "array", "items": {"type": "integer", "minimum": 0}},
    }
    group = {
        "type": "object",
        "properties": {"goals": several, "dependencies": waits, "meta_type": _TEXT},
        "required": ["goals"],
        "additionalProperties": False,
    }
    return {"anyOf": [one, several, group], "$defs": {"goal": _one_goal()}}


def _agenda() -> dict[str, Any]:
    """What is asked of a domain by name: `planvow.tools.agenda_schema(domain)` says which tasks a domain has."""
    item = {
        "type": "object",
        "properties": {"task": {"type": "string", "minLength": 1}, "arguments": {"type": "object"}},
        "required": ["task", "arguments"],
        "additionalProperties": False,
    }
    return {"type": "array", "items": item, "minItems": 1}


def _goal_answer() -> dict[str, Any]:
    """What `goal --json` prints: a plan or why there is none; and, of a wish that was not understood, the choices."""
    rows = {"type": "array", "items": {"type": "object"}}
    planned = {
        "status": {"enum": ["success", "partial", "blocked", "no_capability", "rejected"]},
        "reason": _MAYBE_TEXT,
        "actions": {"type": "array", "items": _of(PlannedAction)},
        "execution_order": {"type": "array", "items": _TEXT},
        "why": {"type": "object", "additionalProperties": _TEXT},
        "failed_goals": rows,
        "warnings": {"type": "array", "items": _TEXT},
        "planner": {
            "type": "object",
            "properties": {"id": {"const": "goal"}, "version": _TEXT},
            "required": ["id", "version"],
            "additionalProperties": False,
        },
        "request": {"type": "object"},
        "receipts": rows,
    }
    doubtful = {"status": _TEXT, "reason": _MAYBE_TEXT, "choices": {"type": "array", "items": _TEXT}}
    needed = [name for name in planned if name != "receipts"]
    return {
        "anyOf": [
            {"type": "object", "properties": planned, "required": needed, "additionalProperties": False},
            {"type": "object", "properties": doubtful, "required": [*doubtful], "additionalProperties": False},
        ]
    }
