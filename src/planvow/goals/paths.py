"""Paths as pure text: absolute or not, POSIX or Windows, inside or outside, file or folder. Never touches a disk.

The resolver turns what people say into absolute paths before the planner sees them: an absolute path stays, otherwise
the parent goal's path is its base, otherwise the anchor its scope names (seed 003's successors call these anchors).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from planvow.goals.config import GoalConfig

WORKSPACE = "workspace"
ANCHORS = (WORKSPACE, "home", "desktop", "documents", "downloads")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


def is_absolute(path: str) -> bool:
    """Say whether a path is absolute, in POSIX or Windows writing."""
    return path.startswith(("/", "\\\\")) or _DRIVE.match(path) is not None


def normal_path(path: str) -> str | None:
    """Return a path with `.` and `..` worked out and forward slashes, or None when it climbs out of its root."""
    text = path.replace("\\", "/") if _DRIVE.match(path) or path.startswith("\\\\") else path
    drive = text[:2] if _DRIVE.match(text) else ""
    root = f"{drive}/" if drive else "//" if text.startswith("//") and path.startswith("\\\\") else "/"
    parts: list[str] = []
    for part in text[len(drive) :].split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if not parts:
                return None
            parts.pop()
        else:
            parts.append(part)
    return root + "/".join(parts)


def looks_like_file(path: str) -> bool:
    """Guess what a path names: a trailing separator is a folder; a dot name or an extension is a file; else a
    folder."""
    if path.endswith(("/", "\\")):
        return False
    name = re.split(r"[\\/]", path)[-1]
    return name.startswith(".") or re.search(r"[^.]\.[A-Za-z0-9]{1,10}$", name) is not None


def is_protected(path: str, config: GoalConfig) -> bool:
    """Say whether a normal path is one that no goal may touch: a protected place, or a protected kind of file."""
    folded = path.casefold().rstrip("/") or "/"
    if any(folded.endswith(extension.casefold()) for extension in config.protected_extensions):
        return True
    for place in config.protected_paths:
        protected = place.casefold().rstrip("/") or "/"
        is_root = protected == "/" or protected.endswith(":")
        if folded == protected or (not is_root and folded.startswith(protected + "/")):
            return True
    return False


def resolve_path(
    said: str, anchors: Mapping[str, str], *, parent: str | None = None, anchor: str = WORKSPACE
) -> str | None:
    """Return the absolute form of what was said, or None when its anchor is unknown.

    `anchors` maps anchor names (and `drive:d`) to absolute folders; they are given, never looked up.
    """
    if is_absolute(said):
        return said
    base = parent or anchors.get(anchor) or (f"{anchor[6:].upper()}:/" if anchor.startswith("drive:") else None)
    if base is None:
        return None
    return f"{base.rstrip('/')}/{said}"
