"""Text → nested groups of symbols, each with its offset.

One regular expression finds the tokens and one loop with its own stack nests them, so neither a long file nor a
deeply nested one can exhaust the interpreter; both have a limit with a clear message instead. HDDL has no strings and
no quoting: a symbol is anything between blanks, parentheses and comments (`;` to the end of the line).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from sys import intern
from typing import TypeAlias

from planvow.hddl.language.errors import HddlLimitError, HddlSyntaxError
from planvow.hddl.language.source import Source

MAX_CHARACTERS = 20_000_000
MAX_TOKENS = 2_000_000
"""Words and parentheses together: about 450 MB as facts, at worst (all of them types) below 2 GB."""
MAX_NESTING = 200

HOW_FILES_BEGIN = "a domain begins with (define (domain NAME), a problem with (define (problem NAME)"

_TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


class Symbol(str):
    """A word of the file, with its offset."""

    __slots__ = ("at",)
    at: int


class Group(list["Node"]):
    """What stands between two parentheses, with the offsets of both."""

    __slots__ = ("at", "end")
    at: int
    end: int


Node: TypeAlias = Symbol | Group


def begin(text: str) -> int:
    """Return where the words of a text begin: behind the byte order mark that some editors put in front."""
    return 1 if text.startswith("\ufeff") else 0


def read(source: Source, on_group: Callable[[], None] = lambda: None) -> list[Group]:
    """Read all top-level groups of a text, or raise HddlSyntaxError or HddlLimitError; `on_group` is told of each."""
    text = source.text
    if len(text) > MAX_CHARACTERS:
        raise HddlLimitError(f"the file has {len(text)} characters, the limit is {MAX_CHARACTERS}", source=source, at=0)
    if len(text) > MAX_TOKENS:  # a shorter text cannot have as many
        count = sum(1 for _ in _TOKEN.finditer(text))
        if count > MAX_TOKENS:
            message = f"the file has {count} words and parentheses, the limit is {MAX_TOKENS}"
            raise HddlLimitError(message, source=source, at=0)
    strange = _CONTROL.search(text)
    if strange:
        found = f"character {strange.group()!r}"
        raise HddlSyntaxError(
            f"expected HDDL text, found {found}: this is a binary file",
            source=source,
            at=strange.start(),
            hint="save it as plain text in UTF-8",
        )

    top: list[Group] = []
    stack: list[Group] = []
    current: Group | None = None
    for match in _TOKEN.finditer(text, begin(text)):
        token = match.group()
        if token == "(":
            on_group()
            group = Group()
            group.at = match.start()
            if current is None:
                top.append(group)
            else:
                current.append(group)
                stack.append(current)
                if len(stack) >= MAX_NESTING:
                    message = f"nested more than {MAX_NESTING} levels deep"
                    raise HddlLimitError(message, source=source, at=group.at, hint="is a ) missing somewhere before?")
            current = group
        elif token == ")":
            if current is None:
                hint = "this ) is one too many, or a ( is missing before it"
                raise HddlSyntaxError("found a ) that closes nothing", source=source, at=match.start(), hint=hint)
            current.end = match.start()
            current = stack.pop() if stack else None
        elif token[0] != ";":
            if current is None:
                raise HddlSyntaxError(
                    f"expected (, found {token[:40]!r}", source=source, at=match.start(), hint=HOW_FILES_BEGIN
                )
            symbol = Symbol(intern(token))
            symbol.at = match.start()
            current.append(symbol)
    if current is not None:
        raise HddlSyntaxError(
            "the file ends before this ( is closed",
            source=source,
            at=current.at,
            hint="a ) is missing here or further down, or the file was cut off",
        )
    return top
