"""Search finds a plan exactly when there is one: brute force, replays, explanations and GTPyhop agree with it."""

from __future__ import annotations

import contextlib
import io

import pytest

from planvow import Budgets, Domain, State, Status, plan, plans, replan
from planvow.kernel.answer.explanation import NOT_TRIED
from planvow.kernel.domain.domain import Method
from planvow.kernel.repair.replan import solution_tree
from planvow.kernel.repair.replay import Walk, replay_plan
from planvow.kernel.search.loop_guard import LOOP, NESTED
from random_domains import agenda_of, domain_of, end_states, facts_of, functions, random_description, start_of

ENOUGH = Budgets(max_iterations=5_000)


def solved(description, **options):
    options.setdefault("budgets", ENOUGH)
    return plan(domain_of(description), start_of(description), agenda_of(description), **options)


@pytest.mark.parametrize("block", range(10))
def test_a_plan_is_found_exactly_when_brute_force_finds_an_end_state(block):
    for seed in range(block * 100, block * 100 + 100):
        description = random_description(seed)
        ends = end_states(description)
        result = solved(description)
        assert result.success == bool(ends), seed
        if result.success:
            assert facts_of(result.final_state) in ends, seed
            assert tuple(n.item for n in replay_plan(result) if n.kind == "command") == result.plan
        elif result.hit is not None:  # only endless left recursion may end without a proof
            assert result.status is Status.BUDGET_EXCEEDED


@pytest.mark.parametrize("block", range(4))
def test_without_recursion_no_plan_is_always_proven(block):
    for seed in range(block * 100, block * 100 + 100):
        description = random_description(seed, recursive=False)
        result = solved(description)
        assert result.status in (Status.SOLVED, Status.SATISFIED, Status.NO_PLAN)
        assert result.success == bool(end_states(description)), seed


@pytest.mark.parametrize(
    "options",
    [
        {"loop_guard": "search", "budgets": Budgets(max_iterations=500)},
        {"budgets": Budgets(max_iterations=5_000, max_depth=1_000)},
        {"selection": "learned"},
        {"selection": "cost"},
        {"blacklist": [("never",)]},
        {"optimal": "steps", "budgets": Budgets(max_iterations=1_500)},
    ],
    ids=str,
)
def test_no_way_of_searching_loses_a_plan_or_invents_one(options):
    for seed in range(150):
        description = random_description(seed)
        assert solved(description, **options).success == bool(end_states(description)), seed


def test_the_end_states_of_all_plans_are_those_of_brute_force():
    for seed in range(300):
        description = random_description(seed, recursive=False)
        found = plans(domain_of(description), start_of(description), agenda_of(description), limit=200)
        reached = [facts_of(result.final_state) for result in found]
        if len(reached) < 200:
            assert set(reached) == end_states(description), seed


def test_the_proven_shortest_plan_is_as_short_as_the_shortest_of_all():
    for seed in range(200):
        description = random_description(seed, recursive=False)
        lengths = [len(r.plan) for r in plans(domain_of(description), start_of(description), agenda_of(description))]
        best = solved(description, optimal="steps")
        if lengths:
            assert (best.cost, best.proven_optimal) == (min(lengths), True), seed
        else:
            assert best.status is Status.NO_PLAN


def test_every_explained_rejection_is_confirmed_by_planning_with_only_that_method():
    confirmed = 0
    for seed in range(700):
        description = random_description(seed, recursive=False)
        result = solved(description)
        if not result.success:
            continue
        tree = solution_tree(result)
        for decision in result.explanation.decisions:
            state = start_of(description).draft()
            walk = Walk(state, result.trail)
            for index in range(decision.node_id - 1):
                assert walk.step(index) is None
            agenda = list(tree.pending(decision.node_id))
            for alternative in decision.alternatives:
                if alternative.verdict == NOT_TRIED:
                    continue
                only = domain_of(description)
                task = decision.item[0]
                only.method(task="only", name=alternative.method)(
                    next(m.function for m in only.task_methods[task] if m.name == alternative.method)
                )
                assert not plan(only, state, [("only",), *agenda[1:]]).success, (seed, decision, alternative)
                confirmed += 1
    assert confirmed > 50


def test_a_search_that_ran_in_circles_can_be_explained():
    circles = 0
    for seed in range(400):
        description = random_description(seed)
        result = solved(description)
        explanation = result.explanation
        if result.success:
            methods = [how.name for _, _, how, _ in result.trail if isinstance(how, Method)]
            assert [decision.method for decision in explanation.decisions] == methods, seed
        ends = [explanation.deepest.reason] if explanation.deepest is not None else []
        ends += [alternative.reason for d in explanation.decisions for alternative in d.alternatives]
        circles += any(LOOP in end or NESTED in end for end in ends)
    assert circles > 20


def test_a_repair_succeeds_exactly_when_the_rest_can_be_done():
    repaired = 0
    for seed in range(300):
        description = random_description(seed, recursive=False)
        result = solved(description)
        commands = result.solution_graph.commands() if result.success else []
        for node in commands[:3]:
            answer = replan(result, start_of(description), node.node_id, blacklist=False)
            whole = plan(
                domain_of(description), start_of(description), list(solution_tree(result).pending(node.node_id))
            )
            assert answer.success or not whole.success, seed
            if answer.success:
                repaired += 1
                replay_plan(answer)
                new = [n.item for n in answer.solution_graph if n.kind == "command" and n.tag == "new"]
                assert tuple(new) == answer.plan
    assert repaired > 50


def with_gtpyhop(actions, task_methods, goal_methods, content, todo):
    gtpyhop = pytest.importorskip("gtpyhop", reason="gtpyhop is in the dependency group bench")
    with contextlib.redirect_stdout(io.StringIO()):
        gtpyhop.current_domain = gtpyhop.Domain("differential")
        gtpyhop.declare_actions(*actions)
        for task, methods in task_methods.items():
            gtpyhop.declare_task_methods(task, *methods)
        for predicate, methods in goal_methods.items():
            gtpyhop.declare_unigoal_methods(predicate, *methods)
        gtpyhop.set_verbose_level(0)
        gtpyhop.set_recursive_planning("iterative_dfs_backtracking")
        state = gtpyhop.State("s", **{key: dict(value) for key, value in content.items()})
        answer = gtpyhop.find_plan(state, todo)  # raises where a goal method misses its goal
    return None if answer is False else [tuple(step) for step in answer]


@pytest.mark.parametrize("block", range(4))
def test_gtpyhop_finds_the_same_plans_for_tasks(block):
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.importorskip("gtpyhop", reason="gtpyhop is in the dependency group bench")
    for seed in range(block * 500, block * 500 + 500):
        description = random_description(seed, recursive=False)
        actions, methods = functions(description)
        content, todo = {"v": dict(description.start), "log": {"n": 0}}, agenda_of(description)
        theirs = with_gtpyhop(actions, methods, {}, content, todo)
        ours = plan(Domain.from_functions("d", actions=actions, task_methods=methods), State(content), todo)
        assert theirs == (list(ours.plan) if ours.success else None), seed


@pytest.mark.parametrize("block", range(2))
def test_gtpyhop_finds_the_same_plans_for_goals(block):
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.importorskip("gtpyhop", reason="gtpyhop is in the dependency group bench")
    compared = 0
    for seed in range(block * 500, block * 500 + 500):
        description = random_description(seed, recursive=False)
        actions, methods = functions(description)

        def for_goal(function):
            def goal_method(state, subject, value, function=function):
                return function(state)

            goal_method.__name__ = function.__name__
            return goal_method

        goals = {"v": [for_goal(f) for listed in methods.values() for f in listed]}
        content = {"v": dict(description.start), "log": {"n": 0}}
        todo = [("v", name, 1 - value) for name, value in description.start]
        try:
            theirs = with_gtpyhop(actions, methods, goals, content, todo)
        except Exception:  # GTPyhop gives up where a goal method misses its goal; planvow tries the next one
            continue
        domain = Domain.from_functions("d", actions=actions, task_methods=methods, goal_methods=goals)
        ours = plan(domain, State(content), todo)
        assert theirs == (list(ours.plan) if ours.success else None), seed
        compared += 1
    assert compared > 100
