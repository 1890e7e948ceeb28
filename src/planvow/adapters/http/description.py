"""The OpenAPI description, made from the declarations: the same bytes every time, committed and held by a test."""

from __future__ import annotations

from typing import Any

from planvow._version import __version__
from planvow.service.catalogue import OPERATIONS
from planvow.service.declare.document import Refusal
from planvow.service.declare.operation import HTTP, Operation, Right
from planvow.service.declare.reading import schema_of

PREFIX = "/api/v1"
PROBLEM = "application/problem+json"
_PROBLEMS = {
    "400": "The question is wrong; `place` names the field",
    "403": "Who asks may not do this",
    "404": "What the question names is not here",
    "408": "The body came too slowly",
    "409": "It is refused as things stand",
    "413": "The question is too large",
    "421": "Another host or origin is meant",
    "422": "There is no plan, with the reason",
    "429": "Too many calls at once",
    "500": "A defect of planvow",
    "504": "It took longer, or more memory, than is allowed",
}


def served() -> dict[str, Operation]:
    """Return the operations that HTTP has."""
    return {name: operation for name, operation in OPERATIONS.items() if HTTP not in operation.missing}


def openapi() -> dict[str, Any]:
    """Return the whole description."""
    schemas: dict[str, Any] = {"Problem": _problem()}
    paths = {f"{PREFIX}/{name}": {"post": _call(operation, schemas)} for name, operation in served().items()}
    paths[f"{PREFIX}/runs/{{run_id}}/events"] = {"get": _events()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "planvow",
            "version": __version__,
            "description": "Plans you can hold an agent to. Every operation takes a question and gives an answer; the "
            "same question gives the same plan. Nothing is executed.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _call(operation: Operation, schemas: dict[str, Any]) -> dict[str, Any]:
    question = _named(operation.question, schemas)
    return {
        "operationId": operation.name,
        "summary": operation.summary,
        "requestBody": {"required": True, "content": {"application/json": {"schema": question}}},
        "responses": {
            "200": {
                "description": "The answer",
                "content": {"application/json": {"schema": _named(operation.output, schemas)}},
            },
            **_refusals(),
        },
        **({"security": [{"token": []}]} if operation.right in (Right.OPERATE, Right.APPROVE) else {}),
    }


def _refusals() -> dict[str, Any]:
    body = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {code: {"description": words, "content": body} for code, words in _PROBLEMS.items()}


def _events() -> dict[str, Any]:
    text = {"schema": {"type": "string"}}
    return {
        "operationId": "watch_run",
        "summary": "What happens to a run, as server-sent events; Last-Event-ID goes on where a stream broke off.",
        "parameters": [
            {"name": "run_id", "in": "path", "required": True, "schema": {"type": "string"}},
            {"name": "Last-Event-ID", "in": "header", "required": False, "schema": {"type": "string"}},
        ],
        "responses": {
            "200": {"description": "Events until the run is finished", "content": {"text/event-stream": text}},
            **_refusals(),
        },
    }


def _named(kind: type, schemas: dict[str, Any]) -> dict[str, Any]:
    """Put a document's schema among the components and return the reference to it."""
    schema = schema_of(kind)
    for name, part in schema.get("$defs", {}).items():
        schemas[name] = _moved(part)
    schemas[kind.__name__] = _moved({key: value for key, value in schema.items() if key != "$defs"})
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _moved(part: Any) -> Any:
    if isinstance(part, dict):
        return {
            key: value.replace("#/$defs/", "#/components/schemas/") if key == "$ref" else _moved(value)
            for key, value in part.items()
        }
    return [_moved(each) for each in part] if isinstance(part, list) else part


def _problem() -> dict[str, Any]:
    own = {"type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"}}
    told = schema_of(Refusal)["properties"]
    return {
        "type": "object",
        "description": "RFC 9457, with planvow's code, the reason and what to change.",
        "properties": {**own, "detail": {"type": "string"}, **told},
        "required": ["type", "title", "status", "detail", "code"],
    }
