"""The console's way into the server: the same callers, limits and workers as everybody else's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fastapi import FastAPI, Request

from planvow.adapters.console.app import Asked as Came
from planvow.adapters.console.app import Console, mount
from planvow.adapters.http.bodies import UnreadError, read_body
from planvow.adapters.http.entrance import Entrance
from planvow.adapters.http.reception import Reception
from planvow.adapters.http.workers import BUNDLE, Asked
from planvow.errors import InputError, PlanvowError
from planvow.service.catalogue import OPERATIONS
from planvow.service.declare.operation import Right
from planvow.service.declare.setting import Setting
from planvow.spans import carried_span


def mount_console(app: FastAPI, setting: Setting, entrance: Entrance, reception: Reception) -> None:
    """Hang the console into the application."""

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
        asked = Asked(name=name, data=data, carried=carried, paid=frozenset(), is_long=False, trace=carried_span())
        with reception.busy(caller, "calls that plan"):
            reply = await entrance.call(asked, request.is_disconnected, wait=entrance.pool.limits.wait_seconds)
        return Came(status=reply.status, content=reply.content, refusal=reply.refusal)

    mount(app, Console(setting=setting, ask=ask, may=may, own=own, count=count, read=read))
