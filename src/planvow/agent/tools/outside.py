"""Tools that lie outside the process: commands in a container of their own, and HTTP services.

A command goes through the contained runner: clean environment, a tree it may write, no network, limits, an end that
nothing it started survives. A service is called with the step's idempotency key in a header, so that a second call for
the same step can be known as one. Arguments stand in words and addresses as `{name}`, secrets as `{secret.NAME}`.
"""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from email.message import Message
from http.client import HTTPException, IncompleteRead
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from planvow.agent.errors import ToolError, ToolFailedError
from planvow.agent.tools.tool import Call, Tool, check_promises
from planvow.cassette.contained.limits import Limits
from planvow.cassette.contained.run import Order, run_contained
from planvow.cassette.contained.tree import Tree
from planvow.contract.errors import SkillFailedError
from planvow.execution import SIDE_EFFECT_METHODS
from planvow.retry import ErrorClass, Failure, classify_http_status

_SLOT = re.compile(r"\{([A-Za-z_][A-Za-z0-9_.]*)\}")
_KEPT_TEXT = 4_000
MAX_ANSWER_BYTES = 8 << 20
_PART_BYTES = 1 << 16
KEY_HEADER = "Idempotency-Key"


def command_tool(
    name: str,
    command: Sequence[str],
    *,
    root: str | Path,
    limits: Limits | None = None,
    environment: Sequence[str] = (),
    uncontained: bool = False,
    **says: Any,
) -> Tool:
    """Return a tool that runs a command in a folder, contained; `{name}` in its words stands for an argument.

    Each word stays one word whatever its argument holds, and no shell looks at it. A command that ends with another
    code than 0 has failed.

    >>> command_tool("tag", ["git", "tag", "{name}"], root=".").parameters
    ('name',)
    """
    check_promises(name, says)
    words = list(command)
    slots = _slots(words, name)
    timeout = says.setdefault("timeout_seconds", 300.0)

    def run(call: Call) -> Any:
        filled = [_filled(word, call, lambda text: text) for word in words]
        with tempfile.TemporaryDirectory(prefix="planvow-quarantine-") as quarantine:
            done = run_contained(
                Order(
                    command=filled,
                    tree=Tree(root=Path(root)),
                    quarantine=Path(quarantine),
                    timeout_seconds=timeout or 86_400,
                    limits=limits or Limits(),
                    environment=environment,
                    uncontained=uncontained,
                )
            )
        printed = done.printed.decode("utf-8", "replace")
        if done.exit_code:
            end = printed.strip()[-300:]
            raise ToolFailedError(f"it ended with {done.exit_code}: {end}")
        return {"exit_code": 0, "printed": printed[-_KEPT_TEXT:], "containment": done.containment}

    return Tool(name=name, run=run, parameters=slots, **{"timeout_seconds": timeout, **says})


def http_tool(
    name: str,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    parameters: Sequence[str] | None = None,
    **says: Any,
) -> Tool:
    """Return a tool that calls an HTTP service; arguments that are not in the address go as a JSON body.

    An answer of 400 or more is a failure of the class its status says; JSON comes back as data. Redirects to another
    host are not followed, since headers may hold secrets.

    >>> http_tool("order", "POST", "https://shop.example/orders/{number}").name
    'order'
    """
    check_promises(name, says)
    if urlsplit(url).scheme not in ("http", "https"):
        raise ToolError("an address begins with http:// or https://", place=f"tool {name}")
    in_url = _slots([url], name)
    verb = method.strip().upper()
    timeout = says.setdefault("timeout_seconds", 60.0)
    says.setdefault("idempotent", verb not in SIDE_EFFECT_METHODS)

    def run(call: Call) -> Any:
        address = _filled(url, call, lambda text: quote(text, safe=""))
        body = {key: value for key, value in call.arguments.items() if key not in in_url}
        sent = {KEY_HEADER: call.idempotency_key, "Accept": "application/json"}
        sent |= {key: _filled(value, call, _one_line) for key, value in (headers or {}).items()}
        data = None
        if body and verb not in ("GET", "HEAD"):
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        return ask_service(Request(address, data=data, headers=sent, method=verb), timeout)

    names = tuple(parameters) if parameters is not None else (in_url if verb in ("GET", "HEAD", "DELETE") else None)
    return Tool(name=name, run=run, parameters=names, **{"timeout_seconds": timeout, **says})


class _SameHostOnly(HTTPRedirectHandler):
    def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Message, newurl: str) -> Any:
        if urlsplit(newurl)[:2] != urlsplit(req.full_url)[:2]:
            raise HTTPError(req.full_url, code, "it sends us to another host", headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


def ask_service(request: Request, timeout: float | None) -> Any:
    """Send a request; return status and body, or raise SkillFailedError of the class that fits. Stays on its host.

    The body has as long as the timeout, all of it: a service that sends a byte now and then is not waited for.
    """
    try:
        with build_opener(_SameHostOnly).open(request, timeout=timeout) as answer:
            return _read(answer.status, answer.headers, read_answer(answer, MAX_ANSWER_BYTES, timeout))
    except HTTPError as error:
        with error:
            text = _said_with(error, timeout)
        after = error.headers.get("Retry-After", "") if error.headers is not None else ""
        raise SkillFailedError(
            Failure(
                code=f"HTTP_{error.code}",
                message=f"{error.code} {error.reason}: {text[:300]}",
                error_class=classify_http_status(error.code),
                retry_after_ms=int(after) * 1000 if after.isdecimal() and after.isascii() else None,
            )
        ) from None
    except (TimeoutError, URLError, HTTPException, ConnectionError) as error:
        reason = getattr(error, "reason", error)
        late = isinstance(reason, TimeoutError)
        code, kind = ("TIMEOUT", ErrorClass.TIMEOUT) if late else ("NETWORK", ErrorClass.NETWORK)
        message = str(reason) or type(reason).__name__
        raise SkillFailedError(Failure(code=code, message=message, error_class=kind)) from None


def read_answer(answer: Any, most: int, seconds: float | None) -> bytes:
    """Return the first `most` bytes of a body; raise TimeoutError where they take more than so many seconds in all."""
    end = None if seconds is None else time.monotonic() + seconds
    left = most if answer.length is None else min(most, answer.length)
    parts = []
    while left and (part := answer.read1(min(left, _PART_BYTES))):
        parts.append(part)
        left -= len(part)
        if end is not None and time.monotonic() > end:
            raise TimeoutError("the answer did not end in time")
    if left and answer.length:
        raise IncompleteRead(b"".join(parts), left)
    return b"".join(parts)


def _said_with(error: HTTPError, timeout: float | None) -> str:
    try:
        return read_answer(error.fp, _KEPT_TEXT, timeout).decode("utf-8", "replace").strip()
    except (OSError, HTTPException, AttributeError):  # the status says enough
        return ""


def _read(status: int, headers: Any, raw: bytes) -> Any:
    try:
        text = raw.decode(headers.get_content_charset() or "utf-8", "replace")
    except LookupError:  # a charset that nobody knows
        text = raw.decode("utf-8", "replace")
    if "json" in headers.get_content_type():
        try:
            return {"status": status, "body": json.loads(text)}
        except (ValueError, RecursionError):
            pass  # it says JSON and is none, or is too deep for one: kept as the text it is
    return {"status": status, "body": text}


def _slots(words: Sequence[str], name: str) -> tuple[str, ...]:
    """Return the arguments that stand in a template, in the order in which they first come."""
    for word in words:
        if not isinstance(word, str):
            raise ToolError(f"a template is text, got {word!r:.60}", place=f"tool {name}")
    found = dict.fromkeys(slot for word in words for slot in _SLOT.findall(word))
    return tuple(slot for slot in found if not slot.startswith("secret."))


def _filled(template: str, call: Call, form: Callable[[str], str]) -> str:
    def value(match: re.Match[str]) -> str:
        slot = match[1]
        if slot.startswith("secret."):
            return call.secrets[slot.removeprefix("secret.")]
        given = call.arguments[slot]
        return form(given if isinstance(given, str) else json.dumps(given))

    return _SLOT.sub(value, template)


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())
