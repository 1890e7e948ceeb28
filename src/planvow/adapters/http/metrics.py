"""Figures for Prometheus: calls by operation and status, how long they take, and what waits in the ledger."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from planvow.errors import PlanvowError
from planvow.service.declare.setting import Setting
from planvow.service.records.figures import LEDGER_FIGURES, FiguresAnswer, FiguresQuestion

_GAUGES = {
    "ready": ("planvow_steps_ready", "Steps that a worker could take now."),
    "leased": ("planvow_steps_leased", "Steps that workers hold."),
    "held": ("planvow_approvals_waiting", "Steps that wait for a person's approval."),
    "retries": ("planvow_retries_open", "Failed attempts of steps that are still open."),
    "repairs": ("planvow_repairs", "Plans that replaced the rest of another one."),
}


class Metrics:
    """Counts what one server does; the ledger is looked at when somebody asks."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        names = ["operation", "planner", "status"]
        self._calls = Counter(
            "planvow_calls", "Calls by operation, planner and status.", names, registry=self._registry
        )
        self._seconds = Histogram(
            "planvow_call_seconds", "How long calls take, by operation.", ["operation"], registry=self._registry
        )
        self._gauges = {name: Gauge(*words, registry=self._registry) for name, words in _GAUGES.items()}
        self._oldest = Gauge(
            "planvow_oldest_waiting_seconds", "How long the oldest ready step has waited.", registry=self._registry
        )

    def count(self, operation: str, planner: str, status: str, seconds: float) -> None:
        """Count one call. Labels never hold an id."""
        self._calls.labels(operation, planner, status).inc()
        self._seconds.labels(operation).observe(seconds)

    def text(self, setting: Setting) -> bytes:
        """Return everything in Prometheus's text format; without a ledger its figures stay as they are."""
        try:
            found: FiguresAnswer = LEDGER_FIGURES(FiguresQuestion(), setting).output
        except PlanvowError:
            return generate_latest(self._registry)
        for name, gauge in self._gauges.items():
            gauge.set(getattr(found, name))
        self._oldest.set(found.oldest_waiting_ms / 1000)
        return generate_latest(self._registry)
