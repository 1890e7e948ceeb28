"""What a timed plan reports: when each command runs and could run, and the constraints that made it so.

A search that improves a plan again and again reports often and is asked rarely, so everything here is worked out when
somebody reads it, from values that nothing changes any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planvow.kernel.domain.metadata import Row
from planvow.kernel.domain.propagator import Visit
from planvow.kernel.time.arrange import Use
from planvow.kernel.time.links import END, ENTITY, RELATION, START, STATED_ORDER, Stated
from planvow.temporal import latest_times

CAUSAL = "causal"
IMPLIED = "implied_times"
"""Where the report says which of its constraints nobody stated, by their places."""
DERIVED = "derived_times"
"""Where the report says which of its constraints follow from reads and writes, by their places."""
VISITS = "visits"
"""Where the report of a plan in causal order says what its nodes read and wrote."""
ALLOCATIONS, TEMPORAL = "time_allocations", "temporal"
KEYS = (ALLOCATIONS, TEMPORAL, IMPLIED, DERIVED, STATED_ORDER, VISITS)

Served = tuple[int, tuple[object, ...], tuple[Use, ...]]
"""A command: its node, its item, and what serves it."""


@dataclass(frozen=True, kw_only=True)
class TimeAllocation:
    """When one command may and does run, in ticks; the chosen times are the earliest."""

    node_id: int
    item: tuple[Any, ...]
    earliest_start: int
    latest_start: int | None
    earliest_end: int
    latest_end: int | None
    entities: tuple[str, ...] = ()
    amounts: tuple[int, ...] = ()
    """How much of each entity is used."""

    @property
    def start(self) -> int:
        return self.earliest_start

    @property
    def end(self) -> int:
        return self.earliest_end


def allocation(
    node_id: int,
    item: object,
    start: int,
    end: int,
    latest_start: int | None,
    latest_end: int | None,
    uses: Sequence[Use] = (),
) -> TimeAllocation:
    """Return an allocation; a frozen class sets its fields one by one, which is slow where there are many."""
    made = object.__new__(TimeAllocation)
    vars(made).update(
        node_id=node_id,
        item=item,
        earliest_start=start,
        latest_start=latest_start,
        earliest_end=end,
        latest_end=latest_end,
        entities=tuple([use.entity_id for use in uses]) if uses else (),
        amounts=tuple([use.amount for use in uses]) if uses else (),
    )
    return made


class TimeReport(Mapping[str, Any]):
    """The report of one plan, as a mapping whose values are made when they are asked for."""

    def __init__(
        self, rows: Sequence[Row], commands: Sequence[Served], times: Mapping[object, int], visits: Sequence[Visit]
    ) -> None:
        self._rows, self._commands, self._times, self._visits = rows, commands, times, visits
        self._made: dict[str, object] = {}

    def __getitem__(self, key: str) -> Any:
        if key not in self._made:
            self._made[key] = self._make(key)
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(KEYS)

    def __len__(self) -> int:
        return len(KEYS)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self) == dict(other)

    __hash__ = None  # type: ignore[assignment]

    def _make(self, key: str) -> object:
        rows = self._rows
        if key == ALLOCATIONS:
            return tuple(self._allocations())
        if key == TEMPORAL:
            constraints = [[str(row.start), str(row.end), row.lo, row.hi, row.name] for row in rows]
            return {"constraints": constraints, "schedule": {str(point): at for point, at in self._times.items()}}
        if key == IMPLIED:
            return frozenset(k for k, row in enumerate(rows) if row.is_implied)
        if key == DERIVED:
            return frozenset(k for k, row in enumerate(rows) if row.reason == CAUSAL)
        if key == STATED_ORDER:
            return tuple(_stated(rows))
        if key == VISITS:
            return tuple(self._visits)
        raise KeyError(key)

    def _allocations(self) -> Iterator[TimeAllocation]:
        earliest, latest = self._times, latest_times(self._times, _bounds(self._rows))
        for node_id, item, uses in self._commands:
            start, end = f"{node_id}.start", f"{node_id}.end"
            yield allocation(node_id, item, earliest[start], earliest[end], latest.get(start), latest.get(end), uses)


def _bounds(rows: Iterable[Row]) -> Iterator[tuple[object, object, int]]:
    for row in rows:
        if row.lo is not None:
            yield row.start, row.end, row.lo
        if row.hi is not None:
            yield row.end, row.start, -row.hi


def _stated(rows: Iterable[Row]) -> Iterator[Stated]:
    """Yield which node has to end before which other starts because of a relation or an entity."""
    for row in rows:
        if row.reason in (RELATION, ENTITY) and row.lo is not None and row.lo >= 0:
            before, _, end = str(row.start).rpartition(".")
            after, _, start = str(row.end).rpartition(".")
            if (end, start) == (END, START) and int(before) > 0 and int(after) > 0:
                yield Stated(int(before), int(after), row.reason, row.name)
