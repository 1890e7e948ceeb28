"""Processes that end with whoever started them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Start processes in here that do not hear Ctrl-C: it is meant for the one that started them, and that ends them.

    A terminal sends it to all at once, and each would say with a traceback where it was.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # starting it would end the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # is handed on, from the first instruction
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """End this process, whatever it is at, when the one that started it is gone: who was killed could not do it."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, name="planvow-parent", daemon=True).start()
