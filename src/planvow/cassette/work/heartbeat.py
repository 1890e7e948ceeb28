"""Keeps a lease alive while a step runs, and hears when its job was cancelled.

One thread per worker, with a connection of its own (a connection belongs to one thread). It opens that connection
only when a step lasts longer than a second, so short steps cost nothing. When the lease is lost, or the step is not
wanted any more, it says so; a lost lease is not beaten for any more: the fence will refuse the result.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from planvow.cassette.errors import LeaseError
from planvow.cassette.ledger.model import Claim
from planvow.cassette.ledger.store import Store
from planvow.cassette.work.attendance import Attendance
from planvow.errors import PlanvowError

LOOK_SECONDS = 1.0


@dataclass(kw_only=True, eq=False)
class Held:
    """A claim being worked on and the events of its loss: one each, so that a late beat cannot mark the next claim.

    `lost` is set when the result is not wanted any more: by another worker's claim, or, with `cancelled`, by a person.
    """

    claim: Claim
    lost: threading.Event = field(default_factory=threading.Event)
    cancelled: threading.Event = field(default_factory=threading.Event)
    beaten: float = field(default_factory=time.monotonic)
    looked: float = field(default_factory=time.monotonic)

    @property
    def kept(self) -> bool:
        """Whether the lease is still worth a beat: also while an operation ends that was told to."""
        return not self.lost.is_set() or self.cancelled.is_set()


class Heartbeat:
    """Beats for the claim that is being worked on, from a thread that ends with `stop`."""

    def __init__(self, open_store: Callable[[], Store], lease_ms: int, attendance: Attendance | None = None) -> None:
        self._open_store = open_store
        self._lease_ms = lease_ms
        self._attendance = attendance
        self._held: Held | None = None
        self._changed = threading.Condition()
        self._stopping = False
        self._thread: threading.Thread | None = None

    @contextmanager
    def during(self, claim: Claim) -> Iterator[Held]:
        """Keep this claim's lease."""
        held = Held(claim=claim)
        self._hold(held)
        try:
            yield held
        finally:
            self._hold(None)

    def stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _hold(self, held: Held | None) -> None:
        with self._changed:
            self._held = held
            if held is not None and self._thread is None:
                self._thread = threading.Thread(target=self._beat, name="planvow-heartbeat", daemon=True)
                self._thread.start()

    def _beat(self) -> None:
        store: Store | None = None
        try:
            while (held := self._due()) is not None:
                third_passed = time.monotonic() - held.beaten >= self._lease_ms / 3000
                try:
                    store = store or self._open_store()
                    self._look_after(held, store, beat=third_passed)
                except LeaseError:
                    held.lost.set()
                except PlanvowError:
                    continue  # unreachable for the moment: the next beat may come through before the lease ends
        finally:
            if store is not None:
                store.close()

    def _look_after(self, held: Held, store: Store, *, beat: bool) -> None:
        """Prolong the lease if it is time, and ask whether the step is still wanted."""
        if beat:
            store.heartbeat(held.claim, self._lease_ms)
            held.beaten = time.monotonic()
        if not held.cancelled.is_set() and store.is_cancelled(held.claim.job_id):
            held.cancelled.set()
            held.lost.set()
        if self._attendance is not None:
            self._attendance.seen(store)

    def _due(self) -> Held | None:
        """Wait until a claim has been held for a second or a third of its lease; None when stopping.

        Nobody wakes this thread for a step, which would cost more than most steps: none that begins while it waits is
        due before it looks again.
        """
        pause = min(self._lease_ms / 3000, LOOK_SECONDS)
        with self._changed:
            while not self._stopping:
                left, held = pause, self._held
                if held is not None and held.kept:
                    left = held.looked + pause - time.monotonic()
                    if left <= 0:
                        held.looked = time.monotonic()
                        return held
                self._changed.wait(left)
        return None
