"""Analyses that are kept: one file each below the working root, named by what is in it, beside their transcripts.

Keeping the same analysis twice keeps one file; a changed file is noticed, since its name no longer fits. What people
decide about a transcript is kept beside them and may change.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from planvow.adapters.machine.files import read_json, write_text
from planvow.errors import InputError

FOLDER = Path(".planvow") / "debates"
_ANALYSIS = re.compile(r"[0-9a-f]{32}")
_TRANSCRIPT = re.compile(r"transcript_[0-9a-f]{16}")


def keep(root: Path, analysis: str, transcript: str) -> str:
    """Store an analysis (the JSON export) with its transcript; return the name it is kept under."""
    name = _name(analysis)
    transcript_id = json.loads(analysis)["meta"]["transcript_id"]
    for path, text in (
        (root / FOLDER / "transcripts" / f"{transcript_id}.txt", transcript),
        (root / FOLDER / "analyses" / f"{name}.json", analysis),
    ):
        if not path.exists():
            write_text(path, text, parents=True)
    return name


def kept(root: Path) -> dict[str, dict[str, Any]]:
    """All stored analyses by name, in the order of their titles; a damaged one is an error."""
    found = {name: read_analysis(root, name) for name in kept_names(root)}
    return dict(sorted(found.items(), key=lambda entry: (entry[1]["meta"].get("title", ""), entry[0])))  # then by name


def kept_names(root: Path) -> list[str]:
    """The names under which analyses are kept."""
    return sorted(path.stem for path in (root / FOLDER / "analyses").glob("*.json"))


def read_analysis(root: Path, name: str) -> dict[str, Any]:
    """One stored analysis; raise InputError where there is none of that name, or where it was changed."""
    path = analysis_path(root, name)
    document: dict[str, Any] = read_json(path)
    if _name(path.read_text(encoding="utf-8")) != name:
        raise InputError("this analysis was changed after it was kept", place=str(path), hint="remove it and run again")
    return document


def read_kept_transcript(root: Path, transcript_id: str) -> str:
    """The transcript of a stored analysis, character for character."""
    path = root / FOLDER / "transcripts" / f"{_checked(_TRANSCRIPT, transcript_id)}.txt"
    try:
        return path.read_bytes().decode("utf-8")  # line ends as they were: places count them
    except (OSError, UnicodeDecodeError):
        raise InputError(
            "the transcript of this analysis is gone", place=str(path), hint="run planvow debate --keep again"
        ) from None


def analysis_path(root: Path, name: str) -> Path:
    """Where an analysis of that name is kept; raise InputError for what cannot be a name."""
    return root / FOLDER / "analyses" / f"{_checked(_ANALYSIS, name)}.json"


def review_path(root: Path, transcript_id: str) -> Path:
    """Where the review of a transcript is kept: one for all its analyses."""
    return root / FOLDER / "reviews" / f"{_checked(_TRANSCRIPT, transcript_id)}.json"


def _checked(form: re.Pattern[str], name: str) -> str:
    """Names come from addresses and files: none leads out of its folder."""
    if form.fullmatch(name) is None:
        raise InputError(f"no analysis is kept as {name!r:.80}", hint="the list of debates has those that are")
    return name


def _name(analysis: str) -> str:
    return hashlib.sha256(analysis.encode("utf-8")).hexdigest()[:32]
