"""A Simple Temporal Network that is changed one constraint at a time and can always go back.

Points are instants, a constraint says `lo <= end - start <= hi` in integer ticks (microseconds), None is "no bound".
Such a network is consistent exactly when its distance graph has no negative cycle (Dechter, Meiri & Pearl 1991).

The network carries a schedule: one time per point that satisfies every constraint. A new constraint that the
schedule satisfies already costs nothing; one that it violates moves only the points it has to move, in the order of
Dijkstra over reduced costs (Cotton & Maler 2006), and runs into its own start exactly when a negative cycle exists.
Undoing removes edges from a log and leaves the schedule alone: what satisfies more constraints satisfies fewer.
So adding costs what is affected, going back costs what was added, and nothing is ever rebuilt (seed 001, section 4.1).
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import count

Point = Hashable

ORIGIN = "origin"
"""The point every other one is measured from: time zero."""


@dataclass(frozen=True, kw_only=True)
class Constraint:
    """`lo <= end - start <= hi`; None leaves a side open. `name` is how a conflict speaks of it."""

    start: Point
    end: Point
    lo: int | None = 0
    hi: int | None = None
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """Why a constraint does not fit: the shortest chain of constraints that contradict each other.

    Going once around the chain, the bounds add up to `excess` ticks less than nothing.
    """

    names: tuple[str, ...]
    excess: int

    def __str__(self) -> str:
        return " contradicts ".join(self.names) if len(self.names) < 3 else " + ".join(self.names)


class Stn:
    """Points and the tightest bound known between each constrained pair."""

    def __init__(self) -> None:
        # _out[u][v] = (w, name) means v - u <= w; _in is the same seen from v.
        self._out: dict[Point, dict[Point, tuple[int, str]]] = {}
        self._in: dict[Point, dict[Point, tuple[int, str]]] = {}
        self._time: dict[Point, int] = {}
        self._log: list[tuple[Point, Point, tuple[int, str] | None] | tuple[Point]] = []
        self.add_point(ORIGIN)
        self._log.clear()

    def add_point(self, point: Point) -> None:
        """Make a point known; a known one stays as it is."""
        if point not in self._out:
            self._out[point] = {}
            self._in[point] = {}
            self._time[point] = 0
            self._log.append((point,))

    def add(
        self, start: Point, end: Point, lo: int | None = 0, hi: int | None = None, *, name: str = ""
    ) -> Conflict | None:
        """Add `lo <= end - start <= hi`, on top of what holds already. On a conflict nothing is changed."""
        mark = self.snapshot()
        self.add_point(start)
        self.add_point(end)
        self._settle_newcomer(start, end, lo, hi)
        for u, v, bound in ((start, end, hi), (end, start, None if lo is None else -lo)):
            if bound is None:
                continue
            conflict = self._add_edge(u, v, bound, name or f"{start} to {end}")
            if conflict is not None:
                self.restore(mark)
                return conflict
        return None

    def add_constraint(self, constraint: Constraint) -> Conflict | None:
        """Add a constraint given as a value."""
        return self.add(constraint.start, constraint.end, constraint.lo, constraint.hi, name=constraint.name)

    def snapshot(self) -> int:
        """Return a mark to come back to. Costs nothing."""
        return len(self._log)

    def restore(self, mark: int) -> None:
        """Undo everything since the mark. Costs what was added since."""
        while len(self._log) > mark:
            entry = self._log.pop()
            if len(entry) == 1:
                point = entry[0]
                del self._out[point], self._in[point], self._time[point]
                continue
            u, v, previous = entry
            if previous is None:
                del self._out[u][v], self._in[v][u]
            else:
                self._out[u][v] = self._in[v][u] = previous

    def window(self, point: Point, origin: Point = ORIGIN) -> tuple[int | None, int | None]:
        """Return the earliest and latest time of a point after `origin`; None where nothing bounds it."""
        back = self._distances(point, self._out, forward=True).get(origin)
        latest = self._distances(origin, self._out, forward=True).get(point)
        return (None if back is None else -back, latest)

    def windows(self, origin: Point = ORIGIN) -> dict[Point, tuple[int | None, int | None]]:
        """Return the window of every point, in two passes over the network."""
        latest = self._distances(origin, self._out, forward=True)
        back = self._distances(origin, self._in, forward=False)
        return {p: (None if p not in back else -back[p], latest.get(p)) for p in self._out}

    def distance(self, start: Point, end: Point) -> int | None:
        """Return the tightest implied upper bound of `end - start`; None if there is none."""
        return self._distances(start, self._out, forward=True).get(end)

    def schedule(self) -> dict[Point, int]:
        """Return one time per point that satisfies every constraint, counted from the origin."""
        zero = self._time[ORIGIN]
        return {point: time - zero for point, time in self._time.items()}

    def bounds(self) -> Iterator[tuple[Point, Point, int, str]]:
        """Yield every bound `v - u <= w` with the name of the constraint it came from."""
        for u, row in self._out.items():
            for v, (w, name) in row.items():
                yield u, v, w, name

    def __len__(self) -> int:
        return len(self._out)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stn):
            return NotImplemented
        return self._out == other._out

    __hash__ = None  # type: ignore[assignment]  # a network changes; hash its bounds if you need a key

    def _settle_newcomer(self, start: Point, end: Point, lo: int | None, hi: int | None) -> None:
        """Give a point that nothing holds yet a time that suits this constraint, so that nobody else must move."""
        shift = lo if lo is not None else (hi or 0)
        if not self._out[end] and not self._in[end] and end != ORIGIN:
            self._time[end] = self._time[start] + shift
        elif not self._out[start] and not self._in[start] and start != ORIGIN:
            self._time[start] = self._time[end] - shift

    def _add_edge(self, u: Point, v: Point, w: int, name: str) -> Conflict | None:
        known = self._out[u].get(v)
        if known is not None and known[0] <= w:
            return None  # repeated constraints intersect: the tighter bound stands
        if u == v:
            return Conflict(names=(name,), excess=-w) if w < 0 else None
        moved = self._repair(u, v, w)
        if moved is None:
            return self._shortest_chain(u, v, w, name)
        self._time.update(moved)
        self._log.append((u, v, known))
        self._out[u][v] = self._in[v][u] = (w, name)
        return None

    def _repair(self, u: Point, v: Point, w: int) -> dict[Point, int] | None:
        """Return the points to move for `v - u <= w` with their new times, or None if that needs `u` to move too."""
        time, out = self._time, self._out
        need = time[u] + w - time[v]  # how far v must move; negative is earlier
        moved: dict[Point, int] = {}
        if need >= 0:
            return moved
        order = count()  # equal needs in order of discovery, so that points are never compared
        queue = [(need, next(order), v)]
        best = {v: need}
        while queue:
            need, _, point = heapq.heappop(queue)
            if point in moved or need > best[point]:
                continue
            if point == u:
                return None
            moved[point] = now = time[point] + need
            for target, (bound, _name) in out[point].items():
                if target in moved:
                    continue
                slack = now + bound - time[target]
                if slack < best.get(target, 0):
                    best[target] = slack
                    heapq.heappush(queue, (slack, next(order), target))
        return moved

    def _distances(
        self, source: Point, edges: dict[Point, dict[Point, tuple[int, str]]], *, forward: bool
    ) -> dict[Point, int]:
        """Dijkstra over costs made non-negative by the schedule; `forward=False` walks edges backwards."""
        time = self._time
        sign = 1 if forward else -1
        order = count()
        done: dict[Point, int] = {}
        queue: list[tuple[int, int, Point]] = [(0, next(order), source)]
        while queue:
            cost, _, point = heapq.heappop(queue)
            if point in done:
                continue
            done[point] = cost
            for target, (bound, _name) in edges[point].items():
                if target not in done:
                    reduced = bound + sign * (time[point] - time[target])
                    heapq.heappush(queue, (cost + reduced, next(order), target))
        return {point: cost + sign * (time[point] - time[source]) for point, cost in done.items()}

    def _shortest_chain(self, u: Point, v: Point, w: int, name: str) -> Conflict:
        """Name the negative cycle with the fewest constraints: the new bound and a way back from `v` to `u`.

        Bellman–Ford by number of edges: the first round in which the way back is short enough has the fewest.
        """
        reached: dict[Point, tuple[int, tuple[str, ...]]] = {v: (0, ())}
        frontier = dict(reached)
        while u not in frontier or frontier[u][0] + w >= 0:
            longer: dict[Point, tuple[int, tuple[str, ...]]] = {}
            for point, (cost, names) in frontier.items():
                for target, (bound, label) in self._out[point].items():
                    total = cost + bound
                    known = longer.get(target) or reached.get(target)
                    if known is None or total < known[0]:
                        longer[target] = (total, (*names, label))
            reached.update(longer)
            frontier = longer
        cost, names = frontier[u]
        return Conflict(names=_without_repeats((name, *names)), excess=-(cost + w))


def _without_repeats(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
