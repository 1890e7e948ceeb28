"""A command that is asked to end by a signal, and leaves in order: its clean-up runs and says how to go on."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_ENDED_BY = 128  # what shells add to the number of the signal that ended a program


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Let SIGTERM end what is inside as Ctrl-C does, with the exit code of a program that it ended."""
    if threading.current_thread() is not threading.main_thread():  # signals are answered there alone
        yield
        return
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(number: int, _frame: object) -> None:
    raise SystemExit(_ENDED_BY + number)
