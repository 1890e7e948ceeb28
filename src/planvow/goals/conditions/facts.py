"""Facts as bits: one for each value of each key that matters, one for `not true`, one for each output at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from planvow.canonical import canonical_json, to_jsonable
from planvow.goals.conditions.keys import KeyTree, key_pattern, value_word
from planvow.goals.conditions.terms import OUTSIDE, Call, Output, Term
from planvow.tools.statements import NOTHING, Statement
from planvow.tools.tool import ToolEntry

_NOT = "not true"


class Facts:
    """The words of one problem: what the world shows, what calls need and what they change."""

    def __init__(self, shown: Mapping[str, Any]) -> None:
        self._shown = {key: to_jsonable(value) for key, value in shown.items()}
        self._bits: dict[tuple[str, str], int] = {}
        self._of_key: dict[str, int] = {}

    def bit(self, key: str, what: str) -> int:
        """Return the bit of a word, a new one the first time."""
        word = (key, what)
        if word not in self._bits:
            self._bits[word] = 1 << len(self._bits)
            self._of_key[key] = self._of_key.get(key, 0) | self._bits[word]
        return self._bits[word]

    def have(self, term: Term) -> int:
        """Return the bit that says an output is there; a given value always is."""
        return self.bit(f"\0{term.call.text}", "made") if isinstance(term, Output) else 0

    def need(self, statement: Statement) -> int:
        return self.bit(statement.key, _NOT if statement.value is NOTHING else canonical_json(statement.value))

    def mention(self, statement: Statement) -> None:
        """Make the words of a statement known before any call says what it changes."""
        self.need(statement)

    def know(self, call: Call, tool: ToolEntry) -> None:
        """Make the words of a call known."""
        names = call.names(tool)
        for statement in (*tool.needs, *tool.brings):
            bound = statement.bound(names)
            self.need(bound)
            self.bit(bound.key, _NOT)
            if bound.value is NOTHING:
                self.bit(bound.key, "false")

    @property
    def start(self) -> int:
        """What holds before anything is called."""
        state = 0
        for key, what in self._bits:
            value = self._shown.get(key, NOTHING)
            holds = (value is NOTHING or value is False) if what == _NOT else (
                value is not NOTHING and canonical_json(value) == what
            )  # fmt: skip
            if holds and not key.startswith("\0") and (key, what) != ("goal", "reached"):
                state |= self._bits[key, what]
        return state

    def may_show(self, statement: Statement) -> bool:
        """Say whether the world shows what a statement says, for some values of the names in it."""
        if statement.value is NOTHING or statement.value is False:
            return bool(statement.names) or not self._shown.get(statement.key, False)
        shown: KeyTree[str] = KeyTree()
        for key, value in self._shown.items():
            shown.put(tuple(key.split(".")), canonical_json(value), key)
        return any(True for _ in shown.meeting(key_pattern(statement), value_word(statement)))

    def of_call(self, call: Call, tool: ToolEntry) -> tuple[int, int, int]:
        """Return what a call needs, adds and takes away."""
        names = call.names(tool)
        needs = adds = deletes = 0
        for term in (term for _, term in call.arguments):
            needs |= self.have(term)
        for statement in tool.needs:
            needs |= self.need(statement.bound(names))
        for statement in tool.brings:
            bound = statement.bound(names)
            now = self._after(bound)
            adds |= now
            if OUTSIDE not in bound.key:  # else it is about many values at once
                deletes |= self._of_key[bound.key] & ~now
        if tool.produces:
            adds |= self.bit(f"\0{call.text}", "made")
        return needs, adds, deletes & ~adds

    def _after(self, statement: Statement) -> int:
        if statement.value is NOTHING:
            return self.bit(statement.key, _NOT)
        false = self.bit(statement.key, _NOT) if statement.value is False else 0
        return self.need(statement) | false

    def order(self, calls: Sequence[Call], tools: Mapping[str, ToolEntry]) -> list[tuple[int, ...]]:
        """Return for each call the earlier ones it must follow: who brings what it needs, who needs what it changes."""
        parts = [self.of_call(call, tools[call.tool]) for call in calls]
        follows = []
        for number, (needs, adds, deletes) in enumerate(parts):
            before = set()
            left = needs
            for earlier in reversed(range(number)):
                has_needs, has_adds, has_deletes = parts[earlier]
                if left & has_adds or deletes & (has_needs | has_adds) or adds & has_deletes:
                    before.add(earlier)
                left &= ~has_adds
            follows.append(tuple(sorted(before)))
        return follows

    def reachable(self, calls: Sequence[Call], tools: Mapping[str, ToolEntry]) -> int:
        """Return what can ever hold if nothing is taken away."""
        state = self.start
        grown = True
        parts = [self.of_call(call, tools[call.tool]) for call in calls]
        while grown:
            before = state
            for needs, adds, _ in parts:
                if needs & ~state == 0:
                    state |= adds
            grown = state != before
        return state

    def purpose(
        self, number: int, calls: Sequence[Call], tools: Mapping[str, ToolEntry], names_of: Sequence[Mapping[Call, str]]
    ) -> str:
        """Say what a call is made for: what a later one needs of it, or what is wanted."""
        call, tool = calls[number], tools[calls[number].tool]
        adds = self.of_call(call, tool)[1]
        for later, ids in zip(calls[number + 1 :], names_of[number + 1 :], strict=True):
            given = [t.name for _, t in later.arguments if isinstance(t, Output) and t.call == call]
            if given:
                return f"gives {given[0]} to {later.tool}"
            names = later.names(tools[later.tool])
            for need in tools[later.tool].needs:
                if self.need(need.bound(names)) & adds:
                    return f"makes {need.bound(_shown(later, tools, ids))} so, which {later.tool} needs"
            if later == call:
                break  # what comes behind needs that one
        brought = [str(effect.bound(_shown(call, tools, names_of[number]))) for effect in tool.brings]
        return f"brings about {brought[0] if brought else ', '.join(tool.produces)}"


def _shown(call: Call, tools: Mapping[str, ToolEntry], ids: Mapping[Call, str]) -> dict[str, str]:
    """Return what the names in a tool's statements stand for, as a person reads it: outputs by their step."""
    outputs = {name: f"{{{ids[call]}.{name}}}" for name in tools[call.tool].produces}
    terms = {
        name: f"{{{ids[term.call]}.{term.name}}}" if isinstance(term, Output) else term.text
        for name, term in call.arguments
    }
    return {**outputs, **terms}
