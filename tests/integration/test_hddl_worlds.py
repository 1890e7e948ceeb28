"""The worlds of our own: the smaller problems of every kind have their verdicts, and the bench says what is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from planvow.budgets import Budgets
from planvow.hddl.parsing.files import load_problem
from planvow.hddl.solve.entry import solve
from planvow.hddl.verify.verifier import verify_plan

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

from hddl_world_kinds import NO_PLAN  # noqa: E402
from hddl_worlds import KINDS  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("size", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_small_worlds_have_their_verdicts(tmp_path, kind, size):
    file = tmp_path / "problem.hddl"
    file.write_text(KINDS[kind](size).text(), encoding="utf-8")
    problem = load_problem(ROOT / f"bench/worlds/{kind}.hddl", file)
    effort = 60_000 if kind == "harbour" else 20_000  # the only one that grows so fast
    outcome = solve(problem.domain, problem, budgets=Budgets(max_iterations=effort))
    if kind in NO_PLAN:
        assert outcome.status == "no_plan"
        return
    assert outcome.plan is not None, f"{outcome.status} {outcome.reason}"
    assert verify_plan(problem, outcome.plan)


def test_the_bench_says_what_is_lost():
    command = [sys.executable, str(ROOT / "bench/hddl_worlds.py"), "--only", "^joinery$", "--sizes", "1"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "lost: nothing; wrong: nothing" in ran.stdout
    ran = subprocess.run([*command, "--seconds", "0.01"], capture_output=True, text=True, check=False)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "lost: joinery 1" in ran.stdout
