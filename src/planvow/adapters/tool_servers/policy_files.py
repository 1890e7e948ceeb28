"""A policy on disk: the review file, the manifest it names, and what else no step may write."""

from __future__ import annotations

from pathlib import Path

from planvow.adapters.machine.files import read_json, read_text
from planvow.errors import InputError
from planvow.tools.policy import ToolPolicy, tool_policy
from planvow.tools.review import Review, read_whole_review
from planvow.tools.shapes import read_tools


def read_policy(path: Path) -> ToolPolicy:
    """Return the policy of a review file and of the manifest it names."""
    review = _whole(path)
    manifest = manifest_of(path, review)
    return tool_policy(read_tools(read_json(manifest), place=str(manifest)), review, place=str(path))


def manifest_of(path: Path, review: Review | None = None) -> Path:
    """Return where the manifest of a review lies: its name is relative to the review's own folder."""
    review = review or _whole(path)
    if review.manifest is None:
        raise InputError(
            "this review names no manifest", place=f"{path}: manifest",
            hint='write manifest = "tools.json" and its manifest_hash, as planvow tools import does',
        )  # fmt: skip
    return path.parent / review.manifest


def policy_files(path: Path) -> tuple[Path, ...]:
    """Return the files that a policy is made of, and those that its commands name: no step may write them."""
    review = _whole(path)
    words = [Path(word) for server in review.servers.values() for word in server.command]
    return (path, manifest_of(path, review), *(word for word in words if word.is_file()))


def _whole(path: Path) -> Review:
    return read_whole_review(read_text(path), place=str(path))
