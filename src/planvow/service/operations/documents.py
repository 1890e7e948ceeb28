"""Documents by address: plans and certificates made here, runs, schemas, domains and what error codes mean."""

from __future__ import annotations

import json
from typing import Any

from planvow.canonical import to_jsonable
from planvow.errors import error_for_code
from planvow.hooks import hook
from planvow.service.common import domains
from planvow.service.declare.document import data_of, document
from planvow.service.declare.errors import UnknownDocumentError
from planvow.service.declare.operation import COMMAND_LINE, MCP, Answer, Operation, Right
from planvow.service.declare.setting import Setting
from planvow.service.records.runs import RunsQuestion, runs

SCHEMES = {
    "plan": "A plan made here, by its hash: steps, planner and version.",
    "certificate": "The certificate of a plan made here, by the plan's hash.",
    "run": "A run in the ledger, by its id: jobs, steps, what waits for approval.",
    "schema": "A JSON Schema, by name: plan, plan_request, operation.make_plan …",
    "domain": "A Python domain, by name: tasks, commands, methods and the state it begins with.",
    "error": "What an error code means and what to do.",
}


@document
class DocumentQuestion:
    """An address such as plan://HASH."""

    address: str
    """plan://, certificate://, run://, schema://, domain:// or error:// and a name."""


@document
class DocumentAnswer:
    """The document."""

    address: str
    content: Any
    """JSON data; for error:// text."""


def read_document(asked: DocumentQuestion, setting: Setting) -> Answer:
    """Return the document at an address."""
    scheme, _, name = asked.address.partition("://")
    if scheme not in SCHEMES or not name:
        hint = f"addresses begin with {', '.join(f'{known}://' for known in SCHEMES)}"
        raise UnknownDocumentError(f"{asked.address!r:.80} is no address of a document", place="address", hint=hint)
    return Answer(output=DocumentAnswer(address=asked.address, content=_READ[scheme](name, setting)))


def _kept(scheme: str) -> Any:
    return lambda name, setting: to_jsonable(setting.shelf.read(scheme, name))


def _error(code: str, _setting: Setting) -> str:
    hook("load_all_errors")()
    found = error_for_code(code)
    retry = "may succeed when tried again" if found.retryable else "gives the same answer when tried again unchanged"
    return f"{found.code}\n\n{found.explanation()}\n\nIt {retry}."


_READ = {
    "plan": _kept("plan"),
    "certificate": _kept("certificate"),
    "run": lambda name, setting: data_of(runs(RunsQuestion(run_id=name), setting).output),
    "schema": lambda name, _setting: json.loads(hook("schema_text")(name)),
    "domain": lambda name, setting: to_jsonable(domains.whole(name, domains.find(setting, name))),
    "error": _error,
}

READ_DOCUMENT = Operation(
    name="read_document",
    summary="Read a plan, certificate, run, schema, domain or error explanation by its address.",
    question=DocumentQuestion,
    output=DocumentAnswer,
    run=read_document,
    right=Right.READ,
    missing={
        COMMAND_LINE: "files are at hand there, and `planvow schema` and `planvow explain-error` print the rest",
        MCP: "its resources have these addresses",
    },
)
