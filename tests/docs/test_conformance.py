"""docs/conformance tells the truth: each clause has one row, each row a module and tests that exist.

That the tests die with their clauses is `bench/conformance_mutants.py`; a few of its mutants are tried here.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from conformance import WIDTH, page, place, seeds  # noqa: E402 - a script, not a package

SEEDS = seeds()
ROWS = [row for seed in SEEDS for row in seed.rows]


@pytest.fixture(scope="module")
def collected() -> set[str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider", "tests"],
        cwd=ROOT, capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if line.startswith("tests/")]
    node_ids = {line.split("[")[0] for line in lines if "::" in line}
    assert node_ids, done.stdout[-2000:] + done.stderr[-2000:]
    return node_ids


def test_every_seed_is_there():
    assert [seed.seed for seed in SEEDS] == ["000", "001", "002", "003", "004"]


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.seed)
def test_every_clause_has_one_row_and_every_row_a_clause(seed):
    assert [row.id for row in seed.rows] == list(seed.clauses)
    assert len(set(seed.clauses)) == len(seed.clauses)
    assert [clause for clause in seed.clauses if not clause.startswith(f"{seed.seed}-")] == []


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.seed)
def test_every_section_of_the_seed_has_a_row_and_every_row_a_section(seed, shared_data):
    text = next((shared_data.parent / "seeds").glob(f"{seed.seed}_*")).read_text("utf-8")
    chapters = re.findall(r"^## (?:(\d+)\.|(Appendix \w)|(.*))", text, re.M)  # by number where the seed numbers them
    parts = re.findall(r"^### (\d+\.\d+)", text, re.M)
    sections = {number or appendix or title for number, appendix, title in chapters} | set(parts)
    named = {row.section for row in seed.rows}
    assert sorted(named - sections) == []
    assert sorted(s for s in sections - named if not any(n.startswith(f"{s}.") for n in named)) == []


def test_every_row_names_modules_that_exist():
    assert {row.id: m for row in ROWS for m in row.modules if not place(m).exists()} == {}
    assert [row.id for row in ROWS if not row.modules] == []


@pytest.mark.slow
def test_every_row_names_tests_that_collect(collected):
    assert {row.id: test for row in ROWS for test in row.tests if test not in collected} == {}
    assert [row.id for row in ROWS if not row.tests] == []


def test_every_mutant_changes_a_text_that_stands_once_in_a_module_of_its_row():
    foreign = [(row.id, mutant.file) for row in ROWS for mutant in row.mutants if mutant.file not in row.modules]
    assert foreign == []
    counts = {(row.id, m.find): place(m.file).read_text("utf-8").count(m.find) for row in ROWS for m in row.mutants}
    assert {key: count for key, count in counts.items() if count != 1} == {}


def test_no_line_of_the_page_is_wider_than_a_screen():
    assert [line for line in page().splitlines() if len(line) > WIDTH] == []


def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("conformance_mutants", ROOT / "bench/conformance_mutants.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@pytest.mark.slow
def test_a_sample_of_the_mutants_is_killed():
    done = subprocess.run(
        [sys.executable, "bench/conformance_mutants.py", "--every", "60"],
        cwd=ROOT, capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_a_mutant_that_changes_nothing_survives_and_one_that_cannot_be_read_is_no_trial(tmp_path):
    mutants = bench()
    row = next(row for row in ROWS if row.id == "000-9")
    copy, mutant = mutants.copy_of_the_repository(tmp_path), row.mutants[0]
    assert mutants.verdict(copy, row, mutant) == "killed"
    assert mutants.verdict(copy, row, replace(mutant, replace=mutant.find)) == "survived"
    assert mutants.verdict(copy, row, replace(mutant, replace="return (")).startswith("no trial")
    assert mutants.verdict(copy, row, replace(mutant, find="no such text")).startswith("no trial")
    lost = replace(row, tests=("tests/contract/test_seed_000.py::test_that_is_not_there",))
    assert mutants.verdict(copy, lost, mutant).startswith("no trial")
