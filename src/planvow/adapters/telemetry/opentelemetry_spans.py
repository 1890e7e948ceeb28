"""Spans for OpenTelemetry, through its API alone: which SDK exports them, and where to, is decided outside.

An exception's words may hold what a receipt would have blotted out, so a span says of which kind it was and no more.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from planvow._version import __version__
from planvow.spans import Span, use_spans

PROVIDER_VARIABLE = "OTEL_PYTHON_TRACER_PROVIDER"
_LONGEST_TEXT = 300


def begin_telemetry() -> bool:
    """Tell spans where somebody has set up a provider, and say whether that is so.

    One is set up by the program that imports planvow, by `opentelemetry-instrument`, or by its entry point's name in
    OTEL_PYTHON_TRACER_PROVIDER. Otherwise not even the API is imported.
    """
    if "opentelemetry" not in sys.modules and not os.environ.get(PROVIDER_VARIABLE):
        return False
    try:
        trace = _api()
    except ModuleNotFoundError:
        return False
    if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        return False
    use_spans(OpenTelemetry())
    return True


def flush_telemetry() -> None:
    """Export what is waiting: for processes that may be ended at any moment."""
    if "opentelemetry.trace" in sys.modules:
        flush = getattr(_api().get_tracer_provider(), "force_flush", None)  # only SDKs have it
        if flush is not None:
            flush()


def _api() -> Any:
    from opentelemetry import trace

    return trace


class OpenTelemetry:
    """Makes spans of OpenTelemetry."""

    def __init__(self) -> None:
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._carrier = TraceContextTextMapPropagator()
        self._trace = _api()
        self._tracer = self._trace.get_tracer("planvow", __version__)

    @contextmanager
    def span(
        self, name: str, attributes: Mapping[str, Any], *, parent: str | None, since: int | None
    ) -> Iterator[Span]:
        """Begin a span and make it the current one."""
        above = None if parent is None else self._carrier.extract({"traceparent": parent})
        with self._tracer.start_as_current_span(
            name, context=above, start_time=since, record_exception=False, set_status_on_exception=False
        ) as made:
            told = _Told(made)
            told.set(attributes)
            try:
                yield told
            except BaseException as error:
                made.set_attribute("error.type", type(error).__name__)
                made.set_status(self._trace.StatusCode.ERROR)
                raise

    def carried(self) -> str | None:
        """Return the current span's `traceparent`; None without a span, or with one that nobody records."""
        carrier: dict[str, str] = {}
        self._carrier.inject(carrier)
        return carrier.get("traceparent")

    def now(self) -> int:
        """Return nanoseconds since 1970."""
        return time.time_ns()


class _Told:
    def __init__(self, made: Any) -> None:
        self._made = made

    def set(self, attributes: Mapping[str, Any]) -> None:
        for name, value in attributes.items():
            if isinstance(value, str):
                value = value[:_LONGEST_TEXT]
            if isinstance(value, str | bool | int | float) and value != "":
                self._made.set_attribute(name, value)
