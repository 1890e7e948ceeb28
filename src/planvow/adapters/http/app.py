"""The application: one route per operation, the description, and the events of a run as a stream."""

from __future__ import annotations

import asyncio
import hmac
import json
import threading
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from planvow.adapters.console.app import Asked, Console, mount
from planvow.adapters.http.bodies import UnreadError, parsed, read_body
from planvow.adapters.http.description import PREFIX, PROBLEM, openapi, served
from planvow.adapters.http.metrics import Metrics
from planvow.adapters.http.problems import problem, problem_of
from planvow.adapters.http.workers import BUSY, CERTIFICATE, Pool, Reply
from planvow.errors import InputError, PlanvowError
from planvow.service.catalogue import OPERATIONS
from planvow.service.declare.document import Refusal, data_of
from planvow.service.declare.errors import RightMissingError
from planvow.service.declare.operation import Operation, Right
from planvow.service.declare.reading import read_question
from planvow.service.declare.setting import Setting

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1", "[::1]"})
NEEDS_TOKEN = (Right.OPERATE, Right.APPROVE)
HERE = frozenset({"runs", "run_events", "ledger_figures", "read_document", "post_plan", "decide", "operate"})
"""What is answered without a worker: it looks things up and plans nothing."""
_WATCH_SECONDS = 0.25
_NAMING = ("plan_hash", "first", "second")
_KEY_HEADER = "idempotency-key"


@dataclass(frozen=True, kw_only=True)
class Guarding:
    """Who may ask: the hosts by which the server is known, the token, and whether everything needs it.

    A server that listens on every address cannot know its names (`hosts` is None): there everything needs the token.
    """

    hosts: frozenset[str] | None
    token: str
    everything: bool = False

    def refusal(self, request: Request, right: Right) -> PlanvowError | None:
        """Return why a call is not let in, None for one that is."""
        if (self.everything or right in NEEDS_TOKEN) and not self._has_token(request):
            hint = "send Authorization: Bearer TOKEN, with the token that the server printed at its start"
            return RightMissingError(f"to {right.value} here needs the token", place="Authorization", hint=hint)
        return None

    def is_meant(self, request: Request) -> bool:
        """Say whether a call names this server; a page of another origin does not, nor one from another port."""
        origin = request.headers.get("origin")
        host, port = _address(f"//{request.headers.get('host', '')}")
        own = frozenset({host}) if self.hosts is None else self.hosts
        if not host or host not in own:
            return False
        if origin is None:
            return True
        named, at = _address(origin)
        return named in own and at == port

    def _has_token(self, request: Request) -> bool:
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), self.token.encode())


def _address(text: str) -> tuple[str, int | None]:
    try:
        parts = urlsplit(text)
        return parts.hostname or "", parts.port
    except ValueError:
        return "", None


def application(setting: Setting, pool: Pool, guarding: Guarding) -> FastAPI:
    """Return the application that asks the pool."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    description = openapi()
    metrics = Metrics()
    entrance = _Entrance(pool)

    @app.exception_handler(404)
    @app.exception_handler(405)
    async def not_there(request: Request, error: Any) -> Response:
        reason = f"there is no {request.method} {request.url.path[:200]}"
        change = "operations are asked with POST /api/v1/NAME; /openapi.json has their names"
        words = Refusal(code="INVALID_INPUT", reason=reason, change=change)
        return _told(words, error.status_code)

    @app.exception_handler(Exception)
    async def defect(_request: Request, error: Any) -> Response:
        return _failed(PlanvowError(f"{type(error).__name__}: {error}"[:500]))  # it is logged with its place, too

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
        handler = _counted(operation, _handler(operation, setting, entrance, guarding), metrics)
        app.post(f"{PREFIX}/{operation.name}", operation_id=operation.name)(handler)
    app.get(f"{PREFIX}/runs/{{run_id}}/events")(_stream(setting, guarding))
    mount(app, Console(setting=setting, ask=_asker(setting, entrance), may=guarding.refusal))
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


def _handler(operation: Operation, setting: Setting, entrance: _Entrance, guarding: Guarding) -> Any:
    async def answer(request: Request) -> Response:
        refused = guarding.refusal(request, operation.right)
        if refused is not None:
            return _failed(refused)
        try:
            body = await read_body(request)
        except UnreadError as error:
            return _told(Refusal(code="INVALID_INPUT", reason=error.reason, change=error.change), error.status)
        try:
            data = _with_key(await asyncio.to_thread(parsed, body), request, operation)
            if operation.name in HERE:
                client = request.client.host if request.client else ""
                own = replace(setting, client=f"http {client}")
                output = await asyncio.to_thread(lambda: operation(read_question(operation, data), own).output)
                return JSONResponse(data_of(output))
            named = isinstance(data, dict) and any(field in data for field in _NAMING)
            carried = await asyncio.to_thread(_carried, setting, operation, data) if named else {}
        except PlanvowError as error:
            return _failed(error)
        reply = await entrance.call(operation, data, request, carried)
        _keep(setting, entrance.pool, operation, data, reply)
        if isinstance(reply.content, dict) and isinstance(reply.content.get("planner"), str):
            request.state.planner = reply.content["planner"]
        return JSONResponse(reply.content) if reply.refusal is None else _told(reply.refusal, reply.status)

    return answer


def _asker(setting: Setting, entrance: _Entrance) -> Any:
    """Return how the console asks for what a worker has to do; it has seen to the right before."""

    async def ask(name: str, data: Any, request: Request) -> Asked:
        operation = OPERATIONS[name]
        carried = await asyncio.to_thread(_carried, setting, operation, data)
        reply = await entrance.call(operation, data, request, carried)
        _keep(setting, entrance.pool, operation, data, reply)
        return Asked(status=reply.status, content=reply.content, refusal=reply.refusal)

    return ask


def _with_key(data: Any, request: Request, operation: Operation) -> Any:
    key = request.headers.get(_KEY_HEADER)
    if key is not None and "idempotency_key" in operation.question.__dataclass_fields__ and isinstance(data, dict):  # type: ignore[attr-defined]
        data = {**data, "idempotency_key": key}
    return data


class _Entrance:
    """Lets as many calls to the workers as there are workers, each with a thread of its own.

    Who waits holds no thread: reading, figures and streams go on however many want to plan.
    """

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._free = asyncio.Semaphore(pool.size)
        self._threads = ThreadPoolExecutor(pool.size, thread_name_prefix="planning")

    async def call(self, operation: Operation, data: Any, request: Request, carried: Any) -> Reply:
        """Run a call in a worker; when the client has gone, so does the call."""
        try:
            await asyncio.wait_for(self._free.acquire(), self.pool.limits.wait_seconds)
        except TimeoutError:
            return BUSY
        stop = threading.Event()
        asked = partial(self.pool.call, operation.name, data, stop, carried)
        work = asyncio.get_running_loop().run_in_executor(self._threads, asked)
        work.add_done_callback(lambda _: self._free.release())
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
        try:
            seen = await asyncio.to_thread(ask, last)
        except PlanvowError as error:  # the ledger went away under the stream: said in it, since the status is gone
            yield f"event: refused\ndata: {json.dumps(problem_of(error)[1])}\n\n"
            return


def _failed(error: PlanvowError) -> Response:
    status, content = problem_of(error)
    return JSONResponse(content, status_code=status, media_type=PROBLEM)


def _told(refusal: Refusal, status: int) -> Response:
    headers = {"Retry-After": "1"} if status == 429 else None
    return JSONResponse(problem(refusal, status), status_code=status, media_type=PROBLEM, headers=headers)
