"""The fewest moves from a set of words to a goal, or the cheapest where they have costs: A* forwards over states.

States are sets of words as bits. A state is kept with the fewest moves that lead to it, and taken up again only where
fewer do. The bound (`bound.py`) never says too much, so the first plan that comes up is proved shortest. A child is put
in line with its parent's bound, less the move's cost where the bound counted it, and gets its own only when its turn
comes. Everything is numbered: the same moves give the same plan.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from heapq import heappop, heappush
from typing import NamedTuple

from planvow.errors import InputError
from planvow.goals.plan.bound import LandmarkBound, Move


class Proof(StrEnum):
    """What a search has shown."""

    MINIMAL = "proved_minimal"
    WITHIN_BUDGET = "minimal_within_budget"
    NO_PLAN = "no_plan"
    CALL_LIMIT = "chain_limit"
    BUDGET = "budget_exceeded"


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How long a plan may be, and how many times the search may look at a tool.

    >>> GoalPlanner(limits=Limits(max_calls=3)) is not None, Limits().max_calls
    (True, 100)
    """

    max_calls: int = 100
    """How many calls a plan may have."""
    max_steps: int = 10_000_000

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise InputError("expected a whole number of at least 1", place=f"limits.{name}")


class Found(NamedTuple):
    """The moves, by number, and what is known of them; none when there is no plan or none was found."""

    verdict: Proof
    moves: tuple[int, ...] = ()


def fewest_moves(moves: list[Move], start: int, goal: int, limits: Limits) -> Found:
    """Return the shortest sequence of moves after which every word of the goal holds."""
    possible, longest = LandmarkBound(moves, goal).possible(start)
    if longest is None:
        return Found(Proof.NO_PLAN)
    if longest > limits.max_calls:
        return Found(Proof.CALL_LIMIT)
    found = _Search([moves[i] for i in possible], start, goal, limits).run()
    return Found(found.verdict, tuple(possible[i] for i in found.moves))


class _Search:
    def __init__(self, moves: list[Move], start: int, goal: int, limits: Limits) -> None:
        self.moves, self.start, self.goal, self.limits = moves, start, goal, limits
        self.bound = LandmarkBound(moves, goal)
        self.made = {start: 0}
        """The fewest moves known to each state."""
        self.came_by: dict[int, tuple[int, int]] = {}
        self.bounds: dict[int, int | None] = {}
        self.counted: dict[int, bytes] = {}
        """The moves that a state's bound counted, until it has its children."""
        self.line: list[tuple[int, int, int, int, int]] = []
        self.order = 0
        self.cut_off = False

    def run(self) -> Found:
        if forced := self._forced():
            return Found(Proof.MINIMAL, forced)
        self._put(self.start, 0, 0)
        while self.line:
            total, _, _, made, state = heappop(self.line)
            if made > self.made[state]:
                continue
            if state & self.goal == self.goal:
                return Found(Proof.MINIMAL, self._path(state))
            if self.bound.steps > self.limits.max_steps:
                return self._out_of_budget(total)
            left = self._bound(state)
            if left is None:
                continue
            if made + left > total:  # its turn comes later
                self._put(state, made, left)
                continue
            self._children(state, made, left)
        return Found(Proof.CALL_LIMIT if self.cut_off else Proof.NO_PLAN)

    def _forced(self) -> tuple[int, ...]:
        """Return the moves that every plan makes, where they are a plan when each is made as soon as it can be, the
        lowest number first: what the search would find, however long."""
        left, state, path = self.bound.forced(self.start), self.start, []
        while left:
            number = next((number for number in left if not self.moves[number].needs & ~state), None)
            if number is None:
                return ()
            left.remove(number)
            path.append(number)
            state = (state & ~self.moves[number].deletes) | self.moves[number].adds
        if state & self.goal != self.goal:  # what costs nothing is never counted
            free = (i for i, move in enumerate(self.moves) if not move.cost and not move.needs & ~state)
            path += [i for i in free if (state | self.moves[i].adds) & self.goal == self.goal][:1]
            state |= self.moves[path[-1]].adds if path else 0
        cost = sum(self.moves[number].cost for number in path)
        return tuple(path) if state & self.goal == self.goal and cost <= self.limits.max_calls else ()

    def _bound(self, state: int) -> int | None:
        if state not in self.bounds:
            self.bounds[state], self.counted[state] = self.bound.counting(state)
        return self.bounds[state]

    def _put(self, state: int, made: int, left: int) -> None:
        if made + left > self.limits.max_calls:
            self.cut_off = True
            return
        # Among equals the one nearer to the goal, then the one that came first: moves are in order of name.
        self.order += 1
        heappush(self.line, (made + left, left, self.order, made, state))

    def _children(self, state: int, made: int, left: int) -> None:
        self.bound.steps += len(self.moves)
        counted = self.counted.pop(state, None) or self.bound.counting(state)[1]
        for number, move in enumerate(self.moves):
            if move.needs & ~state:
                continue
            after = (state & ~move.deletes) | move.adds
            then = made + move.cost
            if then < self.made.get(after, then + 1):
                self.made[after] = then
                self.came_by[after] = (state, number)
                still = left - move.cost if counted[number] else left
                self._put(after, then, max(still, self.bounds.get(after) or 0))

    def _path(self, state: int) -> tuple[int, ...]:
        path = []
        while state != self.start:
            state, number = self.came_by[state]
            path.append(number)
        return tuple(reversed(path))

    def _out_of_budget(self, at_least: int) -> Found:
        """Return the rough plan where it works: proved shortest if no shorter one is left to be found."""
        rough = self._without_excess(self.bound.rough_plan(self.start))
        cost = sum(self.moves[number].cost for number in rough)
        if not rough or cost > self.limits.max_calls:
            return Found(Proof.BUDGET)
        return Found(Proof.MINIMAL if cost <= at_least else Proof.WITHIN_BUDGET, tuple(rough))

    def _without_excess(self, plan: list[int]) -> list[int]:
        if not self._works(plan):
            return []
        for number in reversed(plan):
            rest = [other for other in plan if other != number]
            if self._works(rest):
                plan = rest
        return plan

    def _works(self, plan: list[int]) -> bool:
        state = self.start
        for number in plan:
            move = self.moves[number]
            if move.needs & ~state:
                return False
            state = (state & ~move.deletes) | move.adds
        return state & self.goal == self.goal
