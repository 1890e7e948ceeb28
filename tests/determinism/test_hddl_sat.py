"""The SAT search gives the same bytes in every process, whatever the hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pysat", reason="the extra [sat] is not installed")

LAB = Path(__file__).resolve().parents[1] / "lab"
SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from hddl_random import random_texts
from planvow.budgets import Budgets
from planvow.hddl.parsing.text import parse_domain, parse_problem
from planvow.hddl.language.plan_format import format_plan
from planvow.hddl.solve.entry import solve

for seed in range(60):
    domain_text, problem_text = random_texts(seed, partial=False, recursive=True)
    problem = parse_problem(problem_text, parse_domain(domain_text))
    outcome = solve(problem.domain, problem, search="sat", budgets=Budgets(max_iterations=2000), improve=0)
    print(seed, outcome.status, outcome.search, sorted(outcome.statistics.items()))
    print(format_plan(outcome.plan) if outcome.plan else "-")
"""


def _run(seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", SCRIPT, str(LAB)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_plans_clauses_and_conflicts_do_not_depend_on_the_hash_seed():
    first = _run("0")
    assert "==>" in first
    assert "sat_conflicts" in first
    assert _run("1") == first
    assert _run("4242") == first
