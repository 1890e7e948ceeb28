"""Search, repair and certificates agree with a planner that copies the whole state for every step."""

from __future__ import annotations

import itertools

import pytest

from planvow import Budgets, Status, plan, plans, replan, verify
from planvow.contract.certificate.reexecute import check_by_running
from planvow.kernel import simulate
from planvow.kernel.repair.replan import solution_tree
from reference_planner import RandomProblem, TooManyError, content, plainly, reference_plans

MOST = 200


def known(seed):
    """Return a random problem and all its plans by the reference, without the same derivation twice."""
    problem = RandomProblem(seed)
    listed = reference_plans(problem, problem.agenda, plainly(problem.state()))
    try:
        found = list(itertools.islice(listed, MOST))
    except TooManyError:
        return problem, None
    distinct = {}
    for derivation, steps, end in found:
        distinct.setdefault(derivation, (steps, content(end)))
    return problem, list(distinct.values()) if len(found) < MOST else None


@pytest.mark.parametrize("block", range(4))
def test_all_plans_come_in_the_order_of_the_reference_and_leave_its_states(block):
    compared = 0
    for seed in range(block * 100, block * 100 + 100):
        problem, wanted = known(seed)
        if wanted is None:
            continue
        domain, start = problem.domain(), problem.state()
        found = list(plans(domain, start, problem.agenda))
        assert [(r.plan, content(plainly(r.final_state))) for r in found] == wanted, seed
        assert start == problem.state()
        first = plan(domain, start, problem.agenda)
        assert first.success == bool(wanted)
        assert first.success or first.status is Status.NO_PLAN
        compared += bool(wanted)
    assert compared > 30


@pytest.mark.parametrize("guard", ["path", "search", "off"])
def test_the_shortest_plan_is_that_of_the_reference(guard):
    for seed in range(250):
        problem, wanted = known(seed)
        if not wanted:
            continue
        best = plan(problem.domain(), problem.state(), problem.agenda, optimal="steps", loop_guard=guard)
        assert (best.cost, best.proven_optimal) == (min(len(steps) for steps, _ in wanted), True), seed


def test_a_smaller_budget_finds_the_same_plan_or_says_that_it_was_too_small():
    for seed in range(150):
        problem = RandomProblem(seed)
        result = plan(problem.domain(), problem.state(), problem.agenda)
        needed = result.statistics.iterations
        for limit in sorted({1, max(1, needed // 2), max(1, needed - 1), needed, needed + 1}):
            again = plan(problem.domain(), problem.state(), problem.agenda, budgets=Budgets(max_iterations=limit))
            if limit < needed:
                assert again.status is Status.BUDGET_EXCEEDED, seed
            elif result.success:
                assert (again.status, again.plan) == (result.status, result.plan), seed


def test_certificates_hold_and_come_out_the_same_when_the_commands_are_run():
    certified = 0
    for seed in range(200):
        problem = RandomProblem(seed)
        result = plan(problem.domain(), problem.state(), problem.agenda)
        if result.plan:
            certificate = result.certificate()
            assert verify(certificate).fault is None, seed
            assert check_by_running(certificate.document, problem.domain()).fault is None, seed
            certified += 1
    assert certified > 50


@pytest.mark.parametrize("blacklist", [True, False])
def test_a_repair_at_any_node_is_a_plan_for_what_is_left_or_there_is_none(blacklist):
    repaired = given_up = 0
    for seed in range(300):
        problem = RandomProblem(seed)
        result = plan(problem.domain(), problem.state(), problem.agenda)
        if not result.success:
            continue
        states, tree, done = simulate(result).states, solution_tree(result), 0
        for node in list(result.solution_graph)[1:]:
            before, is_command = states[done], node.kind == "command"
            done += is_command
            banned = (node.item,) if blacklist and is_command else ()
            answer = replan(result, before, node.node_id, blacklist=blacklist)

            def of_reference(node_id, before=before, banned=banned, problem=problem, tree=tree):
                found = reference_plans(problem, tree.pending(node_id), plainly(before), banned=banned)
                return [(steps, content(end)) for _, steps, end in itertools.islice(found, MOST)]

            try:
                if answer.success:
                    wanted = of_reference(answer.repair.redone_node_id)
                    end = (answer.plan, content(plainly(answer.final_state)))
                    assert end in wanted or len(wanted) == MOST, (seed, node)
                    repaired += 1
                else:
                    lineage = [n for n in tree.lineage(node.node_id) if not (banned and n == node.node_id)]
                    assert not any(of_reference(node_id) for node_id in lineage), (seed, node)
                    given_up += 1
            except TooManyError:
                continue
    assert repaired > 100
    assert given_up > 20 or not blacklist
