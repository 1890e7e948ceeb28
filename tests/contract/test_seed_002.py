"""The mandatory tests of seed 002, under the names it gives them (Testing Requirements)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from planvow.canonical import canonical_json
from planvow.governed import Planner, PlannerError
from planvow.governed.compiler import step_id
from planvow.governed.index import build_index
from planvow.governed.symbols import add_symbol, find_section
from planvow.governed.working_tree import open_working_tree

GUIDE = "# Guide\n\nWelcome.\n\n## Install\n\nRun it.\nTwice.\n\n## Use\n\nCall it.\n"


@pytest.fixture
def repo(tmp_path):
    """A repository with an index and two symbols."""
    (tmp_path / "guide.md").write_text(GUIDE)
    (tmp_path / "data.txt").write_text("x" * 999 + "\n")
    with open_working_tree(tmp_path, data_folder=tmp_path / ".planvow", writable=True) as tree:
        build_index(tmp_path, tree.sections)
        for name in ("Install", "Use"):
            section = find_section(tree.sections, "guide.md", ("Guide", name))
            add_symbol(tree.symbols, tree.sections, tree.text, symbol_id=f"@DOC/{name.lower()}",
                       section_id=section.section_id, default_slice="head(3)", now="t")  # fmt: skip
    return tmp_path


def request(**changes):
    asked = {
        "run_id": "run_001",
        "request_id": "req_001",
        "intent": "debug_function",
        "inputs": {"symbols": ["@DOC/use", "@DOC/install"], "files": ["data.txt"], "notes": ["mind the gap"]},
        "budgets": {"max_steps": 10, "max_bytes": 5000, "max_symbols": 5},
    }
    return {**asked, **changes}


def plan(repo: Path, asked=None, **options):
    return Planner(repo_root=repo).plan_request(asked or request(), repo_root=str(repo), substrate="sqlite", **options)


def cortex(repo: Path, *words: str):
    command = [sys.executable, "-m", "planvow.adapters.cli.main", "cortex", *words]
    return subprocess.run(command, cwd=repo, capture_output=True, text=True, timeout=60, check=False)


def contents(root: Path):
    return {path: path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_plan_determinism_same_request_same_output(repo):
    first, second = plan(repo), plan(repo)
    assert canonical_json(first) == canonical_json(second)
    assert [s["step_id"] for s in first["steps"]] == [s["step_id"] for s in second["steps"]]
    assert first["plan_hash"] == second["plan_hash"]


def test_plan_determinism_step_ids_stable(repo):
    refs = {"symbol_id": "@DOC/use", "slice": "head(3)"}
    same = dict(reversed(refs.items()))
    assert step_id(1, "READ_SYMBOL", refs, {}) == step_id(1, "READ_SYMBOL", same, {})
    assert step_id(1, "READ_SYMBOL", refs, {}) == "step_3766e58bc113a8b3"
    assert step_id(2, "READ_SYMBOL", refs, {}) != step_id(1, "READ_SYMBOL", refs, {})
    ids = [s["step_id"] for s in plan(repo)["steps"]]
    assert len(set(ids)) == len(ids)
    assert all(len(i) == len("step_") + 16 for i in ids)


def test_plan_rejects_too_many_steps(repo):
    with pytest.raises(PlannerError, match="max_steps"):
        plan(repo, request(budgets={"max_steps": 3}))


def test_plan_rejects_too_many_bytes(repo):
    with pytest.raises(PlannerError, match="max_bytes"):
        plan(repo, request(budgets={"max_steps": 10, "max_bytes": 1000}))


def test_plan_rejects_too_many_symbols(repo):
    with pytest.raises(PlannerError, match="max_symbols"):
        plan(repo, request(budgets={"max_steps": 10, "max_symbols": 1}))


@pytest.mark.parametrize("written", ["ALL", "all", "All"])
def test_plan_rejects_slice_all_forbidden(repo, written):
    with pytest.raises(PlannerError, match="ALL is forbidden"):
        plan(repo, request(inputs={"symbols": [{"symbol_id": "@DOC/use", "slice": written}]}))


def test_plan_dry_run_does_not_touch_db(repo):
    (repo / "request.json").write_text(json.dumps(request()))
    before = contents(repo)
    done = cortex(repo, "plan", "--request-file", "request.json", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == plan(repo)
    assert contents(repo) == before
