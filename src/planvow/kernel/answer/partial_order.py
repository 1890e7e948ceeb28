"""Which steps of a plan must come before which, and which may run side by side.

Derived from any finished plan by running it once more on a state that notes reads and writes. Every sequence that keeps
the order runs through from the same start and ends in the same state (`planvow.kernel.time.causal` says why). Stated
relations that put one thing before another, and shared entities, order the steps of a timed plan further.

Steps are numbered from 0 in the order of the plan. Where many steps come before many, a **joint** stands between them
and is numbered after the steps, so that the order takes about as much room as what was read and written.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from types import GeneratorType
from typing import Any, NamedTuple

from planvow.kernel.domain.domain import Command, Method, Refusal
from planvow.kernel.domain.terms import Item, goals_of, item_json, item_text
from planvow.kernel.errors import NotReproducedError
from planvow.kernel.search.problem import Problem
from planvow.kernel.search.table import arguments
from planvow.kernel.search.watcher import Node
from planvow.kernel.time.causal import CausalOrder
from planvow.kernel.time.links import JOINT, Link, Role, Stated
from planvow.kernel.world.accesses import Accesses
from planvow.kernel.world.in_place_changes import call
from planvow.kernel.world.noting import NotingState, begin_notes, noted
from planvow.kernel.world.state import State


class Edge(NamedTuple):
    """One step, or joint, before another, and why."""

    before: int
    after: int
    reason: str
    """reads, writes, method reads, goal, ordered, relation or entity."""
    about: str
    """The predicate, the relation or the entity."""


@dataclass(frozen=True, kw_only=True, repr=False)
class PartialOrder:
    """The order of a plan's steps."""

    steps: tuple[Item, ...]
    """The commands, in the order of the plan."""
    links: tuple[Edge, ...]
    """The order between steps and joints; what follows from others by going along them may be left out."""
    ignored: Mapping[str, tuple[str, ...]]
    """Command → predicates that it touched in this plan and that were left out of account because it ignores them."""
    ordered: tuple[int, ...] = ()
    """Steps whose commands are declared `ordered`: they run beside nothing."""

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """The order between steps alone. Where many come before many that is as much as one times the other."""
        return tuple(edge for after in range(len(self.steps)) for edge in self._into(after))

    @cached_property
    def predecessors(self) -> tuple[tuple[int, ...], ...]:
        """For each step, in ascending order, those that come directly before it."""
        return tuple(tuple(sorted({edge.before for edge in self._into(i)})) for i in range(len(self.steps)))

    @cached_property
    def levels(self) -> tuple[tuple[int, ...], ...]:
        """The steps in rounds: all of a round may run side by side once the rounds before are over."""
        level = [0] * len(self._waiting)
        for number in self._walk(lambda n: n):
            for edge in self._out[number]:
                level[edge.after] = max(level[edge.after], level[number] + (number < len(self.steps)))
        rounds: list[list[int]] = [[] for _ in range(max(level[: len(self.steps)], default=-1) + 1)]
        for number in range(len(self.steps)):
            rounds[level[number]].append(number)
        return tuple(map(tuple, rounds))

    def sequence(self, priority: Callable[[int], object] = lambda number: number) -> tuple[int, ...]:
        """Return a sequence of the steps that keeps the order: of those that may come next, the least by `priority`."""
        return tuple(number for number in self._walk(priority) if number < len(self.steps))

    def allows(self, sequence: Sequence[int]) -> bool:
        """Say whether a sequence of all steps keeps the order."""
        place = {number: i for i, number in enumerate(sequence)}
        if len(sequence) != len(self.steps) or place.keys() != set(range(len(self.steps))):
            return False
        latest = [place.get(number, -1) for number in range(len(self._waiting))]
        for number in self._walk(lambda n: n):
            for edge in self._out[number]:
                if edge.after < len(self.steps):
                    if latest[number] >= latest[edge.after]:
                        return False
                else:
                    latest[edge.after] = max(latest[edge.after], latest[number])
        return True

    def as_dict(self) -> dict[str, Any]:
        """Return the order as JSON data."""
        return {
            "steps": [item_json(step) for step in self.steps],
            "edges": [list(edge) for edge in self.edges],
            "ignored": {name: list(predicates) for name, predicates in self.ignored.items()},
            "ordered": list(self.ordered),
        }

    def __repr__(self) -> str:
        return f"<PartialOrder: {len(self.steps)} steps in {len(self.levels)} rounds>"

    @cached_property
    def _out(self) -> list[list[Edge]]:
        out: list[list[Edge]] = [[] for _ in self._waiting]
        for edge in self.links:
            out[edge.before].append(edge)
        return out

    @cached_property
    def _in(self) -> list[list[Edge]]:
        into: list[list[Edge]] = [[] for _ in self._waiting]
        for edge in self.links:
            into[edge.after].append(edge)
        return into

    @cached_property
    def _waiting(self) -> list[int]:
        """For each step and joint, how many links lead to it."""
        size = max([len(self.steps), *(1 + max(edge.before, edge.after) for edge in self.links)])
        waiting = [0] * size
        for edge in self.links:
            waiting[edge.after] += 1
        return waiting

    def _walk(self, priority: Callable[[int], object]) -> Iterator[int]:
        """Yield steps and joints, each after all that come before it; joints as soon as they can be passed."""
        waiting, count = list(self._waiting), len(self.steps)
        free = [number for number, links in enumerate(waiting) if not links]
        heap: list[tuple[int, object, int]] = [(0, 0, n) if n >= count else (1, priority(n), n) for n in free]
        heapq.heapify(heap)
        while heap:
            number = heapq.heappop(heap)[2]
            yield number
            for edge in self._out[number]:
                waiting[edge.after] -= 1
                if not waiting[edge.after]:
                    after = edge.after
                    heapq.heappush(heap, (0, 0, after) if after >= count else (1, priority(after), after))

    def _into(self, after: int) -> Iterator[Edge]:
        """Yield one edge from each step that comes before a step directly or through joints."""
        seen, stack = set[int](), list(reversed(self._in[after]))
        while stack:
            edge = stack.pop()
            if edge.before in seen:
                continue
            seen.add(edge.before)
            if edge.before < len(self.steps):
                yield Edge(edge.before, after, edge.reason, edge.about)
            else:
                stack.extend(
                    Edge(inner.before, after, edge.reason, edge.about or inner.about)
                    for inner in reversed(self._in[edge.before])
                )


def order_of(problem: Problem, trail: Sequence[Node], stated: Iterable[Stated] = ()) -> PartialOrder:
    """Derive the order of a finished plan; raise if its functions answer otherwise than when it was found."""
    builder = _Builder()
    for node_id, (node, accesses) in enumerate(zip(trail, _accesses(problem, trail), strict=True), start=1):
        builder.take(node_id, node, accesses)
    builder.relate(trail, stated)
    return builder.order()


class _Builder:
    """Numbers the steps and joints of a plan as its nodes come."""

    def __init__(self) -> None:
        self._causal = CausalOrder(goes_back=False)
        self._links: list[Link] = []
        self._numbers: dict[int, int] = {}
        self._steps: list[Item] = []
        self._ignored: dict[str, dict[str, None]] = {}
        self._ordered: list[int] = []
        self._stated: list[tuple[list[int], list[int], Stated]] = []

    def take(self, node_id: int, node: Node, accesses: Accesses) -> None:
        parent_id, item, how, _ = node
        if isinstance(how, Command):
            for predicate in sorted(how.ignores & accesses.predicates()):
                self._ignored.setdefault(how.name, {})[predicate] = None
            if how.ordered:
                self._ordered.append(len(self._steps))
            self._numbers[node_id] = len(self._steps)
            self._steps.append(item)
            step = Role(is_ordered=how.ordered)
            self._links += self._causal.push_step(node_id, parent_id, accesses.without(how.ignores), step)
        elif isinstance(how, Method):
            self._links += self._causal.push_node(node_id, parent_id, accesses)
        else:
            self._links += self._causal.push_goals(parent_id, [goal[:2] for goal in goals_of(item)])

    def relate(self, trail: Sequence[Node], stated: Iterable[Stated]) -> None:
        """Put what is below one node before what is below another, as it was stated."""
        last, nodes = _last_below([parent_id for parent_id, _, _, _ in trail]), list(self._numbers)

        def below(node_id: int) -> list[int]:
            first, end = bisect_left(nodes, node_id), bisect_right(nodes, last[node_id])
            return list(range(first, end))  # steps are numbered in the order of their nodes

        self._stated = [(below(row.before), below(row.after), row) for row in stated]

    def order(self) -> PartialOrder:
        """Return the order; what was stated against the plan's own sequence gives way where it could not be kept.

        That happens only among steps that take no time: each may then be said to come before the other.
        """
        whole = self._order(self._stated)
        if not self._stated or len(whole.sequence()) == len(self._steps):
            return whole
        return self._order([row for row in self._stated if not (row[0] and row[1]) or row[0][-1] < row[1][0]])

    def _order(self, stated: Iterable[tuple[list[int], list[int], Stated]]) -> PartialOrder:
        count = len(self._steps)

        def number(point: Any) -> int:
            return count + point.owner - 1 if point.side == JOINT else self._numbers[point.owner]

        edges = [Edge(number(link.before), number(link.after), link.reason, link.about) for link in self._links]
        joint = 1 + max([count - 1, *(max(edge[:2]) for edge in edges)])
        for befores, afters, row in stated:
            if len(befores) > 1 < len(afters):
                edges += [Edge(before, joint, row.reason, row.about) for before in befores]
                befores, joint = [joint], joint + 1
            edges += [Edge(b, a, row.reason, row.about) for b in befores for a in afters]
        return PartialOrder(
            steps=tuple(self._steps),
            links=tuple(dict.fromkeys(edges)),
            ignored={name: tuple(predicates) for name, predicates in self._ignored.items()},
            ordered=tuple(self._ordered),
        )


def _accesses(problem: Problem, trail: Sequence[Node]) -> Iterator[Accesses]:
    """Run a plan once more; yield what each node's function read and wrote."""
    state = NotingState(problem.state)
    for index, (_, item, how, ordinal) in enumerate(trail):
        begin_notes(state)
        answer: object = state
        if isinstance(how, Command):
            if callable(how.duration):
                how.duration(state, *item[1:])
            answer = call(how.model, state, *item[1:])
            if isinstance(answer, State) and answer is not state:
                state.become(answer)
        elif isinstance(how, Method):
            answer = how.function(state, *arguments(item))
            if isinstance(answer, GeneratorType):
                answer = next(islice(answer, ordinal, None), None)
        if answer is None or answer is False or isinstance(answer, Refusal):
            why = answer.reason if isinstance(answer, Refusal) else "it does not apply"
            raise NotReproducedError(f"{item_text(item)}: {why}", place=f"node {index + 1}")
        yield noted(state)
        state._log.clear()  # nothing is taken back here


def _last_below(parents: Sequence[int]) -> list[int]:
    """Return for each node, by its id, the last one of those below it: ids count in pre-order."""
    last = list(range(len(parents) + 1))
    for node_id in range(len(parents), 0, -1):
        parent_id = parents[node_id - 1]
        last[parent_id] = max(last[parent_id], last[node_id])
    return last
