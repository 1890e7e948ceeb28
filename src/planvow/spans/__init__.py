"""Where time goes, told to whoever looks on: spans, and what carries one trace from process to process.

Nothing is told until somebody asks for it (`use_spans`); then an adapter makes the spans. What is told never comes
back: no plan, no hash and no decision depends on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol


class Span(Protocol):
    """Something that takes time and has attributes."""

    def set(self, attributes: Mapping[str, Any]) -> None:
        """Add attributes; those without a value say nothing."""


class Spans(Protocol):
    """Makes spans."""

    def span(
        self, name: str, attributes: Mapping[str, Any], *, parent: str | None, since: int | None
    ) -> AbstractContextManager[Span]:
        """Begin a span, below the current one or below one that came from elsewhere."""

    def carried(self) -> str | None:
        """Return the current span as other processes take it (a W3C `traceparent`)."""

    def now(self) -> int:
        """Return the moment, as `since` takes it."""


class _Nothing:
    def set(self, attributes: Mapping[str, Any]) -> None:
        """Nobody looks on."""


_NOBODY: AbstractContextManager[Span] = nullcontext(_Nothing())
_spans: Spans | None = None


def use_spans(spans: Spans | None) -> None:
    """Tell spans from now on, or no more (None). For the whole process."""
    global _spans
    _spans = spans


def span(
    name: str, attributes: Mapping[str, Any] | None = None, *, parent: str | None = None, since: int | None = None
) -> AbstractContextManager[Span]:
    """Return a span to enter around what it is about. `since` is when it began, if that was earlier (`span_moment`)."""
    return _NOBODY if _spans is None else _spans.span(name, attributes or {}, parent=parent, since=since)


def carried_span() -> str | None:
    """Return the current span for another process, None where nobody looks on."""
    return None if _spans is None else _spans.carried()


def span_moment() -> int | None:
    """Return the moment for a span that will be told of later."""
    return None if _spans is None else _spans.now()


def is_told() -> bool:
    """Say whether somebody looks on: for what costs something to find out."""
    return _spans is not None


def tool_attributes(name: str) -> dict[str, str]:
    """Return what the conventions of OpenTelemetry say of a span in which a tool is called."""
    return {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
