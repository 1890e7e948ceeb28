"""Commits that change behaviour and do not say so: read from git, where there is a whole history to read."""

from __future__ import annotations

import subprocess
from pathlib import Path

WAIVER = "no-changelog"


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def has_history(root: Path) -> bool:
    """Say whether git is here and knows every commit of this folder's repository."""
    top = _git(root, "rev-parse", "--show-toplevel")
    return (
        top is not None
        and Path(top) == root.resolve()
        and _git(root, "rev-parse", "--is-shallow-repository") == "false"
    )


def silent_commits(root: Path, since_file: str) -> list[str]:
    """Return the commits after the one that added a file which touch src/ and neither the changelog nor waive it.

    Only descendants of that commit count, so branches begun before it are not judged by it; merges bring nothing new.
    """
    added = (_git(root, "log", "--follow", "--diff-filter=A", "--format=%H", "--", since_file) or "").split()
    if not added:
        return []  # not committed yet
    listed = _git(root, "rev-list", "--no-merges", "--ancestry-path", f"{added[-1]}..HEAD") or ""
    return [commit for commit in listed.split() if _is_silent(root, commit)]


def _is_silent(root: Path, commit: str) -> bool:
    files = (_git(root, "show", "--format=", "--name-only", "--no-renames", commit) or "").splitlines()
    if "CHANGELOG.md" in files or not any(name.startswith("src/") for name in files):
        return False
    return WAIVER not in (_git(root, "show", "--no-patch", "--format=%B", commit) or "")
