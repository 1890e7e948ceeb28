"""No byte of a plan or document changes unless its version moves and the changelog says so."""

from __future__ import annotations

import json
import tempfile

import pytest

from golden.corpus import CASES
from golden.corpus.case import FILES, ROOT, Case, Kept, complaint, is_named, plan_bytes
from golden.corpus.htn import EXAMPLES, PROBLEMS, example
from golden.corpus.versions import KINDS
from planvow.contract import default_registry
from planvow.contract.replaying.golden import check_golden, read_golden
from planvow.kernel import Problem

STUB_CASES = [case for case in CASES if case.kind == "stub plan"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_bytes_are_those_that_were_reviewed(case):
    if case.lacking():
        pytest.skip(case.lacking())
    assert case.path.exists(), f"{case.name} is new: run scripts/golden.py and look at what it writes"
    wrong = complaint(case, Kept.read(case.path), case.body(), case.version())
    assert wrong is None, wrong


def test_every_case_has_one_file_and_every_file_one_case():
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
    assert {case.path for case in CASES} == set(FILES.rglob("*.golden"))
    assert {case.kind for case in CASES} == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_the_changelog_names_every_version_under_plan_bytes(kind):
    if kind == "debate with spaCy":
        [reason] = {case.lacking() for case in CASES if case.kind == kind}
        if reason:
            pytest.skip(reason)
    said = plan_bytes()
    assert [part for version in KINDS[kind]() for part in version.split(", ") if not is_named(part, said)] == []


def test_every_problem_of_the_examples_is_in_the_corpus():
    found = {
        (path.stem, name)
        for path in EXAMPLES.glob("*.py")
        for name, value in vars(example(path.stem)).items()
        if isinstance(value, Problem)
    }
    assert {(name, problem) for name, problem, _ in PROBLEMS} == found


@pytest.mark.parametrize("case", STUB_CASES, ids=lambda case: case.name)
def test_the_golden_files_of_the_contract_hold_for_the_registered_planner(case):
    golden = read_golden(json.loads(Kept.read(case.path).body))
    assert check_golden(golden, default_registry().create(golden.meta["planner"])).differences == ()


def test_nothing_of_this_machine_is_in_a_file():
    places = [str(ROOT), f"{tempfile.gettempdir()}/"]
    for path in FILES.rglob("*.golden"):
        text = path.read_text("utf-8")
        assert [place for place in places if place in text] == [], path


def a_case(kind: str = "htn plan") -> Case:
    return Case("some", kind, lambda: b"")


def test_changed_bytes_under_the_same_version_ask_for_a_version_and_a_line():
    kept = Kept(kind="htn plan", version="htn 0.2.0", body=b'{"plan":[1,2]}')
    said = complaint(a_case(), kept, b'{"plan":[1,3]}', "htn 0.2.0")
    assert said is not None
    assert "first difference at byte 11 (line 1, column 12)" in said
    assert "raise the version of that planner or document" in said
    assert '"Plan bytes" in CHANGELOG.md' in said


def test_changed_bytes_under_a_new_version_ask_for_the_line_that_names_it():
    kept = Kept(kind="htn plan", version="htn 0.2.0", body=b"[1]")
    said = complaint(a_case(), kept, b"[2]", "htn 99.0.0")
    assert said is not None
    assert "from htn 0.2.0 to htn 99.0.0" in said
    assert "name htn 99.0.0 in a line" in said


def test_a_file_carries_the_version_that_made_it():
    kept = Kept(kind="htn plan", version="htn 0.1.0", body=b"[1]")
    assert complaint(a_case(), kept, b"[1]", "htn 0.1.0") is None
    assert "run scripts/golden.py" in (complaint(a_case(), kept, b"[1]", "htn 0.2.0") or "")
    assert "run scripts/golden.py" in (complaint(a_case("scores"), kept, b"[1]", "htn 0.1.0") or "")


@pytest.mark.parametrize(
    ("version", "text", "named"),
    [
        ("htn 0.2.0", "- `htn` 0.2.0: other plans.", True),
        ("htn 0.2.0", "- `htn` 0.2.0.1: other plans.", False),
        ("htn 0.2.0", "- `htn` 0.2.01", False),
        ("htn 0.2.0", "- `my-htn` 0.2.0", False),
        ("seal/1", "- `seal/1` as before", True),
        ("seal/1", "- `seal/12` as before", False),
        ("seal/1", "- `planvow-seal/1` as before", False),
    ],
)
def test_a_version_is_named_only_by_itself(version, text, named):
    assert is_named(version, text) is named


def test_only_lines_under_plan_bytes_count():
    text = "# C\n## 2\n### Plan bytes\n- a\n### Added\n- b\n## 1\n### Added\n- c\n### Plan bytes\n- d\n"
    assert plan_bytes(text).split() == ["-", "a", "-", "d"]
