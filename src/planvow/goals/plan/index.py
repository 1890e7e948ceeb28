"""Capabilities by what they achieve and by what they provide: built once, then only read while planning.

A word is a key, or a key with a value: `session.open` says the same as `session.open=true`. A key has one value at a
time, so an effect `session.open=false` takes `session.open` away: that is how a tool says what it undoes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from planvow.errors import expect
from planvow.goals.values.values import ToolCapability
from planvow.tools.words import plain_word

LAUNCHES = "app_running"
"""The effect word that stands for a whole family: a tool with it launches any app, one per call."""


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
        for tool in self.by_name.values():
            for word in tool.can_achieve:
                self._achieving.setdefault(word, []).append(tool)
            for word in tool.effects:
                # Of tools that differ in nothing but their name, the first serves.
                self._providing.setdefault(word, {}).setdefault((tool.requires, tool.effects), tool)

    def achieving(self, word: str, preferred: str | None = None) -> list[ToolCapability]:
        """Return the tools that can achieve a goal word, the preferred one first, then by name."""
        tools = self._achieving.get(word, [])
        return sorted(tools, key=lambda tool: tool.name != preferred)  # stable: names stay in order

    def providing(self, word: str) -> list[ToolCapability]:
        """Return the tools whose effects meet a requirement, by name."""
        exact = [*self._providing.get(word, {}).values()]
        if not is_app(word):
            return exact
        launchers = [tool for tool in self._providing.get(LAUNCHES, {}).values() if word not in tool.effects]
        return sorted([*exact, *launchers], key=lambda tool: tool.name)


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
