"""Goals whose values are lists or dictionaries: as good as any others, wherever items are looked up."""

from __future__ import annotations

import pytest

from planvow import Domain, Goal, State, plan
from planvow.kernel.domain.terms import attach_metadata

boxes = Domain("boxes")


@boxes.command(duration=3)
def put(state, box, things):
    state.inside[box] = things
    return state


@boxes.method(goal="inside")
def by_putting(state, box, things):
    return [("put", box, things)]


@boxes.method(task="pack")
def one_after_the_other(state):
    return [Goal("inside", "a", ["cup"]), [Goal("inside", "b", {"cups": [1, 2]})]]


@pytest.mark.parametrize("how", [{}, {"loop_guard": "search"}, {"selection": "learned"}, {"optimal": "cost"}])
@pytest.mark.parametrize(
    "item",
    [("pack",), Goal("inside", "a", ["cup"]), attach_metadata(Goal("inside", "a", ["cup"]), {"deadline": 9})],
    ids=["from a method", "on the agenda", "with a deadline"],
)
def test_a_goal_may_want_a_list(item, how):
    result = plan(boxes, State(inside={}), [item], **how)
    assert result.success
    assert result.plan[0] == ("put", "a", ["cup"])
    assert result.certificate().verify().accepted


def test_a_goal_on_the_agenda_does_not_change_with_the_list_it_was_made_of():
    things = ["cup"]
    result = plan(boxes, State(inside={}), [Goal("inside", "a", things)])
    things.append("plate")
    assert result.problem.todo == (Goal("inside", "a", ["cup"]),)
