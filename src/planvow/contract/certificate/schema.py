"""The form of a plan certificate as a JSON Schema, for readers who do not use planvow.

It says the same as `certificate_form`: what fits the one fits the other (tested by mutations). What a certificate must
keep beyond its form (supported reads, closed decomposition, schedule, hash) no schema can say; the checkers do.
"""

from __future__ import annotations

from typing import Any

from planvow.contract.certificate.form import FORMAT, KINDS


def _exactly(description: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": sorted(properties),
        "additionalProperties": False,
    }


def _list(items: Any, description: str) -> dict[str, Any]:
    return {"type": "array", "items": items, "description": description}


_TEXT = {"type": "string"}
_ID = {"type": "integer"}
_TICKS = {"type": ["integer", "null"]}
_TRIPLES = {"$ref": "#/$defs/triples"}

CERTIFICATE_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "urn:planvow:schema:certificate:1",
    "title": "Certificate",
    "$defs": {
        "triple": {
            "type": "array",
            "prefixItems": [_TEXT],
            "minItems": 2,
            "maxItems": 3,
            "description": "[predicate, subject, value], or [predicate, subject] for an absent value",
        },
        "triples": _list({"$ref": "#/$defs/triple"}, "Facts."),
        "node": _exactly(
            "An item of the agenda or of a decomposition.",
            id=_ID,
            kind={"enum": sorted(KINDS)},
            item={},
            method={"type": ["string", "null"]},
            children=_list(_ID, "The nodes it became, in order."),
        ),
        "step": _exactly(
            "One command, with what it read and wrote.",
            node=_ID,
            command={"type": "array", "minItems": 1, "description": "Its name and its arguments."},
            reads=_TRIPLES,
            writes=_TRIPLES,
        ),
        "goal": _exactly("What must hold when a node is done.", node=_ID, triples=_TRIPLES),
        "constraint": {
            "type": "array",
            "prefixItems": [_TEXT, _TEXT, _TICKS, _TICKS, _TEXT],
            "minItems": 5,
            "maxItems": 5,
            "description": "[from, to, lo, hi, name]: the second point lies lo to hi ticks after the first.",
        },
        "time": _exactly(
            "The temporal constraints and one schedule that keeps them, in microseconds.",
            constraints=_list({"$ref": "#/$defs/constraint"}, "All of them."),
            schedule={"type": "object", "additionalProperties": {"type": "integer"}},
        ),
    },
    **_exactly(
        "A plan that can be checked without the planner: `planvow verify FILE`.",
        format={"const": FORMAT},
        planner={"type": "object", "description": "The id and version of the planner."},
        inputs_hash={**_TEXT, "description": "Of everything that decided the plan."},
        budgets={"type": "object"},
        status=_TEXT,
        agenda={"type": "array"},
        initial=_list({"$ref": "#/$defs/triple"}, "The initial facts that the plan rests on."),
        root=_list(_ID, "The nodes of the agenda."),
        nodes=_list({"$ref": "#/$defs/node"}, "The decomposition."),
        steps=_list({"$ref": "#/$defs/step"}, "The commands in order."),
        goals=_list({"$ref": "#/$defs/goal"}, "The goals, by node."),
        time={"anyOf": [{"$ref": "#/$defs/time"}, {"type": "null"}]},
        hash={**_TEXT, "description": "Of everything else, as canonical JSON."},
    ),
}
