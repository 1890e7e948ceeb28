"""Two plans side by side: each step in its row, changed ones beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_FIRST, _SECOND = "only first", "only second"


@dataclass(frozen=True, kw_only=True)
class Row:
    """A step of either plan, or of both."""

    kind: str
    sign: str
    first: str = ""
    second: str = ""


def side_by_side(changes: Sequence[Mapping[str, Any]]) -> tuple[Row, ...]:
    """Return the rows of the table; what left and what came at one place stand beside each other."""
    rows: list[Row] = []
    gone: list[str] = []
    come: list[str] = []
    for change in (*changes, {"change": "same", "step": None}):
        if change["change"] == _FIRST:
            gone.append(change["step"])
        elif change["change"] == _SECOND:
            come.append(change["step"])
        else:
            rows += _settled(gone, come)
            gone, come = [], []
            if change["step"] is not None:
                rows.append(Row(kind="same", sign="=", first=change["step"], second=change["step"]))
    return tuple(rows)


def _settled(gone: list[str], come: list[str]) -> list[Row]:
    both = min(len(gone), len(come))
    rows = [Row(kind="changed", sign="≠", first=a, second=b) for a, b in zip(gone, come, strict=False)]
    rows += [Row(kind="removed", sign="−", first=text) for text in gone[both:]]
    return rows + [Row(kind="added", sign="+", second=text) for text in come[both:]]
