"""Figures for Prometheus: what waits in the ledger, read when somebody asks, and what one worker does."""

from __future__ import annotations

import functools
import inspect
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily

from planvow.cassette.errors import NoLedgerError
from planvow.errors import InputError, PlanvowError
from planvow.service.declare.setting import Setting
from planvow.service.records.figures import LEDGER_FIGURES, FiguresAnswer, FiguresQuestion

_GAUGES = {
    "ready": ("planvow_steps_ready", "Steps that a worker could take now."),
    "leased": ("planvow_steps_leased", "Steps that workers hold."),
    "held": ("planvow_approvals_waiting", "Steps that wait for a person's approval."),
    "retries": ("planvow_retries_open", "Failed attempts of steps that are still open."),
    "repairs": ("planvow_repairs", "Plans that replaced the rest of another one."),
    "oldest_waiting_ms": ("planvow_oldest_waiting_seconds", "How long the oldest ready step has waited."),
}


class LedgerFigures:
    """A collector that looks at the ledger when figures are asked for; without a ledger it has none."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the gauges as they are now."""
        up = GaugeMetricFamily("planvow_ledger_up", "1 where the ledger could be read just now, 0 where it is away.")
        try:
            found: FiguresAnswer = LEDGER_FIGURES(FiguresQuestion(), self._setting).output
        except NoLedgerError:  # nothing was posted yet
            found = FiguresAnswer(ready=0, leased=0, held=0, retries=0, repairs=0, oldest_waiting_ms=0)
        except PlanvowError:  # figures that nobody knows are left out: nought would look like a queue that is empty
            up.add_metric([], 0)
            yield up
            return
        up.add_metric([], 1)
        yield up
        for name, (metric, words) in _GAUGES.items():
            value = getattr(found, name)
            yield GaugeMetricFamily(metric, words, value / 1000 if name.endswith("_ms") else value)


class WorkerFigures:
    """What one worker process does, and the ledger it works on. Labels are operations and outcomes, never ids."""

    def __init__(self, setting: Setting) -> None:
        self.registry = CollectorRegistry()
        self.registry.register(LedgerFigures(setting))
        labels = ["operation", "outcome"]
        self._attempts = Counter(
            "planvow_attempts", "Attempts at steps by operation and outcome.", labels, registry=self.registry
        )
        self._retries = Counter(
            "planvow_retries", "Attempts that failed and are made again.", ["operation"], registry=self.registry
        )
        self._seconds = Histogram(
            "planvow_step_seconds", "How long operations take.", ["operation"], registry=self.registry
        )

    def timed(self, handlers: Mapping[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
        """Return the same functions, with their time counted."""
        return {name: self._timed(name, function) for name, function in handlers.items()}

    def count(self, operation: str, outcome: str, *, is_retried: bool) -> None:
        """Count an attempt that has ended."""
        self._attempts.labels(operation, outcome.lower()).inc()
        if is_retried:
            self._retries.labels(operation).inc()

    def serve(self, port: int, host: str) -> None:
        """Give the figures to whoever asks at /metrics, from a thread that ends with the process."""
        try:
            start_http_server(port, host, registry=self.registry)
        except OSError as error:
            raise InputError(
                f"port {port} of {host} cannot be used: {error.strerror}", place="--metrics-port"
            ) from None

    def _timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)  # with its marks, such as that it needs a person
        def run(*arguments: Any) -> Any:
            seconds = self._seconds.labels(name)  # now: what never ran has no fifteen lines of zeros
            began = time.perf_counter()
            result = None
            try:
                result = function(*arguments)
            finally:
                if not inspect.isawaitable(result):
                    seconds.observe(time.perf_counter() - began)
            return _awaited(result, seconds, began) if inspect.isawaitable(result) else result

        return run


async def _awaited(result: Any, seconds: Any, began: float) -> Any:
    try:
        return await result
    finally:
        seconds.observe(time.perf_counter() - began)
