"""Random tool registries, and the fewest calls by plain breadth-first search: nothing here is shared with the planner.

A registry has a small core in which chains form, and many tools around it that lead nowhere: some give what nobody
needs, some would help and can never be called. Three kinds: rows (long chains), webs (many ways that cross), and
switches (keys with values, so that one call undoes another).
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

from planvow.goals import Fact, ToolCapability, WorldState

GOAL_WORD = "system_query"
KINDS = ("row", "web", "switches")
UNDECIDED = "undecided"


def random_registry(seed: int, *, most_tools: int = 500) -> list[ToolCapability]:
    """Return the registry of a seed; every third has switches."""
    chance = random.Random(f"registry {seed}")
    kind = KINDS[seed % len(KINDS)]
    size = chance.randint(8, most_tools)
    core = {"row": _row, "web": _web, "switches": _switches}[kind](chance, min(size // 2, 40))
    around = [_bystander(chance, number, core) for number in range(size - len(core))]
    tools = core + around
    names = [f"t{number:03}" for number in range(len(tools))]
    chance.shuffle(names)
    return [
        ToolCapability(
            name=name,
            requires=tool.requires,
            effects=tool.effects,
            can_achieve=tool.can_achieve,
        )
        for name, tool in zip(names, tools, strict=True)
    ]


def _tool(needs: Iterable[str], gives: Iterable[str], achieves: Iterable[str] = ()) -> ToolCapability:
    return ToolCapability(name="?", requires=set(needs), effects=set(gives), can_achieve=set(achieves))


def _row(chance: random.Random, size: int) -> list[ToolCapability]:
    words = [f"w{i}" for i in range(chance.randint(6, 16))]
    tools = [
        _tool(words[max(0, i - chance.randint(1, 2)) : i], [word])
        for i, word in enumerate(words)
        if chance.random() < 0.97
    ]
    for _ in range(min(size, chance.randint(0, len(words)))):
        i = chance.randrange(len(words))
        needs = chance.sample(words[:i] or words, min(len(words[:i] or words), chance.randint(1, 3)))
        tools.append(_tool(needs, [words[i]]))
    goals = [_tool(words[-chance.randint(1, 3) :], [], [GOAL_WORD]) for _ in range(chance.randint(1, 2))]
    return tools + goals


def _web(chance: random.Random, size: int) -> list[ToolCapability]:
    words = [f"w{i}" for i in range(chance.randint(4, 13))]

    def some(least: int, most: int) -> list[str]:
        return chance.sample(words, chance.randint(least, min(most, len(words))))

    tools = [_tool(some(0, chance.choice([1, 2, 3])), some(1, 2)) for _ in range(min(size, chance.randint(6, 30)) - 1)]
    return [*tools, _tool(some(2, 7), [], [GOAL_WORD])]


def _switches(chance: random.Random, size: int) -> list[ToolCapability]:
    keys = {f"k.{i}": ["true", *(f"v{j}" for j in range(chance.randint(1, 3)))] for i in range(chance.randint(2, 5))}

    def setting(key: str) -> str:
        value = chance.choice(keys[key])
        return key if value == "true" and chance.random() < 0.5 else f"{key}={value}"

    def some(most: int, least: int = 1) -> list[str]:
        return [setting(key) for key in chance.sample(sorted(keys), chance.randint(least, min(most, len(keys))))]

    tools = [_tool(some(2, chance.choice([0, 1, 1, 1])), some(1)) for _ in range(min(size, 24) - 1)]
    return [*tools, _tool(some(4, 2), some(1), [GOAL_WORD])]


def _bystander(chance: random.Random, number: int, core: list[ToolCapability]) -> ToolCapability:
    words = sorted({word for tool in core for word in tool.effects | tool.requires})
    some = chance.sample(words, min(len(words), 2))
    if chance.random() < 0.5:
        return _tool(some[: chance.randint(0, 2)], [f"idle{number}"])
    return _tool([f"never{number}"], some, [GOAL_WORD] if chance.random() < 0.05 else [])


def random_world(seed: int) -> WorldState:
    """Return a world that shows some of what the registry of a seed may need."""
    chance = random.Random(f"world {seed}")
    facts = [
        Fact(subject="k", predicate=str(i), value=chance.choice([True, "v1", "v2"]))
        for i in range(3)
        if chance.random() < 0.5
    ]
    return WorldState(recent_facts=facts)


def fewest_calls(tools: Iterable[ToolCapability], world: WorldState, *, most_states: int = 30_000) -> int | str | None:
    """Return the length of the shortest plan, None where there is none, or UNDECIDED past the limit of states."""
    useful, wanted = [], {need for tool in tools if GOAL_WORD in tool.can_achieve for need in tool.requires}
    grown = True
    while grown:
        useful = [tool for tool in tools if {_key(word) for word in tool.effects} & {_key(word) for word in wanted}]
        needs = wanted.union(*(tool.requires for tool in useful))
        grown, wanted = needs != wanted, needs
    keys = {_key(word) for word in wanted}
    goals = [frozenset(map(_value, tool.requires)) for tool in tools if GOAL_WORD in tool.can_achieve]
    calls = {
        (frozenset(map(_value, t.requires)), frozenset(_value(e) for e in t.effects if _key(e) in keys)) for t in useful
    }
    start = frozenset((f"k.{f.predicate}", "true" if f.value is True else f.value) for f in world.recent_facts)
    layer, seen, length = [start], {start}, 1
    while layer:
        if any(goal <= state for state in layer for goal in goals):
            return length
        following = []
        for state in layer:
            for needs, gives in calls:
                if needs <= state:
                    changed = {key for key, _ in gives}
                    after = gives | {(key, value) for key, value in state if key not in changed}
                    if after not in seen:
                        seen.add(after)
                        following.append(after)
        if len(seen) > most_states:
            return UNDECIDED
        layer, length = following, length + 1
    return None


def with_second_goal(tools: list[ToolCapability], seed: int, word: str) -> list[ToolCapability]:
    """Return a registry in which one or two of its tools achieve another goal word."""
    chance = random.Random(f"second goal {seed}")
    chosen = set(chance.sample([tool.name for tool in tools], chance.randint(1, 2)))
    return [replace(tool, can_achieve=tool.can_achieve | {word}) if tool.name in chosen else tool for tool in tools]


def fewest_calls_for_all(
    tools: Iterable[ToolCapability], goals: tuple[str, ...], world: WorldState, *, most_states: int = 20_000
) -> int | str | None:
    """Return the fewest calls with which each goal word has a final call of its own, in any order; None if there are
    none. Every tool may be called for a goal, for its effects, or for nothing at all."""
    calls = [
        (frozenset(map(_value, tool.requires)), frozenset(map(_value, tool.effects)), goal)
        for tool in tools
        for goal in (None, *(goal for goal in goals if goal in tool.can_achieve))
    ]
    start = frozenset((f"k.{f.predicate}", "true" if f.value is True else f.value) for f in world.recent_facts)
    layer, seen, length = [(start, frozenset())], {(start, frozenset())}, 0
    while layer:
        if any(done == set(goals) for _, done in layer):
            return length
        following = []
        for state, done in layer:
            for needs, gives, goal in calls:
                if needs <= state:
                    changed = {key for key, _ in gives}
                    after = gives | {(key, value) for key, value in state if key not in changed}
                    node = (after, done | {goal} if goal else done)
                    if node not in seen:
                        seen.add(node)
                        following.append(node)
        if len(seen) > most_states:
            return UNDECIDED
        layer, length = following, length + 1
    return None


def _key(word: str) -> str:
    return word.split("=")[0]


def _value(word: str) -> tuple[str, str]:
    key, _, value = word.partition("=")
    return key, value or "true"
