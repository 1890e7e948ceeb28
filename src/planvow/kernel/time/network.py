"""Time in the search: a propagator that keeps a Simple Temporal Network in step with the path.

Every command gets a start and an end, held apart by its duration. By default a command follows another where one reads
or writes what the other writes (`causal`), where a relation says so, and where an entity can serve only one of them;
with `ordering="sequential"` commands follow one another. Nothing reverses a causal order: whatever would is
inconsistent. A task gets points of its own when something is said about its time; then everything below it lies inside.

The search backs out of whatever makes the network inconsistent, and the reason names the constraints that clash.
Seed 001, sections 4.1 and 5.1.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from planvow.kernel.domain.entities import Entity, Pool, read_requirements
from planvow.kernel.domain.metadata import (
    AFTER,
    INSIDE,
    TAKES,
    Pair,
    Row,
    absolute_times,
    checked,
    duration_of,
    own_relations,
    time_at,
)
from planvow.kernel.domain.propagator import Visit
from planvow.kernel.domain.terms import goals_of, item_text
from planvow.kernel.time.arrange import Arrangement, Arranger, Job, Unknown
from planvow.kernel.time.causal import CausalOrder
from planvow.kernel.time.links import ENTITY, JOINT, RELATION, WHOLE, Link, Role
from planvow.kernel.time.objectives import MAKESPAN, Due, Improver, Judged, value_of
from planvow.kernel.time.overload import is_overloaded
from planvow.kernel.time.relations import Siblings, Tie
from planvow.kernel.time.report import CAUSAL, Served, TimeReport
from planvow.kernel.time.services import Services
from planvow.kernel.world.accesses import NOTHING
from planvow.kernel.world.reason import Reason, Unspoken
from planvow.temporal import ORIGIN, Conflict, Stn, format_ticks

NOT_BEFORE = "{} not before the start"


class HowTimed(Protocol):
    """What a `Timing` says."""

    @property
    def ordering(self) -> str: ...

    @property
    def start_time(self) -> Any: ...

    @property
    def horizon(self) -> Any: ...

    @property
    def entities(self) -> tuple[Entity, ...]: ...


class Order(NamedTuple):
    """What a constraint that follows from reads and writes is called."""

    after: Any
    before: Any
    about: str

    def __str__(self) -> str:
        after, before = (side if isinstance(side, str) else item_text(side) for side in (self.after, self.before))
        return f"{after} after {before}{f' ({self.about})' if self.about else ''}"


class SeenOrder(Order):
    """An order between two steps that holds because a third one looked at both."""

    __slots__ = ()


class TimeNetwork:
    """The network of one run. All its lists grow along the path and are cut back by `undo`."""

    def __init__(self, timing: HowTimed, *, goes_back: bool = True) -> None:
        self._timing = timing
        self._is_causal = timing.ordering == CAUSAL
        self._stn = Stn()
        self._rows: list[Row] = []
        self._commands: list[Served] = []
        self._timed: dict[int, int] = {}  # node → the nearest node with points that it lies in (itself, if it has any)
        self._timed_log: list[tuple[int, int | None]] = []
        self._siblings = Siblings()
        self._services = Services(Pool(timing.entities), self._stn, _misfit)
        self.allowed: int | None = None
        self.spent = 0
        self.gave_up = False
        self._causal = CausalOrder(goes_back=goes_back)
        self._visits: list[Visit] = []  # what was read and written, where that decides the order
        self._dues: list[Due] = []
        self._free: Stn | None = None  # the network without entities, where a bound is wanted
        self._heights: list[int] = []  # after each command, when the latest one ends there
        self._items: dict[int, object] = {}  # node → its item; those of later nodes may be stale

    def push(self, visit: Visit) -> str | Unspoken | None:
        """Take a node in; return why it does not fit, if it does not."""
        node_id, metadata, is_command = visit.node_id, visit.metadata, visit.kind == "command"
        siblings = self._siblings
        wanted = siblings.wanting(visit) if visit.parent_id in siblings.ties else []
        if metadata:
            temporal = checked(metadata.get("temporal", {}), visit.item)
            own = own_relations(temporal)
        else:
            temporal, own = metadata, ()
        has_points = is_command or bool(temporal or wanted or own) or self._is_spoken_of()
        self._lies_in(node_id, node_id if has_points else self._timed.get(visit.parent_id, 0))
        siblings.add(visit)
        for relation in visit.constraints:
            siblings.relate(node_id, relation)
        for relation in own:
            wanted.append(siblings.relate(visit.parent_id, relation, node_id))
        derived = self._derived(visit) if self._is_causal else []
        if not has_points:
            return self._all(derived)
        reason: str | Unspoken | None
        reason = self._give_points_to_earlier(wanted, visit.parent_id) if wanted else None
        if reason is not None:
            return reason
        related = _rows_of(wanted) if wanted else []
        placed = self._place(visit, temporal)
        # What was stated comes first, so that a conflict names it where the order of the plan only says the same.
        reason = self._fits([*related, *derived, *placed] if related or derived else placed)
        if reason is not None:
            return reason
        self._rows += derived
        self._rows += placed
        self._rows += related
        if self._free is not None and is_command:
            end = self._free.earliest(f"{node_id}.end") or 0
            self._heights.append(max(end, self._heights[-1]) if self._heights else end)
        if is_command:
            if metadata and metadata.get("entity"):
                return self._serve(visit, metadata["entity"])
            self._commands.append((node_id, visit.item, ()))
        return None

    def mark(self) -> object:
        # What arranging anew replaces is part of the mark, so that coming back brings it back.
        replaced = self._stn, self._rows, self._commands, self._services
        bounds = (len(self._dues), len(self._heights), 0 if self._free is None else self._free.snapshot())
        return (
            replaced, self._stn.snapshot(), len(self._rows), len(self._commands), self._services.mark(),
            len(self._timed_log), len(self._visits), bounds, self._siblings.mark(), self._causal.mark(),
        )  # fmt: skip

    def undo(self, mark: Any) -> None:
        replaced, network, rows, commands, services, timed, visits, bounds, siblings, causal = mark
        self._stn, self._rows, self._commands, self._services = replaced
        self._stn.restore(network)
        self._services.undo(services)
        del self._rows[rows:], self._commands[commands:], self._visits[visits:]
        dues, heights, free = bounds
        del self._dues[dues:], self._heights[heights:]
        if self._free is not None:
            self._free.restore(free)
        for node_id, container in reversed(self._timed_log[timed:]):
            if container is None:
                del self._timed[node_id]
            else:
                self._timed[node_id] = container
        del self._timed_log[timed:]
        self._siblings.undo(siblings)
        self._causal.undo(causal)

    def fingerprint(self) -> Hashable:
        """Equal for any two nodes of one path: what could follow the later of two equal situations fits the earlier
        one too, since time passed only ever takes room away. So the loop guard may cut the later one."""
        return ()

    def report(self) -> Mapping[str, object]:
        """The schedule: every command at its earliest, with its windows, and the constraints that made it so."""
        self._siblings.require_all_sides()
        return TimeReport(tuple(self._rows), tuple(self._commands), self._stn.times(), tuple(self._visits))

    def judge(self, names: Sequence[str]) -> dict[str, Judged]:
        """Make the schedule of a finished plan as good as can be found; return what it comes to and at least must.

        The first name decides what is made better.
        """
        rows = [row for row in self._rows if row.reason != ENTITY]
        improver = Improver(rows, self._commands, self._services, self._step)
        bounds = tuple(improver.bound(name, self._dues) for name in names)
        is_best = not self._services.jobs  # then there is but one schedule
        if not is_best:
            found, is_best = improver.arrangement(names, self._dues, bounds)
            if found is not None:
                self._take_over(rows, self._commands, self._services.jobs, found)
        values = tuple(value_of(name, self._stn, self._commands, self._dues) for name in names)
        return dict(zip(names, map(Judged, values, values if is_best else bounds), strict=True))

    def keep_bounds(self) -> None:
        """From now on, keep what `least` needs: the times without any entity, in which nothing is chosen."""
        self._free = Stn()

    def least(self, name: str) -> int:
        """Return what the plan comes to at least, whatever is chosen and whatever follows."""
        if self._free is None:
            return 0
        if name != MAKESPAN:
            return value_of(name, self._free, (), self._dues)
        start: int = self._timing.start_time
        return max(self._heights[-1] if self._heights else 0, self._services.load() + start)

    def _is_spoken_of(self) -> bool:
        """Say whether something beyond this run speaks of the time of the node that is being pushed."""
        return False

    def _all(self, rows: Sequence[Row]) -> Unspoken | None:
        """Take rows in; return why they do not fit, if they do not."""
        reason = self._fits(rows)
        if reason is None:
            self._rows += rows
        return reason

    def _fits(self, rows: Sequence[Row]) -> Unspoken | None:
        add, free = self._stn.add_constraint, self._free
        for place, row in enumerate(rows):
            conflict = add(row)
            if conflict is not None:
                if self._fits_otherwise(rows, place, conflict):
                    return None
                return _misfit("the times do not fit", conflict, self._culprits)
            if free is not None and row.reason != ENTITY:
                free.add_constraint(row)
        return None

    def _culprits(self, conflict: Conflict) -> Collection[int] | None:
        """Return the nodes that a conflict speaks of; None where it also rests on entities, or on nodes not named."""
        rows = conflict.sources
        if not all(isinstance(row, Row) and row.reason != ENTITY and type(row.about) is not SeenOrder for row in rows):
            return None
        points = [str(point).partition(".") for row in rows for point in (row.start, row.end) if point != ORIGIN]
        return {int(owner) for owner, _, side in points if side != JOINT}

    def _fits_otherwise(self, rows: Sequence[Row], place: int, conflict: Conflict) -> bool:
        """Say whether rows that fit up to a place fit all with other entities, or with rivals in another order."""
        if not self._services.jobs or rows[place].reason == ENTITY or not _rests_on_entities(conflict):
            return False
        if not self._arrange_anew(self._services.jobs, self._commands, rows):
            return False
        for row in rows[place:] if self._free is not None else ():
            self._free.add_constraint(row)  # type: ignore[union-attr]
        return True

    def _place(self, visit: Visit, temporal: Mapping[str, object]) -> list[Row]:
        """Return what gives a node its points: duration, absolute times, the task it lies in, the command before it."""
        begin, end = f"{visit.node_id}.start", f"{visit.node_id}.end"
        item, is_command = visit.item, visit.kind == "command"
        duration = temporal.get("duration", visit.duration)
        lo, hi = duration_of(duration, is_command=is_command)
        rows: list[Row] = []
        container = self._timed.get(visit.parent_id, 0)
        if is_command and not self._is_causal and self._commands:
            previous = self._commands[-1]
            rows.append(Row(f"{previous[0]}.end", begin, 0, None, Pair(item, previous[1]), True, "", AFTER))
        if container:
            rows.append(Row(f"{container}.start", begin, 0, None, item, True, "", INSIDE))
        else:
            rows.append(Row(ORIGIN, begin, self._timing.start_time, None, item, True, "", NOT_BEFORE))
        rows.append(Row(begin, end, lo, hi, item, duration is None, "", TAKES))
        if container:
            rows.append(Row(end, f"{container}.end", 0, None, item, True, "", INSIDE))
        elif self._timing.horizon is not None:
            horizon = self._timing.horizon
            rows.append(Row(ORIGIN, end, None, horizon, f"all done by {format_ticks(horizon)}"))
        if temporal:
            rows.extend(absolute_times(item_text(item), begin, end, temporal))
            if "due" in temporal:
                self._dues.append((end, time_at(f"due of {item_text(item)}", temporal["due"])))
        return rows

    def _serve(self, visit: Visit, wanted: Any) -> str | Unspoken | None:
        """Choose entities for a command and keep each of them within what it can do."""
        requirements = read_requirements(wanted)
        uses, rows, reason = self._services.serve(visit.node_id, requirements)
        reason = reason or self._all(rows)
        if reason is None:
            self._commands.append((visit.node_id, visit.item, uses))
            return None
        jobs = [*self._services.jobs, Job(visit.node_id, requirements)]
        return None if self._arrange_anew(jobs, [*self._commands, (visit.node_id, visit.item, ())]) else reason

    def _arrange_anew(self, jobs: list[Job], commands: list[Served], further: Sequence[Row] = ()) -> bool:
        """Search for any way to serve all jobs, with further rows kept too; return whether there is one.

        The network has the further rows then; the list of rows does not.
        """
        rows = [row for row in self._rows if row.reason != ENTITY]
        arranger = Arranger([*rows, *further], jobs, self._services.pool, self._step)
        if arranger.is_hopeless or is_overloaded(arranger.network, [*rows, *further], jobs, self._services.pool):
            return False
        found = arranger.run()
        if not isinstance(found, Arrangement):
            self.gave_up = self.gave_up or isinstance(found, Unknown)
            return False
        self._take_over([*rows, *further], commands, jobs, found)
        del self._rows[len(rows) : len(rows) + len(further)]
        return True

    def _take_over(self, rows: list[Row], commands: list[Served], jobs: list[Job], found: Arrangement) -> None:
        """Go on with another arrangement; what was before is left as it is, for those who come back to it."""
        self._stn = Stn()
        self._services, between = self._services.rearranged(self._stn, jobs, found)
        self._rows = []
        self._commands = [(node_id, item, found.uses.get(node_id, uses)) for node_id, item, uses in commands]
        free, self._free = self._free, None  # it has these rows already
        broken = self._all([*rows, *between])
        self._free = free
        assert broken is None, broken

    def _step(self) -> bool:
        self.spent += 1
        return self.allowed is None or self.spent <= self.allowed

    def _give_points_to_earlier(self, ties: list[Tie], parent: int) -> Unspoken | None:
        """A task that is only now spoken of gets its points, and the commands below it are put inside."""
        nodes = dict.fromkeys(node for tie in ties for node in tie.nodes.values() if self._timed[node] != node)
        for node in nodes:
            visit, following = self._siblings.with_next(node, parent)
            container = self._timed[node]
            self._lies_in(node, node)
            outer = (ORIGIN, None) if not container else (f"{container}.start", f"{container}.end")
            item = visit.item
            rows = [
                Row(outer[0], f"{node}.start", 0, None, item, True, "", INSIDE),
                Row(f"{node}.start", f"{node}.end", 0, None, item, True, "", "{} takes some time"),
            ]
            if outer[1] is not None:
                rows.append(Row(f"{node}.end", outer[1], 0, None, item, True, "", INSIDE))
            first = bisect_right(self._commands, node, key=_node_id)
            for command, below, _ in self._commands[first : bisect_left(self._commands, following, key=_node_id)]:
                both = Pair(below, item)
                rows.append(Row(f"{node}.start", f"{command}.start", 0, None, both, True, "", "{} inside {}"))
                rows.append(Row(f"{command}.end", f"{node}.end", 0, None, both, True, "", "{} inside {}"))
            reason = self._all(rows)
            if reason is not None:
                return reason
        return None

    def _derived(self, visit: Visit) -> list[Row]:
        """Return what follows for a node from what it and those before it read and wrote."""
        if not self._is_causal:
            return []
        node_id, kind = visit.node_id, visit.kind
        accesses = visit.accesses or NOTHING
        self._visits.append(visit)
        self._items[node_id] = visit.item
        if kind == "command":
            how = visit.how
            if how.ignores:
                accesses = accesses.without(how.ignores)
            is_plain = not (how.conditions or how.effects or how.ordered)
            step = WHOLE if is_plain else Role(how.conditions, how.effects, how.ordered)
            links = self._causal.push_step(node_id, visit.parent_id, accesses, step)
        elif kind in ("satisfied", "check"):
            links = self._causal.push_goals(visit.parent_id, [goal[:2] for goal in goals_of(visit.item)])
        else:
            links = self._causal.push_node(node_id, visit.parent_id, accesses)
        return [self._row(link, node_id) for link in links] if links else []

    def _row(self, link: Link, node_id: int) -> Row:
        before, after, _, about = link
        items = self._items
        is_seen = before.owner != node_id != after.owner and JOINT not in (before.side, after.side)
        order = (SeenOrder if is_seen else Order)(
            "others" if after.side == JOINT else items[after.owner],
            "others" if before.side == JOINT else items[before.owner],
            about,
        )
        return Row(f"{before.owner}.{before.side}", f"{after.owner}.{after.side}", 0, None, order, True, CAUSAL)

    def _lies_in(self, node: int, container: int) -> None:
        self._timed_log.append((node, self._timed.get(node)))
        self._timed[node] = container


def _node_id(command: tuple[int, object, object]) -> int:
    return command[0]


def _rows_of(ties: list[Tie]) -> list[Row]:
    """Return what relations demand that have all their sides."""
    return [Row(c.start, c.end, c.lo, c.hi, c.name, reason=RELATION) for tie in ties for c in tie.constraints()]


def _rests_on_entities(conflict: Conflict) -> bool:
    return any(getattr(source, "reason", "") == ENTITY for source in conflict.sources)


def _misfit(
    what: str, conflict: Conflict, culprits: Callable[[Conflict], Collection[int] | None] | None = None
) -> Unspoken:
    return Unspoken(
        lambda: Reason(f"{what}: {conflict}", told=lambda: f"{what}: {conflict.for_people()}"),
        None if culprits is None else lambda: culprits(conflict),
    )
