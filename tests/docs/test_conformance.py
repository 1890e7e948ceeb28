"""docs/conformance tells the truth: each clause has one row, each row a module and tests that exist.

That the tests die with their clauses is `bench/conformance_mutants.py`; a few of its mutants are tried here.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

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
    headings = re.findall(r"^##+ (?:(\d[\d.]*\d|\d+|Appendix \w)[.: ]|(.*)$)", text, re.M)
    chapters = {heading[3:] for heading in re.findall(r"^## \D.*$", text, re.M)}
    numbered = {number for number, _ in headings if number} if re.search(r"^## 1\.", text, re.M) else set()
    sections = numbered | {chapter for chapter in chapters if not chapter.startswith("Appendix ")}
    named = {row.section for row in seed.rows}
    assert sorted(named - sections) == []
    assert sorted(s for s in sections - named if not any(n.startswith(f"{s}.") for n in named)) == []


def test_every_row_names_modules_that_exist():
    assert {row.id: m for row in ROWS for m in row.modules if not place(m).exists()} == {}
    assert [row.id for row in ROWS if not row.modules] == []


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
