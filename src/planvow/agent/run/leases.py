"""Keeps many leases alive while their steps run.

One thread per agent, with a connection of its own (a connection belongs to one thread), for as many steps as the
agent has in hand. It opens that connection only when a step lasts longer than a third of its lease, so short steps
cost nothing. When a lease is lost it stops beating for it: the fence will refuse the result.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from planvow.cassette.errors import LeaseError
from planvow.cassette.ledger.model import Claim
from planvow.cassette.ledger.store import Store
from planvow.errors import PlanvowError


@dataclass(kw_only=True, eq=False, slots=True)
class _Held:
    """A claim being worked on: one each, so that a late beat cannot take the next claim for it."""

    claim: Claim
    due: float
    """When the next beat is due, by the clock that only goes forward."""


class LeaseKeeper:
    """Beats for the claims that are being worked on, from a thread that ends with `stop`."""

    def __init__(self, open_store: Callable[[], Store], lease_ms: int) -> None:
        self._open_store = open_store
        self._lease_ms = lease_ms
        self._held: dict[_Held, None] = {}  # in the order of their beats: every beat puts its claim at the end
        self._changed = threading.Condition()
        self._stopping = False
        self._thread: threading.Thread | None = None

    @contextmanager
    def during(self, claim: Claim) -> Iterator[None]:
        """Keep this claim's lease."""
        held = _Held(claim=claim, due=self._next_beat())
        with self._changed:
            self._held[held] = None
            if self._thread is None:
                self._thread = threading.Thread(target=self._beat, name="planvow-leases", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._changed:
                self._held.pop(held, None)

    def stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _next_beat(self) -> float:
        return time.monotonic() + self._lease_ms / 3000

    def _beat(self) -> None:
        store: Store | None = None
        try:
            while (held := self._due()) is not None:
                try:
                    store = store or self._open_store()
                    store.heartbeat(held.claim, self._lease_ms)
                except LeaseError:
                    self._forget(held)
                except PlanvowError:
                    continue  # unreachable for the moment: the next beat may come through before the lease ends
        finally:
            if store is not None:
                store.close()

    def _due(self) -> _Held | None:
        """Wait until a claim has been held for a third of its lease since its last beat; None when stopping.

        A claim that is taken up while this thread sleeps is due no sooner than it wakes: nobody has to wake it.
        """
        with self._changed:
            while not self._stopping:
                first = next(iter(self._held), None)
                left = self._lease_ms / 3000 if first is None else first.due - time.monotonic()
                if first is not None and left <= 0:
                    del self._held[first]
                    first.due = self._next_beat()
                    self._held[first] = None
                    return first
                self._changed.wait(left)
        return None

    def _forget(self, held: _Held) -> None:
        with self._changed:
            self._held.pop(held, None)
