"""Figures for Prometheus: calls by operation and status, how long they take, and what waits in the ledger."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from planvow.adapters.telemetry.figures import LedgerFigures
from planvow.service.declare.setting import Setting


class Metrics:
    """Counts what one server does; the ledger is looked at when somebody asks."""

    def __init__(self, setting: Setting) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(LedgerFigures(setting))
        names = ["operation", "planner", "status"]
        self._calls = Counter(
            "planvow_calls", "Calls by operation, planner and status.", names, registry=self._registry
        )
        self._seconds = Histogram(
            "planvow_call_seconds", "How long calls take, by operation.", ["operation"], registry=self._registry
        )

    def count(self, operation: str, planner: str, status: str, seconds: float) -> None:
        """Count one call. Labels never hold an id."""
        self._calls.labels(operation, planner, status).inc()
        self._seconds.labels(operation).observe(seconds)

    def text(self) -> bytes:
        """Return everything in Prometheus's text format."""
        return generate_latest(self._registry)
