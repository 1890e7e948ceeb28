"""A CI-sized sample of IPC-2020: the smaller instances of every shared domain are solved, and every plan verifies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from planvow.budgets import Budgets
from planvow.hddl.parsing.files import load_problem
from planvow.hddl.solve.entry import solve
from planvow.hddl.verify.verifier import verify_plan

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PLANVOW_SHARED", ROOT / "../shared")) / "data" / "ipc2020"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not DATA.is_dir(), reason=f"shared IPC-2020 data not found at {DATA}; set PLANVOW_SHARED"),
]

TOTAL = [
    ("AssemblyHierarchical", "genericLinearProblem_depth08"),
    ("Blocksworld-GTOHP", "p15"),
    ("Childsnack", "p08"),
    ("Depots", "p15"),
    ("Elevator-Learned-ECAI-16", "s08-4"),
    ("Factories-simple", "pfile06"),
    ("Hiking", "p08"),
    ("Robot", "pfile_05_010"),
    ("Satellite-GTOHP", "p06"),
    ("Snake", "pb06.snake"),
    ("Towers", "pfile_06"),
    ("Transport", "pfile21"),
]
PARTIAL = [
    ("PCP", "p-pcp01"),
    ("Satellite", "2obs-2sat-1mod"),
    ("Transport", "pfile11"),
    ("Woodworking", "07--p03-part1"),
    ("Woodworking", "16"),
]
FEATURES = [
    "abort-iteration", "arguments", "constants", "empty-methods-empty-plan", "forall", "forall2", "only-primitive",
    "sortof", "synonymes",
]  # fmt: skip


def _solved(folder: Path, name: str, search: str = "auto") -> int:
    own = folder / f"{name}-domain.hddl"
    problem = load_problem(own if own.exists() else folder / "domain.hddl", folder / f"{name}.hddl")
    outcome = solve(problem.domain, problem, search=search, budgets=Budgets(max_iterations=400_000))
    assert outcome.plan is not None, f"{name}: {outcome.status} {outcome.reason}"
    verdict = verify_plan(problem, outcome.plan)
    assert verdict, f"{name}: {verdict.reason}"
    return len(outcome.plan.steps)


@pytest.mark.parametrize(("domain", "name"), TOTAL)
def test_a_totally_ordered_instance_is_solved(domain: str, name: str) -> None:
    assert _solved(DATA / "total-order" / domain, name) > 0


@pytest.mark.parametrize(("domain", "name"), PARTIAL)
def test_a_partially_ordered_instance_is_solved(domain: str, name: str) -> None:
    assert _solved(DATA / "partial-order" / domain, name) > 0


@pytest.mark.parametrize("name", FEATURES)
@pytest.mark.parametrize("search", ["auto", "lifted", "grounded"])
def test_a_feature_test_is_solved_by_every_search(name: str, search: str) -> None:
    _solved(DATA / "feature-tests", name, search)
