"""What was made a moment ago, by scheme and name: so that an answer can name a document instead of holding it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from planvow.errors import did_you_mean
from planvow.service.declare.errors import UnknownDocumentError

MOST = 500
MOST_BYTES = 256 * 1024 * 1024
"""Of documents whose size is known: those that strangers have made."""


class Shelf:
    """Keeps the last documents; one that takes work to make is made when it is first read."""

    def __init__(self, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._made: OrderedDict[tuple[str, str], Callable[[], Any]] = OrderedDict()
        self._sizes: dict[tuple[str, str], int] = {}
        self._lock = threading.Lock()

    def keep(self, scheme: str, name: str, make: Callable[[], Any], *, size: int = 0) -> None:
        """Keep a document of so many bytes; the oldest go when there are too many, the last one stays."""
        with self._lock:
            self._made[scheme, name] = make
            self._made.move_to_end((scheme, name))
            self._sizes[scheme, name] = size
            kept = sum(self._sizes.values())
            while len(self._made) > self._most or (kept > self._most_bytes and len(self._made) > 1):
                kept -= self._sizes.pop(self._made.popitem(last=False)[0])

    def read(self, scheme: str, name: str) -> Any:
        """Return a document, or say which name comes near."""
        with self._lock:
            make = self._made.get((scheme, name))
            known = [other for kind, other in self._made if kind == scheme]
        if make is None:
            raise UnknownDocumentError(
                f"there is no {scheme} {name!r:.80} here",
                hint=did_you_mean(name, known) or f"a {scheme} is known by the hash in the answer that made it",
            )
        return make()

    def knows(self, scheme: str, name: str) -> bool:
        """Say whether a document is here."""
        with self._lock:
            return (scheme, name) in self._made
