"""A ledger that stays open from one call of an agent to the next.

Opening one reads its whole schema and closing one tidies it up: for short runs that is most of the work.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from planvow.cassette.ledger.store import Store


class KeptStore:
    """Lends one open ledger to one caller at a time; whoever comes meanwhile, or from another thread, gets another."""

    def __init__(self, open_store: Callable[[], Store]) -> None:
        self._open_store = open_store
        self._thread: int | None = None
        self._idle: Store | None = None

    def keep(self) -> None:
        """Keep what this thread opens from now on."""
        self._thread = threading.get_ident()

    def close(self) -> None:
        """Keep nothing any more."""
        self._thread = None
        store, self._idle = self._idle, None
        if store is not None:
            store.close()

    @contextmanager
    def lent(self) -> Iterator[Store]:
        """Lend the ledger; after an error it is closed, since nobody knows in what state it is."""
        if self._thread != threading.get_ident():
            with self._open_store() as store:
                yield store
            return
        store, self._idle = self._idle or self._open_store(), None
        try:
            yield store
        except BaseException:
            store.close()
            raise
        if self._idle is None and self._thread is not None:
            self._idle = store
        else:
            store.close()
