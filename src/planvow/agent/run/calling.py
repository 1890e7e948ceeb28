"""Calling a tool from an event loop: coroutines in the loop, functions in a thread, both within a time.

A function that does not come back cannot be ended, only left behind: its thread ends with the process. Whether it did
its work is unknown then, as it is for a coroutine that was cancelled half-way.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, ClassVar, TypeVar

from planvow.agent.tools.tool import RateLimit
from planvow.cassette.files.system import after_fork

T = TypeVar("T")
IDLE_HANDS = 32
"""Threads that are kept for the next calls."""
HEARD_SECONDS = 0.5
"""How long a signal may go unheard while a loop waits."""


class CallTimeoutError(Exception):
    """A call did not come back in time: what it did is unknown."""


async def call(function: Callable[..., Any], *arguments: Any, timeout: float | None = None, alone: bool = False) -> Any:
    """Call a function or a coroutine function and return what it gives; CallTimeoutError if that takes too long.

    `alone` says that nothing else waits for this loop: a function without a limit is then called where we are.
    """
    if timeout is None:
        return await _called(function, arguments, here=alone or _is_coroutine_function(function))
    try:
        async with asyncio.timeout(timeout) as limit:
            return await _called(function, arguments, here=_is_coroutine_function(function))
    except TimeoutError:
        if limit.expired():
            raise CallTimeoutError(f"it did not come back within {timeout:g} seconds") from None
        raise


async def _called(function: Callable[..., Any], arguments: tuple[Any, ...], *, here: bool) -> Any:
    answer = function(*arguments) if here else await _in_thread(function, arguments)
    return await answer if inspect.isawaitable(answer) else answer


def _is_coroutine_function(function: Any) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))  # noqa: B004


class _Hand:
    """A thread that runs functions, one after the other. One that hangs is left behind: nobody waits for it."""

    idle: ClassVar[deque[_Hand]] = deque()

    def __init__(self) -> None:
        self._orders: SimpleQueue[Callable[[], None]] = SimpleQueue()
        threading.Thread(target=self._work, name="planvow-tool", daemon=True).start()

    @classmethod
    def give(cls, order: Callable[[], None]) -> None:
        """Have a function run by a thread that has nothing to do, or by a new one."""
        try:
            hand = cls.idle.pop()
        except IndexError:
            hand = cls()
        hand._orders.put(order)

    def _work(self) -> None:
        while True:
            order = self._orders.get()
            order()
            del order  # what it holds is not kept until the next one comes
            if len(self.idle) >= IDLE_HANDS:
                return
            self.idle.append(self)


after_fork(_Hand.idle.clear)  # threads do not come along


async def _in_thread(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Run a function in a thread beside the loop."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def settle(answer: Any, error: BaseException | None) -> None:
        if future.done():
            return  # nobody waits any more
        if error is None:
            future.set_result(answer)
        else:
            future.set_exception(_carried(error))

    def run() -> None:
        answer, failure = None, None
        try:
            answer = context.run(function, *arguments)
        except BaseException as error:
            failure = error
        with suppress(RuntimeError):  # the loop is closed: the caller has left
            loop.call_soon_threadsafe(settle, answer, failure)

    _Hand.give(run)
    return await future


def _carried(error: BaseException) -> BaseException:
    """Return an error that a future can carry: some would be taken for the end of the loop or of the program."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    return RuntimeError(f"{type(error).__name__}: {error}")


class Pace:
    """Lets calls begin no faster than a rate allows, by the loop's own clock."""

    def __init__(self, rate: RateLimit) -> None:
        self._rate = rate
        self._begun: deque[float] = deque()
        self._turn = asyncio.Lock()

    async def wait(self) -> None:
        """Return when a call may begin."""
        loop = asyncio.get_running_loop()
        async with self._turn:
            now = loop.time()
            while self._begun and self._begun[0] <= now - self._rate.seconds:
                self._begun.popleft()
            if len(self._begun) >= self._rate.calls:
                await asyncio.sleep(self._begun[0] + self._rate.seconds - now)
                self._begun.popleft()
            self._begun.append(loop.time())


async def _heard(work: Coroutine[Any, Any, T]) -> T:
    """Await something in a loop that wakes now and then.

    A signal that comes just before the loop begins to wait, or that the system gives to another thread, wakes nobody:
    Ctrl-C would be heard only when it is pressed again.
    """
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle

    def wake() -> None:
        nonlocal timer
        timer = loop.call_later(HEARD_SECONDS, wake)

    timer = loop.call_later(HEARD_SECONDS, wake)
    try:
        return await work
    finally:
        timer.cancel()


def run_to_end(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine from ordinary code, also where a loop runs already in this thread (notebooks)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_heard(work()))
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(asyncio.run(work()))
        except BaseException as error:
            outcome.set_exception(error)

    thread = threading.Thread(target=run, name="planvow-agent")
    thread.start()
    thread.join()
    return outcome.result()
