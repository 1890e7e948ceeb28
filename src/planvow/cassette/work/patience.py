"""Waiting for a ledger that cannot be reached for the moment.

Databases restart, networks drop connections, disks fail to take a commit. Each call to a ledger may be repeated, so
whoever has time does it again for about a minute: longer than a database needs to come back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from planvow.cassette.errors import CassetteError

Answer = TypeVar("Answer")

PAUSE_SECONDS = 0.2
TRIES = 300


def patiently(action: Callable[[], Answer], *, waiting: Callable[[CassetteError], None] = lambda _why: None) -> Answer:
    """Do something with a ledger, again and again while that may help; say to `waiting`, once, why it takes longer."""
    for left in reversed(range(TRIES)):
        try:
            return action()
        except CassetteError as error:
            if not error.retryable or left == 0:
                raise
            if left == TRIES - 1:
                waiting(error)
        threading.Event().wait(PAUSE_SECONDS)
    raise CassetteError("nothing was tried")
