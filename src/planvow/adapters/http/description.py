"""The OpenAPI description, made from the declarations: the same bytes every time, committed and held by a test."""

from __future__ import annotations

from typing import Any

from planvow._version import __version__
from planvow.adapters.http.call_status import CallStatus
from planvow.service.catalogue import OPERATIONS
from planvow.service.declare.document import Refusal
from planvow.service.declare.operation import HTTP, Operation, Right
from planvow.service.declare.reading import schema_of

PREFIX = "/api/v1"
HERE = frozenset({"runs", "run_events", "ledger_figures", "read_document", "post_plan", "decide", "operate"})
"""What is answered without a worker: it looks things up and plans nothing."""
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
    "503": "The ledger is away or cannot be written now; `Retry-After` says when to ask again",
    "504": "It took longer, or more memory, than is allowed",
}
_PREFER = {
    "name": "Prefer",
    "in": "header",
    "required": False,
    "description": "respond-async: answer at once with a place where the answer will be",
    "schema": {"type": "string"},
}


def served() -> dict[str, Operation]:
    """Return the operations that HTTP has."""
    return {name: operation for name, operation in OPERATIONS.items() if HTTP not in operation.missing}


def openapi() -> dict[str, Any]:
    """Return the whole description."""
    schemas: dict[str, Any] = {"Problem": _problem()}
    paths = {f"{PREFIX}/{name}": {"post": _call(operation, schemas)} for name, operation in served().items()}
    paths[f"{PREFIX}/runs/{{run_id}}/events"] = {"get": _run_events()}
    one = f"{PREFIX}/calls/{{call_id}}"
    status = _named(CallStatus, schemas)
    paths[one] = {"get": _about_call("call_status", "Where a call stands whose answer comes later.", status)}
    paths[one]["delete"] = _about_call("cancel_call", "End a call with its worker; forget one that ended.", status)
    paths[f"{one}/events"] = {"get": _call_events()}
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
            **({} if operation.name in HERE else _later(schemas)),
            **_refusals(),
        },
        **({} if operation.name in HERE else {"parameters": [_PREFER]}),
        **({"security": [{"token": []}]} if operation.right in (Right.OPERATE, Right.APPROVE) else {}),
    }


def _refusals() -> dict[str, Any]:
    body = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {code: {"description": words, "content": body} for code, words in _PROBLEMS.items()}


def _run_events() -> dict[str, Any]:
    summary = "What happens to a run, as server-sent events; Last-Event-ID goes on where a stream broke off."
    return _streamed("watch_run", summary, "run_id", "Events until the run is finished")


def _call_events() -> dict[str, Any]:
    summary = "How far a call is, as server-sent events; Last-Event-ID goes on where a stream broke off."
    return _streamed("watch_call", summary, "call_id", "Events until the call has ended")


def _streamed(name: str, summary: str, what: str, until: str) -> dict[str, Any]:
    last = {"name": "Last-Event-ID", "in": "header", "required": False, "schema": {"type": "string"}}
    content = {"text/event-stream": {"schema": {"type": "string"}}}
    return {
        "operationId": name,
        "summary": summary,
        "parameters": [_in_path(what), last],
        "responses": {"200": {"description": until, "content": content}, **_refusals()},
    }


def _about_call(name: str, summary: str, status: dict[str, Any]) -> dict[str, Any]:
    content = {"application/json": {"schema": status}}
    return {
        "operationId": name,
        "summary": summary,
        "parameters": [_in_path("call_id")],
        "responses": {"200": {"description": "Where it stands", "content": content}, **_refusals()},
    }


def _in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _later(schemas: dict[str, Any]) -> dict[str, Any]:
    """Describe how an operation is asked for an answer that comes later."""
    where = {"Location": {"description": "Where the answer will be", "schema": {"type": "string"}}}
    content = {"application/json": {"schema": _named(CallStatus, schemas)}}
    return {"202": {"description": "It is answered later", "headers": where, "content": content}}


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
