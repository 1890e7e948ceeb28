"""Which calls can matter: tools that bear on the goal, with every value they could be called with.

First backwards, from the goal to the tools that may help, by keys and kinds alone: over thousands of tools only those
are looked at again. Then forwards, from the values at hand, call by call, as deep as the limit says. What the limits
cut off is noted, because nothing that was not looked at may be called impossible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from operator import attrgetter

from planvow.canonical import canonical_json, to_jsonable
from planvow.errors import InputError
from planvow.goals.conditions.goal import ConditionGoal
from planvow.goals.conditions.keys import OPEN, KeyTree, Pattern, key_pattern, value_word
from planvow.goals.conditions.terms import Call, Given, Output, Term, choices, misfit
from planvow.tools.statements import NOTHING, Statement
from planvow.tools.tool import ToolEntry

_Asked = tuple[Pattern, str]
"""A key, and which value of it is asked for."""
_Shown = tuple[str, str]
"""A key without names, and its value in canonical form."""


@dataclass(frozen=True, kw_only=True)
class Reach:
    """How far is looked: calls behind one another through their outputs, and calls in all."""

    depth: int = 6
    calls: int = 20_000

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InputError("expected a whole number of at least 1", place=f"limits.{name}")


class _Makers:
    """Names of tools by what they bring about and produce."""

    def __init__(self, tools: Iterable[ToolEntry]) -> None:
        self.by_key = KeyTree()
        self._by_kind: dict[str, list[str]] = {}
        for tool in tools:
            for effect in tool.brings:
                self.by_key.add(effect, tool.name)
            for kind in dict.fromkeys(tool.produces.values()):
                self._by_kind.setdefault(kind, []).append(tool.name)

    def of(self, asked: _Asked | str) -> Iterable[str]:
        """Return the tools that make a key so, or produce a kind."""
        return self._by_kind.get(asked, ()) if isinstance(asked, str) else self.by_key.meeting(*asked)


class ToolShelf:
    """Tools by what they bring about and produce, made once for many goals.

    A tool that needs what no tool brings about can be called only in a world that shows it. Such tools lie apart, by
    that need: however many there are, a goal costs nothing for those whose need the world does not show. Of tools that
    differ in nothing but their name, and in effects that a goal never asks about, the first serves, unless they produce
    values: two of a kind may be needed.
    """

    def __init__(self, tools: Sequence[ToolEntry]) -> None:
        self.tools = {tool.name: tool for tool in tools}
        self._sorts = {tool.name: _sort_of(tool) for tool in tools if not tool.produces}
        self._effects = {tool.name: tuple(zip(map(key_pattern, tool.brings), tool.effects)) for tool in tools}
        self._asks = {tool.name: _asked_by(tool) for tool in tools}
        serving = self._serving(self.tools.values())
        self._all = _Makers(serving)
        self._apart: dict[_Shown, list[str]] = {}
        for tool in serving:
            need = self._unmade(tool)
            if need is not None:
                self._apart.setdefault(need, []).append(tool.name)
        apart = {name for names in self._apart.values() for name in names}
        self._at_hand = _Makers(tool for tool in serving if tool.name not in apart)

    def _unmade(self, tool: ToolEntry) -> _Shown | None:
        """Return the first need of a tool that only the world can meet. That something is not so, it may meet by
        saying nothing; what holds a name may be met by many keys: neither counts."""
        for need in tool.needs:
            word = value_word(need)
            absent = need.value is NOTHING or need.value is False
            if not need.names and not absent and not any(self._all.of((key_pattern(need), word))):
                return need.key, word
        return None

    def changes(self, statement: Statement) -> bool:
        """Say whether a tool brings about something of this key."""
        return any(True for _ in self._all.by_key.meeting(key_pattern(statement), OPEN))

    def keys(self) -> list[str]:
        """Return the keys that tools change, as they write them."""
        return sorted({effect.key for tool in self.tools.values() for effect in tool.brings})

    def helping(self, goal: ConditionGoal, shown: Mapping[str, object] | None = None) -> list[ToolEntry]:
        """Return the tools that may be part of a plan for the goal, in order of name; in a world that shows this, if
        it is said, without those that lack something there for good."""
        makers = [self._all] if shown is None else [self._at_hand, self._woken(shown)]
        found: dict[str, ToolEntry] = {}
        seen: set[_Asked | str] = set()
        todo: list[_Asked | str] = [_asked(statement) for statement in goal.statements]
        todo += [*goal.wants, *(name for statement in goal.statements for name in statement.names)]
        while todo:
            asked = todo.pop()
            if asked in seen:
                continue
            seen.add(asked)
            for name in (name for some in makers for name in some.of(asked)):
                if name not in found:
                    found[name] = self.tools[name]
                    todo.extend(self._asks[name])
        return self._serving(found.values(), seen)

    def _serving(self, tools: Iterable[ToolEntry], seen: Iterable[_Asked | str] | None = None) -> list[ToolEntry]:
        """Return tools in order of name, of those that are alike (for what was asked, if that is said) the first."""
        bears: Callable[[Pattern], bool] = lambda _key: True  # noqa: E731
        if seen is not None:
            bears = _tree_of(each[0] for each in seen if not isinstance(each, str)).has
        alike: dict[tuple[str, ...], str] = {}
        serving = []
        for tool in sorted(tools, key=attrgetter("name")):
            name = tool.name
            if not tool.produces:
                sort = (self._sorts[name], *[text for key, text in self._effects[name] if bears(key)])
                if alike.setdefault(sort, name) != name:
                    continue
            serving.append(tool)
        return serving

    def _woken(self, shown: Mapping[str, object]) -> _Makers:
        """Return the tools that lie apart and whose need this world shows."""
        words = ((key, canonical_json(to_jsonable(value))) for key, value in shown.items())
        return _Makers(self.tools[name] for word in words for name in self._apart.get(word, ()))


def _tree_of(keys: Iterable[Pattern]) -> KeyTree:
    tree = KeyTree()
    for key in keys:
        tree.put(key, OPEN, "")
    return tree


def _sort_of(tool: ToolEntry) -> str:
    """Return everything about a tool that a plan can show but its name and its effects."""
    told = ("name", "description", "origin", "output_schema", "effects")
    plain = {name: value for name, value in tool.as_dict().items() if name not in told}
    return canonical_json({**plain, "filled": list(_filled(tool))})


def _asked(statement: Statement) -> _Asked:
    return key_pattern(statement), value_word(statement)


def _asked_by(tool: ToolEntry) -> list[_Asked | str]:
    return [*map(_asked, tool.needs), *_kinds_needed(tool)]


def kind_of(tool: ToolEntry, parameter: str) -> str:
    """Return the kind of a parameter: what the manifest says, else its own name."""
    return tool.takes.get(parameter, parameter)


def _kinds_needed(tool: ToolEntry) -> list[str]:
    return [kind_of(tool, name) for name in _filled(tool)]


def _filled(tool: ToolEntry) -> tuple[str, ...]:
    """Return the parameters that get a value: the required ones, and those that statements speak of."""
    spoken = {name for statement in (*tool.needs, *tool.brings) for name in statement.names}
    return tuple(name for name in tool.parameters if name in tool.required or name in spoken) or tuple(
        name for name in tool.required if name not in tool.parameters
    )


class Ground:
    """The calls that the values at hand allow, and the values they give."""

    def __init__(self, tools: Sequence[ToolEntry], given: Mapping[str, object], reach: Reach) -> None:
        self.tools = {tool.name: tool for tool in tools}
        self.calls: list[Call] = []
        self.cut_off: str | None = None
        """Which limit ended the grounding, if one did."""
        self.too_many = False
        self.misfits: list[str] = []
        """Given values that a parameter of their kind does not take, and why."""
        self.by_kind: dict[str, list[Term]] = {kind: [Given(value)] for kind, value in given.items()}
        self._given = given
        self.reach = reach
        self._grow(tools)

    def missing(self, tool: ToolEntry) -> list[str]:
        """Return the kinds of which a tool needs a value and there is none."""
        return [
            kind_of(tool, name)
            for name in _filled(tool)
            if not self.by_kind.get(kind_of(tool, name)) and not choices(tool.parameters.get(name))
        ]

    def produced(self) -> set[str]:
        """Return the kinds that some tool here gives, whether it can be called or not."""
        return {kind for tool in self.tools.values() for kind in tool.produces.values()}

    def _grow(self, tools: Sequence[ToolEntry]) -> None:
        known: set[Call] = set()
        for depth in range(1, self.reach.depth + 1):
            new = []
            for tool in tools:
                for call in self._callings(tool, depth):
                    if call not in known:
                        known.add(call)
                        new.append(call)
                    if self.too_many or len(known) > self.reach.calls:
                        self.cut_off = f"calls ({self.reach.calls})"
                        self.too_many = True
                        return
            self.calls += new
            if not self._give(new):
                return
        if any(call.depth == self.reach.depth and self.tools[call.tool].produces for call in self.calls):
            self.cut_off = f"depth ({self.reach.depth})"

    def _give(self, calls: list[Call]) -> bool:
        """Put the outputs of new calls among the values; say whether there were any."""
        grown = False
        for call in calls:
            for name, kind in sorted(self.tools[call.tool].produces.items()):
                self.by_kind.setdefault(kind, []).append(Output(call, name))
                grown = True
        return grown

    def _callings(self, tool: ToolEntry, depth: int) -> Iterator[Call]:
        """Yield the calls of a tool of just this depth."""
        columns: list[list[tuple[str, Term]]] = []
        for name in _filled(tool):
            schema = tool.parameters.get(name, {})
            terms = [*self.by_kind.get(kind_of(tool, name), ())] or [*choices(schema)]
            columns.append([(name, t) for t in terms if self._fits(t, tool, name)])
        if prod(map(len, columns)) > self.reach.calls:
            self.too_many = True
            columns = [column[:1] for column in columns]
        also = self._also(tool)
        for arguments in product(*columns):
            call = Call(tool.name, (*arguments, *also))
            if call.depth == depth:
                yield call

    def _fits(self, term: Term, tool: ToolEntry, name: str) -> bool:
        problem = misfit(term, tool.parameters.get(name, {}), tool.input_schema, self.tools)
        if problem is not None and isinstance(term, Given):
            told = f"the given {kind_of(tool, name)} {term.label} is no {name} for {tool.name}: {problem}"
            if told not in self.misfits:
                self.misfits.append(told)
        return problem is None

    def _also(self, tool: ToolEntry) -> list[tuple[str, Term]]:
        """Return the parameters that a call may do without and that somebody gave a value for."""
        filled = _filled(tool)
        return [
            (name, Given(self._given[kind_of(tool, name)]))
            for name, schema in tool.parameters.items()
            if name not in filled
            and kind_of(tool, name) in self._given
            and misfit(Given(self._given[kind_of(tool, name)]), schema, tool.input_schema, self.tools) is None
        ]
