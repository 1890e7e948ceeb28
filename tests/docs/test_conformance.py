"""docs/conformance.md tells the truth: each clause of the index has a row, each green row a test that collects."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/conformance.md"
STATUSES = {"green", "partial", "missing"}
ROW = re.compile(r"^\| *(00[0-4]-[^ |]+) *\|(.*)\|\s*$", re.M)


def rows() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for clause, rest in ROW.findall(PAGE.read_text("utf-8")):
        assert clause not in found, f"two rows for {clause}"
        found[clause] = [cell.strip() for cell in re.split(r"(?<!\\)\|", rest)]
    return found


def index() -> dict[str, list[str]]:
    text = PAGE.read_text("utf-8")
    section = text[text.index("## Index") : text.index("## Seed 000")]
    found: dict[str, list[str]] = {}
    for seed, clauses in re.findall(r"^\| *(00[0-4])[^|]*\|([^|]*)\|", section, re.M):
        found.setdefault(seed, []).extend(re.findall(r"00[0-4]-[^\s,]+", clauses))
    return found


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


def test_every_seed_is_indexed():
    assert [seed for seed, clauses in index().items() if clauses] == ["000", "001", "002", "003", "004"]


def test_every_clause_of_the_index_has_a_row():
    have = rows()
    assert [clause for clauses in index().values() for clause in clauses if clause not in have] == []


def test_every_row_has_a_known_status():
    wrong = {clause: cells for clause, cells in rows().items() if len(cells) != 4 or cells[3] not in STATUSES}
    assert wrong == {}


def test_every_green_row_names_a_test_that_collects(collected):
    lost = {
        clause: test
        for clause, cells in rows().items()
        if cells[3] == "green"
        for test in re.split(r"[,\s]+", cells[2].replace("`", "").strip())
        if test not in collected
    }
    assert lost == {}
