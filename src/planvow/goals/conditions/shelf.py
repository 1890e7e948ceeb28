"""Tools on a shelf: which of them may help towards a goal, found without walking past all the others.

From the goal backwards, by keys and kinds alone: what brings about what is asked, and what that asks for in turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from operator import attrgetter

from planvow.canonical import canonical_json, to_jsonable
from planvow.goals.conditions.goal import ConditionGoal
from planvow.goals.conditions.keys import OPEN, KeyTree, Pattern, key_pattern
from planvow.goals.conditions.part import Part
from planvow.goals.conditions.prices import Here, Prices
from planvow.goals.conditions.rows import EACH, Asked, Makers, Row, Shown, asked_by, cheapest_first
from planvow.goals.conditions.terms import filled
from planvow.tools.statements import Statement
from planvow.tools.tool import ToolEntry

FEW = 16
"""An effect that more tools of one sort have than this parts the sort into rows; others lie in a row's own index."""


class ToolShelf:
    """Tools by what they bring about and produce, made once for many goals.

    A tool that needs what no tool brings about can be called only in a world that shows it. Such tools lie apart, by
    that need: however many there are, a goal costs nothing for those whose need the world does not show. Of tools that
    differ in nothing but name, cost and effects that a goal never asks about, the cheapest serves, and of those the
    first, unless they produce values: two of a kind may be needed. They lie in one row, of which a goal looks at those
    that it speaks of alone.
    """

    def __init__(self, tools: Sequence[ToolEntry]) -> None:
        self.tools = {tool.name: tool for tool in tools}
        self.costly = any(tool.cost for tool in tools)
        self._sorts = {tool.name: _sort_of(tool) for tool in tools if not tool.produces}
        self.rows = self._in_rows()
        self._all = Makers(self.rows)
        apart: dict[Shown | None, list[Row]] = {}
        for row in self.rows:
            apart.setdefault(self._unmade(row), []).append(row)
        self._at_hand = Makers(apart.pop(None, ()))
        self._apart = {need: Makers(waiting) for need, waiting in apart.items()}

    @cached_property
    def _prices(self) -> Prices:
        return Prices(self.rows, self._all)

    def prices(self, goal: ConditionGoal, shown: Mapping[str, object]) -> Here:
        """Return what things cost at least in a world that shows this, with the values that the goal gives."""
        return Here(self._prices, shown, goal.given)

    def _in_rows(self) -> list[Row]:
        rows = []
        by_sort: dict[str, dict[tuple[str, ...], ToolEntry]] = {}
        for tool in sorted(self.tools.values(), key=cheapest_first):
            if tool.produces:
                rows.append(Row([tool], frozenset(tool.effects)))
            else:
                by_sort.setdefault(self._sorts[tool.name], {}).setdefault(tool.effects, tool)
        for alike in by_sort.values():
            counts = Counter(text for effects in alike for text in dict.fromkeys(effects))
            common = frozenset(text for text, count in counts.items() if count > FEW or len(alike) <= FEW)
            by_common: dict[tuple[str, ...], list[ToolEntry]] = {}
            for effects, tool in alike.items():
                by_common.setdefault(tuple(text for text in effects if text in common), []).append(tool)
            rows += [Row(tools, common) for tools in by_common.values()]
        return rows

    def _unmade(self, row: Row) -> Shown | None:
        """Return the first need of a row that only the world can meet."""
        return next((shown for shown, asked in row.firm if not self._made(asked)), None)

    def changes(self, statement: Statement) -> bool:
        """Say whether a tool brings about something of this key."""
        return self._made((key_pattern(statement), OPEN))

    def makes(self, statement: Statement) -> bool:
        """Say whether a tool brings about this key with this value."""
        return self._made(asked_by(statement))

    def made_of(self, statement: Statement) -> list[str]:
        """Return what tools make of a statement's key, as statements of that key."""
        key = key_pattern(statement)
        own: KeyTree[str] = KeyTree()
        own.put(key, OPEN, EACH)
        brought = (effect for tool in self.tools.values() for effect in tool.brings)
        return sorted({str(replace(statement, value=one.value)) for one in brought if own.has(key_pattern(one))})

    def kinds(self) -> list[str]:
        """Return the kinds of values that tools produce."""
        return sorted({kind for tool in self.tools.values() for kind in tool.produces.values()})

    def gives(self, kind: str) -> bool:
        """Say whether a tool produces values of this kind."""
        return self._made(kind)

    def _made(self, asked: Asked | str) -> bool:
        return any(True for _ in self._all.of(asked))

    def keys(self) -> list[str]:
        """Return the keys that tools change, as they write them."""
        return sorted({effect.key for tool in self.tools.values() for effect in tool.brings})

    def helping(self, goal: ConditionGoal, shown: Mapping[str, object] | None = None) -> list[ToolEntry]:
        """Return the tools that may be part of a plan for the goal, in order of name; in a world that shows this, if
        it is said, without those that lack something there for good."""
        return self.tools_of(Part(goal, self.makers(shown)))

    def near(self, goal: ConditionGoal, most: int) -> list[ToolEntry] | None:
        """Return the tools that lie nearest to the goal, so many rows of them; None where there are no others."""
        part = Part(goal, self.makers(), most=most)
        return self.tools_of(part) if part.too_many else None

    def makers(self, shown: Mapping[str, object] | None = None) -> list[Makers]:
        """Return all makers; in a world that shows this, if it is said, those that do not lack something for good."""
        return [self._all] if shown is None else [self._at_hand, *self._woken(shown)]

    def tools_of(self, part: Part) -> list[ToolEntry]:
        """Return the tools of a part, in order of name; of those that are alike for its goal, one."""
        helping = sorted((self.tools[name] for names in part.taken.values() for name in names), key=cheapest_first)
        return sorted(self._serving(helping, part.keys), key=attrgetter("name"))

    def _serving(self, tools: Iterable[ToolEntry], keys: Iterable[Pattern]) -> Iterator[ToolEntry]:
        """Yield these tools; of those that are alike in what they do to these keys, the first."""
        asked: KeyTree[str] = KeyTree()
        for key in keys:
            asked.put(key, OPEN, EACH)
        alike: dict[tuple[str, ...], str] = {}
        for tool in tools:
            if not tool.produces:
                bearing = [text for text, one in zip(tool.effects, tool.brings) if asked.has(key_pattern(one))]
                if alike.setdefault((self._sorts[tool.name], *bearing), tool.name) != tool.name:
                    continue
            yield tool

    def _woken(self, shown: Mapping[str, object]) -> Iterator[Makers]:
        """Yield the tools that lie apart and whose need this world shows."""
        for key, value in shown.items():
            makers = self._apart.get((key, canonical_json(to_jsonable(value))))
            if makers is not None:
                yield makers


def _sort_of(tool: ToolEntry) -> str:
    """Return everything about a tool that a plan can show but its name, its effects and what it costs."""
    told = ("name", "description", "origin", "output_schema", "effects", "cost")
    plain = {name: value for name, value in tool.as_dict().items() if name not in told}
    return canonical_json({**plain, "filled": list(filled(tool))})
