"""The fewest tool calls that make a goal word true: a domain for the engine.

`achieve(word)` has one decomposition per tool that can achieve the word; `need(word)` has one per tool with that
effect, and none when the world or an earlier call meets it already. Effects only ever add words, so what one call
provides serves every later one. The engine proves the shortest plan by branch and bound; among equals the tool whose
name comes first wins (a preferred tool goes before all). Capabilities are indexed by word: the size of the registry
does not matter, only the length of the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from planvow.budgets import Budgets
from planvow.goals.values import ToolCapability
from planvow.kernel.domain import Domain, refuse
from planvow.kernel.planning import plan
from planvow.kernel.state import State
from planvow.kernel.status import Status

MAX_ACTIONS = 6
MAX_ITERATIONS = 200_000
FAMILIES = ("app_running",)
"""Effect words that stand for a whole family: `app_running` provides `app_running:notepad`."""


class ToolIndex:
    """Capabilities by what they achieve and by what they provide, in order of name."""

    def __init__(self, capabilities: Iterable[ToolCapability]) -> None:
        self.by_name: dict[str, ToolCapability] = {}
        for tool in capabilities:
            self.by_name.setdefault(tool.name, tool)
        self._achieving: dict[str, list[ToolCapability]] = {}
        self._providing: dict[str, list[ToolCapability]] = {}
        for name in sorted(self.by_name):
            tool = self.by_name[name]
            for word in tool.can_achieve:
                self._achieving.setdefault(word, []).append(tool)
            for word in tool.effects:
                self._providing.setdefault(word, []).append(tool)

    def achieving(self, word: str, preferred: str | None = None) -> list[ToolCapability]:
        """Return the tools that can achieve a goal word, the preferred one first, then by name."""
        tools = self._achieving.get(word, [])
        return sorted(tools, key=lambda tool: tool.name != preferred)  # stable: names stay in order

    def providing(self, word: str) -> list[ToolCapability]:
        """Return the tools whose effects meet a requirement, by name."""
        family = word.partition(":")[0]
        return self._providing.get(word, []) + (
            self._providing.get(family, []) if family in FAMILIES and family != word else []
        )


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


def shortest_chain(word: str, index: ToolIndex, holding: frozenset[str], preferred: str | None) -> Chain:
    """Return the fewest calls that achieve a goal word when these words hold already."""
    start = State(holds=dict.fromkeys(sorted(holding), True), made={"calls": 0})
    result = plan(
        _domain(index, preferred),
        start,
        [("achieve", word)],
        loop_guard="off",  # `above` keeps the search from going round, and knows why
        optimal="steps",
        lower_bound=_at_least,
        budgets=Budgets(max_iterations=MAX_ITERATIONS),
    )
    if result.status in (Status.SOLVED, Status.SATISFIED):
        return Chain(links=tuple(_links(result.plan, index, holding)))
    if result.status is Status.BUDGET_EXCEEDED:
        return Chain(limit=f"no chain of tools was found within {MAX_ITERATIONS} steps of search")
    blocker = _unmeetable(word, index, holding)
    return Chain(blocker=blocker) if blocker else Chain(limit=f"no chain of at most {MAX_ACTIONS} tools was found")


def _domain(index: ToolIndex, preferred: str | None) -> Domain:
    domain = Domain("tools")

    @domain.command
    def call(state: Any, tool_name: str, word: str) -> Any:
        tool = index.by_name[tool_name]
        unmet = sorted(need for need in tool.requires if need not in state.holds)
        if unmet:
            return refuse(f"{tool_name} needs {unmet[0]}")
        for effect in sorted(tool.effects):
            state.holds[effect] = True
        state.holds[word] = True
        state.made["calls"] += 1
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
        # Nothing is gained by needing a word in order to provide it, and each level costs a call.
        if word in state.holds or word in above or len(above) >= MAX_ACTIONS - 1:
            return
        for tool in index.providing(word):
            yield _calling(tool, word, (*above, word))

    return domain


def _calling(tool: ToolCapability, word: str, above: tuple[str, ...]) -> list[Any]:
    return [*(("need", need, above) for need in sorted(tool.requires)), ("call", tool.name, word)]


def _at_least(state: Any, todo: tuple[Any, ...]) -> float:
    """Every call that is on the agenda will be made; more than MAX_ACTIONS is as good as never."""
    calls = sum(1 for item in todo if item[0] == "call")
    return float("inf") if state.made["calls"] + calls > MAX_ACTIONS else calls


def _links(steps: tuple[Any, ...], index: ToolIndex, holding: frozenset[str]) -> Iterator[Link]:
    """Yield the calls with what each rests on: for every requirement the world did not meet, the first call that
    did."""
    provider: dict[str, int] = {}
    for number, (_, tool_name, word) in enumerate(steps):
        tool = index.by_name[tool_name]
        needs = tool.requires - holding
        yield Link(tool_name, word, tuple(sorted({provider[need] for need in needs})))
        for effect in (*tool.effects, word):
            provider.setdefault(effect, number)


def _unmeetable(word: str, index: ToolIndex, holding: frozenset[str]) -> str | None:
    """Return the first requirement that no tool can ever meet, by delete-free reachability; None if all could be
    met."""
    reachable = _reachable(index, holding)
    for tool in index.achieving(word):
        for need in sorted(tool.requires):
            if need not in reachable and need.partition(":")[0] not in reachable.intersection(FAMILIES):
                return _deepest_lack(need, index, reachable)
    return None


def _reachable(index: ToolIndex, holding: frozenset[str]) -> set[str]:
    reachable = set(holding)
    waiting: dict[str, list[ToolCapability]] = {}
    missing = {tool.name: len(tool.requires - reachable) for tool in index.by_name.values()}
    ready = [tool for name, tool in index.by_name.items() if missing[name] == 0]
    for tool in index.by_name.values():
        for need in tool.requires - reachable:
            waiting.setdefault(need, []).append(tool)
    while ready:
        for effect in ready.pop().effects:
            if effect in reachable:
                continue
            reachable.add(effect)
            for tool in waiting.get(effect, ()):
                missing[tool.name] -= 1
                if missing[tool.name] == 0:
                    ready.append(tool)
    return reachable


def _deepest_lack(need: str, index: ToolIndex, reachable: Mapping[str, Any] | set[str]) -> str:
    """Follow the first provider of each lacking word down to one that nothing provides: that is what must be mended."""
    seen: set[str] = set()
    while need not in seen:
        seen.add(need)
        providers = index.providing(need)
        lacking = [lack for tool in providers for lack in sorted(tool.requires) if lack not in reachable]
        if not lacking:
            break
        need = lacking[0]
    return need
