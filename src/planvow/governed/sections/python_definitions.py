"""Functions and classes of a Python text, nested ones too, found without a parser.

`ast` understands only the syntax of the interpreter it runs in, so an index made with it would differ between Python
versions. Here strings, comments, brackets and indentation are recognised and nothing else: a definition is a logical
line that starts with `def`, `async def` or `class`, with the decorators above it, up to the last line of its block.
Overloads and the function they describe are one definition, and so are the parts of a property (`@name.setter`), where
nothing stands between them. Tests compare the answer with `ast` on real code.
"""

from __future__ import annotations

import re

from planvow.governed.sections.parts import MAX_DEPTH, Part

# Runs of code in which nothing can continue a line are passed over inside the expression, the fastest loop there is.
# Only classes of characters are repeated possessively: Python before 3.11.5 forgets to go back within such a group.
# The groups never go back either, as what follows them always matches.
_TOKEN = re.compile(
    r"(?:[^'\"#()\[\]{}\\]++|#[^\n]*+|\([^'\"#()\[\]{}\\\n]*+\)"
    r"|'(?!'')[^'\\\n]*+'|\"(?!\"\")[^\"\\\n]*+\"|\\(?!\n))*"
    r"('''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*(?:'''|\\?\Z)"
    r'|"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*(?:"""|\\?\Z)'
    r"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*'?"
    r'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*"?'
    r"|[()\[\]{}]"
    r"|\\\n"
    r"|\Z)",
    re.DOTALL,
)
_DEFINITION = re.compile(r"(?:async[ \t]+def|def|class)[ \t]+([^\W\d]\w*)")
_DECORATOR = re.compile(r"@[ \t]*([^\W\d]\w*(?:[ \t]*\.[ \t]*[^\W\d]\w*)*)")
_MARK = re.compile(r"def[ \t]|class[ \t]|@")
_MARGIN = " \t\f"
_TAB = 8


class _Block:
    """A definition while it is looked at: where it is, how far it is indented, and what stands above it."""

    __slots__ = ("decorators", "end", "indent", "inside", "path", "start")

    def __init__(self, path: tuple[str, ...], start: int, margin: str, indent: int, decorators: list[str]) -> None:
        self.path = path
        self.start = start
        self.end = start
        self.indent = indent
        self.decorators = decorators
        self.inside = (margin + " ", margin + "\t")  # what the lines of its block start with, as a rule


def definitions(text: str, lines: list[str]) -> list[Part]:
    """Return the definitions of a text, in order of their first lines: names from the outermost, lines half-open."""
    if text.startswith("\ufeff"):
        text, lines = text[1:], [lines[0][1:], *lines[1:]]
    marked = _marked_lines(text, len(lines))
    if not any(marked):
        return []
    continued = _continued_lines(text, len(lines))
    found: list[_Block] = []
    open_ones: list[_Block] = []
    decorators: list[str] = []
    over: _Block | None = None  # the sibling that ended where the statement at hand begins
    start = 0  # where its decorators began
    look_inside = "\f" in text  # a form feed sets the indent back
    for number, line in enumerate(lines):
        if not marked[number] and (not open_ones or (line.startswith(open_ones[-1].inside) and not look_inside)):
            continue  # the common line: inside the innermost block, or outside of all
        if continued[number] or _is_blank_or_comment(line):
            continue
        words = line.lstrip(_MARGIN)
        margin = line[: len(line) - len(words)]
        indent = _width(margin)
        if not decorators:
            over, start = None, number
        if open_ones and open_ones[-1].indent >= indent:
            over = _close(open_ones, indent, _block_end(lines, continued, number))
        if words[0] == "@":
            decorators.append(_decorated_with(words))
            continue
        if (match := _DEFINITION.match(words)) and len(open_ones) < MAX_DEPTH:
            path = (*open_ones[-1].path, match[1]) if open_ones else (match[1],)
            if over is not None and over.path == path and _belongs(over, indent, decorators):
                over.decorators = decorators
                open_ones.append(over)
            else:
                open_ones.append(_Block(path, start, margin, indent, decorators))
                found.append(open_ones[-1])
        decorators = []
    _close(open_ones, 0, _block_end(lines, continued, len(lines)))
    return [Part(block.path, block.start, block.end) for block in found]


def _close(open_ones: list[_Block], indent: int, end: int) -> _Block | None:
    """End the blocks that a line with this indent ends, and return the outermost of them."""
    over = None
    while open_ones and open_ones[-1].indent >= indent:
        over = open_ones.pop()
        over.end = end
    return over


def _belongs(before: _Block, indent: int, decorators: list[str]) -> bool:
    """Say whether a definition is one with its namesake: that is an overload, or this decorated with `@name.…`."""
    is_overload = any(word.rpartition(".")[2] == "overload" for word in before.decorators)
    owned = f"{before.path[-1]}."
    return before.indent == indent and (is_overload or any(word.startswith(owned) for word in decorators))


def _decorated_with(words: str) -> str:
    match = _DECORATOR.match(words)
    return "" if match is None else re.sub(r"\s", "", match[1])


def _width(margin: str) -> int:
    """Return how far a margin indents as Python counts it: tabs reach the next multiple of eight."""
    if "\t" in margin or "\f" in margin:
        return len(margin.rpartition("\f")[2].expandtabs(_TAB))
    return len(margin)


def _block_end(lines: list[str], continued: bytearray, end: int) -> int:
    """Return where what stands before a line ends: blank lines and comments before it are not part of a block."""
    while end and not continued[end - 1] and _is_blank_or_comment(lines[end - 1]):
        end -= 1
    return end


def _is_blank_or_comment(line: str) -> bool:
    words = line.strip()
    return not words or words[0] == "#"


def _marked_lines(text: str, count: int) -> bytearray:
    """Mark the lines that look like a definition or a decorator, whatever they are in."""
    marks = bytearray(count)
    line = position = 0
    for found in _MARK.finditer(text):
        begin = text.rfind("\n", position, found.start()) + 1 or position
        if text[begin : found.start()].strip(_MARGIN) in ("", "async"):
            line += text.count("\n", position, begin)
            position = begin
            marks[line] = 1
    return marks


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
