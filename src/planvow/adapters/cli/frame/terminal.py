"""What the terminal can show: colours, characters beyond ASCII."""

from __future__ import annotations

import os
import sys
from typing import TextIO


def plain_characters(stream: TextIO | None = None) -> bool:
    """Say whether only ASCII can be shown: the stream's encoding has no lines to draw with, or PLANVOW_ASCII asks."""
    if os.environ.get("PLANVOW_ASCII"):
        return True
    encoding = getattr(stream or sys.stdout, "encoding", None) or "ascii"
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
