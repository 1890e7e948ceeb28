"""Which calls can be made: tools with every value they could be called with.

From the values at hand forwards, call by call, as deep as the limit says. What the limits cut off is noted, because
nothing that was not looked at may be called impossible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from planvow.errors import InputError
from planvow.goals.conditions.terms import Call, Given, Output, Term, choices, filled, kind_of, misfit
from planvow.tools.tool import ToolEntry


@dataclass(frozen=True, kw_only=True)
class Reach:
    """How far is looked: calls behind one another through their outputs, and calls in all."""

    depth: int = 6
    calls: int = 20_000

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InputError("expected a whole number of at least 1", place=f"limits.{name}")


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
            for name in filled(tool)
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
        for name in filled(tool):
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
        spoken = filled(tool)
        return [
            (name, Given(self._given[kind_of(tool, name)]))
            for name, schema in tool.parameters.items()
            if name not in spoken
            and kind_of(tool, name) in self._given
            and misfit(Given(self._given[kind_of(tool, name)]), schema, tool.input_schema, self.tools) is None
        ]
