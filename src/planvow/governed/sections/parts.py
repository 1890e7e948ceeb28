"""A named piece of a text, as every reader gives it."""

from __future__ import annotations

from typing import NamedTuple

MAX_DEPTH = 20
"""Definitions that stand deeper are no sections: every level hashes its lines once more."""


class Part(NamedTuple):
    """The names that lead to a piece, from the outermost, and its lines, 0-based and half-open."""

    path: tuple[str, ...]
    line_start: int
    line_end: int
