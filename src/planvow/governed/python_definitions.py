"""Top-level functions and classes of a Python text, found without a parser.

`ast` understands only the syntax of the interpreter it runs in, so an index made with it would differ between Python
versions. Here strings, comments and brackets are recognised and nothing else: a definition is a logical line at
column 0 that starts with `def`, `async def` or `class`, with the decorators above it, up to the last line of its
block. Tests compare the answer with `ast` on real code.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"#[^\n]*"
    r"|'''(?:[^\\]|\\.)*?(?:'''|\Z)"
    r'|"""(?:[^\\]|\\.)*?(?:"""|\Z)'
    r"|'(?:[^'\\\n]|\\.)*'?"
    r'|"(?:[^"\\\n]|\\.)*"?'
    r"|[()\[\]{}]"
    r"|\\\n",
    re.DOTALL,
)
_DEFINITION = re.compile(r"(?:async[ \t]+def|def|class)[ \t]+([^\W\d]\w*)")


class Definition(NamedTuple):
    """One function or class: its name and its lines, 0-based and half-open."""

    name: str
    line_start: int
    line_end: int


def definitions(text: str, lines: list[str]) -> list[Definition]:
    """Return the top-level definitions of a text, in order."""
    if "def " not in text and "class " not in text:
        return []
    continued = _continued_lines(text, len(lines))
    found: list[Definition] = []
    open_name: str | None = None
    open_start = 0
    decorated_from: int | None = None
    last_of_block = 0
    for number, line in enumerate(lines):
        if continued[number]:
            last_of_block = number
            continue
        first = line[:1]
        if first in "\n#" or (first in " \t\f" and (not (rest := line.strip()) or rest[0] == "#")):
            continue  # blank lines and comments neither end a block nor belong to its end
        if first in " \t\f":
            last_of_block = number
            continue
        if open_name is not None:
            found.append(Definition(open_name, open_start, last_of_block + 1))
            open_name = None
        if first == "@":
            decorated_from = number if decorated_from is None else decorated_from
        elif match := _DEFINITION.match(line):
            open_name, open_start = match[1], number if decorated_from is None else decorated_from
            decorated_from = None
        else:
            decorated_from = None
        last_of_block = number
    if open_name is not None:
        found.append(Definition(open_name, open_start, last_of_block + 1))
    return found


def _continued_lines(text: str, count: int) -> bytearray:
    """Mark each line that continues the logical line above it: inside brackets, a string, or after a backslash."""
    marks = bytearray(count)
    line = depth = position = 0
    for token in _TOKEN.finditer(text):
        start, end = token.span()
        passed = text.count("\n", position, start)
        if depth > 0 and passed:
            marks[line + 1 : line + passed + 1] = b"\1" * len(marks[line + 1 : line + passed + 1])
        line += passed
        first = text[start]
        if first in "([{":
            depth += 1
        elif first in ")]}":
            depth = max(0, depth - 1)
        elif first != "#":
            inside = text.count("\n", start, end)
            if inside:
                marks[line + 1 : line + inside + 1] = b"\1" * len(marks[line + 1 : line + inside + 1])
                line += inside
        position = end
    return marks
