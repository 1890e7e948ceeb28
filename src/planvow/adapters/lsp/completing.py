"""What may be typed at a place: keywords, declared names of the kind that fits, variables of the section."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from planvow.adapters.lsp.desk import Desk, Document
from planvow.adapters.lsp.names import (
    ACTION,
    FUNCTION,
    LABEL,
    OBJECT,
    PREDICATE,
    SECTIONS,
    TASK,
    TYPE,
    VARIABLE,
)

_SECTION = re.compile(r"\(\s*(:[a-z]+)", re.IGNORECASE)
_TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*")
KEYWORD = "keyword"
_DOMAIN_SECTIONS = (":requirements", ":types", ":constants", ":predicates", ":functions", ":task", ":action", ":method")
_PROBLEM_SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":htn", ":metric")
_NETWORK = (":ordered-subtasks", ":subtasks", ":ordering", ":constraints")
_PARTS = {
    ":task": (":parameters",),
    ":action": (":parameters", ":precondition", ":effect"),
    ":method": (":parameters", ":task", ":precondition", *_NETWORK),
    ":htn": (":parameters", *_NETWORK),
}
_SUBTASKS = frozenset({":subtasks", ":tasks", ":ordered-subtasks", ":ordered-tasks"})
_CONNECTIVES = ("and", "or", "not", "imply", "forall", "exists")
_EFFECTS = ("and", "not", "forall", "when", "increase")
_REQUIREMENTS = (
    ":typing", ":hierarchy", ":method-preconditions", ":negative-preconditions", ":equality", ":action-costs",
    ":disjunctive-preconditions", ":existential-preconditions", ":universal-preconditions", ":conditional-effects",
)  # fmt: skip
_MOST = 500


@dataclass(frozen=True)
class Proposal:
    """A word that fits, and what it is."""

    text: str
    kind: str


def word_start(text: str) -> int:
    """Return where the word begins that a text ends with."""
    start = len(text)
    while start and text[start - 1] not in " \t\r\n\f\v();":
        start -= 1
    return start


def proposals(desk: Desk, document: Document, offset: int) -> list[Proposal]:
    """Return what fits at an offset and begins with what is typed there, in the order of declaration."""
    before = document.lines.text[:offset]
    start = word_start(before)
    typed = before[start:]
    opened = [match for match in _SECTION.finditer(before) if match.group(1).lower() in SECTIONS]
    section = opened[-1].start() if opened else 0
    known = _Known(desk, document, section)
    fitting = dict.fromkeys(_fitting(known, _open_groups(before[section:start])))
    return [each for each in fitting if each.text.lower().startswith(typed.lower())][:_MOST]


def _open_groups(text: str) -> list[list[str]]:
    """Return what stands in each group that is open at the end of a text, from the outside in; () is a whole group."""
    stack: list[list[str]] = [[]]
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) > 1:
                stack.pop()
                stack[-1].append("()")
        elif token[0] != ";":
            stack[-1].append(token.lower())
    return stack[1:]


class _Known:
    """The declared names around a place."""

    def __init__(self, desk: Desk, document: Document, section: int) -> None:
        self.kind = document.opening.kind
        self._document, self._section = document, section
        self._domain = desk.domain_of(document)

    def names(self, *kinds: str) -> Iterator[Proposal]:
        texts = [self._document]
        texts += [self._domain] if self._domain is not None and self._domain is not self._document else []
        for text in texts:
            for name in text.names:
                if (
                    name.declares
                    and name.kind in kinds
                    and name.scope in (-1, self._section if text is texts[0] else -1)
                ):
                    yield Proposal(name.text, name.kind)

    def terms(self) -> Iterator[Proposal]:
        return self.names(VARIABLE, OBJECT)


def _fitting(known: _Known, path: list[list[str]]) -> Iterator[Proposal]:
    section = path[0] if path else []
    head = section[0] if section else ""
    if len(path) < 2 and head not in SECTIONS:
        yield from _words(_PROBLEM_SECTIONS if known.kind == "problem" else _DOMAIN_SECTIONS)
    elif path[-1] and path[-1][-1] == "-":
        yield from known.names(TYPE)
    elif len(path) == 1:
        yield from _words(word for word in _PARTS.get(head, ()) if word not in section)
        yield from _words(_REQUIREMENTS if head == ":requirements" else ())
    else:
        part = next((word for word in reversed(section) if word.startswith(":")), head)
        yield from _inside(known, part, path)


def _inside(known: _Known, part: str, path: list[list[str]]) -> Iterator[Proposal]:
    is_head = not path[-1]
    if part in (":parameters", ":predicates", ":functions"):
        return
    if part in (":ordering", ":order"):
        yield from known.names(LABEL)
    elif not is_head:
        yield from known.terms()
    elif part == ":task":
        yield from known.names(TASK)
    elif part in _SUBTASKS:
        yield from known.names(TASK, ACTION)
        yield from _words(("and",) if len(path) == 2 else ())
    elif path[-2:-1] and path[-2][-1:] == ["increase"]:
        yield from known.names(FUNCTION)
    else:
        yield from known.names(PREDICATE)
        yield from _words(_EFFECTS if part == ":effect" else () if part == ":init" else _CONNECTIVES)


def _words(words: Iterable[str]) -> Iterator[Proposal]:
    return (Proposal(word, KEYWORD) for word in words)
