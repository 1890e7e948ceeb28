"""Every commit that touches src/ since this check was added says in the changelog what a user will notice."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from commits import has_history, silent_commits

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.long
def test_every_change_of_behaviour_has_a_changelog_line():
    if not has_history(ROOT):
        pytest.skip("no whole history of commits here")
    silent = silent_commits(ROOT, str(Path(__file__).relative_to(ROOT)))
    assert silent == [], "touch CHANGELOG.md, or say no-changelog in the message when a user notices nothing"


@pytest.fixture
def repository(tmp_path):
    """A repository whose second commit adds the check, and a function that commits files to it."""
    root = tmp_path / "repository"
    root.mkdir()

    def git(*arguments):
        name = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        return subprocess.run(["git", *name, *arguments], cwd=root, check=True, capture_output=True, text=True).stdout

    def commit(message, *files):
        for file in files:
            (root / file).parent.mkdir(exist_ok=True)
            with (root / file).open("a") as opened:
                opened.write(f"{message}\n")
        git("add", "-A")
        git("commit", "-q", "-m", message)
        return git("rev-parse", "HEAD").strip()

    git("init", "-q", "-b", "main")
    commit("before", "src/old.py")
    git("branch", "begun-before")
    commit("add the check", "tests/check.py", "src/new.py")
    return root, git, commit


def test_silent_changes_of_src_are_found_and_nothing_else(repository):
    root, _, commit = repository
    commit("documented", "src/a.py", "CHANGELOG.md")
    commit("tidy\n\nno-changelog: nothing changes", "src/a.py")
    commit("docs", "docs/a.md")
    silent = commit("silent", "src/a.py", "docs/a.md")
    assert silent_commits(root, "tests/check.py") == [silent]
    assert silent_commits(root, "tests/nowhere.py") == []


def test_merges_and_branches_begun_before_the_check_are_not_judged(repository):
    root, git, commit = repository
    git("switch", "-q", "begun-before")
    commit("early", "src/b.py")
    git("switch", "-q", "main")
    git("merge", "-q", "--no-edit", "begun-before")
    assert silent_commits(root, "tests/check.py") == []


def test_a_history_that_is_cut_off_or_not_there_is_no_history(repository, tmp_path):
    root, git, _ = repository
    assert has_history(root)
    git("clone", "-q", "--depth", "1", root.as_uri(), str(tmp_path / "shallow"))
    assert not has_history(tmp_path / "shallow")
    assert not has_history(tmp_path)
    assert not has_history(root / "src")  # a folder inside someone else's repository
