"""The chart: every way to read a stretch of tokens as a symbol, found once and remembered.

Cells are made on demand, from the left: `at(symbol, start)` holds one edge for each end and value. Where a cell would
hold more than `MOST` edges the dearest are dropped, in a fixed order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from planvow.goals.grammar.notation import Either, Item, Rule, Words
from planvow.goals.grammar.tokens import WORD, Token

MOST = 40
"""Edges of one cell with the same end."""
MOST_EFFORT = 100_000
"""Beginnings of rules that are tried for one sentence. The most that a wish of the test sets took is 42,000."""
SLIP_COST = 0.3
"""What a slip of the finger costs."""


@dataclass(frozen=True)
class Node:
    """What a rule found: its name and its slots, in the order of the sentence."""

    name: str
    slots: tuple[tuple[str, Any], ...] = ()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:  # nodes hold nodes: counted once, not at every look
        return hash((self.name, self.slots))

    def get(self, slot: str) -> Any:
        """Return what the first slot of that name holds, or None."""
        return next((value for name, value in self.slots if name == slot), None)

    def every(self, slot: str) -> tuple[Any, ...]:
        """Return what all slots of that name hold."""
        return tuple(value for name, value in self.slots if name == slot)


@dataclass(frozen=True)
class Edge:
    """One reading: where it ends, what it means, what it costs."""

    end: int
    value: Any
    cost: float


Terminal = Callable[[tuple[Token, ...], int], Iterable[Edge]]
Slots = tuple[tuple[str, Any], ...]


class Chart:
    """The readings of one sentence."""

    def __init__(
        self,
        rules: Mapping[str, tuple[Rule, ...]],
        terminals: Mapping[str, Terminal],
        tokens: tuple[Token, ...],
        meant: Callable[[Token], str | None] | None = None,
    ) -> None:
        self.tokens = tokens
        self._meant = [meant(token) if meant is not None else None for token in tokens]
        self._rules = rules
        self._terminals = terminals
        self._cells: dict[tuple[str, int], tuple[Edge, ...]] = {}
        self.effort = 0
        """How many beginnings of rules were tried: what reading costs, counted."""

    def readings(self, symbol: str) -> tuple[Edge, ...]:
        """Return the readings of the whole sentence, the cheapest first; none of one that is too tangled."""
        whole = [edge for edge in self.at(symbol, 0) if edge.end == len(self.tokens)]
        return () if self.is_tangled else tuple(sorted(whole, key=lambda edge: edge.cost))

    @property
    def is_tangled(self) -> bool:
        """Whether there is so much to try that reading was given up: what was found till then is not all."""
        return self.effort > MOST_EFFORT

    def at(self, symbol: str, start: int) -> tuple[Edge, ...]:
        """Return what a symbol can be from here on."""
        key = (symbol, start)
        if key not in self._cells:
            self._cells[key] = ()  # a rule that begins with itself finds nothing more
            found = self._terminal(symbol, start) if symbol in self._terminals else self._derived(symbol, start)
            self._cells[key] = _kept(found)
        return self._cells[key]

    def _terminal(self, symbol: str, start: int) -> Iterable[Edge]:
        return self._terminals[symbol](self.tokens, start) if start < len(self.tokens) else ()

    def _derived(self, symbol: str, start: int) -> Iterator[Edge]:
        for rule in self._rules[symbol]:
            if self._cannot_begin(rule, start):
                continue
            for end, slots, cost in self._sequence(rule.items, start):
                yield Edge(end, Node(rule.name, slots), cost + rule.cost)

    def _cannot_begin(self, rule: Rule, start: int) -> bool:
        """Say quickly that a rule begins with another word than stands here."""
        first = rule.items[0] if rule.items else None
        if not isinstance(first, Words):
            return False
        if start >= len(self.tokens):
            return True
        return self.tokens[start].folded not in first.words and self._meant[start] not in first.words

    def _sequence(self, items: tuple[Item, ...], start: int) -> Iterator[tuple[int, Slots, float]]:
        self.effort += 1
        if not items:
            yield start, (), 0
            return
        if self.is_tangled:
            return
        for middle, first, cost in self._item(items[0], start):
            for end, rest, more in self._sequence(items[1:], middle):
                yield end, first + rest, cost + more

    def _item(self, item: Item, start: int) -> Iterator[tuple[int, Slots, float]]:
        if isinstance(item, Words):
            if start < len(self.tokens):
                token = self.tokens[start]
                if token.kind == WORD and token.folded in item.words:
                    yield start + 1, (), 0
                elif self._meant[start] in item.words:
                    yield start + 1, (), SLIP_COST
        elif isinstance(item, Either):
            for way in item.ways:
                yield from self._sequence(way, start)
        else:
            for edge in self.at(item.symbol, start):
                slots: Slots = ()
                if item.slot is not None:
                    slots = ((item.slot, edge.value),)
                elif isinstance(edge.value, Node) and not edge.value.name:
                    slots = edge.value.slots
                yield edge.end, slots, edge.cost


def _kept(found: Iterable[Edge]) -> tuple[Edge, ...]:
    cheapest: dict[tuple[int, Any], Edge] = {}
    for edge in found:
        key = (edge.end, edge.value)
        if key not in cheapest or edge.cost < cheapest[key].cost:
            cheapest[key] = edge
    kept: list[Edge] = []
    count: dict[int, int] = {}
    for edge in sorted(cheapest.values(), key=lambda edge: (edge.end, edge.cost)):
        count[edge.end] = count.get(edge.end, 0) + 1
        if count[edge.end] <= MOST:
            kept.append(edge)
    return tuple(kept)
