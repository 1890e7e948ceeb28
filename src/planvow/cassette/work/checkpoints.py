"""Makes checkpoints of the ledger's log beside a worker, off the way of its steps.

A checkpoint is due after so many of the worker's steps or so many seconds, and when the worker turns from a job, which
may be finished then; but not more often than once a second. One thread makes them, with a connection of its own, which
it opens only when one is due: a worker that ends sooner has none. The worker makes the last one itself when it ends.
Whoever finds another at it leaves it to that one: any checkpoint covers what everybody did.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress

from planvow.cassette.ledger.store import Store
from planvow.errors import PlanvowError

ENTRIES = 1000
SECONDS = 10.0
PAUSE_SECONDS = 1.0

Make = Callable[[Store, bool], object]
"""Make a checkpoint; the second argument says whether to wait for somebody who is at it."""


def make_checkpoint(store: Store, wait: bool) -> None:
    """Make a checkpoint and keep it nowhere else."""
    store.checkpoint(wait=wait)


class Checkpoints:
    """When one worker makes checkpoints. `seconds` None stands for never."""

    def __init__(
        self,
        open_store: Callable[[], Store],
        make: Make = make_checkpoint,
        *,
        entries: int = ENTRIES,
        seconds: float | None = SECONDS,
    ) -> None:
        self._open_store = open_store
        self._make = make
        self._entries = entries
        self._seconds = seconds
        self._noted = 0
        self._job_left = False
        self._since = time.monotonic()
        self._changed = threading.Condition()
        self._stopping = False
        self._thread: threading.Thread | None = None

    def noted(self, *, job_left: bool) -> None:
        """Take note that a step was recorded, and whether the worker turned from its job with it."""
        if self._seconds is None:
            return
        with self._changed:
            self._noted += 1
            self._job_left |= job_left
            if self._thread is None:  # from the first step on: nobody else looks at the clock while the worker waits
                self._thread = threading.Thread(target=self._work, name="planvow-checkpoints", daemon=True)
                self._thread.start()
            elif job_left or self._noted in (1, self._entries):
                self._changed.notify()

    def finish(self, store: Store | None) -> None:
        """End the thread, and make the last checkpoint if anything was noted since the one before."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()
        if self._noted and store is not None:
            with suppress(PlanvowError):  # what was done is recorded; the next checkpoint covers it
                self._make(store, True)

    def _work(self) -> None:
        store: Store | None = None
        try:
            while self._due():
                with suppress(PlanvowError):  # out of reach for the moment: later ones cover the same
                    store = store or self._open_store()
                    self._make(store, False)
        finally:
            if store is not None:
                store.close()

    def _due(self) -> bool:
        """Wait until a checkpoint is due; False when stopping."""
        with self._changed:
            while not self._stopping:
                left = self._left()
                if left is not None and left <= 0:
                    self._noted, self._job_left, self._since = 0, False, time.monotonic()
                    return True
                self._changed.wait(left)
        return False

    def _left(self) -> float | None:
        """Return in how many seconds one is due, None while there is nothing to cover."""
        if not self._noted or self._seconds is None:
            return None
        soon = self._job_left or self._noted >= self._entries
        return self._since + (PAUSE_SECONDS if soon else self._seconds) - time.monotonic()
