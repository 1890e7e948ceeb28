"""The time of a repaired plan: what was done lies behind it, what was promised still holds.

The tasks that a repair leaves open keep their points, with everything that was said about them: deadlines, durations,
relations to what was done and to what is still to come. What was done stands at the times it had in the old
schedule, and no new command starts before the moment of the repair. Seed 001, sections 3.3 and 4.

Nodes of the past have ids below zero, in the order of the tree: the last one before the repaired node is -1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from planvow.kernel.answer.result import Result
from planvow.kernel.answer.tree import Tree
from planvow.kernel.domain.domain import Command
from planvow.kernel.domain.metadata import Row
from planvow.kernel.domain.propagator import Visit
from planvow.kernel.time.arrange import Use
from planvow.kernel.time.links import JOINT
from planvow.kernel.time.network import TimeNetwork
from planvow.kernel.time.report import DERIVED, IMPLIED, VISITS
from planvow.kernel.time.services import as_uses, use_of
from planvow.kernel.time.timing import SEQUENTIAL, Timing
from planvow.kernel.world.reason import Unspoken
from planvow.temporal import ORIGIN, Conflict, format_ticks

Span = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class ContinuedTiming:
    """Times what is left of a plan after a repair; makes a fresh network for every run, as `Timing` does."""

    timing: Timing
    now: int
    parents: tuple[int, ...]
    """The parent of each pending item, as an id of the past (0 is the root)."""
    positions: tuple[int, ...]
    """Which child of that parent each pending item is."""
    begun: int | None
    """When the repaired task began, if something below it was done and its time was spoken of."""
    containers: Mapping[int, int]
    """Each open task → the nearest one with points that it lies in (itself, if it has any)."""
    done: tuple[tuple[Visit, Span], ...]
    """What was done beside the open tasks and inside them, with its times."""
    uses: tuple[tuple[int, Use], ...]
    """What was done and which entity did it, in order of time."""
    promised: tuple[Row, ...] = ()
    """What was said about open tasks."""
    promised_of: Mapping[int, tuple[Row, ...]] = field(default_factory=dict)
    """Pending item → what was said about it and open tasks, things done or earlier items (those are ("item", n))."""
    visits: tuple[Visit, ...] = ()
    """What the nodes of the past read and wrote, where that decides the order of what follows."""

    @property
    def needs_accesses(self) -> bool:
        return self.timing.needs_accesses

    def __call__(self) -> TimeNetwork:
        return _ContinuedNetwork(self)


class _ContinuedNetwork(TimeNetwork):
    def __init__(self, continued: ContinuedTiming) -> None:
        super().__init__(continued.timing)
        self._continued = continued
        self._pending: dict[int, int] = {}  # pending item → its node; those of later items may be stale
        self._current: int | None = None  # which pending item is being pushed
        self._timed.update(continued.containers)
        for visit, (start, end) in continued.done:
            self._timed[visit.node_id] = visit.node_id
            self._siblings.add(visit)
            self._all(_fixed(visit.node_id, start, end))
        spans = {visit.node_id: span for visit, span in continued.done}
        ends = {node_id: span[1] for node_id, span in spans.items()}
        for node_id, use in continued.uses:
            self._services.settle(node_id, use, spans[node_id][0], ends)
        for visit in continued.visits:  # what was done stands where it stood; only what follows is put behind it
            self._all([row for row in self._derived(visit) if str(row.end).endswith(JOINT)])
        self._visits.clear()
        self._broken = self._all(continued.promised)

    def push(self, visit: Visit) -> str | Unspoken | None:
        if self._broken is not None:
            return self._broken
        self._current = None
        if visit.parent_id == 0 and visit.kind != "check":
            item = self._current = visit.position
            self._pending[item] = visit.node_id
            visit = visit._replace(parent_id=self._continued.parents[item], position=self._continued.positions[item])
        return super().push(visit)

    def _culprits(self, conflict: Conflict) -> None:
        return None  # nodes of the plan before are counted otherwise

    def _is_spoken_of(self) -> bool:
        return self._current in self._continued.promised_of or (
            self._current == 0 and self._continued.begun is not None
        )

    def _place(self, visit: Visit, temporal: Mapping[str, object]) -> list[Row]:
        return super()._place(visit, temporal) + self._rows_of(visit)

    def _rows_of(self, visit: Visit) -> list[Row]:
        """Return what the past demands of a node."""
        continued, begin = self._continued, f"{visit.node_id}.start"
        rows: list[Row] = []
        if visit.kind == "command":
            name = f"not before the repair at {format_ticks(continued.now)}"
            rows.append(Row(ORIGIN, begin, continued.now, None, name))
        elif self._current == 0 and continued.begun is not None:
            rows.append(Row(ORIGIN, begin, None, continued.begun, f"begun at {format_ticks(continued.begun)}"))
        for row in continued.promised_of.get(self._current, ()) if self._current is not None else ():
            rows.append(row._replace(start=self._point(row.start), end=self._point(row.end)))
        return rows

    def _point(self, point: Any) -> str:
        return point if isinstance(point, str) else f"{self._pending[point[0]]}.{point[1]}"


def _fixed(node_id: int, start: int, end: int) -> list[Row]:
    return [
        Row(ORIGIN, f"{node_id}.start", start, start, "done before"),
        Row(ORIGIN, f"{node_id}.end", end, end, "done before"),
    ]


class _Past:
    """Reads the schedule of an old plan by the node ids of its whole tree."""

    def __init__(self, result: Result, tree: Tree, timing: Timing, uses: tuple[tuple[int, Use], ...]) -> None:
        self._first_new_id = tree.first_new_id
        self._tree = tree
        report = result.reports["temporal"]
        implied = result.reports.get(IMPLIED, frozenset())
        derived = result.reports.get(DERIVED, frozenset())
        self.rows = [
            Row._make((*row, place in implied, "", ""))
            for place, row in enumerate(report["constraints"])
            if place not in derived
        ]
        self._schedule: Mapping[str, int] = report["schedule"]
        self._shared = {use_of(entity) for entity in timing.entities}
        self.uses = [(self._tree_id(node), use) for node, use in uses]
        for allocation in result.reports["time_allocations"]:
            self.uses += [(self._tree_id(allocation.node_id), use) for use in as_uses(allocation)]

    def is_command(self, node_id: int) -> bool:
        return isinstance(self._tree.trail.hows[node_id - 1], Command)

    def kind(self, node_id: int) -> str:
        return "command" if self.is_command(node_id) else "task"

    def span(self, node_id: int) -> Span | None:
        """Return when a node starts and ends, if it has points."""
        first = self._first_new_id
        own = node_id - first + (node_id >= first)
        start, end = self._schedule.get(f"{own}.start"), self._schedule.get(f"{own}.end")
        return None if start is None or end is None else (start, end)

    def point(self, name: str) -> tuple[int, str] | None:
        """Return the node and the side of a point; None for the origin."""
        if name == ORIGIN:
            return None
        own, side = name.rsplit(".", 1)
        return self._tree_id(int(own)), side

    def is_queue(self, name: str) -> bool:
        """Say whether a row only keeps the uses of an entity apart: entities are chosen anew."""
        return name in self._shared

    def visits_before(self, redone: int, *visits: Iterable[Visit]) -> Iterator[Visit]:
        """Yield the nodes before a node, under their ids of the past."""
        for visit in chain(*visits):
            node_id = self._tree_id(visit.node_id)
            if node_id < redone:
                parent_id = self._tree_id(visit.parent_id) - redone if visit.parent_id else 0
                yield visit._replace(node_id=node_id - redone, parent_id=parent_id)

    def _tree_id(self, own: int) -> int:
        return own + self._first_new_id - (own > 0)


def continued_timing(
    factory: Timing | ContinuedTiming, result: Result, tree: Tree, *, failed: int, redone: int, now: int | None
) -> ContinuedTiming:
    """Return how to time what is left when a node is broken down anew because it or one below it failed."""
    earlier = factory if isinstance(factory, ContinuedTiming) else None
    timing = earlier.timing if earlier else factory
    assert isinstance(timing, Timing)
    past = _Past(result, tree, timing, earlier.uses if earlier else ())
    parents, items = tree.trail.parents, tree.trail.items
    open_tasks = [*tree.lineage(redone)][1:]
    done = {t: span for t in range(1, redone) if t not in open_tasks and (span := _done_span(past, parents, t, redone))}
    pending = {node_id: k for k, node_id in enumerate(tree.pending_ids(redone))}
    promised, promised_of = _promises(past, done, open_tasks, pending, redone)
    repaired, positions = past.span(redone), _positions(parents)

    def parent_of(node_id: int) -> int:
        return parents[node_id - 1] - redone if parents[node_id - 1] else 0

    return ContinuedTiming(
        timing=timing,
        now=_moment(past, timing, done, len(parents), failed, redone, now),
        parents=tuple(parent_of(t) for t in pending),
        positions=tuple(positions[t - 1] for t in pending),
        begun=None if repaired is None or past.is_command(redone) else repaired[0],
        containers=_containers(past, open_tasks, redone),
        done=tuple(
            (Visit(t - redone, parent_of(t), positions[t - 1], past.kind(t), items[t - 1], {}, None, ()), span)
            for t, span in done.items()
        ),
        uses=tuple(
            (t - redone, use) for t, use in sorted(past.uses, key=lambda row: done.get(row[0], (0, 0))) if t in done
        ),
        visits=tuple(past.visits_before(redone, earlier.visits if earlier else (), result.reports.get(VISITS, ()))),
        promised=tuple(promised),
        promised_of={item: tuple(rows) for item, rows in promised_of.items()},
    )


def _promises(
    past: _Past, done: Mapping[int, Span], open_tasks: list[int], pending: Mapping[int, int], redone: int
) -> tuple[list[Row], dict[int, list[Row]]]:
    """Return what was said about open tasks, and by pending item what was said about it and others."""
    known = {*done, *open_tasks, *pending}
    promised: list[Row] = []
    promised_of: dict[int, list[Row]] = {}
    for row in past.rows:
        points = [past.point(str(row.start)), past.point(str(row.end))]
        nodes = {point[0] for point in points if point is not None}
        about = [pending[node] for node in nodes if node in pending]
        if past.is_queue(row.name) or not nodes <= known or nodes <= done.keys():
            continue
        if about and len(nodes) < 2:  # its own duration and times: they are told with the item
            continue
        first, second = (_told(point, pending, redone) for point in points)
        (promised_of.setdefault(max(about), []) if about else promised).append(row._replace(start=first, end=second))
    for task in open_tasks:
        if (span := past.span(task)) is not None:
            promised.append(Row(ORIGIN, f"{task - redone}.start", span[0], span[0], "begun before"))
    return promised, promised_of


def _positions(parents: list[int]) -> list[int]:
    """Return which child of its parent each node is."""
    seen: Counter[int] = Counter()
    positions = []
    for parent in parents:
        positions.append(seen[parent])
        seen[parent] += 1
    return positions


def _done_span(past: _Past, parents: list[int], node_id: int, redone: int) -> Span | None:
    """Return when something done took place: by its own points, or by those of the commands below it."""
    span = past.span(node_id)
    if span is not None:
        return span
    below, spans = {node_id}, []
    for later in range(node_id + 1, redone):
        if parents[later - 1] not in below:
            break
        below.add(later)
        if past.is_command(later) and (inner := past.span(later)) is not None:
            spans.append(inner)
    return (min(start for start, _ in spans), max(end for _, end in spans)) if spans else None


def _containers(past: _Past, open_tasks: list[int], redone: int) -> dict[int, int]:
    containers, nearest = {}, 0
    for task in reversed(open_tasks):  # outermost first
        nearest = task - redone if past.span(task) is not None else nearest
        containers[task - redone] = nearest
    return containers


def _moment(
    past: _Past, timing: Timing, done: Mapping[int, Span], size: int, failed: int, redone: int, now: int | None
) -> int:
    """Return the earliest moment for anything new: told, or when the failed part was to start; and after what was done.

    What was done below the repaired task is over by then; what was done elsewhere need not be, if commands may overlap.
    """
    if now is None:
        coming = (span[0] for t in range(failed, size + 1) if past.is_command(t) and (span := past.span(t)) is not None)
        now = next(coming, timing.start_time)
    over = [span[1] for t in range(redone, failed) if past.is_command(t) and (span := past.span(t)) is not None]
    if timing.ordering == SEQUENTIAL:
        over += [end for _, end in done.values()]
    return max([now, *over])


def _told(point: tuple[int, str] | None, pending: Mapping[int, int], redone: int) -> str | tuple[int, str]:
    if point is None:
        return ORIGIN
    node_id, side = point
    return (pending[node_id], side) if node_id in pending else f"{node_id - redone}.{side}"
