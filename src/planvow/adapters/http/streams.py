"""Events as a stream (server-sent events) that goes on where it broke off."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Any

from fastapi import Request
from fastapi.responses import Response, StreamingResponse

from planvow.adapters.http.callers import Caller
from planvow.adapters.http.problems import problem_of
from planvow.adapters.http.reception import Reception
from planvow.adapters.http.responses import failed
from planvow.errors import PlanvowError
from planvow.service.catalogue import OPERATIONS
from planvow.service.declare.document import data_of
from planvow.service.declare.operation import Right
from planvow.service.declare.reading import read_question
from planvow.service.declare.setting import Setting

STREAM = "text/event-stream"
WATCH_SECONDS = 0.25


def last_event(request: Request) -> int:
    """Return the number of the last event that a client has seen, 0 for none."""
    given = request.headers.get("last-event-id", "0")
    return int(given) if given.isdecimal() and len(given) < 19 else 0


def event_text(kind: str, data: Any, number: int | str | None = None) -> str:
    """Return one event of a stream."""
    named = "" if number is None else f"id: {number}\n"
    return f"{named}event: {kind}\ndata: {json.dumps(data)}\n\n"


class _Counted(StreamingResponse):
    """A stream that counts among its caller's until it ends, however it ends."""

    going: ExitStack

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        with self.going:
            await super().__call__(scope, receive, send)


def streaming(reception: Reception, caller: Caller, events: AsyncIterator[str]) -> Response:
    """Return a stream as a response, or raise TooManyCallsError when its caller has enough of them."""
    response = _Counted(events, media_type=STREAM)
    response.going = ExitStack()
    response.going.enter_context(reception.busy(caller, "streams"))
    return response


def run_stream(setting: Setting, reception: Reception) -> Any:
    """Return the handler that streams what happens to a run."""
    operation = OPERATIONS["run_events"]

    async def events(run_id: str, request: Request) -> Response:
        after = last_event(request)

        def ask(last: int) -> Any:
            return operation(read_question(operation, {"run_id": run_id, "after": last}), setting).output

        try:
            caller = reception.admit(request, Right.READ)
            first = await asyncio.to_thread(ask, after)
            return streaming(reception, caller, _run_events(first, ask, after, request))
        except PlanvowError as error:
            return failed(error)

    return events


async def _run_events(seen: Any, ask: Any, last: int, request: Request) -> AsyncIterator[str]:
    while True:
        for event in seen.events:
            last = event.seq
            yield event_text("step", data_of(event), event.seq)
        if seen.finished:
            yield event_text("finished", {})
            return
        if await request.is_disconnected():
            return
        if not seen.events:
            yield ": waiting\n\n"
        await asyncio.sleep(WATCH_SECONDS)
        try:
            seen = await asyncio.to_thread(ask, last)
        except PlanvowError as error:  # the ledger went away under the stream: said in it, since the status is gone
            yield event_text("refused", problem_of(error)[1])
            return
