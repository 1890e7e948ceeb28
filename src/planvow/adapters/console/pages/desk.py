"""What every page needs: the setting, the door, workers to ask; and errors as pages."""

from __future__ import annotations

import asyncio
import hashlib
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from planvow.adapters.console.frame.door import Door, Refuses, remember_visit, visit_of
from planvow.adapters.console.frame.rendering import HEADERS, page
from planvow.cassette.errors import LedgerBusyError, LedgerUnreachableError, NoLedgerError, StorageError
from planvow.errors import InputError, PlanvowError
from planvow.service.declare.document import Refusal, refusal_of
from planvow.service.declare.errors import RightMissingError, TooManyCallsError
from planvow.service.declare.operation import Right
from planvow.service.declare.setting import Setting

_MOST_FIELDS = 500
DECISIONS = {"approve": "decide", "deny": "decide", "cancel": "operate", "requeue": "operate", "repair": "operate"}
"""What people may decide on a page, and the operation that records it."""
_AWAY = (LedgerUnreachableError, LedgerBusyError, StorageError)
_OPEN = ("/sign-in", "/sign-out")
"""What needs no right."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What came of a call to a worker."""

    status: int
    content: Any = None
    refusal: Refusal | None = None


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A page: its template, its values, its status."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Answer = Shown | Response
Ask = Callable[[str, Any, Request], Awaitable[Asked]]


class Console:
    """The console of one server."""

    def __init__(
        self,
        *,
        setting: Setting,
        ask: Ask,
        may: Refuses,
        own: Callable[[Request], Setting],
        count: Callable[[Request], None],
        read: Callable[[Request], Awaitable[bytes]],
        refused: Callable[[str, PlanvowError, Request, str], None],
    ) -> None:
        self.setting = setting
        self._ask, self._own, self._count, self._read, self._refused = ask, own, count, read, refused
        self.door = Door(may)
        self.of_link: Callable[[Request, str], Awaitable[Any]] = _no_link
        """How a link of the playground becomes a plan again; the playground says so."""

    async def ask(self, name: str, data: Any, request: Request) -> Asked:
        """Ask a worker, as whoever asks."""
        return await self._ask(name, data, self.door.bearing(request))

    def own(self, request: Request) -> Setting:
        """Return the setting with the name of whoever asks, as the server knows it: the ledger keeps it."""
        return self._own(self.door.bearing(request))

    async def note_refused(self, request: Request, form: Mapping[str, str], error: PlanvowError) -> None:
        """Let the ledger know of a decision that was refused, and of who sent it.

        Notes are counted by name: what is no decision has none, or whoever makes words up could write one for each.
        """
        word, job_id = form.get("decision", ""), form.get("job_id", "")
        name = f"console {word}" if word in DECISIONS else "console"
        await asyncio.to_thread(self._refused, name, error, self.door.bearing(request), job_id)

    def page(self, shown: Callable[[Console, Request], Awaitable[Answer]]) -> Any:
        """Return what answers a request for a page."""

        async def answer(request: Request) -> Response:
            try:
                self._admit(request)
                made = await shown(self, request)
            except PlanvowError as error:
                made = _told(error, 404 if isinstance(error, InputError | NoLedgerError) else 409)
            return made if isinstance(made, Response) else await self._rendered(request, made)

        return answer

    def form(self, done: Callable[[Console, Request, Mapping[str, str]], Awaitable[Answer]]) -> Any:
        """Return what answers a form: one of our own pages made it for this browser, or nothing is done."""

        async def answer(request: Request) -> Response:
            form: Mapping[str, str] = {}
            try:
                self._admit(request)
                form = await asyncio.to_thread(_fields, await self._read(request))
                self.door.check_form(request, form)
                made = await done(self, request, form)
            except PlanvowError as error:
                if request.url.path.endswith("/act"):
                    await self.note_refused(request, form, error)
                made = _told(error, 400 if isinstance(error, InputError) else 409)
            return made if isinstance(made, Response) else await self._rendered(request, made)

        return answer

    def _admit(self, request: Request) -> None:
        """Count a request, before anything is read of it; raise unless who sends it may read, or wants to sign in."""
        self._count(self.door.bearing(request))
        refused = self.door.refusal(request, Right.READ)
        if refused is not None and not request.url.path.endswith(_OPEN):
            raise refused

    async def look(self, read: Callable[[Any], Any]) -> Any:
        """Read something of the ledger, away from the event loop."""

        def reading() -> Any:
            with self.setting.open_ledger() as ledger:
                return read(ledger)

        return await asyncio.to_thread(reading)

    async def _rendered(self, request: Request, shown: Shown) -> Response:
        visit, is_new = visit_of(request)
        common = {
            "seal": self.door.seal(visit),
            "known": self.door.is_known(request),
            "here": request.url.path.removeprefix("/console/"),
            "link": f"{request.url.path}{f'?{request.url.query}' if request.url.query else ''}",
        }
        text = await asyncio.to_thread(page, shown.template, **common, **shown.values)  # a large page takes a while
        mark = f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'
        if request.headers.get("if-none-match") == mark:
            return Response(status_code=304, headers={"ETag": mark})
        response = HTMLResponse(text, status_code=shown.status, headers={**HEADERS, **shown.headers, "ETag": mark})
        if is_new:
            remember_visit(request, response, visit)
        return response


async def _no_link(_request: Request, _link: str) -> Any:
    raise InputError("there is no playground here", place="ask")


def see_other(address: str) -> Response:
    """Return the way to the page that shows what a form did."""
    return RedirectResponse(address, status_code=303)


def _told(error: PlanvowError, status: int) -> Shown:
    headers = {}
    if isinstance(error, RightMissingError):
        status = 403
    elif isinstance(error, TooManyCallsError):
        status, headers = 429, {"Retry-After": str(max(1, math.ceil(error.seconds)))}
    elif isinstance(error, _AWAY):
        status, headers = 503, {"Retry-After": "2"}
    values = {"refusal": refusal_of(error), "status": status}
    return Shown(template="refused.html", values=values, status=status, headers=headers)


def _fields(body: bytes) -> dict[str, str]:
    """Return the fields of a form; none of ours has many."""
    try:
        return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError:
        raise InputError(f"a form has at most {_MOST_FIELDS} fields", place="body") from None
