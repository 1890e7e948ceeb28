"""planvow and Aries on the same problems of unified-planning: the same verdicts, and each accepts the other's plans."""

from __future__ import annotations

from pathlib import Path

import pytest
import unified_planning
from unified_planning.engines.results import PlanGenerationResultStatus as Status
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import OneshotPlanner, PlanValidator, get_environment
from unified_planning.test.examples.hierarchical import get_example_problems

from planvow.adapters.unified_planning import certify, register
from up_problems import BY_FEATURE, World

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

FILES = Path(unified_planning.__file__).parent / "test"
READ = {
    "htn-transport": ("pddl/htn-transport/domain.hddl", "pddl/htn-transport/problem.hddl"),
    "towers": ("hddl/2020-to-Towers/domain.hddl", "hddl/2020-to-Towers/instance.1.pb.hddl"),
    "robot": ("hddl/2020-to-Robot/domain.hddl", "hddl/2020-to-Robot/instance.1.pb.hddl"),
}


def _impossible():
    world = World()
    world.method().add_precondition(world.ready(world.problem.method("by_use").x))
    world.to_do(world.a)
    return world.problem


def _problems():
    yield "htn-go", lambda: get_example_problems()["htn-go"].problem
    yield "impossible", _impossible
    for name, (domain, problem) in READ.items():
        yield name, lambda d=domain, p=problem: PDDLReader().parse_problem(str(FILES / d), str(FILES / p))
    for feature, (make, _) in BY_FEATURE.items():
        yield feature, lambda make=make: make().problem


PROBLEMS = dict(_problems())
SOLVED = {Status.SOLVED_SATISFICING, Status.SOLVED_OPTIMALLY}


def answer(name, problem):
    with OneshotPlanner(name=name) as planner:
        return planner.solve(problem, timeout=60)


def accepted(name, problem, plan):
    with PlanValidator(name=name) as validator:
        return bool(validator.validate(problem, plan))


@pytest.mark.parametrize("name", PROBLEMS)
def test_both_engines_agree_and_accept_each_others_plans(name):
    get_environment().credits_stream = None
    register()
    problem = PROBLEMS[name]()
    ours = answer("planvow", problem)
    if not get_environment().factory.engine("aries").supports(problem.kind):
        assert ours.status in SOLVED
        return
    theirs = answer("aries", problem)
    assert (ours.status in SOLVED) == (theirs.status in SOLVED)
    if theirs.plan is not None:
        assert accepted("planvow", problem, theirs.plan)
        assert certify(problem, theirs.plan).verify().accepted
        # Aries' validator rejects Aries' own plans where the initial network has actions or a method has constraints.
        if accepted("aries-val", problem, theirs.plan):
            assert accepted("aries-val", problem, ours.plan)


def test_most_plans_are_really_shown_to_the_other_validator():
    get_environment().credits_stream = None
    register()
    for name in ("htn-go", "htn-transport", "TASK_ORDER_PARTIAL", "METHOD_PRECONDITIONS", "OBJECT_FLUENTS"):
        problem = PROBLEMS[name]()
        assert accepted("aries-val", problem, answer("planvow", problem).plan), name
