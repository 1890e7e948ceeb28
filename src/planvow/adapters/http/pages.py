"""The console's way into the server: the same callers, limits and workers as everybody else's; and what has changed.

Pages hear from a stream that something has happened, and fetch what they show anew then.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import Response

from planvow.adapters.console.app import Asked as Came
from planvow.adapters.console.app import Console, mount
from planvow.adapters.http.bodies import UnreadError, read_body
from planvow.adapters.http.callers import address_of
from planvow.adapters.http.entrance import Entrance
from planvow.adapters.http.reception import Reception
from planvow.adapters.http.responses import failed
from planvow.adapters.http.streams import event_text, streaming
from planvow.adapters.http.workers import BUNDLE, Asked, Tell
from planvow.cassette.errors import NoLedgerError
from planvow.cassette.operate.look import mark_of
from planvow.errors import InputError, PlanvowError
from planvow.service.catalogue import OPERATIONS
from planvow.service.declare.document import refusal_of
from planvow.service.declare.operation import Right
from planvow.service.declare.setting import Setting
from planvow.service.records.refusals import Refusals
from planvow.spans import carried_span

WATCH = "x-planvow-watch"
_LONGEST_WATCH = 64
LOOK_SECONDS = 0.4
QUIET_LOOKS = 25
"""After so many looks at which nothing was new, a word is sent: a browser that has gone is noticed so."""


def mount_console(app: FastAPI, setting: Setting, entrance: Entrance, reception: Reception, refusals: Refusals) -> None:
    """Hang the console into the application."""

    progress = _Progress()

    def may(request: Request, right: Right) -> PlanvowError | None:
        try:
            reception.guarding.caller(request).check(right)
        except PlanvowError as error:
            return error
        return None

    def count(request: Request) -> None:
        reception.count(request)

    async def read(request: Request) -> bytes:
        try:
            return await read_body(request, reception.allowance.body_bytes)
        except UnreadError as error:
            raise InputError(error.reason, place="body", hint=error.change) from None

    def own(request: Request) -> Setting:
        caller = reception.guarding.caller(request)
        return replace(setting, client=caller.name, origin=f"console {caller.address}")

    async def ask(name: str, data: Any, request: Request) -> Came:
        caller = reception.guarding.caller(request)
        caller.check(Right.READ if name == BUNDLE else OPERATIONS[name].right)
        carried = {} if name == BUNDLE else await entrance.carried(OPERATIONS[name], data)
        is_long = name != BUNDLE and OPERATIONS[name].is_long
        asked = Asked(name=name, data=data, carried=carried, paid=frozenset(), is_long=is_long, trace=carried_span())
        wait = entrance.pool.limits.wait_seconds
        with reception.busy(caller, "calls that plan"), progress.told(request) as tell:
            reply = await entrance.call(asked, request.is_disconnected, wait=wait, tell=tell)
        return Came(status=reply.status, content=reply.content, refusal=reply.refusal)

    def refused(name: str, error: PlanvowError, request: Request, job_id: str) -> None:
        said = {"by": reception.name_of(request), "origin": f"console {address_of(request)}"}
        refusals.note(name, refusal_of(error), **said, job_id=job_id)

    console = Console(setting=setting, ask=ask, may=may, own=own, count=count, read=read, refused=refused)
    app.get("/console/events", include_in_schema=False)(_page_stream(setting, reception, console))
    app.get("/console/progress", include_in_schema=False)(_progress_stream(reception, console, progress))
    mount(app, console)


def _page_stream(setting: Setting, reception: Reception, console: Console) -> Any:
    """Return the handler that tells pages when what they show has changed: about one run, or about any."""

    async def events(request: Request) -> Response:
        run_id = request.query_params.get("run", "")
        seen = request.headers.get("last-event-id") or request.query_params.get("mark", "")

        def mark() -> str:
            try:
                with setting.open_ledger() as ledger:
                    return mark_of(ledger, run_id)
            except NoLedgerError:
                return "none"

        try:
            bearing = console.door.bearing(request)
            caller = reception.admit(bearing, Right.READ)
            first = await asyncio.to_thread(mark)
            return streaming(reception, caller, _changes(seen, first, mark, request))
        except PlanvowError as error:
            return failed(error)

    return events


async def _changes(seen: str, now: str, mark: Callable[[], str], request: Request) -> AsyncIterator[str]:
    quiet = 0
    yield ": watching\n\n"
    while not await request.is_disconnected():
        if now != seen:
            seen, quiet = now, 0
            yield event_text("changed", {}, now)
        quiet += 1
        if quiet % QUIET_LOOKS == 0:
            yield ": nothing new\n\n"
        await asyncio.sleep(LOOK_SECONDS)
        try:
            now = await asyncio.to_thread(mark)
        except PlanvowError:  # the ledger is away: the browser comes back by itself and is told so
            return


class _Progress:
    """How far calls of pages are, by the word with which a page asks; only what goes on is known."""

    def __init__(self) -> None:
        self._words: dict[str, str] = {}

    @contextmanager
    def told(self, request: Request) -> Iterator[Tell | None]:
        """Give out what is told how far a call is, where its page wants to know."""
        watch = request.headers.get(WATCH, "")
        if not watch or len(watch) > _LONGEST_WATCH:
            yield None
            return
        try:
            yield lambda _done, words: self._words.update({watch: words})
        finally:
            self._words.pop(watch, None)

    def of(self, watch: str) -> str:
        """Return how far a call is, in words; empty for one that has told nothing, or has ended."""
        return self._words.get(watch, "")


def _progress_stream(reception: Reception, console: Console, progress: _Progress) -> Any:
    """Return the handler that tells a page how far its call is; the page ends it."""

    async def events(request: Request) -> Response:
        watch = request.query_params.get("watch", "")
        try:
            caller = reception.admit(console.door.bearing(request), Right.READ)
            return streaming(reception, caller, _words(watch, progress, request))
        except PlanvowError as error:
            return failed(error)

    return events


async def _words(watch: str, progress: _Progress, request: Request) -> AsyncIterator[str]:
    seen = ""
    yield ": watching\n\n"
    while not await request.is_disconnected():
        now = progress.of(watch)
        if now and now != seen:
            seen = now
            yield event_text("progress", {"words": now})
        await asyncio.sleep(LOOK_SECONDS)
