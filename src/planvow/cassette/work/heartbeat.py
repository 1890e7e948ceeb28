"""Keeps a lease alive while a step runs.

One thread per worker, with a connection of its own (a connection belongs to one thread). It opens that connection
only when a step lasts longer than a third of its lease, so short steps cost nothing. When the lease is lost it says
so and stops beating: the fence will refuse the result.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from planvow.cassette.errors import LeaseError
from planvow.cassette.ledger.model import Claim
from planvow.cassette.ledger.store import Store
from planvow.errors import PlanvowError


@dataclass(frozen=True, kw_only=True, eq=False)
class _Held:
    """A claim being worked on and the event of its loss: one each, so that a late beat cannot mark the next claim."""

    claim: Claim
    lost: threading.Event = field(default_factory=threading.Event)


class Heartbeat:
    """Beats for the claim that is being worked on, from a thread that ends with `stop`."""

    def __init__(self, open_store: Callable[[], Store], lease_ms: int) -> None:
        self._open_store = open_store
        self._lease_ms = lease_ms
        self._held: _Held | None = None
        self._changed = threading.Condition()
        self._stopping = False
        self._thread: threading.Thread | None = None

    @contextmanager
    def during(self, claim: Claim) -> Iterator[threading.Event]:
        """Keep this claim's lease; the event yielded is set when it is lost."""
        held = _Held(claim=claim)
        self._hold(held)
        try:
            yield held.lost
        finally:
            self._hold(None)

    def stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _hold(self, held: _Held | None) -> None:
        with self._changed:
            self._held = held
            if held is not None and self._thread is None:
                self._thread = threading.Thread(target=self._beat, name="planvow-heartbeat", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _beat(self) -> None:
        store: Store | None = None
        try:
            while (held := self._due()) is not None:
                try:
                    store = store or self._open_store()
                    store.heartbeat(held.claim, self._lease_ms)
                except LeaseError:
                    held.lost.set()
                except PlanvowError:
                    continue  # unreachable for the moment: the next beat may come through before the lease ends
        finally:
            if store is not None:
                store.close()

    def _due(self) -> _Held | None:
        """Wait until a claim has been held for a third of its lease; None when stopping.

        Everything is read anew before each wait: a notice given while this thread was beating woke nobody.
        """
        with self._changed:
            while not self._stopping:
                held = self._held
                alive = held is not None and not held.lost.is_set()
                noticed = self._changed.wait(self._lease_ms / 3000 if alive else None)
                if alive and not noticed and held is self._held:
                    return held
        return None
