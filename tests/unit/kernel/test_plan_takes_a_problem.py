"""`plan(problem)` plans for a problem as it is, options included."""

from __future__ import annotations

import pytest

from planvow import Budgets, Domain, State, make_problem, plan
from planvow.errors import InputError

count = Domain("count")


@count.command
def up(state, name):
    state.at[name] = state.at[name] + 1
    return state


@count.method(task="climb")
def step_by_step(state, name, top):
    return [("up", name), ("climb", name, top)] if state.at[name] < top else []


def problem(**options):
    return make_problem(count, State(at={"ann": 0}), [("climb", "ann", 3)], **options)


def test_a_problem_is_planned_for_whole():
    assert plan(problem()).plan == (("up", "ann"),) * 3


def test_its_options_are_kept():
    assert plan(problem(budgets=Budgets(max_iterations=1))).status == "budget_exceeded"


@pytest.mark.parametrize(
    ("arguments", "options"), [((State(),), {}), ((None, []), {}), ((), {"budgets": Budgets(max_depth=1)})]
)
def test_parts_beside_a_problem_are_refused(arguments, options):
    with pytest.raises(InputError, match="planned for as it is"):
        plan(problem(), *arguments, **options)


def test_a_domain_alone_is_no_problem():
    with pytest.raises(InputError, match="with a state and an agenda"):
        plan(count)
