"""Text that fits the terminal: folded at spaces where there is a width, left alone where there is none."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping


def folded(text: str, width: int | None, *, indent: int = 0, hanging: int | None = None) -> str:
    """Return one paragraph, indented; lines after the first stand at `hanging`."""
    first, later = " " * indent, " " * (indent if hanging is None else hanging)
    if width is None or len(first) + len(text) <= width:
        return first + text
    return textwrap.fill(
        text, width, initial_indent=first, subsequent_indent=later, break_long_words=True, break_on_hyphens=False
    )


def facts(named: Mapping[str, object], width: int | None) -> str:
    """Return names and what they stand for, one below the other; what is empty is left out."""
    told = {name: str(value) for name, value in named.items() if value not in (None, "", (), [])}
    size = max(map(len, told), default=0)
    return lines(
        folded(f"{name.ljust(size)}  {value}", width, indent=2, hanging=4 + size) for name, value in told.items()
    )


def lines(parts: Iterable[str]) -> str:
    """Return parts one below the other."""
    return "\n".join(parts)


def counted(count: int, word: str) -> str:
    """Return "1 step", "2 steps", "2 entries"."""
    many = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    return f"{count:,} {word if count == 1 else many}"
