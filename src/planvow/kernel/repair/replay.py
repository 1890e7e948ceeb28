"""Walking a found path again: the commands and methods of a plan, one after the other, with no search.

The walk calls every function the plan rests on in the order of the path and checks that each gives the same answer
as before: a command still applies, a method's decomposition still has the same items, a goal still holds. With a
recording state it also tells what each node read and wrote, which is what a certificate is made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from types import GeneratorType
from typing import Any

from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Command, Method, Refusal
from planvow.kernel.domain.multigoals import unmet
from planvow.kernel.domain.propagator import is_constraint
from planvow.kernel.domain.terms import Check, Goal, Item, MultiGoal, bare_item, item_text
from planvow.kernel.errors import NotReproducedError
from planvow.kernel.search.problem import Problem
from planvow.kernel.search.table import CHECK, arguments
from planvow.kernel.search.watcher import Node
from planvow.kernel.world.in_place_changes import call
from planvow.kernel.world.recorder import RecordingState, Triple
from planvow.kernel.world.state import State


@dataclass(frozen=True, kw_only=True)
class ReplayedNode:
    """One node of a plan with what it read and wrote."""

    node_id: int
    parent_id: int
    kind: str
    item: Item
    method: str | None
    reads: tuple[Triple, ...]
    """Triples that were looked at, before any write of the node's own; an object may be ABSENT."""
    scans: tuple[str, ...]
    """Predicates that were walked through as a whole."""
    writes: tuple[Triple, ...]
    """Triples as the node left them; the object of a removed one is ABSENT."""


def replay_plan(result: Result) -> list[ReplayedNode]:
    """Return every node of a plan in order, with its reads and writes; `kind == "command"` selects the steps."""
    return list(replay(result.problem, result.trail))


def replay(problem: Problem, trail: Sequence[Node]) -> Iterator[ReplayedNode]:
    """Walk a path from the problem's initial state, yielding what each node read and wrote."""
    state = RecordingState(problem.state)
    walk = Walk(state, trail)
    for index, (parent_id, item, how, _) in enumerate(trail):
        objection = walk.step(index)
        if objection is not None:
            raise NotReproducedError(f"{item_text(item)}: {objection}", place=f"node {index + 1}")
        reads, scans, writes = state.take()
        yield ReplayedNode(
            node_id=index + 1,
            parent_id=parent_id,
            kind=how if isinstance(how, str) else how.kind,
            item=item.goal if isinstance(item, Check) else item,
            method=how.name if isinstance(how, Method) else None,
            reads=reads,
            scans=scans,
            writes=writes,
        )


class Walk:
    """Repeats the nodes of a path on a state."""

    def __init__(self, state: State, trail: Sequence[Node]) -> None:
        self._state = state
        self._trail = trail
        self._children: list[list[object]] = [[] for _ in range(len(trail) + 1)]
        for parent_id, item, _, _ in trail:
            self._children[parent_id].append(item)
        self.constraints: tuple[Any, ...] = ()
        """What the last method's decomposition held beside items."""

    def step(self, index: int) -> str | None:
        """Repeat one node; return how it differs from before, or None."""
        _, item, how, ordinal = self._trail[index]
        if isinstance(how, Command):
            return self._command(how, item)
        if isinstance(how, Method):
            return self._method(index + 1, how, item, ordinal)
        goals = item.goals if how is CHECK else list(item.goals()) if isinstance(item, MultiGoal) else [Goal(*item)]
        missing = unmet(self._state, goals)
        return f"{item_text(missing[0])} does not hold" if missing else None

    def _command(self, command: Command, item: Any) -> str | None:
        answer = call(command.model, self._state, *item[1:])
        if answer is self._state:
            return None
        if isinstance(answer, State):
            self._state.become(answer)
            return None
        return answer.reason if isinstance(answer, Refusal) else f"{command.name} does not apply"

    def _method(self, node_id: int, method: Method, item: object, ordinal: int) -> str | None:
        answer = method.function(self._state, *arguments(item))
        if isinstance(answer, GeneratorType):
            answer = next(islice(answer, ordinal, None), None)
        if not isinstance(answer, list | tuple):
            return answer.reason if isinstance(answer, Refusal) else f"{method.name} does not apply"
        self.constraints = tuple(part for part in answer if is_constraint(part))
        before = self._children[node_id]
        if len(answer) == len(before) and all(a == b for a, b in zip(answer, before, strict=True)):
            return None
        now = [bare_item(part) for part in answer if not is_constraint(part)]
        before = [bare_item(child) for child in before if not isinstance(child, Check)]
        return None if now == before else f"{method.name} now gives another decomposition"
