"""One call of a tool: the question is read, the operation runs on a thread, its answer or refusal goes back.

A refusal is never hidden: code, reason and what to change stand in the text, and as data beside it.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types

from planvow.errors import MemoryLimitError, PlanvowError
from planvow.service.declare.document import Refusal, data_of, refusal_of
from planvow.service.declare.operation import Operation
from planvow.service.declare.reading import read_question
from planvow.service.declare.setting import Setting

Tell = Callable[[float, str], Awaitable[None]]
_SECONDS_BETWEEN_REPORTS = 0.2
_log = logging.getLogger("planvow.mcp")


async def answered(operation: Operation, data: Any, setting: Setting, tell: Tell | None = None) -> types.CallToolResult:
    """Call an operation with JSON data and return what goes to the client."""
    try:
        output = await _run(operation, data, setting, tell)
    except Exception as error:
        return refused(refusal_of(told(error)))
    refusal: Refusal | None = getattr(output, "refusal", None)
    content = data_of(output)
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    if refusal is not None:
        text = f"{refusal.text()}\n{text}" if getattr(output, "steps", None) else refusal.text()
    block = types.TextContent(type="text", text=text)
    return types.CallToolResult(content=[block], structured_content=content, is_error=refusal is not None)


def refused(refusal: Refusal) -> types.CallToolResult:
    """Return a refusal as a result that models read and programs parse."""
    block = types.TextContent(type="text", text=refusal.text())
    return types.CallToolResult(content=[block], structured_content={"refusal": data_of(refusal)}, is_error=True)


def told(error: Exception) -> PlanvowError:
    """Return any failure as an error of ours; what nobody foresaw is logged with its place."""
    if isinstance(error, PlanvowError):
        return error
    if isinstance(error, MemoryError):
        return MemoryLimitError()
    _log.error("a call failed", exc_info=error)
    return PlanvowError(f"{type(error).__name__}: {error}"[:500])


async def _run(operation: Operation, data: Any, setting: Setting, tell: Tell | None) -> Any:
    """Run an operation on a thread; whoever cancels the call interrupts the search."""
    stop = threading.Event()
    latest: list[tuple[float, str]] = []

    def work() -> Any:
        question = read_question(operation, data)
        watched = replace(setting, interrupt=stop.is_set, progress=lambda done, words: latest.append((done, words)))
        return operation(question, watched).output

    async def report() -> None:
        while True:
            await anyio.sleep(_SECONDS_BETWEEN_REPORTS)
            if latest and tell is not None:
                seen = latest[-1]
                latest.clear()
                await tell(*seen)

    try:
        async with anyio.create_task_group() as tasks:
            if operation.is_long and tell is not None:
                tasks.start_soon(report)
            try:
                return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
            finally:
                tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:  # one call, one failure
        raise group.exceptions[0] from None
    finally:
        stop.set()
