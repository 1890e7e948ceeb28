"""Where names stand in a text that may be half typed: what is declared, what is used, and inside what.

What is left open ends at the next section, so a method without its last parenthesis does not hide the rest of the file.
What a word is follows from where it stands; whether it is right is the parser's business.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

_TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*")
SECTIONS = frozenset({
    ":requirements", ":types", ":constants", ":predicates", ":functions", ":task", ":action", ":method",
    ":domain", ":objects", ":init", ":goal", ":htn", ":metric",
})  # fmt: skip
_CONNECTIVES = frozenset({"and", "or", "not", "imply", "when", "=", "increase", "minimize", "maximize"})
_QUANTIFIERS = frozenset({"forall", "exists"})
_DEEPEST = 100
"""Levels of a formula that are looked at; nobody writes so many."""
_SUBTASKS = frozenset({":subtasks", ":tasks", ":ordered-subtasks", ":ordered-tasks"})
_FORMULAS = frozenset({":precondition", ":effect", ":constraints"})

TYPE, OBJECT, PREDICATE, FUNCTION, TASK, ACTION, METHOD, VARIABLE, LABEL = (
    "type", "object", "predicate", "function", "task", "action", "method", "variable", "label",
)  # fmt: skip


@dataclass(slots=True)
class Token:
    """A word with its offset."""

    text: str
    at: int


@dataclass(slots=True)
class Tree:
    """What stands between two parentheses, or between one and where it must have ended."""

    at: int
    end: int = -1
    items: list[Token | Tree] = field(default_factory=list)

    @property
    def head(self) -> str:
        """The first word in lower case, or nothing."""
        first = self.items[0] if self.items else None
        return first.text.lower() if isinstance(first, Token) else ""

    def words(self) -> Iterator[Token]:
        """Yield the words that stand directly in it."""
        return (item for item in self.items if isinstance(item, Token))

    def trees(self) -> Iterator[Tree]:
        """Yield the groups that stand directly in it."""
        return (item for item in self.items if isinstance(item, Tree))


Part: TypeAlias = Token | Tree


@dataclass(frozen=True, slots=True)
class Name:
    """A name at a place. Variables and labels belong to a section, whose offset is `scope`; others to the file (-1)."""

    kind: str
    text: str
    at: int
    declares: bool = False
    scope: int = -1
    types: tuple[str, ...] = ()

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.at + len(self.text)


def tree_of(text: str) -> Tree:
    """Return a text as a tree, whatever is missing or too many in it."""
    root = Tree(0, len(text))
    stack = [root]
    for match in _TOKEN.finditer(text):
        token, at = match.group(), match.start()
        if token == "(":
            opened = Tree(at, len(text))
            stack[-1].items.append(opened)
            stack.append(opened)
        elif token == ")":
            if len(stack) > 1:
                stack.pop().end = at + 1
        elif token[0] != ";":
            if len(stack) > 3 and token.lower() in SECTIONS and not stack[-1].items and _between(stack[-2], token):
                _end_early(stack)
            stack[-1].items.append(Token(token, at))
    return root


def _between(around: Tree, token: str) -> bool:
    """Whether a section cannot begin here unless something was left open: none stands inside another."""
    return around.head != "define" and token.lower() in SECTIONS


def _end_early(stack: list[Tree]) -> None:
    """Move a section that was just opened up to the level of sections, and end what was left open before it."""
    opened = stack[-1]
    stack[-2].items.pop()
    for tree in stack[2:-1]:
        tree.end = opened.at
    del stack[2:]
    stack[1].items.append(opened)
    stack.append(opened)


def sections_of(root: Tree) -> Iterator[Tree]:
    """Yield the sections of a domain or a problem."""
    for tree in root.trees():
        if tree.head == "define":
            yield from (part for part in tree.trees() if part.head.startswith(":"))
        elif tree.head in SECTIONS:  # the define above it is not typed yet
            yield tree


def names_of(root: Tree) -> list[Name]:
    """Return every name of a text, in the order of the file."""
    found: list[Name] = []
    for section in sections_of(root):
        found += _in_section(section)
    return sorted(found, key=lambda name: name.at)


def _in_section(section: Tree) -> Iterator[Name]:
    rest = section.items[1:]
    head = section.head
    if head == ":types":
        yield from _typed(rest, TYPE, -1)
    elif head in (":constants", ":objects"):
        yield from _typed(rest, OBJECT, -1)
    elif head in (":predicates", ":functions"):
        for tree in section.trees():
            first = tree.items[0] if tree.items else None
            if isinstance(first, Token):
                yield Name(PREDICATE if head == ":predicates" else FUNCTION, first.text, first.at, True)
            yield from _typed(tree.items[1:], VARIABLE, tree.at)
    elif head in (":task", ":action", ":method"):
        name = rest[0] if rest else None
        if isinstance(name, Token) and not name.text.startswith(":"):
            yield Name(head[1:], name.text, name.at, True)
        yield from _parts(section)
    elif head == ":htn":
        yield from _parts(section)
    elif head in (":init", ":goal"):
        for tree in section.trees():
            yield from _formula(tree, section.at)
    elif head == ":metric":
        for tree in section.trees():
            yield from _call(tree, FUNCTION, section.at)


def _parts(section: Tree) -> Iterator[Name]:
    scope = section.at
    for word, value in pairwise(section.items):
        if not isinstance(word, Token) or not isinstance(value, Tree):
            continue
        key = word.text.lower()
        if key == ":parameters":
            yield from _typed(value.items, VARIABLE, scope)
        elif key == ":task":
            yield from _call(value, TASK, scope)
        elif key in _SUBTASKS:
            for tree in value.trees() if value.head == "and" or not value.head else [value]:
                yield from _subtask(tree, scope)
        elif key in (":ordering", ":order"):
            for tree in value.trees() if value.head == "and" or not value.head else [value]:
                yield from (Name(LABEL, each.text, each.at, scope=scope) for each in tree.words() if each.text != "<")
        elif key in _FORMULAS:
            yield from _formula(value, scope)


def _subtask(tree: Tree, scope: int) -> Iterator[Name]:
    inner = next(tree.trees(), None)
    if inner is None:
        yield from _call(tree, TASK, scope)
        return
    label = tree.items[0]
    if isinstance(label, Token):
        yield Name(LABEL, label.text, label.at, True, scope)
    yield from _call(inner, TASK, scope)


def _call(tree: Tree, kind: str, scope: int) -> Iterator[Name]:
    for place, word in enumerate(tree.words()):
        if place == 0 and tree.items[0] is word:
            yield Name(kind, word.text, word.at)
        elif word.text != "-":
            yield _term(word, scope)


def _term(word: Token, scope: int) -> Name:
    if word.text.startswith("?"):
        return Name(VARIABLE, word.text, word.at, scope=scope)
    return Name(OBJECT, word.text, word.at)


def _formula(tree: Tree, scope: int, depth: int = 0) -> Iterator[Name]:
    head = tree.head
    if depth > _DEEPEST:
        return
    if head in _QUANTIFIERS:
        trees = list(tree.trees())
        if trees:
            yield from _typed(trees[0].items, VARIABLE, scope)
        for part in trees[1:]:
            yield from _formula(part, scope, depth + 1)
    elif head in ("sortof", "sort-of"):
        words = [word for word in tree.words() if word.text != "-"][1:]
        yield from (_term(word, scope) for word in words[:1])
        yield from (Name(TYPE, word.text, word.at) for word in words[1:])
    elif head in _CONNECTIVES or not head:
        numeric = head == "increase" or (head == "=" and any(tree.trees()))
        for part in tree.trees():
            yield from _call(part, FUNCTION, scope) if numeric else _formula(part, scope, depth + 1)
        if head == "=":
            yield from (_term(word, scope) for word in list(tree.words())[1:] if not _is_number(word.text))
    else:
        yield from _call(tree, PREDICATE, scope)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).lstrip("+-").isdigit()


def _typed(items: Iterable[Part], kind: str, scope: int) -> Iterator[Name]:
    """Yield declared names and their types; names that are waiting for a type get it."""
    pending: list[Token] = []
    awaits = False
    for item in items:
        if isinstance(item, Token) and item.text == "-":
            awaits = True
        elif awaits or (isinstance(item, Token) and item.text.startswith("-")):
            types = [item] if isinstance(item, Token) else [word for word in item.words() if word.text != "either"]
            types = [Token(t.text[1:], t.at + 1) if t.text.startswith("-") else t for t in types]
            yield from (Name(TYPE, each.text, each.at) for each in types)
            yield from _declared(pending, kind, scope, tuple(each.text for each in types))
            pending, awaits = [], False
        elif isinstance(item, Token):
            pending.append(item)
    yield from _declared(pending, kind, scope, ("object",))


def _declared(words: Iterable[Token], kind: str, scope: int, types: tuple[str, ...]) -> Iterator[Name]:
    return (Name(kind, word.text, word.at, True, scope, types) for word in words)
