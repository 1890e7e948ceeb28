"""The one way to write a file path in a request: relative, forward slashes, no empty part, no `.` and no `..`.

This is grammar only and touches no file; opening below a root without following links is the cassette's `rooted`.
"""

from __future__ import annotations

import unicodedata

from planvow.governed.errors import RequestPathError

MAX_PATH_BYTES = 4096


def check_path(file_path: str, *, place: str | None = None) -> str:
    """Return the path unchanged, or raise RequestPathError saying which rule it breaks."""
    reason = _fault(file_path)
    if reason is not None:
        raise RequestPathError(
            f"the path {file_path[:80]!r} {reason}",
            place=place,
            hint="write it relative to the repository root, for example docs/intro.md",
        )
    return file_path


def _fault(file_path: str) -> str | None:
    if not file_path:
        return "is empty"
    if len(file_path.encode("utf-8", "surrogatepass")) > MAX_PATH_BYTES:
        return f"is longer than {MAX_PATH_BYTES} bytes"
    if file_path.startswith("/") or file_path[1:3] in (":/", ":\\"):
        return "is absolute"
    if "\\" in file_path:
        return "contains a backslash"
    if any(ord(character) < 32 or ord(character) == 127 for character in file_path):
        return "contains a control character"
    if ".." in file_path.split("/"):
        return "leaves the root"
    if any(part in ("", ".") for part in file_path.split("/")):
        return "has an empty part or a dot"
    if not unicodedata.is_normalized("NFC", file_path):
        return "is not in Unicode form NFC"
    return None
