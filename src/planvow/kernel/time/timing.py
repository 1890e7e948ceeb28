"""Time in the search: a propagator that keeps a Simple Temporal Network in step with the path.

Every command gets a start and an end, held apart by its duration. By default commands follow one another; with
`ordering="concurrent"` only declared relations and shared entities order them. A task gets points of its own when
something is said about its time; then everything below it lies inside. An entity serves one command at a time: a
command that needs a busy one is fitted into the entity's sequence where it does the least harm.

The search backs out of whatever makes the network inconsistent, and the reason names the constraints that clash.
Seed 001, sections 4.1 and 5.1.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from planvow.errors import InputError
from planvow.kernel.domain.entities import Entity, Requirement, assignments, read_entities, read_requirements
from planvow.kernel.domain.metadata import (
    Row,
    absolute_times,
    checked,
    duration_of,
    own_relations,
    span_text,
    time_at,
)
from planvow.kernel.domain.propagator import Visit
from planvow.kernel.domain.terms import item_text
from planvow.kernel.time.relations import Siblings, Tie
from planvow.kernel.world.reason import Reason
from planvow.temporal import ORIGIN, Conflict, Stn, format_ticks

SEQUENTIAL, CONCURRENT = "sequential", "concurrent"
IMPLIED = "implied_times"
"""Where the report says which of its constraints nobody stated, by their places."""


@dataclass(frozen=True, kw_only=True)
class Timing:
    """How a plan is timed. Give it to `plan(..., time=Timing(...))`; it makes a fresh network for every run."""

    ordering: str = SEQUENTIAL
    start_time: Any = 0
    horizon: Any = None
    """Everything must have ended by then."""
    entities: tuple[Entity, ...] = ()

    def __post_init__(self) -> None:
        if self.ordering not in (SEQUENTIAL, CONCURRENT):
            raise InputError(f"ordering is {SEQUENTIAL!r} or {CONCURRENT!r}, not {self.ordering!r}", place="ordering")
        object.__setattr__(self, "start_time", time_at("start_time", self.start_time))
        object.__setattr__(self, "horizon", None if self.horizon is None else time_at("horizon", self.horizon))
        object.__setattr__(self, "entities", read_entities(self.entities))

    def __call__(self) -> TimeNetwork:
        return TimeNetwork(self)


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

    @property
    def start(self) -> int:
        return self.earliest_start

    @property
    def end(self) -> int:
        return self.earliest_end


class TimeNetwork:
    """The network of one run. All its lists grow along the path and are cut back by `undo`."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._stn = Stn()
        self._rows: list[Row] = []
        self._commands: list[tuple[int, tuple[Any, ...], tuple[str, ...]]] = []
        self._timed: dict[int, int] = {}  # node → the nearest node with points that it lies in (itself, if it has any)
        self._timed_log: list[tuple[int, int | None]] = []
        self._siblings = Siblings()
        self._coming: list[Tie] = []  # the relations that the node being pushed completes
        self._users: dict[str, list[int]] = {}  # entity → the commands it serves, in order of time
        self._users_log: list[tuple[str, int]] = []

    def push(self, visit: Visit) -> str | None:
        """Take a node in; return why it does not fit, if it does not."""
        temporal = checked(visit.metadata.get("temporal", {}), visit.item)
        requirements = read_requirements(visit.metadata.get("entity", ()))
        wanted = self._siblings.wanting(visit)
        own = own_relations(temporal)
        is_command = visit.kind == "command"
        has_points = is_command or bool(temporal or wanted or own) or self._is_spoken_of()
        self._lies_in(visit.node_id, visit.node_id if has_points else self._timed.get(visit.parent_id, 0))
        self._siblings.add(visit)
        for relation in visit.constraints:
            self._siblings.relate(visit.node_id, relation)
        wanted += [self._siblings.relate(visit.parent_id, relation, visit.node_id) for relation in own]
        if not has_points:
            return None
        self._coming = wanted
        reason = self._give_points_to_earlier(wanted) or self._place(visit, temporal)
        if reason is None and is_command:
            reason = self._serve(visit, requirements)
        return reason or self._relate(wanted)

    def mark(self) -> Any:
        return (
            self._stn.snapshot(), len(self._rows), len(self._commands), len(self._timed_log),
            len(self._users_log), self._siblings.mark(),
        )  # fmt: skip

    def undo(self, mark: Any) -> None:
        network, rows, commands, timed, users, siblings = mark
        self._stn.restore(network)
        del self._rows[rows:], self._commands[commands:]
        for node_id, container in reversed(self._timed_log[timed:]):
            if container is None:
                del self._timed[node_id]
            else:
                self._timed[node_id] = container
        for entity_id, node_id in self._users_log[users:]:
            self._users[entity_id].remove(node_id)
        del self._timed_log[timed:], self._users_log[users:]
        self._siblings.undo(siblings)

    def fingerprint(self) -> Hashable:
        """Equal for any two nodes of one path: what could follow the later of two equal situations fits the earlier
        one too, since time passed only ever takes room away. So the loop guard may cut the later one."""
        return ()

    def report(self) -> Mapping[str, Any]:
        """The schedule: every command at its earliest, with its windows, and the constraints that made it so."""
        self._siblings.require_all_sides()
        windows = self._stn.windows()
        allocations = []
        for node_id, item, entities in self._commands:
            earliest_start, latest_start = windows[f"{node_id}.start"]
            earliest_end, latest_end = windows[f"{node_id}.end"]
            allocations.append(
                TimeAllocation(
                    node_id=node_id,
                    item=item,
                    earliest_start=earliest_start or 0,
                    latest_start=latest_start,
                    earliest_end=earliest_end or 0,
                    latest_end=latest_end,
                    entities=entities,
                )
            )
        schedule = {str(point): earliest or 0 for point, (earliest, _) in windows.items()}
        rows = [[str(row.start), str(row.end), row.lo, row.hi, row.name] for row in self._rows]
        return {
            "time_allocations": tuple(allocations),
            "temporal": {"constraints": rows, "schedule": schedule},
            IMPLIED: frozenset(k for k, row in enumerate(self._rows) if row.is_implied),
        }

    def _is_spoken_of(self) -> bool:
        """Say whether something beyond this run speaks of the time of the node that is being pushed."""
        return False

    def _all(self, rows: Iterable[Row]) -> str | None:
        for row in rows:
            conflict = self._add(row)
            if conflict is not None:
                return _misfit("the times do not fit", self._as_stated(row) or conflict)
            self._rows.append(row)
        return None

    def _as_stated(self, row: Row) -> Conflict | None:
        """Return the conflict of a row with the names of stated relations that are not come to yet, where they say what
        the order of the plan implies."""
        if not self._coming:
            return None
        mark = self._stn.snapshot()
        for start, end, lo, hi, name, _ in _rows_of(self._coming):
            self._stn.restate(start, end, lo, hi, name=name)
        conflict = self._add(row)
        self._stn.restore(mark)
        return conflict

    def _add(self, row: Row) -> Conflict | None:
        start, end, lo, hi, name, is_implied = row
        return self._stn.add(start, end, lo, hi, name=name, is_implied=is_implied)

    def _place(self, visit: Visit, temporal: Mapping[str, Any]) -> str | None:
        """Give the node its points: duration, absolute times, the task it lies in, and the command before it."""
        begin, end = f"{visit.node_id}.start", f"{visit.node_id}.end"
        text = item_text(visit.item)
        duration = temporal.get("duration", visit.duration)
        lo, hi = duration_of(duration, is_command=visit.kind == "command")
        rows: list[Row] = []
        container = self._timed.get(visit.parent_id, 0)
        if visit.kind == "command" and self._timing.ordering == SEQUENTIAL and self._commands:
            previous = self._commands[-1]
            name = f"{text} after {item_text(previous[1])}"
            rows.append(Row(f"{previous[0]}.end", begin, 0, None, name, is_implied=True))
        if container:
            rows.append(Row(f"{container}.start", begin, 0, None, f"{text} inside its task", is_implied=True))
        else:
            name = f"{text} not before the start"
            rows.append(Row(ORIGIN, begin, self._timing.start_time, None, name, is_implied=True))
        rows.append(Row(begin, end, lo, hi, f"{text} takes {span_text(lo, hi)}", is_implied=duration is None))
        if container:
            rows.append(Row(end, f"{container}.end", 0, None, f"{text} inside its task", is_implied=True))
        elif self._timing.horizon is not None:
            horizon = self._timing.horizon
            rows.append(Row(ORIGIN, end, None, horizon, f"all done by {format_ticks(horizon)}"))
        rows.extend(absolute_times(text, begin, end, temporal))
        return self._all(rows)

    def _serve(self, visit: Visit, requirements: tuple[Requirement, ...]) -> str | None:
        """Choose entities for a command and keep each of them to one command at a time; earliest end wins."""
        best: tuple[int, tuple[str, ...], list[tuple[str, int]]] | None = None
        reason: str | None = None
        for chosen in assignments(requirements, self._timing.entities):
            ids = tuple(entity.entity_id for entity in chosen)
            mark = self._stn.snapshot()
            places, why = self._fit(visit, ids)
            if places is None:
                reason = why
            else:
                end = self._stn.window(f"{visit.node_id}.end")[0] or 0 if requirements else 0
                if best is None or end < best[0]:
                    best = (end, ids, places)
            self._stn.restore(mark)
            if not requirements:
                break
        if best is None:
            if reason is not None:
                return reason
            return f"no distinct entities for {' and '.join(map(str, requirements))}"
        _, ids, places = best
        for entity_id, place in places:
            users = self._users.setdefault(entity_id, [])
            why = self._all(self._queue(visit, entity_id, place))
            if why is not None:
                return why
            users.insert(place, visit.node_id)
            self._users_log.append((entity_id, visit.node_id))
        self._commands.append((visit.node_id, visit.item, ids))
        return None

    def _fit(self, visit: Visit, ids: tuple[str, ...]) -> tuple[list[tuple[str, int]] | None, str | None]:
        """Find a place in each entity's sequence, the last one first: going last disturbs nobody."""
        places: list[tuple[str, int]] = []
        for entity_id in ids:
            why: str | None = None
            for place in range(len(self._users.get(entity_id, ())), -1, -1):
                mark = self._stn.snapshot()
                conflict = self._try(self._queue(visit, entity_id, place))
                if conflict is None:
                    places.append((entity_id, place))
                    break
                self._stn.restore(mark)
                why = _misfit(f"{entity_id} is not free", conflict)
            else:
                return None, why
        return places, None

    def _try(self, rows: Iterable[Row]) -> Conflict | None:
        """Add rows to the network only, without noting them: for looking ahead."""
        for row in rows:
            conflict = self._add(row)
            if conflict is not None:
                return conflict
        return None

    def _queue(self, visit: Visit, entity_id: str, place: int) -> list[Row]:
        users = self._users.get(entity_id, [])
        rows: list[Row] = []
        if place > 0:
            rows.append(Row(f"{users[place - 1]}.end", f"{visit.node_id}.start", 0, None, one_use(entity_id)))
        if place < len(users):
            rows.append(Row(f"{visit.node_id}.end", f"{users[place]}.start", 0, None, one_use(entity_id)))
        return rows

    def _give_points_to_earlier(self, ties: list[Tie]) -> str | None:
        """A task that is only now spoken of gets its points, and the commands below it are put inside."""
        nodes = sorted({node for tie in ties for node in tie.nodes.values() if self._timed[node] != node})
        for node in nodes:
            visit, following = self._siblings.with_next(node)
            container = self._timed[node]
            self._lies_in(node, node)
            outer = (ORIGIN, None) if not container else (f"{container}.start", f"{container}.end")
            text = item_text(visit.item)
            inside = f"{text} inside its task"
            rows = [
                Row(outer[0], f"{node}.start", 0, None, inside, is_implied=True),
                Row(f"{node}.start", f"{node}.end", 0, None, f"{text} takes some time", is_implied=True),
            ]
            if outer[1] is not None:
                rows.append(Row(f"{node}.end", outer[1], 0, None, inside, is_implied=True))
            for command, item, _ in self._commands:
                if node < command < following:
                    inside = f"{item_text(item)} inside {text}"
                    rows.append(Row(f"{node}.start", f"{command}.start", 0, None, inside, is_implied=True))
                    rows.append(Row(f"{command}.end", f"{node}.end", 0, None, inside, is_implied=True))
            reason = self._all(rows)
            if reason is not None:
                return reason
        return None

    def _lies_in(self, node: int, container: int) -> None:
        self._timed_log.append((node, self._timed.get(node)))
        self._timed[node] = container

    def _relate(self, ties: list[Tie]) -> str | None:
        """Add what each relation demands once all its sides are known."""
        return self._all(_rows_of(ties))


def one_use(entity_id: str) -> str:
    """Return the name of the constraints that keep the uses of an entity apart."""
    return f"one use of {entity_id} at a time"


def _rows_of(ties: list[Tie]) -> Iterator[Row]:
    return (Row(c.start, c.end, c.lo, c.hi, c.name) for tie in ties for c in tie.constraints())


def _misfit(what: str, conflict: Conflict) -> Reason:
    return Reason(f"{what}: {conflict}", told=lambda: f"{what}: {conflict.for_people()}")
