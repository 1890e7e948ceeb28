"""The application: one route per operation, the description, and the events of a run as a stream."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from planvow.adapters.http.bodies import UnreadError, parsed, read_body
from planvow.adapters.http.callers import Caller, Guarding, address_of
from planvow.adapters.http.calls import Calls
from planvow.adapters.http.description import HERE, PREFIX, openapi, served
from planvow.adapters.http.entrance import Entrance
from planvow.adapters.http.metrics import Metrics
from planvow.adapters.http.pages import mount_console
from planvow.adapters.http.reception import Allowance, Reception
from planvow.adapters.http.responses import failed, told
from planvow.adapters.http.streams import last_event, run_stream, streaming
from planvow.adapters.http.workers import Asked, Pool, Reply
from planvow.adapters.telemetry.opentelemetry_spans import flush_telemetry
from planvow.errors import PlanvowError
from planvow.service.declare.document import Refusal, data_of, refusal_of
from planvow.service.declare.operation import Operation, Right
from planvow.service.declare.reading import read_question
from planvow.service.declare.setting import Setting
from planvow.service.records.refusals import Refusals
from planvow.spans import carried_span, span

_LOG = logging.getLogger("planvow")
_KEY_HEADER = "idempotency-key"


def application(setting: Setting, pool: Pool, guarding: Guarding, allowance: Allowance | None = None) -> FastAPI:
    """Return the application that asks the pool."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=_lifespan)
    description = openapi()
    metrics = Metrics(setting)
    reception = Reception(guarding, allowance)
    entrance = Entrance(pool, setting)
    refusals = Refusals(setting, time.monotonic, _LOG.warning)
    door = _Door(setting, entrance, reception, metrics, refusals)

    @app.exception_handler(404)
    @app.exception_handler(405)
    async def not_there(request: Request, error: Any) -> Response:
        reason = f"there is no {request.method} {request.url.path[:200]}"
        change = "operations are asked with POST /api/v1/NAME; /openapi.json has their names"
        words = Refusal(code="INVALID_INPUT", reason=reason, change=change)
        return told(words, error.status_code)

    @app.exception_handler(Exception)
    async def defect(_request: Request, error: Any) -> Response:
        return failed(PlanvowError(f"{type(error).__name__}: {error}"[:500]))  # it is logged with its place, too

    @app.get("/openapi.json")
    async def described() -> Response:
        return JSONResponse(description)

    @app.get("/metrics")
    async def figures(request: Request) -> Response:
        try:
            reception.admit(request, Right.READ)
        except PlanvowError as error:
            return failed(error)
        return Response(await asyncio.to_thread(metrics.text), media_type="text/plain; version=0.0.4")

    for operation in served().values():
        handler = _counted(operation, door.handler(operation), metrics)
        app.post(f"{PREFIX}/{operation.name}", operation_id=operation.name)(handler)
    app.get(f"{PREFIX}/runs/{{run_id}}/events")(run_stream(setting, reception))
    app.get(f"{PREFIX}/calls/{{call_id}}")(door.call_status)
    app.delete(f"{PREFIX}/calls/{{call_id}}")(door.cancel_call)
    app.get(f"{PREFIX}/calls/{{call_id}}/events")(door.call_events)
    mount_console(app, setting, entrance, reception, refusals)
    app.add_middleware(_Guarded, guarding=guarding)
    return app


@asynccontextmanager
async def _lifespan(_app: FastAPI) -> AsyncIterator[None]:
    yield
    flush_telemetry()  # a server that is told to end by a signal has no other moment


class _Guarded:
    """Turns away calls that mean another host or come from a page of another origin, before anything else is done."""

    def __init__(self, app: Any, guarding: Guarding) -> None:
        self._app = app
        self._guarding = guarding

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and not self._guarding.is_meant(Request(scope)):
            reason, change = "another host or origin is meant", "use the server's own address"
            await told(Refusal(code="REFUSED", reason=reason, change=change), 421)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _counted(operation: Operation, handler: Any, metrics: Metrics) -> Any:
    async def counted(request: Request) -> Response:
        began = time.perf_counter()
        response: Response = await handler(request)
        planner = getattr(request.state, "planner", "")
        if response.status_code != 202:  # an answer that comes later is counted when it comes
            metrics.count(operation.name, planner, str(response.status_code), time.perf_counter() - began)
        return response

    return counted


class _Door:
    """Answers the operations: what is looked up here, what is planned in a worker."""

    def __init__(
        self, setting: Setting, entrance: Entrance, reception: Reception, metrics: Metrics, refusals: Refusals
    ) -> None:
        self._setting, self._entrance, self._reception, self._metrics = setting, entrance, reception, metrics
        self._calls = Calls(entrance, reception)
        self._refusals = refusals

    def handler(self, operation: Operation) -> Any:
        """Return what answers calls of an operation."""

        async def answer(request: Request) -> Response:
            named = {"http.request.method": "POST", "http.route": f"{PREFIX}/{operation.name}"}
            with span(f"POST {PREFIX}/{operation.name}", named, parent=request.headers.get("traceparent")) as seen:
                response = await answered(request)
                seen.set({"http.response.status_code": response.status_code})
                return response

        async def answered(request: Request) -> Response:
            try:
                data: Any = {}
                caller = self._reception.admit(request, operation.right)
                body = await read_body(request, self._reception.allowance.body_bytes)
                data = _with_key(await asyncio.to_thread(parsed, body), request, operation)
                if operation.name in HERE:
                    return await self._looked_up(operation, data, caller)
                return await self._planned(operation, data, caller, request)
            except UnreadError as error:
                unread = Refusal(code="INVALID_INPUT", reason=error.reason, change=error.change)
                await self._note_refused(operation, unread, request, {})
                return told(unread, error.status)
            except PlanvowError as error:
                await self._note_refused(operation, refusal_of(error), request, data)
                return failed(error)

        return answer

    async def _note_refused(self, operation: Operation, refusal: Refusal, request: Request, data: Any) -> None:
        """Let the ledger know of a call that would have changed something, and of who sent it."""
        if operation.read_only:
            return
        job_id = data.get("job_id", "") if isinstance(data, dict) else ""
        said = {"by": self._reception.name_of(request), "origin": f"http {address_of(request)}"}
        note = partial(self._refusals.note, operation.name, refusal, **said)
        await asyncio.to_thread(note, job_id=job_id if isinstance(job_id, str) else "")

    async def _looked_up(self, operation: Operation, data: Any, caller: Caller) -> Response:
        own = replace(self._setting, client=caller.name, origin=f"http {caller.address}")
        output = await asyncio.to_thread(lambda: operation(read_question(operation, data), own).output)
        return JSONResponse(data_of(output))

    async def _planned(self, operation: Operation, data: Any, caller: Caller, request: Request) -> Response:
        if "respond-async" in request.headers.get("prefer", ""):
            return await self._later(operation, data, caller)
        asked = await self._asked(operation, data, caller)
        wait = self._entrance.pool.limits.wait_seconds
        with self._reception.busy(caller, "calls that plan"):
            reply = await self._entrance.call(asked, request.is_disconnected, wait=wait)
        request.state.planner = _planner_of(reply)
        return JSONResponse(reply.content) if reply.refusal is None else told(reply.refusal, reply.status)

    async def _later(self, operation: Operation, data: Any, caller: Caller) -> Response:
        began = time.perf_counter()

        def count(reply: Reply | None) -> None:
            status = "cancelled" if reply is None else str(reply.status)
            self._metrics.count(operation.name, _planner_of(reply), status, time.perf_counter() - began)

        call = self._calls.start(await self._asked(operation, data, caller, is_long=True), caller, count)
        headers = {"Location": f"{PREFIX}/calls/{call.call_id}", "Preference-Applied": "respond-async"}
        return JSONResponse(data_of(call.status()), status_code=202, headers=headers)

    async def call_status(self, call_id: str, request: Request) -> Response:
        """Say where a call stands."""
        try:
            caller = self._reception.admit(request, Right.READ)
            return JSONResponse(data_of(self._calls.find(call_id, caller).status()))
        except PlanvowError as error:
            return failed(error)

    async def cancel_call(self, call_id: str, request: Request) -> Response:
        """End a call."""
        try:
            call = self._calls.find(call_id, self._reception.admit(request, Right.PLAN))
            await self._calls.cancel(call)
            return JSONResponse(data_of(call.status()))
        except PlanvowError as error:
            return failed(error)

    async def call_events(self, call_id: str, request: Request) -> Response:
        """Stream what happens to a call."""
        try:
            caller = self._reception.admit(request, Right.READ)
            call = self._calls.find(call_id, caller)
            return streaming(self._reception, caller, call.events(last_event(request)))
        except PlanvowError as error:
            return failed(error)

    async def _asked(self, operation: Operation, data: Any, caller: Caller, *, is_long: bool = False) -> Asked:
        paid = None if Right.OPERATE in caller.rights else self._setting.paid_planners or frozenset()
        carried = await self._entrance.carried(operation, data)
        return Asked(name=operation.name, data=data, carried=carried, paid=paid, is_long=is_long, trace=carried_span())


def _planner_of(reply: Reply | None) -> str:
    """Return the planner that an answer names, for figures."""
    found = reply.content.get("planner") if reply is not None and isinstance(reply.content, dict) else None
    return found if isinstance(found, str) else ""


def _with_key(data: Any, request: Request, operation: Operation) -> Any:
    key = request.headers.get(_KEY_HEADER)
    if key is not None and "idempotency_key" in operation.question.__dataclass_fields__ and isinstance(data, dict):  # type: ignore[attr-defined]
        data = {**data, "idempotency_key": key}
    return data
