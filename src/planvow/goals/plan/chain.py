"""The fewest tool calls that make a goal word true: a domain for the engine.

`achieve(word)` has one decomposition per tool that can achieve the word; `need(word)` has one per tool with that
effect, and none when the world or an earlier call meets it already. Effects only ever add words, so what one call
provides serves every later one. The engine looks for a plan of one call, then of two, and so on: the first one found
is proved shortest, and among equals the tool whose name comes first wins (a preferred tool goes before all).
Capabilities are indexed by word: the size of the registry does not matter, only the length of the chain.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

from planvow.budgets import Budgets
from planvow.errors import expect
from planvow.goals.values.values import ToolCapability
from planvow.kernel.answer.planning import plan
from planvow.kernel.domain.domain import Domain, refuse
from planvow.kernel.world.state import State
from planvow.status import Status

MAX_ACTIONS = 6
MAX_ITERATIONS = 200_000
LAUNCHES = "app_running"
"""The effect word that stands for a whole family: a tool with it launches any app, one per call."""


class ToolIndex:
    """Capabilities by what they achieve and by what they provide, in order of name.

    Where two entries claim the same name, only what both promise counts: no order of the list makes one of them right.
    """

    def __init__(self, capabilities: Iterable[ToolCapability]) -> None:
        named: dict[str, ToolCapability] = {}
        for number, tool in enumerate(capabilities):
            expect(tool, ToolCapability, f"capabilities[{number}]", "a ToolCapability")
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
        if not _is_app(word):
            return exact
        launchers = [tool for tool in self._providing.get(LAUNCHES, {}).values() if word not in tool.effects]
        return sorted([*exact, *launchers], key=lambda tool: tool.name)


def tool_index(capabilities: Iterable[ToolCapability] | ToolIndex | None) -> ToolIndex:
    """Return tools as an index: as it is, made of a list, or empty for None."""
    if isinstance(capabilities, ToolIndex):
        return capabilities
    expect(capabilities, (Iterable, type(None)), "capabilities", "a list of ToolCapability")
    return ToolIndex(capabilities or ())


def _common(one: ToolCapability, other: ToolCapability) -> ToolCapability:
    return ToolCapability(
        name=one.name,
        can_achieve=one.can_achieve & other.can_achieve,
        requires=one.requires | other.requires,
        effects=one.effects & other.effects,
    )


def _is_app(word: str) -> bool:
    return word.startswith(f"{LAUNCHES}:")


def effects_of(tool: ToolCapability, word: str, browsers: Collection[str] = ()) -> frozenset[str]:
    """Return what holds after a tool was called for a word.

    A launcher starts one thing a call: called for an app it starts no browser, unless the app is one.
    """
    effects = tool.effects | {word}
    if LAUNCHES in tool.effects and _is_app(word) and word.partition(":")[2] not in browsers:
        return effects - {"browser_running"}
    return effects


class Link(NamedTuple):
    """One call of a chain: the tool, the word it was called for, and the earlier calls it rests on."""

    tool: str
    word: str
    rests_on: tuple[int, ...]


class Chain(NamedTuple):
    """The calls in order, or why there are none: the requirement that nothing meets, or a limit."""

    links: tuple[Link, ...] = ()
    blocker: str | None = None
    limit: str | None = None


def shortest_chain(
    word: str,
    index: ToolIndex,
    holding: frozenset[str],
    *,
    preferred: str | None = None,
    browsers: Collection[str] = (),
) -> Chain:
    """Return the fewest calls that achieve a goal word when these words hold already."""
    domain = _domain(index, preferred, browsers)
    left = MAX_ITERATIONS
    for most in range(1, MAX_ACTIONS + 1):
        result = plan(
            domain,
            State(holds=dict.fromkeys(holding, True), calls={"made": 0, "limit": most}),
            [("achieve", word)],
            loop_guard="off",  # `above` keeps the search from going round, and knows why
            budgets=Budgets(max_iterations=left),
        )
        if result.status is Status.SOLVED:
            return Chain(links=tuple(_links(result.plan, index, holding, browsers)))
        left -= result.statistics.iterations
        if result.status is Status.BUDGET_EXCEEDED or left <= 0:
            limit = f"no chain of tools was found within {MAX_ITERATIONS} steps of search"
            break
    else:
        limit = f"no chain of at most {MAX_ACTIONS} tools was found"
    blocker = _unmeetable(word, index, holding)
    return Chain(blocker=blocker) if blocker else Chain(limit=limit)


def _domain(index: ToolIndex, preferred: str | None, browsers: Collection[str]) -> Domain:
    domain = Domain("tools")

    @domain.command
    def call(state: Any, tool_name: str, word: str) -> Any:
        tool = index.by_name[tool_name]
        unmet = sorted(need for need in tool.requires if need not in state.holds)
        if unmet:
            return refuse(f"{tool_name} needs {unmet[0]}")
        for effect in effects_of(tool, word, browsers):
            state.holds[effect] = True
        state.calls["made"] += 1
        return state

    @domain.method(task="achieve")
    def with_a_tool(state: Any, word: str) -> Iterator[list[Any]]:
        for tool in index.achieving(word, preferred):
            yield _calling(tool, word, ())

    @domain.method(task="need")
    def met_already(state: Any, word: str, above: tuple[str, ...]) -> Any:
        return [] if word in state.holds else None

    @domain.method(task="need")
    def by_another_tool(state: Any, word: str, above: tuple[str, ...]) -> Iterator[list[Any]]:
        # One call is still to come for each word above and one for the goal; this would be one more.
        too_many = state.calls["made"] + len(above) + 2 > state.calls["limit"]
        # Nothing is gained by needing a word in order to provide it.
        if too_many or word in state.holds or word in above:
            return
        for tool in index.providing(word):
            yield _calling(tool, word, (*above, word))

    return domain


def _calling(tool: ToolCapability, word: str, above: tuple[str, ...]) -> list[Any]:
    return [*(("need", need, above) for need in sorted(tool.requires)), ("call", tool.name, word)]


def _links(
    steps: tuple[Any, ...], index: ToolIndex, holding: frozenset[str], browsers: Collection[str]
) -> Iterator[Link]:
    """Yield the calls with what each rests on: for every requirement the world did not meet, the first call that
    did."""
    provider: dict[str, int] = {}
    for number, (_, tool_name, word) in enumerate(steps):
        tool = index.by_name[tool_name]
        needs = tool.requires - holding
        yield Link(tool_name, word, tuple(sorted({provider[need] for need in needs})))
        for effect in effects_of(tool, word, browsers):
            provider.setdefault(effect, number)


def _unmeetable(word: str, index: ToolIndex, holding: frozenset[str]) -> str | None:
    """Return a requirement that no tools can ever meet, however many, for the first tool that would achieve the word;
    None if one of them could be called some day."""
    reachable = _reachable(index, holding)
    lacks = [[n for n in tool.requires if not _met(n, reachable)] for tool in index.achieving(word)]
    return _deepest_lack(min(lacks[0]), index, reachable) if all(lacks) else None


def _met(need: str, reachable: Collection[str]) -> bool:
    return need in reachable or (_is_app(need) and LAUNCHES in reachable)


def _reachable(index: ToolIndex, holding: frozenset[str]) -> set[str]:
    """Return every word that some sequence of calls brings about, each tool looked at once per requirement."""
    reachable: set[str] = set()
    waiting: dict[str, list[ToolCapability]] = {}
    missing: dict[str, int] = {}
    new = [*holding]
    for tool in index.by_name.values():
        missing[tool.name] = len(tool.requires)
        for need in tool.requires:
            waiting.setdefault(need, []).append(tool)
        if not tool.requires:
            new.extend(tool.effects)
    apps = [need for need in waiting if _is_app(need)]
    while new:
        word = new.pop()
        if word in reachable:
            continue
        reachable.add(word)
        if word == LAUNCHES:
            new.extend(apps)
        for tool in waiting.get(word, ()):
            missing[tool.name] -= 1
            if missing[tool.name] == 0:
                new.extend(tool.effects)
    return reachable


def _deepest_lack(need: str, index: ToolIndex, reachable: Collection[str]) -> str:
    """Follow the first provider of each lacking word down to one that nothing provides: that is what must be mended."""
    seen: set[str] = set()
    while need not in seen:
        seen.add(need)
        providers = index.providing(need)
        lacking = [lack for tool in providers for lack in sorted(tool.requires) if not _met(lack, reachable)]
        if not lacking:
            break
        need = lacking[0]
    return need
