"""Lists as the texts of PostgreSQL's arrays."""

from __future__ import annotations

from collections.abc import Iterable


def column(values: Iterable[str | int | None]) -> str:
    """Return values as the text of a PostgreSQL array."""
    return "{" + ",".join(map(_element, values)) + "}"


def _element(value: str | int | None) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return "NULL" if value is None else str(value)
