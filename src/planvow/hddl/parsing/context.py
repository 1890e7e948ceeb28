"""What the parser knows while it reads: where it is, which names are declared, how it complains.

A `Context` belongs to one file. It keeps a stack of what is being read ("method 'drive'", ":subtasks"), so that
every error can say so, and collects remarks. `Names` is one namespace; types, predicates, tasks, objects and
variables have one each, so an object may have the name of a type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from sys import intern

from planvow.budgets import Deadline
from planvow.errors import did_you_mean
from planvow.hddl.language.errors import (
    HddlError,
    HddlMeaningError,
    HddlNameError,
    HddlSyntaxError,
    HddlUnsupportedError,
)
from planvow.hddl.language.formula import ROOT_TYPE, Parameter
from planvow.hddl.language.model import Object, Remark
from planvow.hddl.language.reader import Group, Node, Symbol
from planvow.hddl.language.source import Source

_MAX_REMARKS = 100
_DECLARED = {
    "type": "declare it in (:types …) of the domain",
    "object": "declare it in (:objects …) of the problem, or in (:constants …) where the domain names it",
    "predicate": "declare it in (:predicates …) of the domain",
    "function": "declare it in (:functions …) of the domain",
    "variable": "declare it in :parameters, or around this by forall or exists",
    "task": "declare it in the domain: (:task NAME :parameters (…))",
    "task or action": "declare it in the domain: (:task NAME :parameters (…)) or (:action NAME …)",
}
"""How names of each kind are declared: the hint where nothing is spelt nearly alike."""
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


class Names:
    """Declared names of one kind, found without regard to case, the exact spelling first."""

    def __init__(self, kind: str, names: Iterable[str] = ()) -> None:
        self.kind = kind
        self.exact: dict[str, str] = {}
        self._folded: dict[str, str] = {}
        for name in names:
            self.add(name)

    def add(self, name: str) -> str:
        name = intern(str(name))
        self.exact[name] = name
        self._folded.setdefault(name.lower(), name)
        return name

    def get(self, word: str) -> str | None:
        return self.exact.get(word) or self._folded.get(word.lower())

    def extended(self, names: Iterable[str]) -> Names:
        """Return these names with inner ones that hide outer ones spelt alike."""
        inner = Names(self.kind, self.exact)
        for name in names:
            inner._folded[inner.add(name).lower()] = name
        return inner


class Context:
    """One file being parsed."""

    def __init__(self, source: Source, deadline: Deadline | None = None) -> None:
        self.source = source
        self.deadline = deadline or Deadline()
        self.remarks: list[Remark] = []
        self._inside: list[str] = []

    @contextmanager
    def inside(self, what: str) -> Iterator[None]:
        """Name what is being read while the block runs."""
        self._inside.append(what)
        yield
        self._inside.pop()

    def remark(self, text: str, at: int) -> None:
        """Note something odd; after a hundred nobody reads on."""
        if len(self.remarks) < _MAX_REMARKS:
            self.remarks.append(Remark(place=self.source.place(at), text=text))

    def syntax(self, message: str, at: int, hint: str | None = None) -> HddlError:
        return HddlSyntaxError(message, source=self.source, at=at, context=tuple(self._inside), hint=hint)

    def meaning(self, message: str, at: int, hint: str | None = None) -> HddlError:
        return HddlMeaningError(message, source=self.source, at=at, context=tuple(self._inside), hint=hint)

    def unsupported(self, message: str, at: int, hint: str | None = None) -> HddlError:
        return HddlUnsupportedError(message, source=self.source, at=at, context=tuple(self._inside), hint=hint)

    def name(self, message: str, at: int, hint: str | None = None) -> HddlError:
        return HddlNameError(message, source=self.source, at=at, context=tuple(self._inside), hint=hint)

    def twice(self, kind: str, name: str, at: int, first: int) -> HddlError:
        """Return the error of a name that stands for something already, which is at `first`."""
        return self.taken(f"{kind} {name!r} is declared twice", at, first)

    def taken(self, message: str, at: int, first: int) -> HddlError:
        place = self.source.place(first)
        return self.name(message, at, f"the first one is at {place.line}:{place.column}: take one out or rename one")

    def expected(self, what: str, found: Node | None, at: int) -> HddlError:
        return self.syntax(f"expected {what}, found {describe(found)}", found.at if found is not None else at)

    def symbol(self, node: Node | None, what: str, at: int = 0) -> Symbol:
        """Return the node if it is a symbol, or raise that `what` was expected."""
        if not isinstance(node, Symbol):
            raise self.expected(what, node, at)
        return node

    def new_name(self, node: Node | None, what: str, at: int = 0) -> Symbol:
        """Return the symbol that names something new; no variable and no keyword does, unless the name was left out."""
        word = self.symbol(node, what, at)
        if word[0] in "?:":
            raise self.expected(what, word, word.at)
        return word

    def group(self, node: Node | None, what: str, at: int = 0) -> Group:
        """Return the node if it is a group, or raise that `what` was expected."""
        if not isinstance(node, Group):
            raise self.expected(what, node, at)
        return node

    def head(self, group: Group, what: str) -> Symbol:
        """Return the first symbol of a group."""
        return self.symbol(group[0] if group else None, what, group.at)

    def number(self, node: Node | None, at: int) -> int | float:
        """Return the number a symbol writes."""
        word = self.symbol(node, "a number", at)
        if not _NUMBER.fullmatch(word) or len(word) > 300:
            raise self.expected("a number", word, at)
        value = float(word)
        if value in (float("inf"), float("-inf")):
            raise self.syntax("this number is too large", word.at)
        return int(value) if value.is_integer() and abs(value) < 2**53 else value

    def find(self, names: Names, word: Symbol) -> str:
        """Return the declared spelling of a name, or raise with the nearest declared one as a hint.

        Where none is near, the hint says how a name of its kind is declared.
        """
        found = names.get(word)
        if found is None:
            near = did_you_mean(word, names.exact) if len(names.exact) <= 5_000 else None
            hint = near or _DECLARED.get(names.kind)
            known = f"; there is no {names.kind} at all" if not names.exact else ""
            raise self.name(f"expected a declared {names.kind}, found {str(word)[:80]!r}{known}", word.at, hint)
        return found

    def check_arity(self, kind: str, name: str, given: int, wanted: int, at: int) -> None:
        if given != wanted:
            plural = "" if wanted == 1 else "s"
            raise self.meaning(f"{kind} {name!r} takes {wanted} argument{plural}, found {given}", at)

    def keywords(self, items: list[Node], known: tuple[str, ...], owner: Group) -> Iterator[tuple[str, Symbol, Node]]:
        """Read `:keyword value` pairs in any order."""
        index = 0
        while index < len(items):
            word = self.symbol(items[index], f"one of {' '.join(known)}", owner.at)
            if word.lower() not in known:
                hint = did_you_mean(word.lower(), known)
                raise self.syntax(f"expected one of {' '.join(known)}, found {str(word)[:80]!r}", word.at, hint)
            if index + 1 == len(items):
                raise self.syntax(f"expected something after {word}, found )", owner.end)
            yield word.lower(), word, items[index + 1]
            index += 2

    def typed_list(self, items: list[Node], types: Names, what: str) -> list[tuple[Symbol, tuple[str, ...]]]:
        """Read `a b - type c - (either t u) d`; what has no type is an object."""
        items = with_dashes_apart(items)
        found: list[tuple[Symbol, tuple[str, ...]]] = []
        pending: list[Symbol] = []
        index = 0
        while index < len(items):
            word = self.symbol(items[index], what)
            if word == "-":
                if not pending or index + 1 == len(items):
                    missing = f"{what} before -" if not pending else "a type after -"
                    raise self.syntax(f"expected {missing}", word.at)
                its_types = self._types(items[index + 1], types)
                found += [(name, its_types) for name in pending]
                pending = []
                index += 2
            else:
                pending.append(word)
                index += 1
        return found + [(name, (ROOT_TYPE,)) for name in pending]

    def _types(self, node: Node, types: Names) -> tuple[str, ...]:
        if isinstance(node, Symbol):
            return (self.find(types, node),)
        if self.head(node, "either").lower() != "either" or len(node) < 2:
            raise self.expected("a type or (either type …)", node, node.at)
        return tuple(dict.fromkeys(self.find(types, self.symbol(item, "a type")) for item in node[1:]))

    def parameters(self, node: Node, types: Names) -> tuple[Parameter, ...]:
        """Read a list of typed variables."""
        group = self.group(node, "a list of parameters")
        found: dict[str, Parameter] = {}
        for name, its_types in self.typed_list(group, types, "a variable"):
            if name[0] != "?" or len(name) == 1:
                raise self.expected("a variable such as ?x", name, name.at)
            if name in found:
                raise self.twice("parameter", name, name.at, found[name].at)
            found[str(name)] = Parameter(intern(str(name)), its_types, at=name.at)
        return tuple(found.values())

    def objects(self, items: list[Node], types: Names, known: dict[str, Object]) -> None:
        """Read typed objects into `known`. One that is declared again has the types of all its declarations."""
        for name, its_types in self.typed_list(items, types, "the name of an object"):
            self.new_name(name, "the name of an object")
            before = known.get(name)
            if before is not None:
                self.remark(f"object {str(name)!r} is declared twice", name.at)
                its_types = tuple(dict.fromkeys((*before.types, *its_types)))
            key = intern(str(name))
            known[key] = Object(name=key, types=its_types, at=before.at if before else name.at)


def with_dashes_apart(items: list[Node]) -> list[Node]:
    """Read `?x -room` as `?x - room`: no name starts with a dash."""
    if not any(isinstance(item, Symbol) and item[0] == "-" and len(item) > 1 for item in items):
        return items
    apart: list[Node] = []
    for item in items:
        if isinstance(item, Symbol) and item[0] == "-" and len(item) > 1:
            for at, text in ((item.at, "-"), (item.at + 1, item[1:])):
                symbol = Symbol(intern(text))
                symbol.at = at
                apart.append(symbol)
        else:
            apart.append(item)
    return apart


def describe(node: Node | None) -> str:
    """Return a node in a few words, for messages."""
    if node is None:
        return "nothing"
    if isinstance(node, Symbol):
        return repr(str(node)[:80])
    return f"({node[0][:80]} …)" if node and isinstance(node[0], Symbol) else "a list" if node else "()"
