"""HTTP operations of an OpenAPI document as calls: path, query, headers and body put together again.

The host is the one of the server's `base`, whatever the arguments say: they go into the path as single parts. Redirects
to another host are not followed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode
from urllib.request import Request

from planvow.agent.tools.outside import KEY_HEADER, ask_service
from planvow.errors import InputError
from planvow.tools.openapi import BODY
from planvow.tools.servers import Server, filled_headers, is_header
from planvow.tools.tool import ToolEntry

_SLOT = re.compile(r"\{([^{}]+)\}")
_UPWARDS = re.compile(r"(?:^|[/\\])\.+(?:$|[/\\])")
"""Dots as a part of a path: some services read %2F as a slash before they look where a path leads."""
_OURS = frozenset({"host", "connection", "content-length", "transfer-encoding", "upgrade", KEY_HEADER.lower()})


def call_operation(
    server: Server, entry: ToolEntry, arguments: Mapping[str, Any], *, key: str, secrets: Mapping[str, str]
) -> Any:
    """Call an operation and return its body as JSON data; raise SkillFailedError when the service refuses."""
    where = entry.origin.get("in", {})
    sent = {KEY_HEADER: key, "Accept": "application/json"}
    sent |= {name: _header(entry, name, value) for name, value in arguments.items() if where.get(name) == "header"}
    sent |= filled_headers(server, secrets)  # last: arguments replace none
    query = [(name, value) for name, value in arguments.items() if where.get(name) == "query"]
    data = _body({name: value for name, value in arguments.items() if where.get(name) == BODY})
    if data is not None:
        sent["Content-Type"] = "application/json"
    address = f"{(server.base or '').rstrip('/')}{_path(entry, arguments)}{_query(query)}"
    request = Request(address, data=data, headers=sent, method=str(entry.origin["method"]))
    return ask_service(request, server.timeout_seconds)["body"]


def _path(entry: ToolEntry, arguments: Mapping[str, Any]) -> str:
    def part(match: re.Match[str]) -> str:
        text = _text(arguments[match.group(1)])
        if not text or _UPWARDS.search(text):
            raise InputError(f"{text!r} is no part of a path", place=f"{entry.name}.{match.group(1)}")
        return quote(text, safe="")

    return _SLOT.sub(part, str(entry.origin["path"]))


def _query(pairs: list[tuple[str, Any]]) -> str:
    flat = [(name, _text(one)) for name, value in pairs for one in (value if isinstance(value, list) else [value])]
    return f"?{urlencode(flat)}" if flat else ""


def _body(arguments: Mapping[str, Any]) -> bytes | None:
    if not arguments:
        return None
    return json.dumps(arguments[BODY] if [*arguments] == [BODY] else dict(arguments)).encode()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _header(entry: ToolEntry, name: str, value: Any) -> str:
    """Return an argument as the text of a header; which host is meant and where a request ends is not theirs to say."""
    text = " ".join(_text(value).splitlines())
    if name.lower() in _OURS:
        raise InputError(f"the header {name} is not an argument's to set", place=f"{entry.name}.{name}")
    if not is_header(text):
        raise InputError("a header holds printable Latin-1 text", place=f"{entry.name}.{name}")
    return text
