"""What the terminal can show: colours, characters beyond ASCII."""

from __future__ import annotations

import os
import re
import sys
from typing import TextIO

LEAST_WIDTH = 50
IN_ASCII = str.maketrans(
    {"─": "-", "│": "|", "├": "|", "└": "`", "▸": ">", "█": "#", "·": ".", "–": "-", "—": "-", "…": "...",
     "→": "->", "✓": "+", "−": "-", "±": "+-", "“": '"', "”": '"'}
)  # fmt: skip
"""What planvow draws and writes beyond ASCII, for terminals that have no more; what users wrote stays as it is."""
_STEM = re.compile(r"[\s│├└─|`-]*(?:▸ |> )?")


def plain_characters(stream: TextIO | None = None) -> bool:
    """Say whether only ASCII can be shown: the stream's encoding has no lines to draw with, or PLANVOW_ASCII asks."""
    if os.environ.get("PLANVOW_ASCII"):
        return True
    encoding = getattr(stream or sys.stdout, "encoding", None) or "utf-8"  # a stream in memory takes everything
    try:
        "├─▸█·…".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def coloured(stream: TextIO | None) -> bool:
    """Say whether colours may be used: on terminals that are not dumb, unless NO_COLOR is set to anything."""
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def terminal_width(stream: TextIO | None) -> int | None:
    """Return how many columns the terminal has that reads a stream, None where nobody looks."""
    if stream is None or not stream.isatty():
        return None
    return max(LEAST_WIDTH, _columns(stream))


def _columns(stream: TextIO) -> int:
    """Return the columns of the terminal behind a stream: stdout and stderr may lead to different places."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and int(asked):
        return int(asked)
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError, AttributeError):  # no descriptor, as in tests and notebooks
        return 80


def fitted(text: str, width: int) -> str:
    """Return a text whose lines are folded at spaces; what follows stands below the beginning, on the tree's lines."""
    return "\n".join(line if len(line) <= width else _folded(line, width) for line in text.split("\n"))


def _folded(line: str, width: int) -> str:
    import textwrap

    found = _STEM.match(line)
    stem = found[0] if found is not None else ""
    below = stem.replace("├", "│").translate(str.maketrans("└─▸`>-", "      "))
    below = below if len(below) < width // 2 else below[: width // 2]
    return textwrap.fill(
        line[len(stem) :],
        width,
        initial_indent=stem,
        subsequent_indent=below if below.strip() else below + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
