"""Plans over random tools against a search that shares nothing with the planner, and run in a world of their own."""

from __future__ import annotations

from functools import cache

import pytest

from planvow.contract.plan.placeholders import resolve
from planvow.goals import plan_calls
from planvow.goals.conditions.ground import Reach
from planvow.goals.plan.search import Proof
from planvow.status import Status
from tool_worlds import UNDECIDED, cheapest, random_world, wearing_world

CASES = 160
DEPTH = 4
CASE = [random_world(seed) for seed in range(CASES)]


@cache
def least(seed):
    return cheapest(CASE[seed], depth=DEPTH)


@cache
def solved(seed):
    case = CASE[seed]
    return plan_calls(case.goal, case.tools, case.facts, reach=Reach(depth=DEPTH, calls=3_000))


@pytest.mark.parametrize("block", range(8))
def test_status_cost_and_length_are_those_of_a_plain_search(block):
    decided = 0
    for seed in range(block, CASES, 8):
        wanted = least(seed)
        if wanted is UNDECIDED:
            continue
        found = solved(seed)
        decided += 1
        if wanted is None:
            assert found.status in (Status.NO_PLAN, Status.BUDGET_EXCEEDED), seed
            continue
        assert found.status is (Status.SATISFIED if wanted[1] == 0 else Status.SOLVED), (seed, found.reason)
        assert (found.cost, len(found.steps)) == wanted, seed
    assert decided > CASES / 8 * 0.6


def test_most_of_what_is_impossible_is_proved_so():
    impossible = [seed for seed in range(CASES) if least(seed) is None]
    proved = [seed for seed in impossible if solved(seed).proof is Proof.NO_PLAN]
    assert len(impossible) > 40
    assert len(proved) > 0.6 * len(impossible)


def run(case, plan):
    """Do what the steps say, in the order of their dependencies alone, with outputs that name their call."""
    tools = {tool.name: tool for tool in case.tools}
    facts, outputs = dict(case.facts), {}
    waiting = list(reversed(plan.steps))  # the worst order that the dependencies allow
    while waiting:
        step = next(step for step in waiting if all(other in outputs for other in step.depends_on))
        waiting.remove(step)
        tool, given = tools[step.skill], resolve(step.params, outputs)
        outputs[step.step_id] = {out: f"{step.step_id}.{out}" for out in tool.produces}
        bound = {**outputs[step.step_id], **given}
        for text in tool.requires:
            key, value = read(text, bound)
            known = facts.get(key)
            assert known in (None, False) if value is None else known == value, (step, text)
        for text in tool.effects:
            key, value = read(text, bound)
            facts[key] = value
    return facts, outputs


def read(text, bound):
    for name, value in bound.items():
        text = text.replace(f"{{{name}}}", str(value))
    key, equals, value = text.lstrip("!").partition("=")
    return key, None if text.startswith("!") else value if equals else True


def test_a_plan_works_in_any_order_that_its_dependencies_allow():
    ran = 0
    for seed, case in enumerate(CASE):
        plan = solved(seed)
        if plan.status is not Status.SOLVED:
            continue
        ran += 1
        facts, _ = run(case, plan)
        for key, value in case.goal.conditions.items():
            if "{" not in key:
                known = facts.get(key)
                assert known in (None, False) if value is None else known == value
    assert ran > 25


def test_a_call_that_must_be_made_again_is_a_step_of_its_own():
    again = 0
    for seed in range(40):
        case = wearing_world(seed)
        plan = plan_calls(case.goal, case.tools, case.facts)
        assert plan.proof is Proof.MINIMAL
        assert (plan.cost, len(plan.steps)) == cheapest(case)
        assert len({step.step_id for step in plan.steps}) == len(plan.steps) == len(plan.why)
        again += len({step.skill for step in plan.steps}) < len(plan.steps)
        facts, _ = run(case, plan)
        assert {key: facts.get(key) for key in case.goal.conditions} == dict(case.goal.conditions), seed
    assert again > 20
