"""How a worker with nothing to do waits: until it is woken, until something is due, and never for too long.

It says that it waits before it looks for the last time. Work that was just being committed then, by somebody who had
not yet seen that anybody waits, is found by a second look a moment later.
"""

from __future__ import annotations

import threading

from planvow.cassette.ledger.store import Store
from planvow.cassette.work.attendance import Attendance

MOMENT = 0.25
LEAST = 0.01
_RENEWED = 2.0  # how many of its longest waits a worker is believed to wait still


class Waiting:
    """One worker's waiting, from its first look in vain to its next step."""

    def __init__(self, attendance: Attendance, stop: threading.Event, longest: float) -> None:
        self._attendance = attendance
        self._stop = stop
        self._longest = longest
        self._looks = 0

    def wait(self, store: Store) -> None:
        """Wait once; the caller looks again whatever happened. The first time only says that it waits."""
        self._looks += 1
        self._attendance.waiting(store, int(1000 * max(1.0, self._longest * _RENEWED)))
        store.listen(True)
        if self._looks == 1:
            return
        due = store.next_due_in()
        seconds = min(self._longest if due is None else due, self._longest if self._looks > 2 else MOMENT)
        store.wait_for_news(max(seconds, LEAST), self._stop)

    def over(self, store: Store) -> None:
        """Go back to work: who works does not listen."""
        self._attendance.seen(store)
        if self._looks:
            self._looks = 0
            store.listen(False)
            self._attendance.waiting(store, None)
