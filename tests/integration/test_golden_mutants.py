"""The mutation bench of the golden corpus, as CI runs it: a few mutants of every kind, and the rules of the finder."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

from golden_mutants import EQUIVALENT, MOST_EQUIVALENT  # noqa: E402
from golden_sites import all_sites  # noqa: E402


@pytest.fixture(scope="module")
def sites():
    return all_sites(ROOT / "src")


def test_there_are_sites_of_every_kind_and_every_mutant_is_another_program(sites):
    assert len(sites) >= 60
    assert set(Counter(site.kind for site in sites)) == {"tag", "order", "fields", "rounding"}
    for path, own in groupby(sites, key=lambda site: site.path):
        whole = (ROOT / "src" / path).read_bytes()
        before = ast.dump(ast.parse(whole))
        for site in own:
            mutant = whole[: site.start] + site.replacement.encode() + whole[site.end :]
            assert ast.dump(ast.parse(mutant)) != before, site


def test_the_equivalent_mutants_are_few_and_still_there(sites):
    assert len(EQUIVALENT) <= MOST_EQUIVALENT
    assert EQUIVALENT.keys() <= {site.key for site in sites}


FOUND = '''
TAG = "thing/1"
"""no tag: "other/1" """
THING_FIELDS = ("a", "b")

def document(x, wrong) -> dict[str, Any]:
    """Return it."""
    for name in sorted(wrong):
        raise InputError(f"{sorted(x)}")
    said = sorted(x)
    if said:
        raise InputError("no", hint=", ".join(said))
    return {"a": sorted(x, key=len), "b": full_hash([x, 1], tag="x")[:16], "c": round(x, 4), "d": f"{x:.2f}"}
'''


def test_the_finder_takes_what_makes_documents_and_leaves_what_is_said_to_people(tmp_path):
    (tmp_path / "planvow").mkdir()
    (tmp_path / "planvow/one.py").write_text(FOUND)
    found = [(site.kind, site.text[:24], site.replacement) for site in all_sites(tmp_path)]
    assert found == [
        ("tag", '"thing/1"', "'thing/2'"),
        ("fields", '("a", "b")', ""),
        ("order", "sorted(x, key=len)", ", reverse=True"),
        ("fields", "[x, 1]", ""),
        ("rounding", 'full_hash([x, 1], tag="x', "(16) - 1"),
        ("rounding", "round(x, 4)", "(4) - 1"),
        ("fields", '{"a": sorted(x, key=len)', ""),
        ("rounding", 'f"{x:.2f}"', 'f"{x:.1f}"'),
    ]


@pytest.mark.slow
def test_a_sample_of_the_mutants_is_killed():
    done = subprocess.run(
        [sys.executable, "bench/golden_mutants.py", "--sample", "8", "--workers", "2"],
        cwd=ROOT, capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
