"""Calls whose answer is fetched later: started, watched and ended by one caller. Kept in memory, for a while."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from typing import Any

from planvow.adapters.http.call_status import CallStatus
from planvow.adapters.http.callers import Caller
from planvow.adapters.http.entrance import Entrance
from planvow.adapters.http.problems import problem
from planvow.adapters.http.reception import Reception
from planvow.adapters.http.streams import event_text
from planvow.adapters.http.workers import Asked, Reply
from planvow.service.declare.errors import UnknownCallError

MOST_ENDED = 50
"""Of one caller; its oldest are forgotten first, so nobody makes others' answers go."""
MOST_BYTES = 16 * 1024 * 1024
"""Of one caller's answers that wait to be fetched; the last one stays."""
MOST_CALLERS_BYTES = 256 * 1024 * 1024
"""Of all of them."""
_WAITING_SECONDS = 10.0
CANCELLED = "cancelled"


class Call:
    """One such call; it lives on the event loop."""

    def __init__(self, owner: str, operation: str) -> None:
        self.call_id = secrets.token_hex(12)
        self.owner, self.operation = owner, operation
        self.state = "waiting"
        self.reply: Reply | None = None
        self.task: asyncio.Task[Reply] | None = None
        self._told: list[tuple[str, Any]] = []
        self._news = asyncio.Event()

    @property
    def has_ended(self) -> bool:
        return self.reply is not None or self.state == CANCELLED

    def tell(self, kind: str, data: Any) -> None:
        """Note an event and wake those who watch."""
        self._told.append((kind, data))
        self._news.set()
        self._news = asyncio.Event()

    def begin(self) -> None:
        self.state = "running"
        self.tell("running", {})

    def end(self, reply: Reply | None) -> None:
        """Note how it ended; without a reply it was cancelled."""
        if self.has_ended:
            return
        self.reply = reply
        self.state = CANCELLED if reply is None else "answered" if reply.refusal is None else "refused"
        self.tell(self.state, {})

    def status(self) -> CallStatus:
        """Return where the call stands, with its answer once there is one."""
        done, words = next((data.values() for kind, data in reversed(self._told) if kind == "progress"), (None, None))
        reply = self.reply
        return CallStatus(
            call_id=self.call_id,
            operation=self.operation,
            state=self.state,
            done=done,
            words=words,
            answer=None if reply is None else reply.content,
            problem=None if reply is None or reply.refusal is None else problem(reply.refusal, reply.status),
        )

    async def events(self, after: int) -> AsyncIterator[str]:
        """Yield what happens, after so many events, until the call has ended."""
        while True:
            news = self._news
            for number, (kind, data) in enumerate(self._told[after:], after + 1):
                yield event_text(kind, data, number)
                after = number
            if self.has_ended:
                return
            try:
                await asyncio.wait_for(news.wait(), _WAITING_SECONDS)
            except TimeoutError:
                yield ": waiting\n\n"


class Calls:
    """The calls that this server was asked to answer later."""

    def __init__(self, entrance: Entrance, reception: Reception) -> None:
        self._entrance, self._reception = entrance, reception
        self._known: dict[str, Call] = {}

    def start(self, asked: Asked, caller: Caller, ended: Callable[[Reply | None], None]) -> Call:
        """Start a call, or raise TooManyCallsError; `ended` is told what came of it."""
        going = ExitStack()
        going.enter_context(self._reception.busy(caller, "calls that plan"))
        call = Call(caller.name, asked.name)
        self._known[call.call_id] = call
        loop = asyncio.get_running_loop()

        def tell(done: float, words: str) -> None:  # from the thread that listens to the worker
            loop.call_soon_threadsafe(call.tell, "progress", {"done": done, "words": words})

        async def still_wanted() -> bool:
            return False

        def over(task: asyncio.Task[Reply]) -> None:  # also of one that was cancelled before it began
            reply = None if task.cancelled() or task.exception() is not None else task.result()
            going.close()
            call.end(reply)
            self._forget(call.owner)
            ended(reply)

        answering = self._entrance.call(asked, still_wanted, wait=None, tell=tell, begun=call.begin)
        call.task = asyncio.create_task(answering)
        call.task.add_done_callback(over)
        return call

    def find(self, call_id: str, caller: Caller) -> Call:
        """Return a call of this caller; those of others are not known to it."""
        call = self._known.get(call_id)
        if call is None or call.owner != caller.name:
            raise UnknownCallError(f"no call {call_id!r:.40} is known here", place="call_id")
        return call

    async def cancel(self, call: Call) -> None:
        """End a call with its worker; one that has ended is forgotten."""
        if call.has_ended:
            self._known.pop(call.call_id, None)
            return
        call.end(None)
        if call.task is not None:
            call.task.cancel()

    def _forget(self, owner: str) -> None:
        """Forget what is too much of one caller, and then what is too much of all; the newest is kept."""
        ended = [call for call in self._known.values() if call.has_ended]
        own = [call for call in ended if call.owner == owner]
        gone = [*_too_much(own, MOST_ENDED, MOST_BYTES), *_too_much(ended, len(ended), MOST_CALLERS_BYTES)]
        for call in gone:
            self._known.pop(call.call_id, None)


def _too_much(calls: list[Call], most: int, most_bytes: int) -> list[Call]:
    """Return the oldest calls that must go for the others to be within limits."""
    kept = 0
    for number, call in enumerate(reversed(calls)):
        kept += 0 if call.reply is None else call.reply.size
        if number and (number >= most or kept > most_bytes):
            return calls[: len(calls) - number]
    return []
