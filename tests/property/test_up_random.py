"""Random problems of unified-planning: the answer is that of a search made of unified-planning's own parts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unified_planning.engines.results import PlanGenerationResultStatus as Status
from unified_planning.shortcuts import AnytimePlanner, PlanValidator, get_environment

from planvow.adapters.unified_planning import certify, register, to_hddl
from planvow.hddl import parse_domain, parse_problem
from up_problems import random_problem
from up_reference import Reference

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def check(seed: int) -> Status:
    get_environment().credits_stream = None
    register()
    problem = random_problem(seed)
    try:
        shortest = Reference(problem).shortest()
    except OverflowError:
        return Status.INTERMEDIATE
    with AnytimePlanner(name="planvow") as planner:
        *_, last = planner.get_solutions(problem)
    if shortest is None:
        assert (last.status, last.plan) == (Status.UNSOLVABLE_PROVEN, None)
        return last.status
    actions = last.plan.action_plan
    length = len(actions.actions)
    assert length == shortest if last.status is Status.SOLVED_OPTIMALLY else length >= shortest
    with PlanValidator(name="planvow") as validator:
        assert validator.validate(problem, last.plan)
    with PlanValidator(name="sequential_plan_validator") as validator:
        validator.skip_checks = True  # it knows nothing of hierarchies, but whether the actions can be done
        assert validator.validate(problem, actions)
    return last.status


@settings(max_examples=40, deadline=None)
@given(st.integers(min_value=0, max_value=1_000_000))
def test_plans_are_valid_for_unified_planning_and_there_is_one_exactly_when_its_own_parts_find_one(seed):
    check(seed)


@settings(max_examples=15, deadline=None)
@given(st.integers(min_value=0, max_value=1_000_000))
def test_random_problems_are_what_their_hddl_says_and_their_plans_are_certified(seed):
    problem = random_problem(seed)
    translation = to_hddl(problem)
    assert parse_problem(translation.problem_text, parse_domain(translation.domain_text)) == translation.problem
    register()
    with AnytimePlanner(name="planvow", params={"improve": 1}) as planner:
        *_, last = planner.get_solutions(problem)
    if last.plan is not None:
        assert certify(problem, last.plan).verify().accepted


@pytest.mark.slow
def test_a_thousand_random_problems_have_the_right_answers():
    ended = [check(seed) for seed in range(1000)]
    assert ended.count(Status.SOLVED_OPTIMALLY) > 200
    assert ended.count(Status.UNSOLVABLE_PROVEN) > 200
