"""Time in the search: a propagator that keeps a Simple Temporal Network in step with the path.

Every command gets a start and an end, held apart by its duration. By default a command follows another where one reads
or writes what the other writes (`causal`), where a relation says so, and where an entity can serve only one of them;
with `ordering="sequential"` commands follow one another. Nothing reverses a causal order: whatever would is
inconsistent. A task gets points of its own when something is said about its time; then everything below it lies inside.

The search backs out of whatever makes the network inconsistent, and the reason names the constraints that clash.
Seed 001, sections 4.1 and 5.1.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from planvow.errors import InputError
from planvow.kernel.domain.entities import Entity, Requirement, read_entities, read_requirements
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
from planvow.kernel.domain.terms import goals_of, item_text
from planvow.kernel.time.causal import (
    END,
    ENTITY,
    JOINT,
    RELATION,
    START,
    STATED_ORDER,
    CausalOrder,
    Link,
    Role,
    Stated,
)
from planvow.kernel.time.relations import Siblings, Tie
from planvow.kernel.time.services import Services, Use
from planvow.kernel.world.accesses import NOTHING
from planvow.kernel.world.reason import Reason
from planvow.temporal import ORIGIN, Conflict, Stn, format_ticks

CAUSAL, SEQUENTIAL, CONCURRENT = "causal", "sequential", "concurrent"
"""How commands are ordered in time; `concurrent` is another word for `causal`."""
IMPLIED = "implied_times"
"""Where the report says which of its constraints nobody stated, by their places."""
DERIVED = "derived_times"
"""Where the report says which of its constraints follow from reads and writes, by their places."""
VISITS = "visits"
"""Where the report of a plan in causal order says what its nodes read and wrote."""


@dataclass(frozen=True, kw_only=True)
class Timing:
    """How a plan is timed. Give it to `plan(..., time=Timing(...))`; it makes a fresh network for every run."""

    ordering: str = CAUSAL
    start_time: Any = 0
    horizon: Any = None
    """Everything must have ended by then."""
    entities: tuple[Entity, ...] = ()

    def __post_init__(self) -> None:
        if self.ordering not in (CAUSAL, SEQUENTIAL, CONCURRENT):
            raise InputError(f"ordering is {CAUSAL!r} or {SEQUENTIAL!r}, not {self.ordering!r}", place="ordering")
        if self.ordering == CONCURRENT:
            object.__setattr__(self, "ordering", CAUSAL)
        object.__setattr__(self, "start_time", time_at("start_time", self.start_time))
        object.__setattr__(self, "horizon", None if self.horizon is None else time_at("horizon", self.horizon))
        object.__setattr__(self, "entities", read_entities(self.entities))

    @property
    def needs_accesses(self) -> bool:
        """Whether a search has to note what is read and written."""
        return self.ordering == CAUSAL

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
    amounts: tuple[int, ...] = ()
    """How much of each entity is used."""

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
        self._commands: list[tuple[int, tuple[Any, ...], tuple[Use, ...]]] = []
        self._timed: dict[int, int] = {}  # node → the nearest node with points that it lies in (itself, if it has any)
        self._timed_log: list[tuple[int, int | None]] = []
        self._siblings = Siblings()
        self._coming: list[Tie] = []  # the relations that the node being pushed completes
        self._services = Services(timing.entities, self._stn, _misfit)
        self._causal = CausalOrder()
        self._visits: list[Visit] = []  # what was read and written, where that decides the order
        self._texts: dict[int, str] = {}  # node → how a conflict speaks of it; those of later nodes may be stale

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
        derived = self._derived(visit)
        if not has_points:
            return self._all(derived)
        self._coming = wanted
        reason = self._give_points_to_earlier(wanted) or self._all(derived) or self._place(visit, temporal)
        if reason is None and is_command:
            reason = self._serve(visit, requirements)
        return reason or self._relate(wanted)

    def mark(self) -> Any:
        return (
            self._stn.snapshot(), len(self._rows), len(self._commands), len(self._timed_log), len(self._visits),
            self._services.mark(), self._siblings.mark(), self._causal.mark(),
        )  # fmt: skip

    def undo(self, mark: Any) -> None:
        network, rows, commands, timed, visits, services, siblings, causal = mark
        self._stn.restore(network)
        del self._rows[rows:], self._commands[commands:], self._visits[visits:]
        for node_id, container in reversed(self._timed_log[timed:]):
            if container is None:
                del self._timed[node_id]
            else:
                self._timed[node_id] = container
        del self._timed_log[timed:]
        self._services.undo(services)
        self._siblings.undo(siblings)
        self._causal.undo(causal)

    def fingerprint(self) -> Hashable:
        """Equal for any two nodes of one path: what could follow the later of two equal situations fits the earlier
        one too, since time passed only ever takes room away. So the loop guard may cut the later one."""
        return ()

    def report(self) -> Mapping[str, Any]:
        """The schedule: every command at its earliest, with its windows, and the constraints that made it so."""
        self._siblings.require_all_sides()
        windows = self._stn.windows()
        allocations = []
        for node_id, item, uses in self._commands:
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
                    entities=tuple(use.entity_id for use in uses),
                    amounts=tuple(use.amount for use in uses),
                )
            )
        schedule = {str(point): earliest or 0 for point, (earliest, _) in windows.items()}
        rows = [[str(row.start), str(row.end), row.lo, row.hi, row.name] for row in self._rows]
        return {
            "time_allocations": tuple(allocations),
            "temporal": {"constraints": rows, "schedule": schedule},
            IMPLIED: frozenset(k for k, row in enumerate(self._rows) if row.is_implied),
            DERIVED: frozenset(k for k, row in enumerate(self._rows) if row.reason == CAUSAL),
            STATED_ORDER: tuple(_stated(self._rows)),
            VISITS: tuple(self._visits),
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
        for stated in _rows_of(self._coming):
            self._stn.restate(stated.start, stated.end, stated.lo, stated.hi, name=stated.name)
        conflict = self._add(row)
        self._stn.restore(mark)
        return conflict

    def _add(self, row: Row) -> Conflict | None:
        return self._stn.add(row.start, row.end, row.lo, row.hi, name=row.name, is_implied=row.is_implied)

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
        """Choose entities for a command and keep each of them within what it can do."""
        uses: tuple[Use, ...] = ()
        if requirements:
            uses, rows, reason = self._services.serve(visit.node_id, requirements)
            reason = reason or self._all(rows)
            if reason is not None:
                return reason
        self._commands.append((visit.node_id, visit.item, uses))
        return None

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

    def _derived(self, visit: Visit) -> list[Row]:
        """Return what follows for a node from what it and those before it read and wrote."""
        if self._timing.ordering != CAUSAL:
            return []
        accesses = visit.accesses or NOTHING
        self._visits.append(visit)
        self._texts[visit.node_id] = item_text(visit.item)
        if visit.kind == "command":
            how = visit.how
            step = Role(how.conditions, how.effects, how.ordered)
            links = self._causal.push_step(visit.node_id, visit.parent_id, accesses.without(how.ignores), step)
        elif visit.kind in ("satisfied", "check"):
            links = self._causal.push_goals(visit.parent_id, [goal[:2] for goal in goals_of(visit.item)])
        else:
            links = self._causal.push_node(visit.node_id, visit.parent_id, accesses)
        return [self._row(link) for link in links]

    def _row(self, link: Link) -> Row:
        sides = [self._texts[p.owner] if p.side != JOINT else "others" for p in (link.after, link.before)]
        about = f" ({link.about})" if link.about else ""
        name = f"{sides[0]} after {sides[1]}{about}"
        return Row(str(link.before), str(link.after), 0, None, name, is_implied=True, reason=CAUSAL)

    def _lies_in(self, node: int, container: int) -> None:
        self._timed_log.append((node, self._timed.get(node)))
        self._timed[node] = container

    def _relate(self, ties: list[Tie]) -> str | None:
        """Add what each relation demands once all its sides are known."""
        return self._all(_rows_of(ties))


def _rows_of(ties: list[Tie]) -> Iterator[Row]:
    return (Row(c.start, c.end, c.lo, c.hi, c.name, reason=RELATION) for tie in ties for c in tie.constraints())


def _stated(rows: Iterable[Row]) -> Iterator[Stated]:
    """Yield which node has to end before which other starts because of a relation or an entity."""
    for row in rows:
        if row.reason in (RELATION, ENTITY) and row.lo is not None and row.lo >= 0:
            before, _, end = str(row.start).rpartition(".")
            after, _, start = str(row.end).rpartition(".")
            if (end, start) == (END, START) and int(before) > 0 and int(after) > 0:
                yield Stated(int(before), int(after), row.reason, row.name)


def _misfit(what: str, conflict: Conflict) -> Reason:
    return Reason(f"{what}: {conflict}", told=lambda: f"{what}: {conflict.for_people()}")
