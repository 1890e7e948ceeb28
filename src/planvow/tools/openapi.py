"""OpenAPI 3 documents: every operation is a tool; path, query, header and body become one flat set of parameters.

How the call is put together again stands in `origin`: method, path, where each parameter goes. References stay inside
the document; what they lead to is copied under `$defs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from planvow.contract.plan.schema_form import follow
from planvow.errors import InputError, expect
from planvow.tools.schemas import properties_of, tidied
from planvow.tools.tool import ToolEntry

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_SAFE = frozenset({"get", "head", "options", "trace"})
_IDEMPOTENT = _SAFE | {"put", "delete"}  # RFC 9110, 9.2.2
_COMPONENT = "#/components/schemas/"
BODY = "body"


def read_openapi(document: Any, place: str) -> list[ToolEntry]:
    """Return the operations of a document as tools."""
    version = document["openapi"]
    if not re.match(r"3\.\d", version):
        raise InputError(
            f"OpenAPI {version!r:.20} is not read", place=f"{place}.openapi", hint="convert it to 3.0 or 3.1"
        )
    paths = document["paths"]
    expect(paths, Mapping, f"{place}.paths", "an object")
    server = next(iter(_servers(document)), None)
    return [
        _operation(document, path, method, item, f"{place}.paths[{path!r}].{method}", server)
        for path, item in paths.items()
        if isinstance(item, Mapping)
        for method in METHODS
        if isinstance(item.get(method), Mapping)
    ]


def _servers(document: Mapping[str, Any]) -> Iterator[str]:
    for server in document.get("servers") or ():
        if isinstance(server, Mapping) and isinstance(server.get("url"), str):
            yield server["url"]


def _operation(
    document: Mapping[str, Any], path: str, method: str, item: Mapping[str, Any], place: str, server: str | None
) -> ToolEntry:
    operation = item[method]
    properties: dict[str, Any] = {}
    required: list[str] = []
    where: dict[str, str] = {}
    for given in [*(item.get("parameters") or ()), *(operation.get("parameters") or ())]:
        parameter = _resolved(document, given, place)
        name, kind = parameter.get("name"), parameter.get("in")
        if not isinstance(name, str) or kind not in ("path", "query", "header"):
            continue  # cookies are the client's business
        where[name] = str(kind)
        properties[name] = {**_schema(parameter), **_described(parameter)}
        if parameter.get("required") or kind == "path":
            required.append(name)
    for name, schema, needed in _body(document, operation, place, taken=frozenset(where)):
        properties[name] = schema
        where[name] = BODY
        if needed:
            required.append(name)
    schema = {"type": "object", "properties": properties, "required": sorted(set(required))}
    return ToolEntry(
        name=operation.get("operationId") or f"{method}{re.sub(r'[^A-Za-z0-9]+', '_', path)}".rstrip("_"),
        description=operation.get("summary") or operation.get("description") or "",
        input_schema=tidied(_with_components(document, schema, place), place),
        output_schema=_answer(document, operation, place),
        read_only=method in _SAFE,
        destructive=method == "delete",
        idempotent=method in _IDEMPOTENT,
        origin={
            "kind": "http",
            "method": method.upper(),
            "path": path,
            "in": where,
            **({"server": server} if server else {}),
        },
    )


def _described(parameter: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": parameter["description"]} if isinstance(parameter.get("description"), str) else {}


def _schema(parameter: Mapping[str, Any]) -> dict[str, Any]:
    found = parameter.get("schema")
    return dict(found) if isinstance(found, Mapping) else {}


def _json_of(content: Any) -> Mapping[str, Any] | None:
    """Return the schema of the JSON form of a body, if it has one."""
    if not isinstance(content, Mapping):
        return None
    for media, entry in sorted(content.items()):
        if media.split(";")[0].strip().endswith("json") and isinstance(entry, Mapping):
            return entry.get("schema") if isinstance(entry.get("schema"), Mapping) else {}
    return None


def _body(
    document: Mapping[str, Any], operation: Mapping[str, Any], place: str, *, taken: frozenset[str]
) -> Iterator[tuple[str, Any, bool]]:
    """Yield the properties of a JSON body; a body that is no object, or clashes, is one parameter called `body`."""
    if "requestBody" not in operation:
        return
    body = _resolved(document, operation["requestBody"], f"{place}.requestBody")
    schema = _json_of(body.get("content"))
    if schema is None:
        return
    inner = _resolved(document, schema, place) if "$ref" in schema else schema
    names = properties_of(inner)
    if not names or taken & set(names) or BODY in names:
        yield BODY, dict(schema), bool(body.get("required"))
        return
    needed = set(inner.get("required") or ()) if body.get("required") else set()
    for name, part in names.items():
        yield name, part, name in needed


def _answer(document: Mapping[str, Any], operation: Mapping[str, Any], place: str) -> dict[str, Any] | None:
    responses = operation.get("responses")
    if not isinstance(responses, Mapping):
        return None
    for code in sorted(map(str, responses)):
        if code.startswith("2"):
            schema = _json_of(_resolved(document, responses[code], place).get("content"))
            if schema is not None:
                inner = _resolved(document, schema, place) if "$ref" in schema else schema
                return tidied(_with_components(document, dict(inner), place), place) if properties_of(inner) else None
    return None


def _resolved(document: Mapping[str, Any], part: Any, place: str) -> Mapping[str, Any]:
    seen = 0
    while isinstance(part, Mapping) and isinstance(part.get("$ref"), str):
        try:
            part = follow(document, part["$ref"])
        except InputError as error:
            error.place = place
            raise
        seen += 1
        if seen > 20:
            raise InputError("this reference leads back to itself", place=place)
    expect(part, Mapping, place, "an object")
    found: Mapping[str, Any] = part
    return found


def _with_components(document: Mapping[str, Any], schema: Any, place: str) -> Any:
    """Return a schema whose references to components lead to copies under its own `$defs`."""
    wanted: dict[str, Any] = {}

    def moved(part: Any) -> Any:
        if isinstance(part, list):
            return [moved(inner) for inner in part]
        if not isinstance(part, Mapping):
            return part
        reference = part.get("$ref")
        if isinstance(reference, str) and reference.startswith(_COMPONENT):
            name = reference.removeprefix(_COMPONENT)
            if name not in wanted:
                wanted[name] = None  # first, so that what leads back here is not followed twice
                wanted[name] = moved(_component(document, reference, place))
            return {**{key: moved(value) for key, value in part.items()}, "$ref": f"#/$defs/{name}"}
        return {key: moved(value) for key, value in part.items()}

    made = moved(schema)
    return {**made, "$defs": wanted} if wanted else made


def _component(document: Mapping[str, Any], reference: str, place: str) -> Any:
    try:
        return follow(document, reference)
    except InputError as error:
        error.place = place
        raise
