"""HDDL text as a tree that forgets nothing: words, groups, and the comments that `language.reader` skips.

Of the space between them two things are kept, because they carry meaning for people: whether a comment stands on a
line of its own, and whether an empty line came before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from planvow.hddl.language.reader import begin, read
from planvow.hddl.language.source import Source

_TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*")


@dataclass(slots=True)
class Word:
    """A word of the file."""

    text: str
    after_gap: bool
    width: int


@dataclass(slots=True)
class Note:
    """A comment, `;` included; behind something, or on a line of its own."""

    text: str
    after_gap: bool
    alone: bool


@dataclass(slots=True)
class Form:
    """What stands between two parentheses. `width` is what it takes on one line; None: a comment is inside."""

    after_gap: bool
    items: list[Item] = field(default_factory=list)
    width: int | None = 2

    @property
    def head(self) -> str:
        """The first word, in lower case, or nothing."""
        first = self.items[0] if self.items else None
        return first.text.lower() if isinstance(first, Word) else ""


Item: TypeAlias = Word | Note | Form


def tree_of(text: str, *, file: str = "<text>") -> list[Item]:
    """Return everything at the top of a text, or raise HddlSyntaxError or HddlLimitError as the parser does."""
    read(Source(text, file))
    top = Form(after_gap=False)
    open_forms = [top]
    end = 0
    for match in _TOKEN.finditer(text, begin(text)):
        token, start = match.group(), match.start()
        breaks, is_first = text.count("\n", end, start), not end
        end = match.end()
        around = open_forms[-1]
        if token == "(":
            open_forms.append(Form(after_gap=breaks > 1))
            around.items.append(open_forms[-1])
        elif token == ")":
            done = open_forms.pop()
            open_forms[-1].width = _wider(open_forms[-1], done.width)
        elif token[0] == ";":
            around.items.append(Note(token.rstrip(), after_gap=breaks > 1, alone=breaks > 0 or is_first))
            around.width = None
        else:
            around.items.append(Word(token, breaks > 1, len(token)))
            around.width = _wider(around, len(token))
    return top.items


def _wider(form: Form, more: int | None) -> int | None:
    if form.width is None or more is None:
        return None
    return form.width + more + (len(form.items) > 1)
