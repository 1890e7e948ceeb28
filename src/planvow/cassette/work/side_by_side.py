"""Several loops of one worker, each in a thread of its own with a connection of its own.

Steps that need each other are ordered by the ledger, so nothing here has to know which may run together.
"""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from dataclasses import fields
from typing import Any, Protocol


class Loop(Protocol):
    """What works until nothing is left and reports counts."""

    def run(self) -> Any: ...


def run_side_by_side(make: Callable[[int], Loop], count: int, stop: threading.Event) -> Any:
    """Run so many loops and return their reports as one; the first trouble of one stops all and is raised."""
    reports: list[Any] = []
    troubles: list[BaseException] = []

    def work(number: int) -> None:
        try:
            reports.append(make(number).run())
        except BaseException as error:
            troubles.append(error)
            stop.set()

    threads = [threading.Thread(target=work, args=(n,), name=f"planvow-worker-{n}") for n in range(1, count + 1)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except BaseException:
        stop.set()  # asked to end while waiting: they finish their step first
        for thread in threads:
            thread.join()
        raise
    if troubles:
        raise troubles[0]
    return _sum(reports)


async def awaited(result: Awaitable[Any]) -> Any:
    """Return what a handler that is a coroutine function comes to."""
    return await result


def _sum(reports: list[Any]) -> Any:
    total = {}
    for field in fields(reports[0]):
        values = [getattr(report, field.name) for report in reports]
        if isinstance(values[0], tuple):
            total[field.name] = tuple(sorted({name for value in values for name in value}))
        else:  # what waits for people was counted by each of them
            total[field.name] = max(values) if field.name == "held" else sum(values)
    return type(reports[0])(**total)
