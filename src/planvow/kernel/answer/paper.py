"""The paper of the SVG pictures: light on a light page, dark on a dark one, and readable wherever they are put.

A picture brings its own background, so that it can be read on a page of any colour. What a reader prefers
(`prefers-color-scheme`) chooses between the two sets of colours; a program that knows no style sheets draws the
light one from the attributes. Names of classes begin with `pv-`: inside a page they touch nothing else.
"""

from __future__ import annotations

PICTURE = "picture/1"
"""The version of the drawings: it moves when the bytes of a picture do."""
MOST_ROWS = 150
"""Rows of a picture unless more are asked for: what is longer than some screens is not looked at."""

_LIGHT = {
    "paper": "#ffffff",
    "ink": "#1b1f24",
    "quiet": "#57606a",
    "line": "#8c959f",
    "grid": "#d8dee4",
    "box": "#f6f8fa",
    "command": "#ddeeff",
    "bar": "#2a6f97",
    "window": "#86a8bd",
}
_DARK = {
    "paper": "#161b22",
    "ink": "#e6edf3",
    "quiet": "#a2acb6",
    "line": "#6e7681",
    "grid": "#30363d",
    "box": "#21262d",
    "command": "#1f3a57",
    "bar": "#58a6d6",
    "window": "#4f7591",
}
_STYLE = (
    "<style>@media (prefers-color-scheme:dark){"
    + "".join(f".pv-picture .pv-{name}{{fill:{colour}}}" for name, colour in _DARK.items())
    + "".join(f".pv-picture .pv-{name}-stroke{{stroke:{colour}}}" for name, colour in _DARK.items())
    + "}</style>"
)


def paper(width: int, height: int, title: str, *, font: str) -> str:
    """Return the beginning of a picture: its size, its title for who cannot see it, its colours and its background."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'class="pv-picture" font-family="{font}" font-size="12" role="img" data-version="{PICTURE}">'
        f"<title>{title}</title>{_STYLE}"
        f'<rect width="{width}" height="{height}" rx="6" {fill("paper")}/>'
    )


def seen(text: str) -> str:
    """Return a text with `\\uXXXX` for each character that nobody sees: XML forbids most, viewers may obey some."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def fill(name: str) -> str:
    """Return the attributes of what is filled with one of the colours."""
    return f'class="pv-{name}" fill="{_LIGHT[name]}"'


def stroke(name: str) -> str:
    """Return the attributes of what is drawn with one of the colours."""
    return f'class="pv-{name}-stroke" stroke="{_LIGHT[name]}"'


def outlined(inside: str, line: str) -> str:
    """Return the attributes of what is filled with one colour and drawn around with another."""
    return f'class="pv-{inside} pv-{line}-stroke" fill="{_LIGHT[inside]}" stroke="{_LIGHT[line]}"'
