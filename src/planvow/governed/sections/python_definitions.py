"""Top-level functions and classes of a Python text, found without a parser.

`ast` understands only the syntax of the interpreter it runs in, so an index made with it would differ between Python
versions. Here strings, comments and brackets are recognised and nothing else: a definition is a logical line at
column 0 that starts with `def`, `async def` or `class`, with the decorators above it, up to the last line of its
block. Tests compare the answer with `ast` on real code.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

# Runs of code in which nothing can continue a line are passed over inside the expression, the fastest loop there is.
_TOKEN = re.compile(
    r"(?:[^'\"#()\[\]{}\\]+|#[^\n]*|\([^'\"#()\[\]{}\\\n]*\)"
    r"|'(?!'')[^'\\\n]*'|\"(?!\"\")[^\"\\\n]*\"|\\(?!\n))*+"
    r"('''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+(?:'''|\\?\Z)"
    r'|"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+(?:"""|\\?\Z)'
    r"|'(?:[^'\\\n]|\\.)*+'?"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|[()\[\]{}]"
    r"|\\\n"
    r"|\Z)",
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
    statements = [n for n, line in enumerate(lines) if line[0] not in " \t\f\n#" and not continued[n]]
    found: list[Definition] = []
    decorated_from: int | None = None
    for number, following in pairwise([*statements, len(lines)]):
        line = lines[number].removeprefix("\ufeff")
        if line[0] == "@":
            decorated_from = number if decorated_from is None else decorated_from
            continue
        if match := _DEFINITION.match(line):
            start = number if decorated_from is None else decorated_from
            found.append(Definition(match[1], start, _block_end(lines, continued, number, following)))
        decorated_from = None
    return found


def _block_end(lines: list[str], continued: bytearray, number: int, following: int) -> int:
    """Return where a statement's block ends: blank lines and comments before what follows are not part of it."""
    end = following
    while end > number + 1 and not continued[end - 1] and _is_blank_or_comment(lines[end - 1]):
        end -= 1
    return end


def _is_blank_or_comment(line: str) -> bool:
    words = line.strip()
    return not words or words[0] == "#"


def _continued_lines(text: str, count: int) -> bytearray:
    """Mark each line that continues the logical line above it: inside brackets, a string, or after a backslash."""
    marks = bytearray(count)
    line = depth = position = 0
    for token in _TOKEN.finditer(text):
        start, end = token.span(1)
        passed = text.count("\n", position, start)
        if depth > 0 and passed:
            marks[line + 1 : line + passed + 1] = b"\1" * len(marks[line + 1 : line + passed + 1])
        line += passed
        if start == end:
            break  # the end of the text; tokens are not empty
        first = text[start]
        if first in "([{":
            depth += 1
        elif first in ")]}":
            depth = max(0, depth - 1)
        else:
            inside = text.count("\n", start, end)
            if inside:
                marks[line + 1 : line + inside + 1] = b"\1" * len(marks[line + 1 : line + inside + 1])
                line += inside
        position = end
    return marks
