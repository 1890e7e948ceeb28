"""The three published schemas of seed 002, version 1.0, as data.

They are what requests are checked with (`shape.py`) and what `src/planvow/schemas/*.schema.json` is generated from,
so the published text and the behaviour are one thing. `inputs.ops`, object symbols, `index_hash` and `usage` are
additions, as is `policy_hash`; the rest is the seed's tables.
"""

from __future__ import annotations

from typing import Any

from planvow.governed.operation_kinds import MAX_NOTE_CHARACTERS, OPERATIONS, REFS, Ref

SCHEMA_VERSION = "1.0"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

MAX_REFERENCES = 1000
MAX_COUNT = 2**53 - 1
DEFAULT_MAX_BYTES = 10_000_000  # seed 002, Budget Enforcement
DEFAULT_MAX_SYMBOLS = 100

Schema = dict[str, Any]


def _text(description: str, most: int = 256) -> Schema:
    return {"type": "string", "minLength": 1, "maxLength": most, "description": description}


def _count(description: str, least: int = 0, most: int = MAX_COUNT) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most, "description": description}


def _list(items: Schema, description: str, most: int = MAX_REFERENCES) -> Schema:
    return {"type": "array", "items": items, "maxItems": most, "description": description}


def _object(properties: Schema, required: tuple[str, ...], description: str) -> Schema:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _ref(ref: Ref) -> Schema:
    if ref.is_line:
        return _count(ref.description, 1)
    return _text(ref.description, ref.most) if ref.most else {"type": "string", "description": ref.description}


_REFS = _object(
    {name: _ref(ref) for name, ref in REFS.items()}, (), "References to external resources; which ones depends on op"
)

_CONSTRAINTS = {
    "timeout_seconds": _count("Maximum seconds for this step", 1, 86_400),
    "required_outputs": _list(_text("Name of an output"), "Outputs the step must give", 100),
}

_OUTPUTS: Schema = {"type": "object", "description": "What the step is expected to give", "additionalProperties": True}

_OP = {"type": "string", "enum": list(OPERATIONS), "description": "Operation type"}

PLAN_STEP: Schema = {
    "$schema": DIALECT,
    "title": "plan_step",
    "version": SCHEMA_VERSION,
    **_object(
        {
            "step_id": _text("step_ and 16 hex digits, the hash of ordinal, op, refs and constraints", 32),
            "ordinal": _count("Place in the plan, from 1", 1),
            "op": _OP,
            "refs": _REFS,
            "constraints": _object(
                {**_CONSTRAINTS, "after": _list(_text("step_id", 32), "Earlier steps this one waits for")},
                (),
                "Constraints on this step",
            ),
            "expected_outputs": _OUTPUTS,
        },
        ("step_id", "ordinal", "op"),
        "One step of a governed plan",
    ),
}

PLAN_REQUEST: Schema = {
    "$schema": DIALECT,
    "title": "plan_request",
    "version": SCHEMA_VERSION,
    **_object(
        {
            "run_id": _text("Run context for grouping"),
            "request_id": _text("Unique identifier for this plan request"),
            "intent": _text('High-level intent, such as "debug_function"'),
            "inputs": _object(
                {
                    "symbols": _list(
                        {
                            "anyOf": [
                                _text("@NAMESPACE/name, read with its default_slice", 200),
                                _object(
                                    {"symbol_id": _text("@NAMESPACE/name", 200), "slice": _ref(REFS["slice"])},
                                    ("symbol_id",),
                                    "A symbol with a slice of its own",
                                ),
                            ]
                        },
                        "@Symbols to resolve",
                    ),
                    "files": _list(_text("Path relative to the root", 4096), "Files to read"),
                    "notes": _list(_text("Free text", MAX_NOTE_CHARACTERS), "Advisory notes or constraints"),
                    "ops": _list(
                        _object(
                            {
                                "id": _text("Name for `after` links within this request", 64),
                                "op": _OP,
                                "refs": _REFS,
                                "constraints": _object(_CONSTRAINTS, (), "Constraints on this step"),
                                "expected_outputs": _OUTPUTS,
                                "after": _list(
                                    _text("The id of another op, a symbol or a file of this request", 4096),
                                    "What this waits for; without it, a write waits for all reads",
                                ),
                            },
                            ("op", "refs"),
                            "An explicit operation",
                        ),
                        "Operations spelt out by the requester; the planner validates and orders them, it invents none",
                    ),
                },
                (),
                "Input references",
            ),
            "budgets": _object(
                {
                    "max_steps": _count("Maximum number of steps"),
                    "max_bytes": {**_count("Maximum total bytes delivered by reads"), "default": DEFAULT_MAX_BYTES},
                    "max_symbols": {**_count("Maximum distinct @Symbols"), "default": DEFAULT_MAX_SYMBOLS},
                },
                ("max_steps",),
                "Hard limits; exceeding one means there is no plan",
            ),
        },
        ("run_id", "request_id", "intent", "budgets"),
        "What is wanted, from what, within which limits",
    ),
}

PLAN_OUTPUT: Schema = {
    "$schema": DIALECT,
    "title": "plan_output",
    "version": SCHEMA_VERSION,
    **_object(
        {
            "run_id": _text("Run context for this plan"),
            "request_id": _text("Request that generated this plan"),
            "planner_version": _text("Version of the planner"),
            "index_hash": _text("Hash of the section index the plan rests on", 64),
            "policy_hash": _text("Hash of the policy the plan was made under", 64),
            "steps": {
                "type": "array",
                "description": "Ordered steps",
                "items": {k: v for k, v in PLAN_STEP.items() if k not in ("$schema", "title", "version")},
            },
            "plan_hash": _text("SHA-256 of the canonical plan", 64),
            "usage": _object(
                {
                    "steps": _count("Steps"),
                    "bytes": _count("Bytes delivered by reads"),
                    "symbols": _count("Distinct symbols"),
                },
                ("steps", "bytes", "symbols"),
                "What the plan needs of each budget",
            ),
        },
        ("run_id", "request_id", "planner_version", "steps", "plan_hash"),
        "A governed plan",
    ),
}

SCHEMAS = {"plan_request": PLAN_REQUEST, "plan_step": PLAN_STEP, "plan_output": PLAN_OUTPUT}
