"""The text rules of the substrate: what a line is, and which bytes a hash is taken over.

Strict UTF-8; CRLF and CR become LF; lines are split on LF only and keep it; a final LF does not add a line. So the
lines of a text joined again are the text, and a checkout with other line ends has the same sections (spec 002, Phase
1).
"""

from __future__ import annotations

import hashlib
from io import StringIO


def normalised(data: bytes) -> str:
    """Decode file bytes and make every line end LF. Raises UnicodeDecodeError on anything but UTF-8."""
    text = data.decode("utf-8")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def lines_of(text: str) -> list[str]:
    """Split a normalised text into lines, each with its LF (the last one may have none)."""
    return StringIO(text, newline="\n").readlines()


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text's UTF-8 bytes."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
