"""`planvow plan --search sat`, with and without the package behind it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import planvow

HIDDEN = "import sys; sys.modules['pysat'] = None; from planvow.__main__ import run; run()"
ROOT = Path(__file__).resolve().parents[2]
DOMAIN, PROBLEM = (ROOT / f"examples/hddl/tea-{name}.hddl" for name in ("domain", "problem"))
OPEN_ORDER = [ROOT / f"tests/golden/hddl/errands-{name}.hddl" for name in ("domain", "one-day")]


def without_the_package(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", HIDDEN, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def test_a_plan_is_printed_verified_and_named(tmp_path):
    pytest.importorskip("pysat", reason="the extra [sat] is not installed")
    done = planvow(tmp_path, "plan", DOMAIN, PROBLEM, "--search", "sat", "--improve", 0, "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["status"], told["search"], told["verified"]) == (0, "solved", "sat", True)
    assert told["statistics"]["sat_clauses"] > 0
    (tmp_path / "plan.txt").write_text(told["plan"])
    assert planvow(tmp_path, "verify", DOMAIN, PROBLEM, "plan.txt").returncode == 0


def test_partial_order_is_refused_by_name(tmp_path):
    done = planvow(tmp_path, "plan", *OPEN_ORDER, "--search", "sat")
    assert done.returncode == 2
    assert "search: the sat search takes totally ordered problems only, and method" in done.stderr
    assert "auto, lifted and grounded take partially ordered problems" in done.stderr


def test_a_search_that_does_not_exist_is_refused_with_the_list(tmp_path):
    done = planvow(tmp_path, "plan", DOMAIN, PROBLEM, "--search", "smt")
    assert (done.returncode, "expected auto, lifted, grounded or sat, found 'smt'" in done.stderr) == (2, True)


def test_without_the_package_the_search_says_what_to_install_and_auto_plans_as_ever(tmp_path):
    done = without_the_package("plan", DOMAIN, PROBLEM, "--search", "sat")
    assert (done.returncode, done.stdout) == (2, "")
    assert "planning with a SAT solver needs the package 'python-sat', which is not installed" in done.stderr
    assert "pip install 'planvow[sat]'" in done.stderr
    assert "Traceback" not in done.stderr
    usual = planvow(tmp_path, "plan", DOMAIN, PROBLEM)
    assert without_the_package("plan", DOMAIN, PROBLEM).stdout == usual.stdout
