"""Paths as pure text: absolute or not, POSIX or Windows, inside or outside, file or folder. Never touches a disk.

The resolver turns what people say into absolute paths before the planner sees them: an absolute path stays, otherwise
the parent goal's path is its base, otherwise the anchor its scope names (seed 003's successors call these anchors).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from planvow.goals.values.values import Refused

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


def is_protected(
    path: str, places: Iterable[str], extensions: Iterable[str] = (), *, with_what_is_inside: bool = False
) -> bool:
    """Say whether a normal path is one that no goal may touch: a protected place, what lies in one, or a protected kind
    of file. What is taken away goes `with_what_is_inside`: then a folder around a protected place is protected too."""
    compared = _compared(path)
    if compared.startswith(("//?", "//.")):  # Windows device names reach any place under another name
        return True
    if any(compared.endswith(extension.casefold()) for extension in extensions):
        return True
    for place in places:
        protected = _compared(place)
        is_root = protected == "/" or protected.endswith(":")
        if compared == protected or (not is_root and compared.startswith(protected + "/")):
            return True
        if with_what_is_inside and protected.startswith(compared.rstrip("/") + "/"):
            return True
    return False


def _compared(path: str) -> str:
    """Return a path as protection compares it: without case; on drives without the dots and blanks Windows drops."""
    folded = path.casefold()
    if _DRIVE.match(folded):
        folded = "/".join(part.rstrip(". ") for part in folded.split("/"))
    return folded.rstrip("/") or "/"


def resolve_path(
    said: str, anchors: Mapping[str, str], *, parent: str | None = None, anchor: str = WORKSPACE
) -> str | Refused:
    """Return the absolute form of what was said; a path that climbs out of its base is refused.

    `anchors` maps anchor names (and `drive:d`) to absolute folders; they are given, never looked up. What begins with
    an anchor and a colon (`desktop:/notes`) lies there, whatever else is said.
    """
    if is_absolute(said):
        return said
    place, colon, rest = said.partition(":/")
    if colon and place in ANCHORS:
        said, parent, anchor = rest, None, place
    if said == "~" or said.startswith(("~/", "~\\")):
        said, parent, anchor = said[2:] or ".", None, "home"
    base = parent or anchors.get(anchor) or (f"{anchor[6:].upper()}:/" if anchor.startswith("drive:") else None)
    if base is None:
        return Refused(code="relative_path", reason=f"{said!r:.80} is relative, and nobody said where {anchor} is")
    if re.match(r"[A-Za-z]:", said):
        return Refused(code="relative_path", reason=f"{said!r:.80} is relative to an unknown folder of a drive")
    if normal_path("/" + said.replace("\\", "/")) is None:
        return Refused(code="escaping_path", reason=f"{said!r:.80} climbs out of {base}")
    return f"{base.rstrip('/')}/{said}"
