"""File paths in requests: the cassette's grammar, refused as a fault of the request."""

from __future__ import annotations

from planvow.cassette.errors import PathRefusedError
from planvow.cassette.files.below_root import checked_parts
from planvow.cassette.files.protected import protected_name
from planvow.governed.errors import RequestPathError
from planvow.governed.sections.policy import Policy


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


def check_target(file_path: str, policy: Policy, *, place: str | None = None) -> str:
    """Return a path that may be written to: well formed, no protected name in it, and within the policy."""
    closed = protected_name(check_path(file_path, place=place).split("/"))
    if closed is not None:
        raise RequestPathError(f"nothing is written to {closed}, nor below it", place=place)
    refusal = policy.refusal(file_path)
    if refusal is not None:
        raise RequestPathError(f"{file_path[:80]!r}: {refusal}", place=place)
    return file_path
