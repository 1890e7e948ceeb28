"""A part of the tools proves for all of them: what it finds costs what the search over all tools finds."""

from __future__ import annotations

import pytest

from planvow.goals import Limits, plan_calls
from planvow.goals.conditions.ground import Reach
from planvow.goals.conditions.planner import narrowed
from planvow.goals.conditions.shelf import ToolShelf
from planvow.goals.plan.search import Proof
from planvow.status import Status
from tool_worlds import UNDECIDED, cheapest, out_of_reach, random_crowd, random_rivals, random_world

REACH = Reach(depth=4, calls=1_000)


def by_part(case, share):
    """What a part proves that begins with so many rows of each thing asked for, however few there are."""
    return narrowed(case.goal, ToolShelf(case.tools), case.facts, Limits(), REACH, whole=0, share=share)


@pytest.mark.parametrize("block", range(4))
@pytest.mark.parametrize(("made", "cases", "proved"), [(random_rivals, 160, 30), (random_crowd, 80, 5)])
def test_a_part_finds_what_all_tools_find(made, cases, proved, block):
    parts = 0
    for seed in range(block, cases, 4):
        case = made(seed)
        whole = plan_calls(case.goal, case.tools, case.facts, reach=REACH)
        for share in (1, 2):
            found = by_part(case, share)
            if found is None:
                continue
            parts += bool(found.steps)
            assert found.proof is (Proof.NO_PLAN if found.status is Status.NO_PLAN else Proof.MINIMAL)
            if whole.status is Status.BUDGET_EXCEEDED:  # its limits left calls out; a part knows that none would help
                assert (found.status, bool(out_of_reach(case))) == (Status.NO_PLAN, True), seed
                assert cheapest(case) in (None, UNDECIDED), seed
                continue
            if found.proof is not whole.proof:
                assert (found.proof, whole.proof) == (Proof.MINIMAL, Proof.WITHIN_BUDGET), seed
                assert cheapest(case) == (found.cost, len(found.steps)), seed
            assert (found.status, found.cost, len(found.steps)) == (whole.status, whole.cost, len(whole.steps)), seed
    assert parts > proved


def test_a_part_proves_that_there_is_no_plan_where_values_without_end_are_cut_off_with_all_tools():
    case = random_crowd(64)  # nothing makes x.8.on so, and one tool makes a new value of each value
    assert out_of_reach(case) == ["x.8.on"]
    assert plan_calls(case.goal, case.tools, case.facts, reach=REACH).proof is Proof.BUDGET
    assert by_part(case, 1).proof is Proof.NO_PLAN


def test_a_part_never_says_of_a_plan_that_it_is_cheapest_where_deeper_calls_are_cheaper():
    stronger = 0
    for seed in range(120):
        case = random_world(seed)
        found = by_part(case, 1)
        if found is not None and found.steps:
            deep = plan_calls(case.goal, case.tools, case.facts, reach=Reach(depth=5, calls=3_000))
            stronger += deep.proof is not Proof.MINIMAL
            assert (found.cost, len(found.steps)) == (deep.cost, len(deep.steps)), seed
    assert stronger
