"""A connection to an MCP server that stays open between calls: a server may keep a session of its own.

The SDK is asynchronous; its client lives in a thread with an event loop, so that workers and agents call it alike. A
connection that breaks is opened again for the next call. What the server offers is compared with what was imported
before anything is called: a tool whose schema has changed since is refused.
"""

from __future__ import annotations

import atexit
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from planvow.agent.errors import CommandNotAllowedError, ToolsChangedError, ToolServerError
from planvow.contract.errors import SkillFailedError
from planvow.errors import InputError, MissingExtraError, PlanvowError
from planvow.retry import ErrorClass, Failure
from planvow.tools.servers import Server, filled, filled_headers
from planvow.tools.shapes import read_tools
from planvow.tools.tool import ToolEntry

KEY_META = "planvow/idempotency-key"
"""Under which name a call carries its idempotency key, in the request's `_meta`."""
_CONNECT_SECONDS = 30.0
_MAX_PAGES = 100


class McpConnection:
    """One server, connected to when it is first needed."""

    def __init__(self, name: str, server: Server, *, allow_command: bool = False) -> None:
        if server.command and not allow_command:
            words = " ".join(server.command)
            raise CommandNotAllowedError(
                f"{words:.200} was not started", place=f"server {name}", hint="--allow-command lets it start"
            )
        _sdk()
        self._name, self._server = name, server
        self._turn = threading.Lock()
        self._line: _Line | None = None

    def tools(self, secrets: Mapping[str, str]) -> tuple[ToolEntry, ...]:
        """Return what the server offers, as a manifest's entries."""
        return self._connected(secrets).offered

    def call(self, entry: ToolEntry, arguments: Mapping[str, Any], *, key: str, secrets: Mapping[str, str]) -> Any:
        """Call a tool and return its result as JSON data; raise SkillFailedError when it fails."""
        line = self._connected(secrets)
        _check_unchanged(entry, line.offered)
        try:
            return _result(line.call(entry.name, dict(arguments), key, self._server.timeout_seconds))
        except SkillFailedError as error:
            if error.failure.kind is ErrorClass.NETWORK:
                self.close()
            raise

    def close(self) -> None:
        """End the connection, and with it a server that was started for it."""
        with self._turn:
            line, self._line = self._line, None
        if line is not None:
            line.close()

    def _connected(self, secrets: Mapping[str, str]) -> _Line:
        with self._turn:
            if self._line is None:
                self._line = _Line(self._name, lambda: _transport(self._server, secrets))
            return self._line


def _sdk() -> Any:
    try:
        import mcp
    except ImportError:
        raise MissingExtraError("mcp", extra="mcp", purpose="calling MCP servers") from None
    return mcp


def _transport(server: Server, secrets: Mapping[str, str]) -> Any:
    if server.command:
        environment = {name: filled(text, secrets) for name, text in server.environment.items()}
        from mcp.client.stdio import StdioServerParameters, stdio_client

        command, *words = server.command
        return stdio_client(
            StdioServerParameters(command=command, args=words, env=environment or None), errlog=_remarks()
        )
    assert server.url is not None
    return _over_http(server.url, filled_headers(server, secrets))


def _remarks() -> Any:
    """Return where a server's own stderr goes: ours, unless that is no file, as in notebooks and under captures."""
    for stream in (sys.stderr, sys.__stderr__):
        with suppress(AttributeError, OSError, ValueError):
            stream.fileno()  # type: ignore[union-attr]
            return stream
    return subprocess.DEVNULL


@asynccontextmanager
async def _over_http(url: str, headers: dict[str, str]) -> AsyncIterator[Any]:
    """Connect with headers of our own. The SDK follows a redirect only where it stays on the same host."""
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    async with (
        create_mcp_http_client(headers=headers) as client,
        streamable_http_client(url, http_client=client) as streams,
    ):
        yield streams


class _Line:
    """An open client in a thread of its own, which ends with the process at the latest."""

    def __init__(self, name: str, transport: Callable[[], Any]) -> None:
        from anyio.from_thread import BlockingPortal

        self._name = name
        self._portal: BlockingPortal | None = None
        self._client: Any = None
        self._fault: BaseException | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._live, args=(transport,), name=f"mcp {name}", daemon=True)
        self._thread.start()
        if not self._ready.wait(_CONNECT_SECONDS * 2) or self._fault is not None:
            why = self._fault and _words(self._fault)
            raise ToolServerError(why or "it did not answer in time", place=f"server {name}")
        atexit.register(self.close)
        try:
            self.offered = read_tools({"tools": self._listed()}, place=f"server {name}")
        except BaseException:
            self.close()
            raise

    def _live(self, transport: Callable[[], Any]) -> None:
        import anyio
        from anyio.from_thread import BlockingPortal

        async def stay() -> None:
            async with (
                BlockingPortal() as portal,
                _sdk().Client(transport(), read_timeout_seconds=_CONNECT_SECONDS, cache=None) as client,
            ):
                self._portal, self._client = portal, client
                self._ready.set()
                await portal.sleep_until_stopped()

        try:
            anyio.run(stay)
        except BaseException as error:  # whatever ends the thread is told to whoever waits for it
            self._fault = error
        finally:
            self._ready.set()

    def _listed(self) -> list[dict[str, Any]]:
        async def pages() -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = []
            cursor = None
            for _ in range(_MAX_PAGES):
                page = await self._client.list_tools(cursor=cursor)
                found += [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in page.tools]
                cursor = page.next_cursor
                if not cursor:
                    return found
            raise ToolServerError(f"its list has more than {_MAX_PAGES} pages", place=f"server {self._name}")

        try:
            listed: list[dict[str, Any]] = self._in_loop(pages)
        except SkillFailedError as error:
            raise ToolServerError(error.failure.message, place=f"server {self._name}") from None
        if not listed:
            raise InputError("the server offers no tools", place=f"server {self._name}")
        return listed

    def call(self, tool: str, arguments: dict[str, Any], key: str, seconds: float) -> Any:
        async def ask() -> Any:
            return await self._client.call_tool(tool, arguments, read_timeout_seconds=seconds, meta={KEY_META: key})

        return self._in_loop(ask)

    def _in_loop(self, work: Callable[[], Any]) -> Any:
        from mcp.shared.exceptions import MCPError
        from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT

        try:
            if self._portal is None or not self._thread.is_alive():
                raise ConnectionError("the connection has ended")
            return self._portal.call(work)
        except MCPError as error:
            code, kind = {
                REQUEST_TIMEOUT: ("TIMEOUT", ErrorClass.TIMEOUT), CONNECTION_CLOSED: ("NETWORK", ErrorClass.NETWORK)
            }.get(error.code, ("TOOL_SERVER", ErrorClass.PERMANENT))  # fmt: skip
            raise SkillFailedError(Failure(code=code, message=error.message[:500], error_class=kind)) from None
        except PlanvowError:
            raise
        except Exception as error:
            kind = ErrorClass.PERMANENT if type(error) is RuntimeError and _is_output(error) else ErrorClass.NETWORK
            code = "TOOL_OUTPUT" if kind is ErrorClass.PERMANENT else "NETWORK"
            raise SkillFailedError(Failure(code=code, message=_words(error), error_class=kind)) from None

    def close(self) -> None:
        atexit.unregister(self.close)
        portal, self._portal = self._portal, None
        if portal is not None:
            with suppress(RuntimeError):
                portal.start_task_soon(portal.stop)
        self._thread.join(timeout=10)


def _is_output(error: BaseException) -> bool:
    """Say whether the SDK found that an answer does not fit the tool's own output schema."""
    return "structured content" in str(error) or "Invalid schema" in str(error)


def _words(error: BaseException) -> str:
    """Return what went wrong, out of whatever group of errors it came in."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"[:500] if str(error) else type(error).__name__


def _check_unchanged(entry: ToolEntry, offered: tuple[ToolEntry, ...]) -> None:
    now = next((tool for tool in offered if tool.name == entry.name), None)
    if now is None or (now.input_schema, now.output_schema) != (entry.input_schema, entry.output_schema):
        what = "is no longer offered" if now is None else "has another schema than the one that was imported"
        hint = "import the tools again and review them"
        raise ToolsChangedError(f"{entry.name} {what}", place=f"tool {entry.name}", hint=hint)


def _result(answer: Any) -> Any:
    texts = [block.text for block in answer.content if getattr(block, "type", None) == "text"]
    if answer.is_error:
        message = "\n".join(texts)[:500] or "the tool says that it failed"
        raise SkillFailedError(Failure(code="TOOL_FAILED", message=message, error_class=ErrorClass.PERMANENT))
    if answer.structured_content is not None:
        return answer.structured_content
    if len(texts) == len(answer.content):
        return {"text": "\n".join(texts)}
    return {"content": [block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in answer.content]}
