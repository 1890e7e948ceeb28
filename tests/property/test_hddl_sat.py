"""The SAT search comes to the same answers as the others on random totally ordered problems."""

from __future__ import annotations

import pytest

from hddl_brute_force import has_plan
from hddl_random import random_texts
from planvow.budgets import Budgets
from planvow.hddl.parsing.text import parse_domain, parse_problem
from planvow.hddl.solve.entry import solve
from planvow.hddl.verify.verifier import verify_plan
from planvow.status import Status

pytest.importorskip("pysat", reason="the extra [sat] is not installed")
pytestmark = pytest.mark.long


@pytest.mark.parametrize("recursive", [False, True])
def test_the_sat_search_agrees_with_the_grounded_one_and_with_brute_force(recursive):
    answers = {True: 0, False: 0}
    for seed in range(100, 220):
        domain, text = random_texts(seed, partial=False, recursive=recursive)
        problem = parse_problem(text, parse_domain(domain))
        limits = Budgets(max_iterations=3_000)
        found = solve(problem.domain, problem, search="sat", budgets=limits)
        other = solve(problem.domain, problem, search="grounded", budgets=limits)
        if found.plan is not None:
            verdict = verify_plan(problem, found.plan)
            assert verdict, f"seed {seed}: {verdict.reason}"
        known = {outcome.status for outcome in (found, other)} - {Status.BUDGET_EXCEEDED}
        assert len({status.is_success for status in known}) <= 1, f"seed {seed}: {found.reason} / {other.reason}"
        truth = has_plan(problem, 800)
        if truth is not None and found.status is not Status.BUDGET_EXCEEDED:
            answers[truth] += 1
            assert found.status.is_success == truth, f"seed {seed}"
    assert min(answers.values()) > 10
