"""The ways that a generator would have offered after the one that was taken.

A search stops asking a generator when one of its ways led to a plan. To show the others, the path is walked once more
and each generator on it asked for a few ways further, in the state that it saw. It is given so many lines to answer:
one that would look for another way without an end is left alone.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from types import GeneratorType
from typing import TYPE_CHECKING, Any

from planvow.kernel.domain.domain import Command, Method
from planvow.kernel.domain.propagator import is_constraint
from planvow.kernel.domain.terms import Annotated, item_text
from planvow.kernel.search.problem import Problem
from planvow.kernel.search.table import arguments
from planvow.kernel.search.watcher import Node
from planvow.kernel.world.in_place_changes import call
from planvow.kernel.world.state import State

if TYPE_CHECKING:
    from _typeshed import TraceFunction

SHOWN = 3
"""Ways shown of each generator beyond the one that was taken."""
LINES = 20_000
"""Lines of Python that a generator may run for them."""


@dataclass(frozen=True, kw_only=True)
class Ways:
    """The ways after the one that was taken: which, and what they ask for."""

    further: tuple[tuple[int, Sequence[object]], ...] = ()


def is_generator(method: Method) -> bool:
    """Say whether a method may offer several ways."""
    return inspect.isgeneratorfunction(inspect.unwrap(method.function))


def offers(subtasks: Sequence[Any]) -> str:
    """Return what a decomposition asks for, in words."""
    items = [part for part in subtasks if not is_constraint(part)]
    return ", ".join(item_text(item) for item in items) or "nothing to do"


def further_ways(problem: Problem, trail: Sequence[Node]) -> dict[int, Ways]:
    """Return the further ways of each generator on a path, by node id."""
    asked = {node_id for node_id, node in enumerate(trail, start=1) if _may_offer_more(node)}
    found: dict[int, Ways] = {}
    if not asked:
        return found
    state, last = problem.state.journaled(), max(asked)
    with suppress(Exception):  # what cannot be walked again is explained without these
        for node_id, (_, item, how, ordinal) in enumerate(trail[:last], start=1):
            if isinstance(how, Command):
                answer = call(how.model, state, *item[1:])
                if isinstance(answer, State) and answer is not state:
                    state.become(answer)
            elif node_id in asked:
                found[node_id] = Ways(further=_after(how.function(state, *arguments(item)), ordinal))
    return found


def _may_offer_more(node: Node) -> bool:
    return isinstance(node[2], Method) and is_generator(node[2])


class _TooLongError(BaseException):
    """No Exception: the generator may catch those."""


def _after(ways: object, ordinal: int) -> tuple[tuple[int, Sequence[object]], ...]:
    """Return the ways of a generator after one of them, as far as it gets."""
    further: list[tuple[int, Sequence[object]]] = []
    if not isinstance(ways, GeneratorType):
        return ()
    before = sys.gettrace()
    sys.settrace(_limit(LINES))
    try:
        for place, way in islice(enumerate(ways), ordinal + 1, ordinal + 1 + SHOWN):
            if isinstance(way, list | tuple):
                further.append((place, tuple(part.item if isinstance(part, Annotated) else part for part in way)))
    except (Exception, _TooLongError):  # it says no more
        pass
    finally:
        sys.settrace(before)
    return tuple(further)


def _limit(lines: int) -> TraceFunction:
    left = [lines]

    def follow(frame: object, event: str, argument: object) -> TraceFunction:
        left[0] -= 1
        if left[0] < 0:
            raise _TooLongError
        return follow

    return follow
