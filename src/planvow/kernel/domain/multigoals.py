"""Which goals hold in a state, and the method that every multigoal has: reach what does not hold, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from planvow.kernel.domain.domain import Method
from planvow.kernel.domain.terms import Goal, MultiGoal

if TYPE_CHECKING:
    from planvow.kernel.world.state import State


def unmet(state: State, goals: Iterable[Goal]) -> list[Goal]:
    """Return the goals that do not hold."""
    return [goal for goal in goals if not holds(state, goal)]


def holds(state: State, goal: Goal) -> bool:
    """Say whether a goal's triple is in the state."""
    return (
        bool(type(state).has(state, goal.subject, goal.predicate))
        and state.get_predicate(goal.subject, goal.predicate) == goal.value
    )


def split_multigoal(state: Any, multigoal: MultiGoal) -> Iterator[list[Any]]:
    """Reach the unmet goals one by one, then look at the whole again: in the order as written, or in any other.

    The default method of every multigoal. A goal undone on the way to a later one is reached again; the loop guard ends
    the search on this path when that leads nowhere. Other orders come one goal at a time, so that what begins the same
    is worked out once.

    >>> next(split_multigoal(start, MultiGoal(at={"ann": "park"})))
    [Goal(predicate='at', subject='ann', value='park'), MultiGoal({'at': {'ann': 'park'}})]
    """
    todo = unmet(state, multigoal.goals())
    yield [*todo, multigoal] if todo else []
    if len(todo) > 1:
        for goal in todo:
            yield [goal, multigoal]


SPLIT = Method(name="split_multigoal", function=split_multigoal, subject="", kind="multigoal")
