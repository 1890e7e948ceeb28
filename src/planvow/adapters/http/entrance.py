"""The way from a call to a worker and back: who waits holds no thread, and who has gone is waited for no longer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from planvow.adapters.http.workers import BUSY, CERTIFICATE, Asked, Pool, Reply, Tell
from planvow.errors import InputError
from planvow.service.declare.errors import BusyError
from planvow.service.declare.operation import Operation
from planvow.service.declare.setting import Setting

_WATCH_SECONDS = 0.25
_MOST_MAKING = 4
_NAMING = ("plan_hash", "first", "second")
_PLANNING = ("make_plan", "plan_goal", "solve_hddl")
Gone = Callable[[], Awaitable[bool]]


class Entrance:
    """Lets as many calls to the workers as there are workers, each with a thread of its own.

    Who waits holds no thread: reading, figures and streams go on however many want to plan.
    """

    def __init__(self, pool: Pool, setting: Setting) -> None:
        self.pool = pool
        self._setting = setting
        self._making = threading.BoundedSemaphore(_MOST_MAKING)
        self._free = asyncio.Semaphore(pool.size)
        self._threads = ThreadPoolExecutor(pool.size, thread_name_prefix="planning")

    async def call(
        self, asked: Asked, gone: Gone, *, wait: float | None, tell: Tell | None = None, begun: Callable[[], Any] = int
    ) -> Reply:
        """Run a call in a worker; when nobody waits for it any more, it is ended with its worker."""
        try:
            await asyncio.wait_for(self._free.acquire(), wait)
        except TimeoutError:
            return BUSY
        begun()
        stop = threading.Event()
        work = asyncio.get_running_loop().run_in_executor(
            self._threads, partial(self.pool.call, asked, stop, tell=tell)
        )
        work.add_done_callback(lambda _: self._free.release())
        try:
            while not work.done():
                await asyncio.wait([work], timeout=_WATCH_SECONDS)
                if not work.done() and await gone():
                    stop.set()
            reply = await work
        finally:
            stop.set()
        self._keep(asked, reply)
        return reply

    async def carried(self, operation: Operation, data: Any) -> dict[tuple[str, str], Any]:
        """Return the documents made here that a question names by their hash: a worker knows none of them."""
        if not isinstance(data, dict) or not any(field in data for field in _NAMING):
            return {}
        return await asyncio.to_thread(self._named, operation, data)

    def _named(self, operation: Operation, data: dict[str, Any]) -> dict[tuple[str, str], Any]:
        named = [data.get(field) for field in _NAMING]
        schemes = ("plan", "question", *(("certificate",) if operation.name == "verify" else ()))
        keys = [(scheme, name) for name in named if isinstance(name, str) for scheme in schemes]
        shelf = self._setting.shelf
        return {key: shelf.read(*key) for key in keys if shelf.knows(*key)}

    def _keep(self, asked: Asked, reply: Reply) -> None:
        for (scheme, name), value in (reply.documents or {}).items():
            self._setting.shelf.keep(scheme, name, partial(_itself, value), size=reply.size)
            if scheme == "plan" and asked.name in _PLANNING:
                self._setting.shelf.keep("certificate", name, partial(self._certificate, name, asked), size=reply.size)

    def _certificate(self, name: str, asked: Asked) -> Any:
        """Make a certificate by asking again, once. Who reads it holds a thread: some are left for everybody else."""
        if not self._making.acquire(blocking=False):
            raise BusyError(f"{_MOST_MAKING} certificates are being made", hint="ask again")
        try:
            question = {"operation": asked.name, "question": asked.data}
            reply = self.pool.call(Asked(name=CERTIFICATE, data=question, paid=asked.paid), threading.Event())
        finally:
            self._making.release()
        if reply is BUSY:
            raise BusyError("every worker is busy", hint="ask again")
        if reply.refusal is not None:
            raise InputError(reply.refusal.reason, place="address", hint=reply.refusal.change or None)
        self._setting.shelf.keep("certificate", name, partial(_itself, reply.content), size=reply.size)
        return reply.content


def _itself(value: Any) -> Any:
    return value
