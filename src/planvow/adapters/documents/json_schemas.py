"""JSON Schemas of the documents planvow reads and writes, made from the dataclasses themselves.

Every operation of the service has one too (`operation.NAME`): its question and its answer. The schemas are committed
under `planvow/schemas` and read from there, so printing one needs no pydantic; a test fails when a committed schema
differs from its class. To publish another one, add a line to `SCHEMAS`.
"""

from __future__ import annotations

import json
from importlib import import_module
from importlib.resources import files
from typing import Any

from planvow.contract.errors import UnknownSchemaError
from planvow.errors import did_you_mean

SCHEMAS = {
    "golden": "planvow.contract.replaying.golden:Golden",
    "no_plan": "planvow.hddl.verify.no_plan:NoPlan",
    "plan": "planvow.contract.plan.plan:Plan",
    "planner_error": "planvow.contract.interface.interface:PlannerError",
    "planner_inputs": "planvow.contract.interface.inputs:PlannerInputs",
    "planner_output": "planvow.contract.interface.interface:PlannerOutput",
    "recording": "planvow.contract.replaying.recordings:Recording",
    "run": "planvow.contract.running.run:RunRecord",
    "skill": "planvow.contract.plan.manifest:Skill",
}
_SUFFIX = ".schema.json"
_FORMATS = {
    "golden": "planvow-golden/1",
    "no_plan": "planvow-no-plan/1",
    "recording": "planvow-recording/1",
    "run": "planvow-run/1",
}


def schema_names() -> tuple[str, ...]:
    """Return the names of all published schemas, sorted; applications publish theirs in the same folder."""
    found = (path.name for path in (files("planvow") / "schemas").iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found if name.endswith(_SUFFIX)))


def schema_text(name: str) -> str:
    """Return a published schema as it is installed; raise UnknownSchemaError with the nearest name."""
    names = schema_names()
    if name not in names:
        known = f"known: {', '.join(names)}"
        raise UnknownSchemaError(f"no schema is called {name!r:.60}", hint=did_you_mean(name, names) or known)
    return (files("planvow") / "schemas" / f"{name}{_SUFFIX}").read_text(encoding="utf-8")


def made_schema(name: str) -> str:
    """Make the schema of a name from its dataclass, as the committed file should be."""
    from pydantic import TypeAdapter  # only generating needs it, printing does not

    module_name, _, attribute = SCHEMAS[name].partition(":")
    schema = TypeAdapter(getattr(import_module(module_name), attribute)).json_schema()
    closed(schema)
    if name in _FORMATS:
        schema["properties"]["format"] = {"const": _FORMATS[name]}
        schema["required"] = sorted({*schema.get("required", ()), "format"})
    identity = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:planvow:schema:{name}:1"}
    return json.dumps({**identity, **schema}, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def operation_schemas() -> dict[str, str]:
    """Make the schema of every operation: what it takes as `question`, what it gives as `answer`."""
    from planvow.service.catalogue import OPERATIONS

    return {f"operation.{name}": _operation_schema(operation) for name, operation in OPERATIONS.items()}


def _operation_schema(operation: Any) -> str:
    from planvow.service.declare.reading import schema_of

    parts = {"question": schema_of(operation.question), "answer": schema_of(operation.output)}
    definitions: dict[str, Any] = {}
    for part in parts.values():
        definitions |= part.get("$defs", {})
    name = f"operation.{operation.name}"
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:planvow:schema:{name}:1",
        "title": operation.name,
        "description": operation.summary,
        "type": "object",
        "properties": {
            word: {key: value for key, value in part.items() if key != "$defs"} for word, part in parts.items()
        },
        "required": sorted(parts),
        "$defs": definitions,
    }
    return json.dumps(schema, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def closed(schema: Any) -> None:
    """Say, wherever an object's fields are listed, that there are no others; keep the words of docstrings, not code."""
    if isinstance(schema, dict):
        if isinstance(said := schema.get("description"), str):
            schema["description"] = said.partition("\n\n>>> ")[0]
        if "properties" in schema:
            schema["additionalProperties"] = False
        for value in schema.values():
            closed(value)
    elif isinstance(schema, list):
        for value in schema:
            closed(value)
