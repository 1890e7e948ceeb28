"""The tools of a command: the imported list, with what a person's review says of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from planvow.adapters.machine.files import read_text
from planvow.adapters.machine.yaml_files import read_data
from planvow.adapters.tool_servers.policy_files import read_policy
from planvow.errors import InputError
from planvow.tools.review import read_review, reviewed
from planvow.tools.shapes import read_tools
from planvow.tools.tool import ToolEntry

REVIEW, MANIFEST = Path("tools.toml"), Path("tools.json")
"""What `planvow tools import` writes, unless it is told other names."""
DEFAULT = "[default: tools.toml, else tools.json]"


def found_list(given: Path | None, review: Path | None) -> Path:
    """Return the tool list that is meant: the one given, else what an import has left here."""
    if given is not None:
        return given
    if review is None and REVIEW.exists():
        return REVIEW
    if not MANIFEST.exists():
        raise InputError("no tool list is given, and none was imported here", hint="planvow tools import LIST.json")
    return MANIFEST


def is_review(path: Path) -> bool:
    """Say whether a file is a review, which names its manifest, and not a tool list."""
    return path.suffix == ".toml"


def read_list(path: Path, review: Path | None) -> tuple[ToolEntry, ...]:
    """Return the tools of a file of any known shape, as the review beside it says they are, if there is one."""
    if is_review(path):
        return read_policy(path).tools
    tools = read_tools(read_data(path), place=str(path))
    said = review_data(review)
    if said is None:
        return tools
    try:
        return reviewed(tools, said)
    except InputError as error:
        error.place = error.place or str(review)
        raise


def review_data(review: Path | None) -> dict[str, dict[str, Any]] | None:
    """Return what a review file says, or None when there is none."""
    return None if review is None else read_review(read_text(review), place=str(review))
