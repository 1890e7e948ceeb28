"""The application: one route per operation, the description, and the events of a run as a stream."""

from __future__ import annotations

import asyncio
import hmac
import json
import threading
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from planvow.adapters.http.description import PREFIX, PROBLEM, openapi, served
from planvow.adapters.http.metrics import Metrics
from planvow.adapters.http.problems import problem, problem_of
from planvow.adapters.http.workers import CERTIFICATE, Pool, Reply
from planvow.errors import InputError, PlanvowError
from planvow.service.catalogue import OPERATIONS
from planvow.service.declare.document import Refusal, data_of
from planvow.service.declare.errors import RightMissingError
from planvow.service.declare.operation import Operation, Right
from planvow.service.declare.reading import read_question
from planvow.service.declare.setting import Setting

MOST_BYTES = 10 * 1024 * 1024
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1", "[::1]"})
NEEDS_TOKEN = (Right.OPERATE, Right.APPROVE)
HERE = frozenset({"runs", "run_events", "ledger_figures", "read_document", "post_plan"})
"""What is answered without a worker: it looks things up and plans nothing."""
_WATCH_SECONDS = 0.25
_NAMING = ("plan_hash", "first", "second")
_KEY_HEADER = "idempotency-key"


@dataclass(frozen=True, kw_only=True)
class Guarding:
    """Who may ask: the hosts by which the server is known, the token, and whether everything needs it."""

    hosts: frozenset[str]
    token: str
    everything: bool = False

    def refusal(self, request: Request, right: Right) -> PlanvowError | None:
        """Return why a call is not let in, None for one that is."""
        if (self.everything or right in NEEDS_TOKEN) and not self._has_token(request):
            hint = "send Authorization: Bearer TOKEN, with the token that the server printed at its start"
            return RightMissingError(f"to {right.value} here needs the token", place="Authorization", hint=hint)
        return None

    def is_meant(self, request: Request) -> bool:
        """Say whether a call names this server; a page of another origin does not."""
        origin = request.headers.get("origin")
        named = [f"//{request.headers.get('host', '')}", *([origin] if origin else [])]
        return all(_host(each) in self.hosts for each in named)

    def _has_token(self, request: Request) -> bool:
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), self.token.encode())


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def application(setting: Setting, pool: Pool, guarding: Guarding) -> FastAPI:
    """Return the application that asks the pool."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    description = openapi()
    metrics = Metrics()

    @app.exception_handler(404)
    @app.exception_handler(405)
    async def not_there(request: Request, error: Any) -> Response:
        reason = f"there is no {request.method} {request.url.path[:200]}"
        change = "operations are asked with POST /api/v1/NAME; /openapi.json has their names"
        words = Refusal(code="INVALID_INPUT", reason=reason, change=change)
        return _told(words, error.status_code)

    @app.get("/openapi.json")
    async def described() -> Response:
        return JSONResponse(description)

    @app.get("/metrics")
    async def figures(request: Request) -> Response:
        refused = guarding.refusal(request, Right.READ)
        if refused is not None:
            return _failed(refused)
        return Response(await asyncio.to_thread(metrics.text, setting), media_type="text/plain; version=0.0.4")

    for operation in served().values():
        handler = _counted(operation, _handler(operation, setting, pool, guarding), metrics)
        app.post(f"{PREFIX}/{operation.name}", operation_id=operation.name)(handler)
    app.get(f"{PREFIX}/runs/{{run_id}}/events")(_stream(setting, guarding))
    app.add_middleware(_Guarded, guarding=guarding)
    return app


class _Guarded:
    """Turns away calls that mean another host or come from a page of another origin, before anything else is done."""

    def __init__(self, app: Any, guarding: Guarding) -> None:
        self._app = app
        self._guarding = guarding

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and not self._guarding.is_meant(Request(scope)):
            reason, change = "another host or origin is meant", "use the server's own address"
            await _told(Refusal(code="REFUSED", reason=reason, change=change), 421)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _counted(operation: Operation, handler: Any, metrics: Metrics) -> Any:
    async def counted(request: Request) -> Response:
        began = time.perf_counter()
        response: Response = await handler(request)
        planner = getattr(request.state, "planner", "")
        metrics.count(operation.name, planner, str(response.status_code), time.perf_counter() - began)
        return response

    return counted


def _handler(operation: Operation, setting: Setting, pool: Pool, guarding: Guarding) -> Any:
    async def answer(request: Request) -> Response:
        refused = guarding.refusal(request, operation.right)
        if refused is not None:
            return _failed(refused)
        body = await _body(request)
        if body is None:
            words = Refusal(code="INVALID_INPUT", reason=f"more than {MOST_BYTES} bytes", change="send less")
            return _told(words, 413)
        try:
            data = _parsed(body, request, operation)
            if operation.name in HERE:
                client = request.client.host if request.client else ""
                own = replace(setting, client=f"http {client}")
                output = await asyncio.to_thread(lambda: operation(read_question(operation, data), own).output)
                return JSONResponse(data_of(output))
            named = isinstance(data, dict) and any(field in data for field in _NAMING)
            carried = await asyncio.to_thread(_carried, setting, operation, data) if named else {}
        except PlanvowError as error:
            return _failed(error)
        reply = await _in_worker(pool, operation, data, request, carried)
        _keep(setting, pool, operation, data, reply)
        if isinstance(reply.content, dict) and isinstance(reply.content.get("planner"), str):
            request.state.planner = reply.content["planner"]
        return JSONResponse(reply.content) if reply.refusal is None else _told(reply.refusal, reply.status)

    return answer


async def _body(request: Request) -> bytes | None:
    """Return the body, or None as soon as it is too large."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > MOST_BYTES:
            return None
        parts.append(part)
    return b"".join(parts)


def _parsed(body: bytes, request: Request, operation: Operation) -> Any:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the body is not JSON: {error}"[:200], place="body") from None
    key = request.headers.get(_KEY_HEADER)
    if key is not None and "idempotency_key" in operation.question.__dataclass_fields__ and isinstance(data, dict):  # type: ignore[attr-defined]
        data = {**data, "idempotency_key": key}
    return data


async def _in_worker(pool: Pool, operation: Operation, data: Any, request: Request, carried: Any) -> Reply:
    """Run a call in a worker; when the client has gone, so does the call."""
    stop = threading.Event()
    work = asyncio.create_task(asyncio.to_thread(pool.call, operation.name, data, stop, carried))
    try:
        while not work.done():
            await asyncio.wait([work], timeout=_WATCH_SECONDS)
            if not work.done() and await request.is_disconnected():
                stop.set()
        return await work
    finally:
        stop.set()


def _carried(setting: Setting, operation: Operation, data: Any) -> dict[tuple[str, str], Any]:
    """Return the documents made here that a question names by their hash: a worker knows none of them."""
    named = [data.get(field) for field in _NAMING]
    schemes = ("plan", "question", *(("certificate",) if operation.name == "verify" else ()))
    keys = [(scheme, name) for name in named if isinstance(name, str) for scheme in schemes]
    return {key: setting.shelf.read(*key) for key in keys if setting.shelf.knows(*key)}


def _keep(setting: Setting, pool: Pool, operation: Operation, data: Any, reply: Reply) -> None:
    for (scheme, name), value in (reply.documents or {}).items():
        setting.shelf.keep(scheme, name, partial(_itself, value))
        if scheme == "plan" and operation.name in ("make_plan", "plan_goal", "solve_hddl"):
            setting.shelf.keep("certificate", name, lambda: _certificate(pool, operation, data))


def _itself(value: Any) -> Any:
    return value


def _certificate(pool: Pool, operation: Operation, data: Any) -> Any:
    reply = pool.call(CERTIFICATE, {"operation": operation.name, "question": data}, threading.Event())
    if reply.refusal is not None:
        raise InputError(reply.refusal.reason, place="address", hint=reply.refusal.change or None)
    return reply.content


def _stream(setting: Setting, guarding: Guarding) -> Any:
    operation = OPERATIONS["run_events"]

    async def events(run_id: str, request: Request) -> Response:
        refused = guarding.refusal(request, Right.READ)
        if refused is not None:
            return _failed(refused)
        given = request.headers.get("last-event-id", "0")
        after = int(given) if given.isdecimal() and len(given) < 19 else 0

        def ask(last: int) -> Any:
            return operation(read_question(operation, {"run_id": run_id, "after": last}), setting).output

        try:
            first = await asyncio.to_thread(ask, after)
        except PlanvowError as error:
            return _failed(error)
        return StreamingResponse(_told_events(first, ask, after, request), media_type="text/event-stream")

    return events


async def _told_events(seen: Any, ask: Any, last: int, request: Request) -> AsyncIterator[str]:
    while True:
        for event in seen.events:
            last = event.seq
            yield f"id: {event.seq}\nevent: step\ndata: {json.dumps(data_of(event))}\n\n"
        if seen.finished:
            yield "event: finished\ndata: {}\n\n"
            return
        if await request.is_disconnected():
            return
        if not seen.events:
            yield ": waiting\n\n"
        await asyncio.sleep(_WATCH_SECONDS)
        seen = await asyncio.to_thread(ask, last)


def _failed(error: PlanvowError) -> Response:
    status, content = problem_of(error)
    return JSONResponse(content, status_code=status, media_type=PROBLEM)


def _told(refusal: Refusal, status: int) -> Response:
    headers = {"Retry-After": "1"} if status == 429 else None
    return JSONResponse(problem(refusal, status), status_code=status, media_type=PROBLEM, headers=headers)
