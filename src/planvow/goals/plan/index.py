"""Capabilities by what they achieve and by what they provide: built once, then only read while planning.

A word is a key, or a key with a value: `session.open` says the same as `session.open=true`. A key has one value at a
time, so an effect `session.open=false` takes `session.open` away: that is how a tool says what it undoes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any

from planvow.errors import expect
from planvow.goals.values.values import ToolCapability
from planvow.tools.words import plain_word

LAUNCHES = "app_running"
"""The effect word that stands for a whole family: a tool with it launches any app, one per call."""


class Crowd:
    """Tools that all serve for one word, in order of name, by what sets them apart: their own needs beyond those they
    share. So the few that a plan may turn to are found without looking at all of them."""

    def __init__(self, tools: list[ToolCapability]) -> None:
        self.tools = tools
        self.common = frozenset.intersection(*(tool.requires for tool in tools)) if tools else frozenset()
        self.effects = frozenset(chain.from_iterable(tool.effects for tool in tools))
        self.easy: list[ToolCapability] = []
        """Those that need no more than all of them do."""
        self._by_need: dict[str, list[ToolCapability]] = {}
        for tool in tools:
            own = tool.requires - self.common
            if not own:
                self.easy.append(tool)
            for need in own:
                self._by_need.setdefault(need, []).append(tool)

    def near(self, words: AbstractSet[str]) -> list[ToolCapability]:
        """Return the tools whose own needs are all among these words, the easy ones left out, in order of name."""
        lacking: dict[str, int] = {}
        found = []
        for need in self._by_need.keys() & words:
            for tool in self._by_need[need]:
                left = lacking.get(tool.name, len(tool.requires) - len(self.common)) - 1
                lacking[tool.name] = left
                if not left:
                    found.append(tool)
        return sorted(found, key=lambda tool: tool.name)


class ToolIndex:
    """Tools by name, by goal word and by effect, in order of name.

    Where two entries claim the same name, only what both promise counts: no order of the list makes one of them right.
    """

    def __init__(self, capabilities: Iterable[ToolCapability]) -> None:
        named: dict[str, ToolCapability] = {}
        for number, given in enumerate(capabilities):
            expect(given, ToolCapability, f"capabilities[{number}]", "a ToolCapability")
            tool = _plain(given)
            other = named.get(tool.name)
            named[tool.name] = tool if other is None else _common(tool, other)
        self.by_name = {name: named[name] for name in sorted(named)}
        self._achieving: dict[str, list[ToolCapability]] = {}
        self._providing: dict[str, dict[Any, ToolCapability]] = {}
        self._users: dict[str, list[int]] = {}
        self._crowds: dict[tuple[str, bool], Crowd] = {}
        for number, tool in enumerate(self.by_name.values()):
            for word in tool.can_achieve:
                self._achieving.setdefault(word, []).append(tool)
            for word in tool.requires:
                self._users.setdefault(word, []).append(number)
            for word in tool.effects:
                # Of tools that differ in nothing but their name, the first serves.
                self._providing.setdefault(word, {}).setdefault((tool.requires, tool.effects), tool)
        self._lacking = [len(tool.requires) for tool in self.by_name.values()]
        used = {*self._users, LAUNCHES}
        self._useful = [tool.effects & used for tool in self.by_name.values()]

    def achieving(self, word: str, preferred: str | None = None) -> list[ToolCapability]:
        """Return the tools that can achieve a goal word, the preferred one first, then by name."""
        tools = self._achieving.get(word, [])
        first = self.by_name.get(preferred) if preferred else None
        return [first, *(t for t in tools if t is not first)] if first and word in first.can_achieve else tools

    def providing(self, word: str) -> list[ToolCapability]:
        """Return the tools whose effects meet a requirement, by name."""
        exact = [*self._providing.get(word, {}).values()]
        if not is_app(word):
            return exact
        launchers = [tool for tool in self._providing.get(LAUNCHES, {}).values() if word not in tool.effects]
        return sorted([*exact, *launchers], key=lambda tool: tool.name)

    def crowd(self, word: str, *, goal: bool = False) -> Crowd:
        """Return the tools that meet a requirement, or achieve a goal word, as a crowd; made when first asked for."""
        known = self._crowds.get((word, goal))
        if known is None:
            known = self._crowds[word, goal] = Crowd(self.achieving(word) if goal else self.providing(word))
        return known

    def distances(self, words: AbstractSet[str], most: int) -> dict[str, int]:
        """Return how many calls must be made at least before each tool can be called, when these words are at hand and
        nothing is ever lost. Tools that would need more than `most` are left out."""
        found = self._spread(words, most)[0]
        return {name: found[number] for number, name in enumerate(self.by_name) if number in found}

    def reachable(self, words: AbstractSet[str]) -> set[str]:
        """Return these words and all that tools need and calls can ever bring about."""
        return self._spread(words, len(self.by_name))[1]

    def _spread(self, words: AbstractSet[str], most: int) -> tuple[dict[int, int], set[str]]:
        """Return the tools that can be called, by number, after how many calls, and the words there are by then."""
        calls, lacking, seen = 0, self._lacking[:], set(words)
        ready = [number for number, needs in enumerate(lacking) if not needs]
        found: dict[int, int] = {}
        new: Iterable[str] = words
        while (new or ready) and calls <= most:
            for word in new:
                for number in self._users.get(word, ()):
                    lacking[number] -= 1
                    if not lacking[number]:
                        ready.append(number)
            found.update(dict.fromkeys(ready, calls))
            new = set(chain.from_iterable([self._useful[number] for number in ready])) - seen
            if LAUNCHES in new:
                new |= {word for word in self._users if is_app(word)} - seen
            seen |= new
            calls, ready = calls + 1, []
        return found, seen


def tool_index(capabilities: Iterable[ToolCapability] | ToolIndex | None) -> ToolIndex:
    """Return tools as an index: as it is, made of a list, or empty for None."""
    if isinstance(capabilities, ToolIndex):
        return capabilities
    expect(capabilities, (Iterable, type(None)), "capabilities", "a list of ToolCapability")
    return ToolIndex(capabilities or ())


def is_app(word: str) -> bool:
    """Say whether a word names one running app."""
    return word.startswith(f"{LAUNCHES}:")


def effects_of(tool: ToolCapability, word: str, browsers: Collection[str] = ()) -> frozenset[str]:
    """Return what holds after a tool was called for a word.

    A launcher starts one thing a call: called for an app it starts no browser, unless the app is one.
    """
    effects = tool.effects | {word}
    if LAUNCHES in tool.effects and is_app(word) and word.partition(":")[2] not in browsers:
        return effects - {"browser_running"}
    return effects


def _plain(tool: ToolCapability) -> ToolCapability:
    """Return a tool whose words have their one spelling."""
    if not any("=" in word for word in tool.requires | tool.effects):
        return tool
    return ToolCapability(
        name=tool.name,
        can_achieve=tool.can_achieve,
        requires=frozenset(map(plain_word, tool.requires)),
        effects=frozenset(map(plain_word, tool.effects)),
    )


def _common(one: ToolCapability, other: ToolCapability) -> ToolCapability:
    return ToolCapability(
        name=one.name,
        can_achieve=one.can_achieve & other.can_achieve,
        requires=one.requires | other.requires,
        effects=one.effects & other.effects,
    )
