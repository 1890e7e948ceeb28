"""A place where a transcript says who speaks from there on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Label:
    """A line opening that names a speaker."""

    name: str | None
    """None where only a change of speaker is marked."""
    line_start: int
    words_start: int
    start_ms: int | None = None
    is_upper: bool = False
    is_stamped: bool = False
    has_words: bool = True
    """Whether words follow on the same line."""
    is_heading: bool = False
    """Whether nobody speaks from here to the next label: a title, a notice of a program."""
