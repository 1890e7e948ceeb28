"""Text from outside as a terminal may get it: what would steer it, or turn words around, is shown and not sent.

Escape sequences can rewrite what was printed before, fill the clipboard or answer in the user's name; characters for
the direction of writing make a line read as another one. Each is written as JSON writes it, `\\u001b`, so that a JSON
document stays the document it was.
"""

from __future__ import annotations

import re

_STEERING = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb\U000e0000-\U000e007f]"
    "|\r(?!\n)|[\ud800-\udfff]"
)
_PASSWORD = re.compile(r"(://[^\s/:@]*:)[^\s/@]+(?=@)")


def visible(text: str) -> str:
    """Return a text in which every character that steers a terminal is spelt out."""
    return _STEERING.sub(_spelt, text)


def without_passwords(text: str) -> str:
    """Return a text without the passwords that stand in its addresses."""
    return _PASSWORD.sub(r"\1…", text)


def _spelt(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
