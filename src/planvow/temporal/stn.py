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

from planvow.temporal.conflict import Conflict, Link

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
    is_implied: bool = False
    """Nobody stated it; a conflict does not tell people of it where it takes no time."""


class Stn:
    """Points and the tightest bound known between each constrained pair."""

    def __init__(self) -> None:
        # _out[u][v] means v - u <= its bound; _in is the same seen from v.
        self._out: dict[Point, dict[Point, Link]] = {}
        self._in: dict[Point, dict[Point, Link]] = {}
        self._time: dict[Point, int] = {}
        self._log: list[tuple[Point, Point, Link | None] | tuple[Point]] = []
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
        mark = self.snapshot()
        self.add_point(start)
        self.add_point(end)
        self._settle_newcomer(start, end, lo, hi)
        for u, v, bound, is_limit in ((start, end, hi, True), (end, start, None if lo is None else -lo, False)):
            if bound is None:
                continue
            conflict = self._add_edge(u, v, Link(bound, name or f"{start} to {end}", is_limit, is_implied))
            if conflict is not None:
                self.restore(mark)
                return conflict
        return None

    def add_constraint(self, constraint: Constraint) -> Conflict | None:
        """Add a constraint given as a value."""
        c = constraint
        return self.add(c.start, c.end, c.lo, c.hi, name=c.name, is_implied=c.is_implied)

    def restate(self, start: Point, end: Point, lo: int | None, hi: int | None, *, name: str) -> None:
        """Put a name to bounds that hold already without anybody having stated them; no bound is added."""
        for u, v, bound, is_limit in ((start, end, hi, True), (end, start, None if lo is None else -lo, False)):
            known = self._out.get(u, {}).get(v)
            if known is not None and known.is_implied and known.bound == bound:
                self._log.append((u, v, known))
                self._out[u][v] = self._in[v][u] = Link(bound, name, is_limit, is_implied=False)

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
            for v, link in row.items():
                yield u, v, link.bound, link.name

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

    def _add_edge(self, u: Point, v: Point, link: Link) -> Conflict | None:
        known, w = self._out[u].get(v), link.bound
        is_better_told = known is not None and known.bound == w and known.is_implied and not link.is_implied
        if known is not None and known.bound <= w and not is_better_told:
            return None  # repeated constraints intersect: the tighter bound stands, and of equal ones what was stated
        if u == v:
            return Conflict(links=(link,), excess=-w) if w < 0 else None
        moved = self._repair(u, v, w)
        if moved is None:
            return self._shortest_chain(u, v, link)
        self._time.update(moved)
        self._log.append((u, v, known))
        self._out[u][v] = self._in[v][u] = link
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
            for target, link in out[point].items():
                if target in moved:
                    continue
                slack = now + link[0] - time[target]
                if slack < best.get(target, 0):
                    best[target] = slack
                    heapq.heappush(queue, (slack, next(order), target))
        return moved

    def _distances(self, source: Point, edges: dict[Point, dict[Point, Link]], *, forward: bool) -> dict[Point, int]:
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
            for target, link in edges[point].items():
                if target not in done:
                    reduced = link[0] + sign * (time[point] - time[target])
                    heapq.heappush(queue, (cost + reduced, next(order), target))
        return {point: cost + sign * (time[point] - time[source]) for point, cost in done.items()}

    def _shortest_chain(self, u: Point, v: Point, new: Link) -> Conflict:
        """Find the negative cycle with the fewest constraints: the new bound and a way back from `v` to `u`.

        Bellman–Ford by number of edges: the first round in which the way back is short enough has the fewest.
        """
        reached: dict[Point, tuple[int, tuple[Link, ...]]] = {v: (0, ())}
        frontier = dict(reached)
        while u not in frontier or frontier[u][0] + new.bound >= 0:
            longer: dict[Point, tuple[int, tuple[Link, ...]]] = {}
            for point, (cost, links) in frontier.items():
                for target, link in self._out[point].items():
                    total = cost + link.bound
                    known = longer.get(target) or reached.get(target)
                    if known is None or total < known[0]:
                        longer[target] = (total, (*links, link))
            reached.update(longer)
            frontier = longer
        cost, links = frontier[u]
        return Conflict(links=(new, *links), excess=-(cost + new.bound))
