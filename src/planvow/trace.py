"""What happened, in order: events with sequence numbers, kept within bounded memory.

The sequence number is the order; `timestamp_ms` is there only when a clock was passed in, and is never part of
anything hashed. When the recorder is full, the oldest events make room and `dropped` counts them, so a long run
can be traced without holding all of it (seed 000, section 10).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from planvow.canonical import canonical_json
from planvow.clock import Clock
from planvow.errors import InputError, shown

DEFAULT_CAPACITY = 100_000


@dataclass(frozen=True, kw_only=True)
class TraceEvent:
    """One thing that happened."""

    seq: int
    event_type: str
    data: Mapping[str, Any] = field(default_factory=dict)
    task_id: str | None = None
    method_name: str | None = None
    depth: int = 0
    timestamp_ms: int | None = None


class TraceRecorder:
    """Collects events; the newest `capacity` of them are kept."""

    def __init__(self, *, capacity: int = DEFAULT_CAPACITY, clock: Clock | None = None) -> None:
        if isinstance(capacity, bool) or not isinstance(capacity, int) or not 1 <= capacity < 2**31:
            raise InputError(f"a trace keeps 1 to 2^31 events, got {shown(capacity)}", place="capacity")
        self._events: deque[TraceEvent] = deque(maxlen=capacity)
        self._clock = clock
        self._next_seq = 0

    def log(
        self,
        event_type: str,
        data: Mapping[str, Any] | None = None,
        *,
        task_id: str | None = None,
        method_name: str | None = None,
        depth: int = 0,
    ) -> None:
        """Record one event."""
        self._events.append(
            TraceEvent(
                seq=self._next_seq,
                event_type=event_type,
                data=dict(data or {}),  # copied: what is changed later did not happen then
                task_id=task_id,
                method_name=method_name,
                depth=depth,
                timestamp_ms=self._clock.now_ms() if self._clock else None,
            )
        )
        self._next_seq += 1

    @property
    def events(self) -> tuple[TraceEvent, ...]:
        """The events still held, oldest first."""
        return tuple(self._events)

    @property
    def dropped(self) -> int:
        """How many events made room for newer ones."""
        return self._next_seq - len(self._events)

    def __len__(self) -> int:
        return len(self._events)

    def __iter__(self) -> Iterator[TraceEvent]:
        return iter(self.events)

    def export_json(self) -> str:
        """Return all held events as one canonical JSON array."""
        return canonical_json(list(self._events))
