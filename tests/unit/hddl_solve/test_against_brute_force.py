"""Solvers agree with brute force on small random problems: plans verify, and «no plan» is said when it is true."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from planvow.budgets import Budgets
from planvow.hddl.parse import parse_domain, parse_problem
from planvow.hddl.solve import solve
from planvow.hddl.verify import verify_plan
from planvow.status import Status

sys.path.insert(0, str(Path(__file__).parent))
from brute_force import has_plan
from random_problem import random_texts


def _problem(seed: int, *, partial: bool, recursive: bool):
    domain_text, problem_text = random_texts(seed, partial=partial, recursive=recursive)
    return parse_problem(problem_text, parse_domain(domain_text))


@pytest.mark.parametrize("search", ["auto", "lifted", "grounded"])
@pytest.mark.parametrize(("partial", "recursive"), [(False, False), (False, True), (True, False), (True, True)])
def test_answers_agree_with_brute_force(search: str, partial: bool, recursive: bool) -> None:
    decided = solvable = 0
    for seed in range(150):
        problem = _problem(seed, partial=partial, recursive=recursive)
        outcome = solve(problem.domain, problem, search=search, budgets=Budgets(max_iterations=6_000))
        if outcome.plan is not None:
            verdict = verify_plan(problem, outcome.plan)
            assert verdict, f"seed {seed}: {verdict.reason}"
        truth = has_plan(problem, 1_500)
        if truth is None:
            continue
        decided += 1
        solvable += truth
        if outcome.status.is_success:
            assert truth, f"seed {seed}: a plan where there is none"
        elif outcome.status is Status.NO_PLAN:
            assert not truth, f"seed {seed}: «no plan» where there is one"
        elif search == "auto" or not (partial or recursive):
            raise AssertionError(f"seed {seed}: undecided, though brute force found {truth}")
    assert decided > 60
    assert 20 < solvable < decided - 10
