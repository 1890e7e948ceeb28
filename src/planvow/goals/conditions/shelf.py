"""Tools on a shelf: which of them may help towards a goal, found without walking past all the others.

From the goal backwards, by keys and kinds alone: what brings about what is asked, and what that asks for in turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from planvow.canonical import canonical_json, to_jsonable
from planvow.goals.conditions.goal import ConditionGoal
from planvow.goals.conditions.keys import OPEN, KeyTree, Pattern, key_pattern, value_word
from planvow.goals.conditions.terms import filled, kind_of
from planvow.tools.statements import NOTHING, Statement
from planvow.tools.tool import ToolEntry

FEW = 16
"""An effect that more tools of one sort have than this parts the sort into rows; others lie in a row's own index."""
_EACH = ""
"""In place of a tool's name: every tool of its row."""
_Asked = tuple[Pattern, str]
"""A key, and which value of it is asked for."""
_Shown = tuple[str, str]
"""A key without names, and its value in canonical form."""


class _Row:
    """Tools of one sort in order of name, alike but for effects that few of the sort have."""

    def __init__(self, tools: Sequence[ToolEntry], common: frozenset[str]) -> None:
        self.first = tools[0]
        self.common = [one for text, one in zip(self.first.effects, self.first.brings) if text in common]
        self.own = {
            tool.name: [one for text, one in zip(tool.effects, tool.brings) if text not in common] for tool in tools
        }
        self.asks: list[_Asked | str] = [_asked(need) for need in self.first.needs]
        self.asks += [kind_of(self.first, name) for name in filled(self.first)]
        self._by_key: KeyTree[str] = KeyTree()
        for name, effects in self.own.items():
            for effect in effects:
                self._by_key.add(effect, name)

    def bearing_on(self, keys: Iterable[Pattern]) -> list[str]:
        """Return the tools with an effect of their own on one of these keys, and the first of those without."""
        found = {name for key in keys for name in self._by_key.meeting(key, OPEN)}
        without = next((name for name in self.own if name not in found), None)
        return [*found] if without is None else [*found, without]


class _Makers:
    """Rows of tools, and tools of a row, by what they bring about and produce."""

    def __init__(self, rows: Iterable[_Row]) -> None:
        self._by_key: KeyTree[tuple[_Row, str]] = KeyTree()
        self._by_kind: dict[str, list[tuple[_Row, str]]] = {}
        for row in rows:
            for effect in row.common:
                self._by_key.add(effect, (row, _EACH))
            for name, effects in row.own.items():
                for effect in effects:
                    self._by_key.add(effect, (row, name))
            for kind in dict.fromkeys(row.first.produces.values()):
                self._by_kind.setdefault(kind, []).append((row, _EACH))

    def of(self, asked: _Asked | str) -> Iterable[tuple[_Row, str]]:
        """Return who makes a key so, or produces a kind."""
        return self._by_kind.get(asked, ()) if isinstance(asked, str) else self._by_key.meeting(*asked)


class ToolShelf:
    """Tools by what they bring about and produce, made once for many goals.

    A tool that needs what no tool brings about can be called only in a world that shows it. Such tools lie apart, by
    that need: however many there are, a goal costs nothing for those whose need the world does not show. Of tools that
    differ in nothing but their name, and in effects that a goal never asks about, the first serves, unless they produce
    values: two of a kind may be needed. They lie in one row, of which a goal looks at those that it speaks of alone.
    """

    def __init__(self, tools: Sequence[ToolEntry]) -> None:
        self.tools = {tool.name: tool for tool in tools}
        self._sorts = {tool.name: _sort_of(tool) for tool in tools if not tool.produces}
        self.rows = self._in_rows()
        self._all = _Makers(self.rows)
        apart: dict[_Shown | None, list[_Row]] = {}
        for row in self.rows:
            apart.setdefault(self._unmade(row.first), []).append(row)
        self._at_hand = _Makers(apart.pop(None, ()))
        self._apart = {need: _Makers(waiting) for need, waiting in apart.items()}

    def _in_rows(self) -> list[_Row]:
        rows = []
        by_sort: dict[str, dict[tuple[str, ...], ToolEntry]] = {}
        for tool in sorted(self.tools.values(), key=attrgetter("name")):
            if tool.produces:
                rows.append(_Row([tool], frozenset(tool.effects)))
            else:
                by_sort.setdefault(self._sorts[tool.name], {}).setdefault(tool.effects, tool)
        for alike in by_sort.values():
            counts = Counter(text for effects in alike for text in dict.fromkeys(effects))
            common = frozenset(text for text, count in counts.items() if count > FEW or len(alike) <= FEW)
            by_common: dict[tuple[str, ...], list[ToolEntry]] = {}
            for effects, tool in alike.items():
                by_common.setdefault(tuple(text for text in effects if text in common), []).append(tool)
            rows += [_Row(tools, common) for tools in by_common.values()]
        return rows

    def _unmade(self, tool: ToolEntry) -> _Shown | None:
        """Return the first need of a tool that only the world can meet. That something is not so, it may meet by
        saying nothing; what holds a name may be met by many keys: neither counts."""
        for need in tool.needs:
            word = value_word(need)
            absent = need.value is NOTHING or need.value is False
            if not need.names and not absent and not self._made((key_pattern(need), word)):
                return need.key, word
        return None

    def changes(self, statement: Statement) -> bool:
        """Say whether a tool brings about something of this key."""
        return self._made((key_pattern(statement), OPEN))

    def makes(self, statement: Statement) -> bool:
        """Say whether a tool brings about this key with this value."""
        return self._made(_asked(statement))

    def made_of(self, statement: Statement) -> list[str]:
        """Return what tools make of a statement's key, as statements of that key."""
        key = key_pattern(statement)
        own: KeyTree[str] = KeyTree()
        own.put(key, OPEN, _EACH)
        brought = (effect for tool in self.tools.values() for effect in tool.brings)
        return sorted({str(replace(statement, value=one.value)) for one in brought if own.has(key_pattern(one))})

    def kinds(self) -> list[str]:
        """Return the kinds of values that tools produce."""
        return sorted({kind for tool in self.tools.values() for kind in tool.produces.values()})

    def _made(self, asked: _Asked) -> bool:
        return any(True for _ in self._all.of(asked))

    def keys(self) -> list[str]:
        """Return the keys that tools change, as they write them."""
        return sorted({effect.key for tool in self.tools.values() for effect in tool.brings})

    def helping(self, goal: ConditionGoal, shown: Mapping[str, object] | None = None) -> list[ToolEntry]:
        """Return the tools that may be part of a plan for the goal, in order of name; in a world that shows this, if
        it is said, without those that lack something there for good."""
        makers = [self._all] if shown is None else [self._at_hand, *self._woken(shown)]
        found: dict[_Row, set[str]] = {}
        seen: set[_Asked | str] = set()
        todo: list[_Asked | str] = [_asked(statement) for statement in goal.statements]
        todo += [*goal.wants, *(name for statement in goal.statements for name in statement.names)]
        while todo:
            asked = todo.pop()
            if asked in seen:
                continue
            seen.add(asked)
            for row, name in (entry for some in makers for entry in some.of(asked)):
                if row not in found:
                    todo.extend(row.asks)
                found.setdefault(row, set()).add(name)
        keys = {asked[0] for asked in seen if not isinstance(asked, str)}
        names = (row.bearing_on(keys) if _EACH in named else named for row, named in found.items())
        return self._serving(sorted(name for some in names for name in some), keys)

    def _serving(self, names: Iterable[str], keys: Iterable[Pattern]) -> list[ToolEntry]:
        """Return the tools of these names; of those that are alike in what they do to these keys, the first."""
        asked: KeyTree[str] = KeyTree()
        for key in keys:
            asked.put(key, OPEN, _EACH)
        alike: dict[tuple[str, ...], str] = {}
        serving = []
        for name in names:
            tool = self.tools[name]
            if not tool.produces:
                bearing = [text for text, one in zip(tool.effects, tool.brings) if asked.has(key_pattern(one))]
                if alike.setdefault((self._sorts[name], *bearing), name) != name:
                    continue
            serving.append(tool)
        return serving

    def _woken(self, shown: Mapping[str, object]) -> Iterator[_Makers]:
        """Yield the tools that lie apart and whose need this world shows."""
        for key, value in shown.items():
            makers = self._apart.get((key, canonical_json(to_jsonable(value))))
            if makers is not None:
                yield makers


def _sort_of(tool: ToolEntry) -> str:
    """Return everything about a tool that a plan can show but its name and its effects."""
    told = ("name", "description", "origin", "output_schema", "effects")
    plain = {name: value for name, value in tool.as_dict().items() if name not in told}
    return canonical_json({**plain, "filled": list(filled(tool))})


def _asked(statement: Statement) -> _Asked:
    return key_pattern(statement), value_word(statement)
