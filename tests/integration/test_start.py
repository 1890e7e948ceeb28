"""What newcomers do first works from the installed package alone: examples, and a project of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import planvow
from planvow.adapters.cli.start.examples import examples_folder, known_examples

ROOT = Path(__file__).resolve().parents[2]


def run(*words, cwd, **options):
    command = [sys.executable, "-m", *map(str, words)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, check=False, timeout=120, env=environment, **options
    )


def test_every_file_of_the_examples_is_listed(tmp_path):
    there = {path.name for path in examples_folder().iterdir() if not path.name.startswith((".", "__"))}
    assert set(known_examples()) == there - {"README.md"}
    told = run("planvow", "examples", "list", cwd=tmp_path)
    assert told.returncode == 0
    assert [name for name in known_examples() if f"{name}\n" not in told.stdout] == []


def test_copied_examples_are_the_ones_that_are_listed_and_changed_files_are_left_alone(tmp_path):
    assert run("planvow", "examples", "copy", cwd=tmp_path).returncode == 0
    copied = sorted(path.relative_to(tmp_path / "examples") for path in (tmp_path / "examples").rglob("*.*"))
    assert Path("hddl/tea-domain.hddl") in copied
    there = {path: (tmp_path / "examples" / path).read_bytes() for path in copied}
    assert there == {path: (examples_folder() / path).read_bytes() for path in copied}
    travel = tmp_path / "examples/travel.py"
    travel.write_text("mine = 1\n")
    refused = run("planvow", "examples", "copy", "travel", cwd=tmp_path)
    assert (refused.returncode, travel.read_text()) == (2, "mine = 1\n")
    assert "this is there already and differs" in refused.stderr
    assert run("planvow", "examples", "copy", "travel", "--force", cwd=tmp_path).returncode == 0
    assert travel.read_bytes() == (examples_folder() / "travel.py").read_bytes()
    assert "did you mean 'travel.py'" in run("planvow", "examples", "copy", "travle.py", cwd=tmp_path).stderr


def test_help_texts_and_messages_name_only_files_that_the_package_has():
    named = set()
    for path in sorted((ROOT / "src/planvow").rglob("*.py")):
        text = path.read_text("utf-8")
        named |= {word.rstrip(".") for word in re.findall(r"\bexamples/[\w./-]+\.\w+", text)}
        assert not re.search(r'"[^"\n]*docs/\w+/[\w-]+\.md', text), f"{path.name} names a page that the wheel lacks"
    assert named
    assert sorted(name for name in named if not (examples_folder().parent / name).is_file()) == []


def test_who_has_no_pytest_is_told_how_to_get_it(tmp_path, monkeypatch):
    assert planvow(tmp_path, "init", "one").stderr.endswith("; python -m pytest\n")
    monkeypatch.setitem(sys.modules, "pytest", None)
    assert "; python -m pip install pytest; python -m pytest\n" in planvow(tmp_path, "init", "two").stderr


def test_a_new_project_passes_its_own_tests_at_once(tmp_path):
    made = run("planvow", "init", "my-planner", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    project = tmp_path / "my-planner"
    wanted = ["domain.py", "test_domain.py", "kept/plan.json", ".github/workflows/test.yml", "pyproject.toml"]
    assert [name for name in wanted if not (project / name).is_file()] == []
    tried = run("pytest", "-q", "-p", "no:cacheprovider", cwd=project)
    assert tried.returncode == 0, tried.stdout + tried.stderr
    assert "5 passed" in tried.stdout
    assert run("planvow", "check", "domain.py", cwd=project).returncode == 0
    assert "@" not in (project / "pyproject.toml").read_text()


def test_a_folder_with_a_space_is_quoted_in_what_comes_next(tmp_path):
    assert "Next: cd 'my planner'; " in run("planvow", "init", "my planner", cwd=tmp_path).stderr


@pytest.mark.slow
def test_a_changed_domain_fails_the_tests_of_the_project_until_its_plan_is_kept(tmp_path):
    run("planvow", "init", cwd=tmp_path)
    domain = tmp_path / "domain.py"
    before, after = '[("reach", who, state', '[("walk", who, "shop"), ("reach", who, state'
    domain.write_text(domain.read_text().replace(before, after))
    only = ("pytest", "-q", "-p", "no:cacheprovider", "-k", "kept")
    failed = run(*only, cwd=tmp_path)
    assert failed.returncode == 1
    assert "$.plan.steps" in failed.stdout
    assert run("keep", cwd=tmp_path).returncode == 0
    assert run(*only, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("name", ["domain.py", "kept/plan.json"])
def test_init_overwrites_nothing_and_begins_nothing_it_cannot_end(tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    refused = run("planvow", "init", cwd=tmp_path)
    assert refused.returncode == 2
    assert "this is there already" in refused.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [tmp_path / name]
