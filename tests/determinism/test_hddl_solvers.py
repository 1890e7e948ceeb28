"""The HDDL solvers give the same bytes whatever the hash seed and the Python version."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"

SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
sys.path.insert(0, sys.argv[2])
from hddl_random import random_texts
from planvow.budgets import Budgets
from planvow.hddl.parsing.text import parse_domain, parse_problem
from planvow.hddl.language.plan_format import format_plan
from planvow.hddl.solve.entry import solve

for seed in range(30):
    for partial in (False, True):
        domain_text, problem_text = random_texts(seed, partial=partial, recursive=True)
        problem = parse_problem(problem_text, parse_domain(domain_text))
        for search in ("auto", "lifted", "grounded"):
            outcome = solve(problem.domain, problem, search=search, budgets=Budgets(max_iterations=2000))
            print(seed, partial, search, outcome.status, outcome.search, sorted(outcome.statistics.items()))
            print(format_plan(outcome.plan) if outcome.plan else "-")
"""


def _run(python: str, seed: str) -> str:
    command = [python, "-c", SCRIPT, str(ROOT / "src"), str(ROOT / "tests/lab")]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_plans_and_counts_do_not_depend_on_the_hash_seed() -> None:
    first = _run(sys.executable, "0")
    assert "==>" in first
    assert _run(sys.executable, "1") == first
    assert _run(sys.executable, "4242") == first


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_plans_and_counts_do_not_depend_on_the_python_version(version: str) -> None:
    interpreters = sorted(PYENV.glob(f"{version}.*/bin/python"))
    if not interpreters:
        pytest.skip(f"no Python {version} below {PYENV}")
    assert _run(str(interpreters[-1]), "7") == _run(sys.executable, "0")
