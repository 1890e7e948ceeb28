"""The order that follows from what steps read and write: a step comes after another where one reads or writes what the
other writes. Where nothing does, either may come first, or both at once.

Nodes are pushed in the order of the plan, and each gives the **links** that it adds: this point before that one. What a
method read counts as read by every step below it. A place is looked up, never searched for, and what a writer was put
behind is forgotten then, so that deriving costs about what was read and written. Where many points stand before many,
a **joint** stands between them. All that is kept is journaled, so a search can go back.

Two ideas keep methods cheap. A place that an active method has read needs no note of further readers below it. And a
step that writes such a place stands behind everything below the method so far and before everything to come: it is a
**barrier** there, and of the barriers around a step only the latest matters, since it stands behind the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

from planvow.kernel.time.journal import Journal, Shared, Table, elements
from planvow.kernel.time.links import (
    END,
    GOAL,
    JOINT,
    METHOD_READS,
    ORDERED,
    READS,
    START,
    WHOLE,
    WRITES,
    Below,
    Link,
    Point,
    Role,
    is_own,
    span,
)
from planvow.kernel.world.accesses import NOTHING, Accesses, Place

PATH, JOINTS, BARRIERS, LOADED = "path", "joints", "barriers", "loaded"

ALL = ("*",)
"""Stands for the subject where a predicate as a whole is meant; no subject is this very object."""


class CausalOrder(Journal):
    """The order of the steps pushed so far; one that never goes back keeps no journal."""

    def __init__(self, *, goes_back: bool = True) -> None:
        super().__init__(goes_back=goes_back)
        self._held: Table = {PATH: (0, 0, None), JOINTS: 0}
        # By node.
        self._pending: Table = {}
        self._registered: Table = {}
        self._ends: Table = {}
        # By place; a predicate as a whole is the place (predicate, ALL).
        self._active: Table = {}
        self._writer: Table = {}
        self._readers: Table = {}
        # By predicate.
        self._any: Table = {}
        self._all: Table = {}
        self._writers: Table = {}
        self._births: Table = {}
        self._gate: Table = {}
        self._settled: Table = {}
        self._generation: Table = {}
        self._base: Table = {}
        self._new: dict[tuple[Point, Point], Link] = {}

    def push_step(self, node_id: int, parent_id: int, accesses: Accesses, step: Role = WHOLE) -> list[Link]:
        """Take a command in; return the links it adds."""
        if self._held[PATH][0] != parent_id or self._new:
            self._begin(parent_id)
        begin, end = Point(node_id, START), Point(node_id, END)
        barriers = self._held.get(BARRIERS)
        if barriers is not None:
            self._link(barriers[0][1], begin, barriers[0][2], barriers[0][3])
        if accesses.reads or accesses.scans:
            self._read(begin, end, accesses, step)
        highest = self._write(begin, end, accesses, step)
        if step.is_ordered:
            highest = (0, ORDERED, "")
        if highest is not None:
            self._bar(begin, end, *highest)
        self._add_below(end)
        return list(self._new.values()) if self._new else []

    def push_node(self, node_id: int, parent_id: int, accesses: Accesses = NOTHING) -> list[Link]:
        """Take a node with others below it in, with what its method read; return the links it adds."""
        self._begin(parent_id)
        path = self._held[PATH]
        depth = path[1] + 1
        self._put(self._held, PATH, (node_id, depth, path))
        sources: dict[Point, str] = {}
        registered = []
        for subject in (*accesses.reads, *((predicate, ALL) for predicate in accesses.scans)):
            predicate = subject[0]
            if subject[1] is ALL and predicate in accesses.walks:
                self._settle_births(predicate)
            if self._is_covered(subject):
                continue
            source = self._all_settled(predicate) if subject[1] is ALL else self._latest(subject)
            if source is not None:
                sources.setdefault(source, predicate)
            registered.append(subject)
        for subject in registered:
            self._put(self._active, subject, depth)
            if self._any.get(subject[0]) is None:
                self._put(self._any, subject[0], depth)
        if registered:
            self._put(self._registered, node_id, tuple(registered))
        if sources:
            self._begin_below(depth, sources)
        return list(self._new.values())

    def push_goals(self, parent_id: int, places: Sequence[Place]) -> list[Link]:
        """Take in that these places were as wanted at one moment; return the links that keep it so.

        That moment is the end of the latest step that wrote one of them: the others were written before it, and who
        writes any of them later comes after it.
        """
        self._begin(parent_id)
        latest = [point for place in places if (point := self._latest(place)) is not None] if len(places) > 1 else []
        if latest:
            pivot = max(point.owner for point in latest)
            for place in places:
                point = self._latest(place)
                if point is not None and point.owner != pivot:
                    self._link(point, Point(pivot, START), GOAL, place[0])
                self._note_reader(place, Point(pivot, END))
        return list(self._new.values())

    def _link(self, before: Point, after: Point, reason: str, about: str) -> None:
        if before[0] != after[0] or before[1] == JOINT or after[1] == JOINT:
            key = (before, after)
            if key not in self._new:
                self._new[key] = Link(before, after, reason, about)

    # The path and what lies below its nodes.

    def _begin(self, parent_id: int) -> None:
        self._new = {}
        while self._held[PATH][0] != parent_id:
            self._leave()

    def _leave(self) -> None:
        """Finish the lowest node of the path: what its method read has been read by everything below it."""
        node_id, depth, rest = self._held[PATH]
        barriers = self._held.get(BARRIERS)
        while barriers is not None and barriers[0][0] >= depth:
            barriers = barriers[1]
        self._put(self._held, BARRIERS, barriers)
        pending = self._pending.get(node_id)
        if pending is not None:
            self._put(self._held, LOADED, self._held[LOADED][1])
        registered = self._registered.get(node_id) or ()
        for place in registered:
            self._put(self._active, place, None)
            if self._any.get(place[0]) == depth:
                self._put(self._any, place[0], None)
        self._put(self._held, PATH, rest)
        if pending is not None:
            # One thing stands for itself; several are put together when somebody stands behind them.
            whole = pending[0] if pending[1] is None else Below(node_id)
            for place in registered:
                self._note_reader(place, whole)
            self._add_below(whole)

    def _add_below(self, element: object) -> None:
        node_id, depth, _ = self._held[PATH]
        pending = self._pending.get(node_id)
        if pending is None:
            self._put(self._held, LOADED, ((node_id, depth), self._held.get(LOADED)))
        self._put(self._pending, node_id, (element, pending))

    def _begin_below(self, depth: int, sources: dict[Point, str]) -> None:
        """Put everything that will stand below the path's lowest node behind some points."""
        barriers = self._held.get(BARRIERS)
        if barriers is not None:
            sources.setdefault(barriers[0][1], barriers[0][3])
        about = next(iter(sources.values()))
        point = next(iter(sources)) if len(sources) == 1 else self._joint(sources.items(), METHOD_READS)
        self._put(self._held, BARRIERS, ((depth, point, METHOD_READS, about), barriers))

    def _bar(self, begin: Point, end: Point, depth: int, reason: str, about: str) -> None:
        """Put a step behind everything so far below the node at a depth of the path, and before all that follows."""
        loaded = self._held.get(LOADED)
        while loaded is not None and loaded[0][1] >= depth:
            for element in elements(self._pending.get(loaded[0][0])):
                self._link(self._point(element), begin, reason, about)
            self._put(self._pending, loaded[0][0], None)
            loaded = loaded[1]
        self._put(self._held, LOADED, loaded)
        barriers = self._held.get(BARRIERS)
        while barriers is not None and barriers[0][0] >= depth:
            barriers = barriers[1]
        self._put(self._held, BARRIERS, ((depth, end, reason, about), barriers))

    def _point(self, element: Any) -> Point:
        """Return one point that stands behind everything in an element."""
        if not isinstance(element, Below):
            return element  # type: ignore[no-any-return]
        stack = [element]
        while stack:
            group = stack[-1]
            if self._ends.get(group) is not None:
                stack.pop()
                continue
            parts = list(elements(self._pending.get(group.node_id)))
            open_parts = [part for part in parts if isinstance(part, Below) and self._ends.get(part) is None]
            if open_parts:
                stack.extend(open_parts)
                continue
            points: list[Point] = [self._ends[part] if isinstance(part, Below) else part for part in reversed(parts)]
            self._put(self._ends, group, self._joint(((point, "") for point in points), METHOD_READS))
        return self._ends[element]  # type: ignore[no-any-return]

    def _joint(self, sources: Iterable[tuple[Point, str]], reason: str) -> Point:
        joint = Point(self._held[JOINTS] + 1, JOINT)
        self._put(self._held, JOINTS, joint.owner)
        for point, about in sources:
            self._link(point, joint, reason, about)
        return joint

    # Places.

    def _latest(self, place: Place) -> Point | None:
        """Return where the latest write of a place is."""
        past = self._writer.get(place)
        if past is not None and past[1] == self._generation.get(place[0], 0):
            return past[0]  # type: ignore[no-any-return]
        return self._base.get(place[0])

    def _is_covered(self, place: Place) -> bool:
        """Say whether an active method has read this, so that its barriers keep the order."""
        return self._active.get(place) is not None or self._active.get((place[0], ALL)) is not None

    def _note_reader(self, place: Place, element: Any) -> None:
        self._prepend(self._readers, place, element)
        self._prepend(self._all, place[0], element)

    def _all_settled(self, predicate: str) -> Point | None:
        """Return a point behind everything that wrote a place of a predicate so far."""
        settled = self._settled.get(predicate)
        writers = list(elements(self._writers.get(predicate)))
        if writers:
            points = [*([] if settled is None else [settled]), *reversed(writers)]
            settled = points[0] if len(points) == 1 else self._joint(((p, predicate) for p in points), WRITES)
            self._put(self._writers, predicate, None)
            self._put(self._settled, predicate, settled)
        return settled if settled is not None else self._latest((predicate, ALL))

    def _settle_births(self, predicate: str) -> None:
        """Put those that added subjects to a predicate in line: somebody sees in which order they did."""
        births = self._births.get(predicate)
        while births is not None and births[1] is not None:
            (later, _), births = births[0], births[1]
            self._link(births[0][1], later, WRITES, predicate)
        latest = self._births.get(predicate)
        if latest is not None and latest[1] is not None:
            self._put(self._births, predicate, (latest[0], None))

    def _read(self, begin: Point, end: Point, accesses: Accesses, step: Role) -> None:
        for predicate in accesses.walks:
            self._settle_births(predicate)
        for place in (*accesses.reads, *((predicate, ALL) for predicate in accesses.scans)):
            if self._active and self._is_covered(place):
                continue
            first, last = span(begin, end, step.conditions, place[0])
            source = self._all_settled(place[0]) if place[1] is ALL else self._latest(place)
            if source is not None:
                self._link(source, first, READS, place[0])
            self._note_reader(place, last)

    def _write(self, begin: Point, end: Point, accesses: Accesses, step: Role) -> tuple[int, str, str] | None:
        """Put a step behind those who read or wrote what it writes; return the highest node it is a barrier below."""
        depths: list[tuple[int, str]] = []
        for place in accesses.writes:
            predicate = place[0]
            first, last = span(begin, end, step.effects, predicate)
            self._write_place(place, predicate, first, last)
            if self._active:
                found = (self._active.get(place), self._active.get((predicate, ALL)))
                depths += [(depth, predicate) for depth in found if depth is not None]
        for predicate in accesses.wholes:
            self._write_whole(predicate, *span(begin, end, step.effects, predicate))
            if (depth := self._any.get(predicate)) is not None:
                depths.append((depth, predicate))
        for predicate in accesses.births:
            if predicate not in accesses.wholes:
                self._prepend(self._births, predicate, span(begin, end, step.effects, predicate))
        if not depths:
            return None
        highest = min(depths, key=itemgetter(0))
        return highest[0], METHOD_READS, highest[1]

    def _write_place(self, place: Place, predicate: str, first: Point, last: Point) -> None:
        source = self._latest(place)
        if source is not None:
            self._link(source, first, WRITES, predicate)
        readers = self._readers
        if place in readers:
            self._put(readers, place, self._behind(readers[place], first, predicate))
        if (predicate, ALL) in readers:
            self._gate_scanners(predicate, first)
        gate = self._gate.get(predicate)
        if gate is not None:
            self._link(gate, first, WRITES, predicate)
        self._put(self._writer, place, (last, self._generation.get(predicate, 0)))
        self._prepend(self._writers, predicate, last)
        self._prepend(self._all, predicate, last)

    def _gate_scanners(self, predicate: str, first: Point) -> None:
        """Put those who looked at a predicate as a whole before a writer, and before all that follow."""
        scanners = list(elements(self._readers[predicate, ALL]))
        others = [element for element in reversed(scanners) if not is_own(element, first)]
        if others:
            points = [self._point(element) for element in others]
            gate = points[0] if len(points) == 1 else self._joint(((p, predicate) for p in points), WRITES)
            self._put(self._gate, predicate, gate)
            own: Shared = None
            for element in scanners:
                if is_own(element, first):
                    own = (element, own)
            self._put(self._readers, (predicate, ALL), own)

    def _write_whole(self, predicate: str, first: Point, last: Point) -> None:
        source = self._latest((predicate, ALL))
        if source is not None:
            self._link(source, first, WRITES, predicate)
        own = self._behind(self._all.get(predicate), first, predicate)
        for table in (self._gate, self._settled, self._writers, self._births):
            self._put(table, predicate, None)
        self._put(self._generation, predicate, self._generation.get(predicate, 0) + 1)
        self._put(self._base, predicate, last)
        self._put(self._readers, (predicate, ALL), own)
        self._put(self._all, predicate, own)

    def _behind(self, listed: Shared, first: Point, predicate: str) -> Shared:
        """Put a point behind all elements of a list but its own; return those."""
        own: Shared = None
        for element in elements(listed):
            if is_own(element, first):
                own = (element, own)
            else:
                self._link(self._point(element), first, WRITES, predicate)
        return own
