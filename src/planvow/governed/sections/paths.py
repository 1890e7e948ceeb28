"""File paths in requests: the cassette's grammar, refused as a fault of the request."""

from __future__ import annotations

from planvow.cassette.errors import PathRefusedError
from planvow.cassette.files.below_root import PROTECTED, checked_parts
from planvow.governed.errors import RequestPathError


def check_path(file_path: str, *, place: str | None = None) -> str:
    """Return the path unchanged, or raise RequestPathError saying which rule it breaks."""
    try:
        checked_parts(file_path)
    except PathRefusedError as error:
        raise RequestPathError(
            f"{file_path[:80]!r}: {error.message}",
            place=place,
            hint="write it relative to the repository root, for example docs/intro.md",
        ) from None
    return file_path


def check_target(file_path: str, *, place: str | None = None) -> str:
    """Return a path that may be written to: well formed, and not inside version control or planvow's own data."""
    top = check_path(file_path, place=place).partition("/")[0]
    if top in PROTECTED:
        raise RequestPathError(f"nothing is written below {top}", place=place)
    return file_path
