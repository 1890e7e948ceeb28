"""Rows of tools that are alike but for what few of them do, and which rows bring about what is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from planvow.goals.conditions.keys import OPEN, KeyTree, Pattern, key_pattern, value_word
from planvow.goals.conditions.problem import weight
from planvow.goals.conditions.terms import choices, filled, kind_of
from planvow.tools.statements import NOTHING, Statement
from planvow.tools.tool import ToolEntry

EACH = ""
"""In place of a tool's name: every tool of its row."""
Asked = tuple[Pattern, str]
"""A key, and which value of it is asked for."""
Shown = tuple[str, str]
"""A key without names, and its value in canonical form."""


class Row:
    """Tools of one sort, the cheapest first and then by name, alike but for effects that few of the sort have."""

    def __init__(self, tools: Sequence[ToolEntry], common: frozenset[str]) -> None:
        self.first = tools[0]
        self.rank = cheapest_first(self.first)
        self.common = [one for text, one in zip(self.first.effects, self.first.brings) if text in common]
        self.own = {
            tool.name: [one for text, one in zip(tool.effects, tool.brings) if text not in common] for tool in tools
        }
        self._prices = {tool.name: weight(tool.cost) for tool in tools}
        self._prices[EACH] = weight(self.first.cost)
        spoken = filled(self.first)
        self.asks: list[Asked | str] = [asked_by(need) for need in self.first.needs]
        self.asks += [kind_of(self.first, name) for name in spoken]
        self.firm = [((need.key, value_word(need)), asked_by(need)) for need in self.first.needs if _is_firm(need)]
        """The needs that a world meets only by showing them."""
        listed = {name: bool(choices(self.first.parameters.get(name))) for name in spoken}
        self.chosen = [kind_of(self.first, name) for name in spoken if listed[name]]
        """The kinds of which the tools themselves list values, for where there are none."""
        self.kinds = [kind_of(self.first, name) for name in spoken if not listed[name]]
        """The kinds of which a value must be given or produced."""
        needed: list[Asked | str] = [asked_by(need) for need in self.first.needs if not _is_met_by_silence(need)]
        needed += self.kinds
        self.waits_for = list(dict.fromkeys(needed))
        """What must be there before a tool can be called."""
        self._by_key: KeyTree[str] = KeyTree()
        for name, effects in self.own.items():
            for effect in effects:
                self._by_key.add(effect, name)

    def price(self, name: str) -> int:
        """Return what a call of this tool weighs; of the cheapest, where each is meant."""
        return self._prices[name]

    def bearing_on(self, keys: Iterable[Pattern]) -> list[str]:
        """Return the tools with an effect of their own on one of these keys, and the first of those without."""
        if len(self.own) == 1:
            return [*self.own]
        found = {name for key in keys for name in self._by_key.meeting(key, OPEN)}
        without = next((name for name in self.own if name not in found), None)
        return [*found] if without is None else [*found, without]


class Makers:
    """Rows of tools, and tools of a row, by what they bring about and produce."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._by_key: KeyTree[tuple[Row, str]] = KeyTree()
        self._by_kind: dict[str, list[tuple[Row, str]]] = {}
        for row in rows:
            for effect in row.common:
                self._by_key.add(effect, (row, EACH))
            for name, effects in row.own.items():
                for effect in effects:
                    self._by_key.add(effect, (row, name))
            for kind in dict.fromkeys(row.first.produces.values()):
                self._by_kind.setdefault(kind, []).append((row, EACH))

    def of(self, asked: Asked | str) -> Iterable[tuple[Row, str]]:
        """Return who makes a key so, or produces a kind."""
        return self._by_kind.get(asked, ()) if isinstance(asked, str) else self._by_key.meeting(*asked)

    def groups(self, asked: Asked | str) -> Iterable[Iterable[tuple[Row, str]]]:
        """Return the same, those together that make the same of the same key: one group stays one object."""
        if isinstance(asked, str):
            return [self._by_kind[asked]] if asked in self._by_kind else []
        return self._by_key.groups(*asked)


def asked_by(statement: Statement) -> Asked:
    """Return what a statement asks for."""
    return key_pattern(statement), value_word(statement)


def cheapest_first(tool: ToolEntry) -> tuple[int, str]:
    """Return a tool's place among those that come to the same."""
    return tool.cost or 0, tool.name


def _is_firm(need: Statement) -> bool:
    """What holds a name may be met by many keys."""
    return not need.names and not _is_met_by_silence(need)


def _is_met_by_silence(need: Statement) -> bool:
    """That something is not so, a world may meet by saying nothing."""
    return need.value is NOTHING or need.value is False
