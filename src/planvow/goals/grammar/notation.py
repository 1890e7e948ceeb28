"""How rules are written, and rules as values.

One rule a line, `symbol: pattern -> name ; cost`. In a pattern, words stand for themselves, `a|b` for either,
`[…]` may be absent, `(… / …)` is one of several; `<symbol>` is another rule or a class of the lexicon, `<slot=symbol>`
keeps what it found under a name, `<slot*=symbol>` may be there several times. A rule without a name hands its slots
to the rule that uses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_ITEM = re.compile(
    r"<(?:(?P<slot>[a-z]+)(?P<many>\*?)=)?(?P<symbol>[A-Za-z]+)>|(?P<mark>[\[\]()/])|(?P<words>[^\s\[\]()<>]+)"
)


@dataclass(frozen=True)
class Words:
    """Any of these words."""

    words: frozenset[str]


@dataclass(frozen=True)
class Part:
    """What a symbol finds, kept in a slot if there is one."""

    symbol: str
    slot: str | None = None
    many: bool = False


@dataclass(frozen=True)
class Either:
    """One of several sequences."""

    ways: tuple[tuple[Item, ...], ...]


Item = Words | Part | Either


@dataclass(frozen=True)
class Rule:
    """One way to build a symbol."""

    items: tuple[Item, ...]
    name: str = ""
    cost: float = 0


def read_rules(text: str) -> Mapping[str, tuple[Rule, ...]]:
    """Return the rules of a grammar by their symbol."""
    rules: dict[str, list[Rule]] = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        symbol, _, rest = line.partition(": ")
        rest, _, cost = rest.partition(" ; ")
        pattern, _, name = rest.partition(" -> ")
        tokens = list(_ITEM.finditer(pattern))
        items, _ = _sequence(tokens, 0, frozenset())
        rules.setdefault(symbol.strip(), []).append(Rule(items, name.strip(), float(cost or 0)))
    return {symbol: tuple(ways) for symbol, ways in rules.items()}


def words_in(rules: Mapping[str, Iterable[Rule]]) -> frozenset[str]:
    """Return every word that stands in a rule."""
    return frozenset(word for ways in rules.values() for rule in ways for word in _words(rule.items))


def _words(items: Iterable[Item]) -> Iterable[str]:
    for item in items:
        if isinstance(item, Words):
            yield from item.words
        elif isinstance(item, Either):
            for way in item.ways:
                yield from _words(way)


def _sequence(tokens: list[re.Match[str]], at: int, ends: frozenset[str]) -> tuple[tuple[Item, ...], int]:
    items: list[Item] = []
    while at < len(tokens):
        token = tokens[at]
        mark = token["mark"]
        if mark in ends:
            break
        if mark in ("]", ")", "/"):
            raise ValueError(f"a bracket too many: {token.string!r}")
        at += 1
        if token["symbol"]:
            items.append(Part(token["symbol"], token["slot"], bool(token["many"])))
        elif token["words"]:
            items.append(Words(frozenset(token["words"].split("|"))))
        elif mark == "[":
            inner, at = _sequence(tokens, at, frozenset("]"))
            items.append(Either((inner, ())))
            at += 1
        else:
            ways = []
            while True:
                inner, at = _sequence(tokens, at, frozenset("/)"))
                ways.append(inner)
                at += 1
                if tokens[at - 1]["mark"] == ")":
                    break
            items.append(Either(tuple(ways)))
    return tuple(items), at
