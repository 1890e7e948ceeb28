"""A Simple Temporal Network that is changed one constraint at a time and can always go back.

Points are instants, a constraint says `lo <= end - start <= hi` in integer ticks (microseconds), None is "no bound".
Such a network is consistent exactly when no cycle of its bounds adds up to less than nothing (Dechter, Meiri & Pearl
1991).

The network carries the **earliest** time of every point, and for each the chain of bounds that makes it so. A bound
that the times satisfy already costs nothing; one that they violate moves points later, only those it has to move, in
the order of Dijkstra over what they have to move by (Cotton & Maler 2006), and runs into its own start, or into the
origin, exactly when there is a contradiction. Chains are lists that share their tails and never change, so a conflict
keeps its reason without being put into words, whatever happens to the network afterwards. Going back takes back what
was added and moved (seed 001, section 4.1).
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, Protocol

from planvow.temporal.conflict import Cell, Chain, Conflict
from planvow.temporal.durations import LARGEST, require_not_too_long

Point = Hashable

ORIGIN = "origin"
"""The point every other one is measured from: time zero."""

FLOOR = -(1 << 90)
"""Where a point stands that nothing holds back: so far before the origin that no chain of bounds leads out of it."""
_BOUNDED = FLOOR // 2
_JOINED, _EDGE = "joined", "edge"


class Source(Protocol):
    """What a bound comes from; it is asked for its name only when a conflict is told of."""

    @property
    def name(self) -> str: ...

    @property
    def is_implied(self) -> bool: ...


@dataclass(frozen=True, kw_only=True)
class Constraint:
    """`lo <= end - start <= hi`; None leaves a side open. `name` is how a conflict speaks of it.

    >>> Constraint(start="leave", end="arrive", lo=10, hi=20).hi
    20
    """

    start: Point
    end: Point
    lo: int | None = 0
    hi: int | None = None
    name: str = ""
    is_implied: bool = False
    """Nobody stated it; a conflict does not tell people of it where it takes no time."""


class Stn:
    """Points, their earliest times, and what each point holds back.

    >>> network = Stn()
    >>> network.add(ORIGIN, "leave", lo=5, hi=9) is None
    True
    >>> network.window("leave")
    (5, 9)
    """

    def __init__(self) -> None:
        self._time: dict[Point, int] = {ORIGIN: 0}
        self._why: dict[Point, Chain] = {ORIGIN: None}
        # What must come so much later than a point, four places each: point, by how much, source, whether as a limit.
        # And a log, three places each: point, its time (or what was done), its chain. No object per bound or entry.
        self._next: dict[Point, list[Any]] = {}
        self._log: list[Any] = []

    def add(
        self,
        start: Point,
        end: Point,
        lo: int | None = 0,
        hi: int | None = None,
        *,
        name: str = "",
        is_implied: bool = False,
    ) -> Conflict | None:
        """Add `lo <= end - start <= hi`, on top of what holds already. On a conflict nothing is changed."""
        name = name or f"{start} to {end}"
        return self.add_constraint(Constraint(start=start, end=end, lo=lo, hi=hi, name=name, is_implied=is_implied))

    def add_constraint(self, constraint: Any) -> Conflict | None:
        """Add a constraint given as a value: anything that has what a `Constraint` has."""
        times, mark = self._time, len(self._log)
        start, end, lo, hi = constraint.start, constraint.end, constraint.lo, constraint.hi
        if start not in times:
            self._join(start, FLOOR, None)
        conflict = None
        if lo is not None:
            conflict = self._bound(start, end, lo, constraint, False)
        elif end not in times:
            self._join(end, FLOOR, None)
        if hi is not None and conflict is None:
            conflict = self._bound(end, start, -hi, constraint, True)
        if conflict is not None:
            self.restore(mark)
        return conflict

    def snapshot(self) -> int:
        """Return a mark to come back to. Costs nothing."""
        return len(self._log)

    def restore(self, mark: int) -> None:
        """Undo everything since the mark. Costs what was added and moved since."""
        times, whys, following, log = self._time, self._why, self._next, self._log
        for place in range(len(log) - 3, mark - 1, -3):
            point, time, why = log[place : place + 3]
            if time is _EDGE:
                del following[point][-4:]
            elif time is _JOINED:
                del times[point], whys[point]
                following.pop(point, None)
            else:
                times[point], whys[point] = time, why
        del log[mark:]

    def earliest(self, point: Point) -> int | None:
        """Return the earliest time of a point; None where nothing bounds it. A look-up."""
        time = self._time[point]
        return time if time > _BOUNDED else None

    def times(self) -> dict[Point, int]:
        """Return the earliest times of the points that have one."""
        return {point: time for point, time in self._time.items() if time > _BOUNDED}

    def window(self, point: Point, origin: Point = ORIGIN) -> tuple[int | None, int | None]:
        """Return the earliest and latest time of a point after `origin`; None where nothing bounds it."""
        back = self.distance(point, origin)
        return (None if back is None else -back, self.distance(origin, point))

    def windows(self) -> dict[Point, tuple[int | None, int | None]]:
        """Return the window of every point, in one pass over the network."""
        latest = latest_times(self._time, ((u, v, w) for u, v, w, _ in self._edges()))
        return {p: (self.earliest(p), latest.get(p)) for p in self._time}

    def distance(self, start: Point, end: Point) -> int | None:
        """Return the tightest implied upper bound of `end - start`; None if there is none."""
        times = self._time
        edges: dict[Point, list[tuple[Point, int]]] = {}
        for u, v, w, _ in self._edges():
            edges.setdefault(u, []).append((v, times[v] - times[u] - w))
        slack = _slacks(end, edges).get(start)
        return None if slack is None else times[end] - times[start] + slack

    def schedule(self) -> dict[Point, int]:
        """Return one time per point that satisfies every constraint: the earliest of those that have one."""
        times = self._time
        loose = {p for p, time in times.items() if time <= _BOUNDED}
        shift = min(
            (times[v] - w - times[u] for u, v, w, _ in self._edges() if u in loose and v not in loose), default=-FLOOR
        )
        return {p: time + min(shift, -FLOOR) if p in loose else time for p, time in times.items()}

    def bounds(self) -> Iterator[tuple[Point, Point, int, str]]:
        """Yield every bound `v - u <= w` with the name of the constraint it came from."""
        for earlier, later, w, source in self._edges():
            yield later, earlier, -w, source.name

    def __len__(self) -> int:
        return len(self._time)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stn):
            return NotImplemented
        return self._time == other._time and list(self.bounds()) == list(other.bounds())

    __hash__ = None  # type: ignore[assignment]  # a network changes; hash its bounds if you need a key

    def _join(self, point: Point, time: int, why: Chain) -> None:
        self._time[point], self._why[point] = time, why
        self._log += (point, _JOINED, None)

    def _bound(self, u: Point, v: Point, w: int, source: Source, is_limit: bool) -> Conflict | None:
        """Add that `v` comes at least `w` after `u`, which is known."""
        if not -LARGEST <= w <= LARGEST:
            require_not_too_long(w)
        times = self._time
        time = times[u] + w
        known = times.get(v)
        if known is None:  # nothing depends on a newcomer
            self._join(v, time, (self._why[u], w, source, is_limit))
        elif time > known:
            conflict = self._move(u, v, time - known, (self._why[u], w, source, is_limit))
            if conflict is not None:
                return conflict
        elif time == known and not source.is_implied:
            self._restate(v, (self._why[u], w, source, is_limit))
        following = self._next.get(u)
        if following is None:
            self._next[u] = [v, w, source, is_limit]
        else:
            following += (v, w, source, is_limit)
        self._log += (u, _EDGE, None)
        return None

    def _restate(self, point: Point, stated: Cell) -> None:
        """Name what somebody stated where it says what holds a point back without anybody having stated it."""
        why = self._why[point]
        if why is not None and why[0] is stated[0] and why[2].is_implied:
            self._log += (point, self._time[point], why)
            self._why[point] = stated

    def _move(self, u: Point, v: Point, need: int, new: Cell) -> Conflict | None:
        """Move `v`, and what it pushes, later by what it needs; say why not, if that would move `u` or time zero."""
        times, following = self._time, self._next
        order = count()  # equal needs in order of discovery, so that points are never compared
        queue: list[tuple[int, int, Point, Cell]] = [(-need, next(order), v, new)]
        moved: dict[Point, Cell] = {}
        needs: dict[Point, int] = {v: need}
        late: tuple[int, Cell] | None = None
        while queue:
            negative, _, point, cell = heapq.heappop(queue)
            if point in moved:
                continue
            if late is not None and -negative < late[0]:
                break
            if point == u:  # around a circle without time zero: the shorter story, so it goes before the other
                return Conflict(cell, new, -negative, is_through_origin=False)
            if point == ORIGIN:
                late = (-negative, cell)
                continue
            moved[point] = cell
            now, listed = times[point] - negative, following.get(point, ())
            for place in range(0, len(listed), 4):
                target, w = listed[place], listed[place + 1]
                need = now + w - times[target]
                if need > needs.get(target, 0) and target not in moved:
                    needs[target] = need
                    heapq.heappush(queue, (-need, next(order), target, (cell, w, listed[place + 2], listed[place + 3])))
        if late is not None:
            return Conflict(late[1], new, late[0], is_through_origin=True)
        log, whys = self._log, self._why
        for point, cell in moved.items():
            log += (point, times[point], whys[point])
            times[point] += needs[point]
            whys[point] = cell
        return None

    def _edges(self) -> Iterator[tuple[Point, Point, int, Source]]:
        for u, listed in self._next.items():
            for place in range(0, len(listed), 4):
                yield u, listed[place], listed[place + 1], listed[place + 2]


def latest_times(times: Mapping[Point, int], bounds: Iterable[tuple[Point, Point, int]]) -> dict[Point, int]:
    """Return the latest times of the points that have one, from times that keep all bounds, in one pass.

    A bound (u, v, w) says that `v` comes at least `w` after `u`.

    >>> latest_times({ORIGIN: 0, "leave": 5}, [(ORIGIN, "leave", 5), ("leave", ORIGIN, -9)])["leave"]
    9
    """
    edges: dict[Point, list[tuple[Point, int]]] = {}
    for u, v, w in bounds:
        edges.setdefault(v, []).append((u, times[v] - times[u] - w))
    return {point: times[point] + slack for point, slack in _slacks(ORIGIN, edges).items()}


def _slacks(source: Point, edges: dict[Point, list[tuple[Point, int]]]) -> dict[Point, int]:
    """Return the least room on a way from a point to each that can be reached (Dijkstra)."""
    order = count()
    done: dict[Point, int] = {}
    queue: list[tuple[int, int, Point]] = [(0, next(order), source)]
    while queue:
        room, _, point = heapq.heappop(queue)
        if point not in done:
            done[point] = room
            for target, slack in edges.get(point, ()):
                if target not in done:
                    heapq.heappush(queue, (room + slack, next(order), target))
    return done
