"""Keeps a lease alive while a step runs.

One thread per worker, with a connection of its own (a connection belongs to one thread). It opens that connection
only when a step lasts longer than a third of its lease, so short steps cost nothing. When the lease is lost it says
so and stops beating: the fence will refuse the result.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from planvow.cassette.errors import CassetteError, LeaseError
from planvow.cassette.model import Claim
from planvow.cassette.store import Store


class Heartbeat:
    """Beats for the claim that is being worked on, from a thread that ends with `stop`."""

    def __init__(self, open_store: Callable[[], Store], lease_ms: int) -> None:
        self._open_store = open_store
        self._lease_ms = lease_ms
        self._claim: Claim | None = None
        self._changed = threading.Condition()
        self._stopping = False
        self._thread: threading.Thread | None = None
        self.lost = threading.Event()

    @contextmanager
    def during(self, claim: Claim) -> Iterator[threading.Event]:
        """Keep this claim's lease; the event yielded is set when it is lost."""
        self.lost.clear()
        with self._changed:
            self._claim = claim
            if self._thread is None:
                self._thread = threading.Thread(target=self._beat, name="planvow-heartbeat", daemon=True)
                self._thread.start()
            self._changed.notify()
        try:
            yield self.lost
        finally:
            with self._changed:
                self._claim = None
                self._changed.notify()

    def stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _beat(self) -> None:
        store: Store | None = None
        try:
            while (claim := self._due()) is not None:
                try:
                    store = store or self._open_store()
                    store.heartbeat(claim, self._lease_ms)
                except LeaseError:
                    self.lost.set()
                except CassetteError:
                    continue  # unreachable for the moment: the next beat may come through before the lease ends
        finally:
            if store is not None:
                store.close()

    def _due(self) -> Claim | None:
        """Wait until a claim has been held for a third of its lease; None when stopping."""
        with self._changed:
            while True:
                claim = self._claim
                waited = self._changed.wait(self._lease_ms / 3000 if claim is not None else None)
                if self._stopping:
                    return None
                if not waited and claim is not None and claim is self._claim and not self.lost.is_set():
                    return claim
