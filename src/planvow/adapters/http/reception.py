"""Letting callers in: who asks, whether they may, and how much each of them has asked of late."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from fastapi import Request

from planvow.adapters.http.callers import Caller, Guarding, address_of
from planvow.service.declare.errors import RightMissingError, TooManyCallsError
from planvow.service.declare.operation import Right

_BURST_SECONDS = 10
_MOST_REMEMBERED = 10_000


@dataclass(frozen=True, kw_only=True)
class Allowance:
    """What one caller may ask: calls in a minute (0: any number), and how many may plan, or be streams, at once."""

    per_minute: int = 6000
    at_once: int = 16
    body_bytes: int = 10 * 1024 * 1024


class Reception:
    """Knows what each caller has used. It lives on the event loop, so it needs no locks."""

    def __init__(
        self,
        guarding: Guarding,
        allowance: Allowance | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.guarding = guarding
        self.allowance = allowance or Allowance()
        self._clock = clock
        self._rate = self.allowance.per_minute / 60
        self._most = max(1.0, self._rate * _BURST_SECONDS)
        self._left: dict[str, tuple[float, float]] = {}
        self._busy: Counter[tuple[str, str]] = Counter()

    def admit(self, request: Request, right: Right) -> Caller:
        """Return who asks, or raise: too many calls, a token that is worth nothing, a right that is missing."""
        caller = self.count(request)
        if isinstance(caller, RightMissingError):
            raise caller
        caller.check(right)
        return caller

    def count(self, request: Request) -> Caller | RightMissingError:
        """Take a call from what who asks has left, or raise; a guess at a token counts for the address it is from."""
        try:
            caller = self.guarding.caller(request)
        except RightMissingError as error:
            self._count(f"address {address_of(request)}")
            return error
        self._count(caller.name)
        return caller

    def name_of(self, request: Request) -> str:
        """Return what a caller is called; who brings a token that is worth nothing is an address."""
        try:
            return self.guarding.caller(request).name
        except RightMissingError:
            return f"address {address_of(request)}"

    @contextmanager
    def busy(self, caller: Caller, what: str) -> Iterator[None]:
        """Count something that goes on; raise TooManyCallsError when the caller has enough of it."""
        key = (caller.name, what)
        if self._busy[key] >= self.allowance.at_once:
            raise TooManyCallsError(f"{caller.name} has {self._busy[key]} {what} at once", seconds=1)
        self._busy[key] += 1
        try:
            yield
        finally:
            self._busy[key] -= 1
            if not self._busy[key]:
                del self._busy[key]

    def _count(self, name: str) -> None:
        """Take one call from what a caller has left; it grows again with time, up to ten seconds' worth."""
        if not self._rate:
            return
        now = self._clock()
        left, since = self._left.get(name, (self._most, now))
        left = min(self._most, left + (now - since) * self._rate)
        if left < 1:
            self._left[name] = (left, now)
            reason = f"{name} has asked more than {self.allowance.per_minute} times a minute"
            raise TooManyCallsError(reason, seconds=(1 - left) / self._rate)
        if name not in self._left and len(self._left) >= _MOST_REMEMBERED:
            self._forget(now)
        self._left[name] = (left - 1, now)

    def _forget(self, now: float) -> None:
        """Forget those who have everything again: they are as if they had never asked."""
        full = [name for name, (left, since) in self._left.items() if left + (now - since) * self._rate >= self._most]
        for name in full:
            del self._left[name]
