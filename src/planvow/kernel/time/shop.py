"""A schedule made better step by step: neighbours on a busy entity change places where time is lost.

This works on the frequent kind of schedule: commands of a fixed length, entities that serve one at a time, and bounds
that only say how much must pass (deadlines are looked at when a schedule is done). Then a schedule is a longest path
through a graph without circles, and only commands that follow one another on a longest path are worth exchanging: at
the ends of a block of them on one entity (Nowicki and Smutnicki 1996), judged by an estimate first (Taillard 1994).
What was exchanged is not exchanged back for a while, so that the search leaves a dead end (tabu search, Glover 1989).
There is no chance in it: ties go to the first.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from planvow.kernel.domain.metadata import Row
from planvow.temporal import ORIGIN

PATIENCE = 1_500
"""How many exchanges without a better schedule end the search, and so many more per command:"""
PATIENCE_PER_COMMAND = 15


class Schedule(NamedTuple):
    """What is kept of a schedule: when each command starts and ends, and when the last one does."""

    spans: dict[int, tuple[int, int]]
    makespan: int


class Shop:
    """The graph of one plan."""

    def __init__(self, rows: Iterable[Row], commands: Sequence[int]) -> None:
        self.is_simple = True
        self._commands = frozenset(commands)
        self._number: dict[object, int]
        self._number = {node_id: k for k, node_id in enumerate(commands)}
        self._nodes = list(commands)
        self._length = [0] * len(commands)
        self._release = [0] * len(commands)
        self._limits: list[tuple[int, int]] = []  # variable and the latest it may start
        self._before: list[list[tuple[int, int]]] = [[] for _ in commands]
        self._after: list[list[tuple[int, int]]] = [[] for _ in commands]
        listed = list(rows)
        for row in listed:
            self._read_length(row)
        for row in listed:
            self._read(row)

    def improved(self, lanes: Mapping[str, Sequence[int]], step: Callable[[], bool], bound: int) -> Schedule | None:
        """Return better sequences than these, or the same; None if they are no schedule of this kind."""
        now = {name: [self._number[n] for n in listed] for name, listed in lanes.items()}
        current = self._evaluated(now)
        if not self.is_simple or current is None:
            return None
        best = self._kept(current)
        tabu: dict[tuple[int, int], int] = {}
        patience = PATIENCE + PATIENCE_PER_COMMAND * len(self._nodes)
        turn = quiet = 0
        while quiet < patience and best.makespan > bound and step():
            turn += 1
            quiet += 1
            move = self._best_move(now, current, tabu, turn, best.makespan)
            if move is None:
                break
            name, place = move
            lane = now[name]
            lane[place], lane[place + 1] = lane[place + 1], lane[place]
            tabu[lane[place], lane[place + 1]] = turn + 8 + turn % 7  # not back for a while
            following = self._evaluated(now)
            if following is None:  # an estimate knows nothing of circles through other entities
                lane[place], lane[place + 1] = lane[place + 1], lane[place]
                tabu[lane[place], lane[place + 1]] = turn + patience
                continue
            current = following
            if current[2] < best.makespan and self._is_allowed(current[0]):
                best, quiet = self._kept(current), 0
        return best

    def one_machine(self, commands: Iterable[int]) -> int:
        """Return a bound of the makespan from commands that have to be done one at a time."""
        base = self._evaluated({})
        if base is None:
            return 0
        heads, tails, _ = base
        numbers = [self._number[node_id] for node_id in commands]
        return one_machine((heads[k], self._length[k], tails[k] - self._length[k]) for k in numbers)

    # Reading.

    def _variable(self, point: object) -> tuple[int, int] | None:
        """Return the variable of a point and how much later the point is; None for time zero."""
        if point == ORIGIN:
            return None
        node, _, side = str(point).rpartition(".")
        key: object = int(node)
        if side == "joint" or key not in self._commands:
            key = str(point)
        if key not in self._number:
            self._number[key] = len(self._length)
            self._length.append(0)
            self._release.append(0)
            self._before.append([])
            self._after.append([])
        number = self._number[key]
        return number, self._length[number] if side == "end" and isinstance(key, int) else 0

    def _read_length(self, row: Row) -> None:
        node, _, side = str(row.start).rpartition(".")
        if side == "start" and str(row.end) == f"{node}.end" and int(node) in self._commands and row.lo is not None:
            number = self._number[int(node)]
            self._length[number] = max(self._length[number], row.lo)
            self.is_simple = self.is_simple and row.hi == row.lo

    def _read(self, row: Row) -> None:
        start, end = self._variable(row.start), self._variable(row.end)
        if start is not None and end is not None and start[0] == end[0]:
            return
        if row.hi is not None:
            if start is not None or end is None:
                self.is_simple = False
            else:
                self._limits.append((end[0], row.hi - end[1]))
        if row.lo is None:
            return
        if end is None:
            self.is_simple = False
        elif start is None:
            self._release[end[0]] = max(self._release[end[0]], row.lo - end[1])
        else:
            lag = row.lo + start[1] - end[1]
            self._before[end[0]].append((start[0], lag))
            self._after[start[0]].append((end[0], lag))

    # Schedules.

    def _evaluated(self, lanes: Mapping[str, list[int]]) -> tuple[list[int], list[int], int] | None:
        """Return heads (earliest starts), tails (what follows a start at least) and the makespan; None for a circle."""
        size, length = len(self._length), self._length
        lane_before, lane_after = [-1] * size, [-1] * size
        for listed in lanes.values():
            for a, b in pairwise(listed):
                lane_before[b], lane_after[a] = a, b
        waiting = [len(before) + (lane_before[k] >= 0) for k, before in enumerate(self._before)]
        order = [k for k in range(size) if not waiting[k]]
        heads = self._release.copy()
        for k in order:
            at = heads[k]
            for target, lag in self._after[k]:
                if at + lag > heads[target]:
                    heads[target] = at + lag
                waiting[target] -= 1
                if not waiting[target]:
                    order.append(target)
            target = lane_after[k]
            if target >= 0:
                if at + length[k] > heads[target]:
                    heads[target] = at + length[k]
                waiting[target] -= 1
                if not waiting[target]:
                    order.append(target)
        if len(order) < size:
            return None
        tails = length.copy()
        for k in reversed(order):
            tail = tails[k]
            for target, lag in self._after[k]:
                if lag + tails[target] > tail:
                    tail = lag + tails[target]
            target = lane_after[k]
            if target >= 0 and length[k] + tails[target] > tail:
                tail = length[k] + tails[target]
            tails[k] = tail
        return heads, tails, max((heads[k] + length[k] for k in range(len(self._nodes))), default=0)

    def _is_allowed(self, heads: list[int]) -> bool:
        return all(heads[k] <= latest for k, latest in self._limits)

    def _kept(self, current: tuple[list[int], list[int], int]) -> Schedule:
        heads, _, makespan = current
        return Schedule({n: (heads[k], heads[k] + self._length[k]) for k, n in enumerate(self._nodes)}, makespan)

    def _best_move(
        self,
        lanes: Mapping[str, list[int]],
        current: tuple[list[int], list[int], int],
        tabu: Mapping[tuple[int, int], int],
        turn: int,
        best: int,
    ) -> tuple[str, int] | None:
        """Return where neighbours change places with the best estimate: entity and place of the first."""
        heads, tails, makespan = current
        chosen: tuple[int, str, int] | None = None
        any_move: tuple[int, str, int] | None = None  # the one that has been tabu longest, if all are
        for name, place in self._candidates(lanes, heads, tails, makespan):
            lane = lanes[name]
            a, b = lane[place], lane[place + 1]
            estimate = self._estimate(lane, place, heads, tails)
            until = tabu.get((a, b), 0)
            if until > turn and estimate >= best:
                if any_move is None or until < any_move[0]:
                    any_move = (until, name, place)
            elif chosen is None or estimate < chosen[0]:
                chosen = (estimate, name, place)
        move = chosen or any_move
        return None if move is None else move[1:]

    def _candidates(
        self, lanes: Mapping[str, list[int]], heads: list[int], tails: list[int], makespan: int
    ) -> list[tuple[str, int]]:
        """Return where a block of a longest path begins and ends: pairs that stand at either end of it."""
        found = []
        for name, lane in lanes.items():
            first = None
            for place in range(len(lane)):
                k, before = lane[place], lane[place - 1]
                is_critical = heads[k] + tails[k] == makespan
                if not (is_critical and first is not None and heads[k] == heads[before] + self._length[before]):
                    if first is not None:
                        found += _ends(name, first, place - 1)
                    first = place if is_critical else None
            if first is not None:
                found += _ends(name, first, len(lane) - 1)
        return found

    def _estimate(self, lane: list[int], place: int, heads: list[int], tails: list[int]) -> int:
        """Return what the longest path through an exchanged pair would come to."""
        a, b, length = lane[place], lane[place + 1], self._length
        before = lane[place - 1] if place else None
        after = lane[place + 2] if place + 2 < len(lane) else None
        start = 0 if before is None else heads[before] + length[before]
        follows = 0 if after is None else tails[after]
        head_b = max(start, self._base_head(b, heads))
        head_a = max(head_b + length[b], self._base_head(a, heads))
        tail_a = max(length[a] + follows, self._base_tail(a, tails))
        tail_b = max(length[b] + tail_a, self._base_tail(b, tails))
        return max(head_b + tail_b, head_a + tail_a)

    def _base_head(self, k: int, heads: list[int]) -> int:
        return max([self._release[k], *[heads[source] + lag for source, lag in self._before[k]]])

    def _base_tail(self, k: int, tails: list[int]) -> int:
        return max([self._length[k], *[lag + tails[target] for target, lag in self._after[k]]])


def _ends(name: str, first: int, last: int) -> list[tuple[str, int]]:
    """Return the pairs at the ends of a block."""
    if last <= first:
        return []
    return [(name, first)] if last == first + 1 else [(name, first), (name, last - 1)]


def one_machine(tasks: Iterable[tuple[int, int, int]]) -> int:
    """Return when all is over at the earliest, of tasks (from when on, how long, what follows), one at a time.

    A task may be interrupted for one with more to follow, so this is a bound and no schedule.
    """
    coming = sorted(tasks)
    ready: list[list[int]] = []  # minus what follows, how much is left
    now = latest = place = 0
    while place < len(coming) or ready:
        if not ready:
            now = max(now, coming[place][0])
        while place < len(coming) and coming[place][0] <= now:
            heapq.heappush(ready, [-coming[place][2], coming[place][1]])
            place += 1
        task = ready[0]
        until = min(now + task[1], coming[place][0]) if place < len(coming) else now + task[1]
        task[1] -= until - now
        now = until
        if task[1] <= 0:
            heapq.heappop(ready)
            latest = max(latest, now - task[0])
    return latest
