"""Every feature that the engines declare is planned with, and what is not declared is refused by name."""

from __future__ import annotations

import pytest
from unified_planning.engines.results import PlanGenerationResultStatus as Status
from unified_planning.model.htn import HierarchicalProblem, Method, Task
from unified_planning.shortcuts import (
    GE,
    LT,
    AnytimePlanner,
    BoolType,
    DurativeAction,
    Equals,
    Exists,
    Fluent,
    InstantaneousAction,
    IntType,
    MaximizeExpressionOnFinalState,
    MinimizeActionCosts,
    MinimizeSequentialPlanLength,
    OneshotPlanner,
    PlanValidator,
    RealType,
    SimulatedEffect,
    StartTiming,
    Timing,
    Variable,
    get_environment,
)

from planvow.adapters.unified_planning import register, to_hddl
from planvow.adapters.unified_planning.kinds import FEATURES
from planvow.adapters.unified_planning.problems.errors import UpCycleError, UpModelError, UpUnsupportedError
from planvow.hddl import parse_domain, parse_problem
from up_problems import BY_FEATURE, Thing, World

NEVER_SAID = {"STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS", "STATIC_FLUENTS_IN_OBJECT_ASSIGNMENTS"}
"""Features that unified-planning 1.3 knows and finds in no problem: it counts such fluents with those that change."""


@pytest.fixture(autouse=True)
def engines():
    get_environment().credits_stream = None
    register()


def actions(plan):
    return [str(action) for action in plan.action_plan.actions]


def test_every_declared_feature_has_a_problem():
    assert set(BY_FEATURE) == set(FEATURES)


@pytest.mark.parametrize("feature", FEATURES)
def test_a_declared_feature_decides_the_plan(feature):
    make, expected = BY_FEATURE[feature]
    problem = make().problem
    assert feature in problem.kind.features or feature in NEVER_SAID
    with AnytimePlanner(name="planvow") as planner:
        *_, last = planner.get_solutions(problem)
    assert last.status is Status.SOLVED_OPTIMALLY
    assert actions(last.plan) == expected
    with PlanValidator(name="planvow") as validator:
        assert validator.validate(problem, last.plan)


@pytest.mark.parametrize("feature", FEATURES)
def test_a_translated_problem_is_what_its_text_says(feature):
    translation = to_hddl(BY_FEATURE[feature][0]().problem)
    assert parse_problem(translation.problem_text, parse_domain(translation.domain_text)) == translation.problem


def _timed():
    world = World()
    world.method()
    (todo,) = world.to_do(world.a)
    world.problem.task_network.add_constraint(LT(Timing(0, todo.end), Timing(100, todo.start)))
    return world.problem


def _durative():
    world = World()
    wait = DurativeAction("wait")
    wait.set_fixed_duration(3)
    world.problem.add_action(wait)
    return world.problem


def _numeric(kind):
    world = World()
    world.problem.add_fluent(Fluent("fuel", kind), default_initial_value=3)
    return world.problem


def _numeric_effect():
    world = World()
    fuel = world.problem.add_fluent(Fluent("fuel", IntType()), default_initial_value=3)
    world.use.add_precondition(GE(fuel, 1))
    world.use.add_decrease_effect(fuel, 1)
    return world.problem


def _number_parameter():
    world = World()
    world.action("turn", degrees=IntType(0, 3))
    return world.problem


def _truth_parameter():
    world = World()
    world.problem.add_task("tell", truth=BoolType())
    return world.problem


def _simulated():
    world = World()
    world.use.set_simulated_effect(SimulatedEffect([world.ready(world.use.x)], lambda *_: []))
    return world.problem


def _timed_goal():
    world = World()
    world.problem.add_timed_goal(StartTiming(5), world.done(world.a))
    return world.problem


def _timed_effect():
    world = World()
    world.problem.add_timed_effect(StartTiming(5), world.done(world.a), True)
    return world.problem


def _trajectory():
    world = World()
    manager = get_environment().expression_manager
    world.problem.add_trajectory_constraint(manager.Always(world.ready(world.a)))
    return world.problem


def _final_value():
    problem = _numeric(IntType())
    problem.add_quality_metric(MaximizeExpressionOnFinalState(problem.fluent("fuel")))
    return problem


def _real_costs():
    world = World()
    world.problem.add_quality_metric(MinimizeActionCosts({world.use: 1.5}))
    return world.problem


def _two_metrics():
    world = World()
    world.problem.add_quality_metric(MinimizeActionCosts({world.use: 1}))
    world.problem.add_quality_metric(MinimizeSequentialPlanLength())
    return world.problem


def _quantified_constraint():
    world = World()
    method = world.method()
    other = Variable("other", Thing)
    method.add_constraint(Exists(Equals(method.x, other), other))
    return world.problem


def _fluent_argument():
    world = World()
    holds = world.place("holds", world.a)
    world.problem.task_network.add_subtask(world.work, holds())
    return world.problem


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (_timed, "the initial task network has constraints on times"),
        (_durative, "the action wait is a DurativeAction"),
        (lambda: _numeric(IntType()), "the fluent fuel is a number (integer)"),
        (lambda: _numeric(RealType()), "the fluent fuel is a number (real)"),
        (_numeric_effect, "the fluent fuel is a number (integer)"),
        (_number_parameter, "degrees in the action turn is of type integer[0, 3]"),
        (_truth_parameter, "truth in the task tell is of type bool"),
        (_simulated, "the action use has a simulated effect"),
        (_timed_goal, "timed goals"),
        (_timed_effect, "timed effects"),
        (_trajectory, "trajectory constraints"),
        (_final_value, "maximize"),
        (_real_costs, "the action use costs 3/2"),
        (_two_metrics, "2 quality metrics"),
        (_quantified_constraint, "the method by_use has the constraint"),
        (_fluent_argument, "the fluent holds as an argument"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_is_not_planned_with_is_refused_by_name(make, named):
    problem = make()
    with pytest.raises(UpUnsupportedError) as refused:
        to_hddl(problem)
    assert named in str(refused.value)
    with OneshotPlanner(name="planvow") as planner:
        planner.skip_checks = True  # else unified-planning warns first, where the kind says it already
        result = planner.solve(problem)
    assert result.status is Status.UNSUPPORTED_PROBLEM
    assert result.plan is None
    assert "UP_UNSUPPORTED" in result.log_messages[0].message
    assert named in result.log_messages[0].message


def test_a_circle_in_the_order_is_refused_with_the_subtasks_on_it():
    world = World()
    world.method()
    first, second = world.to_do(world.a, world.b)
    world.problem.task_network.set_ordered(first, second, first)
    with pytest.raises(UpCycleError, match=f"none of {first.identifier}, {second.identifier} can be the first"):
        to_hddl(world.problem)
    with OneshotPlanner(name="planvow") as planner:
        result = planner.solve(world.problem)
    assert result.status is Status.UNSUPPORTED_PROBLEM
    assert "UP_CYCLE" in result.log_messages[0].message


def test_a_problem_that_refers_to_what_it_does_not_have_is_refused_by_name():
    stray = InstantaneousAction("stray")
    world = World()
    world.problem.task_network.add_subtask(stray)
    with pytest.raises(UpModelError, match="the action stray, which the problem does not have"):
        to_hddl(world.problem)
    world = World()
    world.problem.task_network.add_subtask(Task("lost"))
    with pytest.raises(UpModelError, match="the task lost"):
        to_hddl(world.problem)
    world, elsewhere = World(), World()
    (mine,), (other,) = world.to_do(world.a), elsewhere.to_do(elsewhere.a)
    world.problem.task_network.set_ordered(mine, other)
    with pytest.raises(UpModelError, match=f"orders the subtask {other.identifier}"):
        to_hddl(world.problem)
    world = World()
    world.problem.add_fluent(Fluent("open"))
    with pytest.raises(UpModelError, match="the fluent open has no initial value"):
        to_hddl(world.problem)


def test_an_empty_network_has_the_empty_plan_and_no_other():
    world = World()
    with OneshotPlanner(name="planvow") as planner:
        result = planner.solve(world.problem)
        assert (result.status, actions(result.plan)) == (Status.SOLVED_SATISFICING, [])
        world.problem.add_goal(world.done(world.a))
        assert planner.solve(world.problem).status is Status.UNSOLVABLE_PROVEN


def test_names_that_hddl_cannot_write_are_written_and_come_back():
    environment = get_environment()
    environment.error_used_name, before = False, environment.error_used_name
    try:
        problem = _with_strange_names()
    finally:
        environment.error_used_name = before
    translation = to_hddl(problem)
    assert parse_problem(translation.problem_text, parse_domain(translation.domain_text)) == translation.problem
    with OneshotPlanner(name="planvow") as planner:
        plan = planner.solve(problem).plan
    assert actions(plan) == ["and(a b)", "And(a-b)", "and(AND)"]
    assert [instance.method.name for _, instance in plan.methods()] == ["go home", "go home"]


def _with_strange_names():
    """Return a problem whose task and method share a name, with blanks, capitals and words of HDDL for names."""
    problem = HierarchicalProblem("a (strange) name")
    objects = [problem.add_object(name, Thing) for name in ("a b", "a-b", "AND", "A B", "1", "")]
    lower, upper = InstantaneousAction("and", x=Thing), InstantaneousAction("And", x=Thing)
    problem.add_actions([lower, upper])
    task = problem.add_task("go home", define=Thing)
    method = Method("go home", define=Thing)
    method.set_task(task)
    method.add_subtask(lower, method.define)
    problem.add_method(method)
    network = problem.task_network
    network.set_ordered(
        network.add_subtask(task, objects[0]),
        network.add_subtask(upper, objects[1]),
        network.add_subtask(task, objects[2]),
    )
    return problem
