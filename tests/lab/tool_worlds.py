"""Random tools with parameters and outputs, and the cheapest calls by plain breadth-first search.

Nothing here is shared with the planner: a state is a dictionary of keys and the set of values at hand, a call is tried
by looking at both, and every state is kept whole.
"""

from __future__ import annotations

import heapq
import random
import re
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from planvow.goals import ConditionGoal
from planvow.tools import ToolEntry

UNDECIDED = "undecided"
KINDS = ("a_id", "b_id", "c_id", "d_id")
KEYS = ("p", "q", "r", "s", "t", "u")


@dataclass
class World:
    """What a random case asks."""

    tools: list[ToolEntry]
    goal: ConditionGoal
    facts: dict[str, Any] = field(default_factory=dict)


def random_world(seed: int) -> World:
    """Return the case of a seed: tools in rough rows, a goal towards their ends, some values and facts."""
    chance = random.Random(f"tools {seed}")
    kinds = KINDS[: chance.randint(2, 4)]
    tools = [_random_tool(chance, f"t{number:02}", kinds) for number in range(chance.randint(6, 14))]
    given = {kind: f"{kind}0" for kind in kinds if chance.random() < 0.5}
    facts = {key: chance.choice([True, False, "x"]) for key in KEYS[:3] if chance.random() < 0.3}
    facts |= {f"on.{value}": True for value in given.values() if chance.random() < 0.3}
    conditions: dict[str, Any] = {}
    if chance.random() < 0.8:
        conditions[chance.choice(KEYS[2:])] = chance.choice([True, True, "x", None])
    if chance.random() < 0.4:
        conditions["on.{" + chance.choice(kinds) + "}"] = chance.choice([True, "x"])
    wants = (chance.choice(kinds),) if not conditions or chance.random() < 0.3 else ()
    return World(tools, ConditionGoal(conditions=conditions, wants=wants, given=given), facts)


def wearing_world(seed: int) -> World:
    """Return a world in which what a call needs is used up by it, so that the same call has to be made again."""
    chance = random.Random(f"wearing {seed}")
    stages = chance.randint(2, 4)
    gives = chance.random() < 0.5
    fill = ToolEntry(
        name="fill", effects=("fuel",), produces={"ticket": "a_id"} if gives else {}, cost=chance.choice([None, 1])
    )
    tools = [fill]
    for number in range(stages):
        taken = {"ticket": "a_id"} if gives and chance.random() < 0.6 else {}
        tools.append(
            ToolEntry(
                name=f"drive{number}",
                input_schema={"type": "object", "properties": {one: {} for one in taken}, "required": [*taken]},
                takes=taken,
                requires=("fuel", *([f"stop{number - 1}"] if number else [])),
                effects=(f"stop{number}", *(["!fuel"] if chance.random() < 0.8 else [])),
            )
        )
    conditions: dict[str, Any] = {f"stop{stages - 1}": True}
    if chance.random() < 0.5:
        conditions["fuel"] = True
    return World(tools, ConditionGoal(conditions=conditions), {"fuel": True} if chance.random() < 0.3 else {})


def _random_tool(chance: random.Random, name: str, kinds: tuple[str, ...]) -> ToolEntry:
    takes = {f"in{i}": chance.choice(kinds) for i in range(chance.choice([0, 0, 1, 1, 2]))}
    produces = {f"out{i}": chance.choice(kinds) for i in range(chance.choice([0, 0, 1]))}
    place = chance.randrange(len(KEYS))

    def value() -> str:
        return chance.choice(["", "", "", "=x"])

    needs = [KEYS[max(place - 1, 0)] + value()] if place and chance.random() < 0.7 else []
    if takes and chance.random() < 0.3:
        needs.append(f"on.{{{chance.choice([*takes])}}}" + value())
    effects = [KEYS[place] + value()]
    if chance.random() < 0.25:
        effects.append(f"!{chance.choice(KEYS)}")
    if takes or produces:
        effects.append(f"on.{{{chance.choice([*takes, *produces])}}}" + value())
    return ToolEntry(
        name=name,
        input_schema={"type": "object", "properties": {one: {} for one in takes}, "required": [*takes]},
        takes=takes,
        produces=produces,
        requires=tuple(needs),
        effects=_effects(effects),
        cost=chance.choice([None, None, None, 1, 3]),
    )


def _effects(texts: list[str]) -> tuple[str, ...]:
    """Return the statements, one for each key: a tool that sets a key twice says nothing clear."""
    by_key: dict[str, str] = {}
    for text in texts:
        by_key.setdefault(text.lstrip("!").partition("=")[0], text)
    return tuple(by_key.values())


def cheapest(case: World, *, depth: int = 6, most: int = 6_000) -> tuple[int, int] | str | None:
    """Return (cost, calls) of the cheapest plan, None where there is none, or UNDECIDED past the limits."""
    start = (frozenset(case.facts.items()), frozenset((kind, value, 0) for kind, value in case.goal.given.items()))
    line: list[tuple[tuple[int, int], int, Any]] = [((0, 0), 0, start)]
    best = {start: (0, 0)}
    order, deep = 0, False
    while line:
        price, _, state = heapq.heappop(line)
        if price > best[state]:
            continue
        if _reached(case.goal, state):
            return UNDECIDED if deep and price[1] > depth else price
        if len(best) > most:
            return UNDECIDED
        for tool in case.tools:
            for after, level in _calls(tool, state):
                if level > depth:
                    deep = True
                    continue
                then = (price[0] + (tool.cost or 0), price[1] + 1)
                if then < best.get(after, (1 << 40, 0)):
                    best[after] = then
                    order += 1
                    heapq.heappush(line, (then, order, after))
    return UNDECIDED if deep else None


def _calls(tool: ToolEntry, state: Any) -> Any:
    facts, values = dict(state[0]), state[1]
    kinds = {name: tool.takes.get(name, name) for name in tool.input_schema.get("required", ())}
    columns = [[(name, v) for v in sorted(values) if v[0] == kind] for name, kind in kinds.items()]
    for chosen in product(*columns):
        bound = {name: value for name, (_, value, _) in chosen}
        level = 1 + max((v[2] for _, v in chosen), default=0)
        made = {out: f"{tool.name}({','.join(bound[n] for n in sorted(bound))}).{out}" for out in tool.produces}
        if not all(_holds(facts, *_read(text, {**made, **bound})) for text in tool.requires):
            continue
        after = dict(facts)
        for text in tool.effects:
            key, value = _read(text, {**made, **bound})
            if value is None:
                after.pop(key, None)
            else:
                after[key] = value
        new = {(kind, made[out], level) for out, kind in tool.produces.items()}
        yield (frozenset(after.items()), values | new), level


def _read(text: str, bound: dict[str, str]) -> tuple[str, Any]:
    for name, value in bound.items():
        text = text.replace(f"{{{name}}}", value)
    if text.startswith("!"):
        return text[1:], None
    key, equals, value = text.partition("=")
    return key, value if equals else True


def _holds(facts: dict[str, Any], key: str, value: Any) -> bool:
    if value is None:
        return facts.get(key, False) is False
    return facts.get(key) is value if value is True else facts.get(key) == value


def _reached(goal: ConditionGoal, state: Any) -> bool:
    facts, values = dict(state[0]), state[1]
    names = sorted({part.partition("}")[0] for key in goal.conditions for part in key.split("{")[1:]} | {*goal.wants})
    columns = [[v[1] for v in values if v[0] == name] for name in names]
    for chosen in product(*columns):
        bound = dict(zip(names, chosen, strict=True))
        if all(_holds(facts, _read(key, bound)[0], value) for key, value in goal.conditions.items()):
            return True
    return False


def out_of_reach(case: World) -> list[str]:
    """Return the conditions that no calls bring about, however deep, were nothing ever lost and each value of a kind
    all values of it: what stands here has no plan, whatever else does."""
    facts = {(key, value) for key, value in case.facts.items() if value is not False}
    kinds, before = {*case.goal.given}, -1
    while before < len(facts) + len(kinds):
        before = len(facts) + len(kinds)
        for tool in case.tools:
            takes = {tool.takes.get(name, name) for name in tool.input_schema.get("required", ())}
            if takes <= kinds and all(_may_hold(facts, *_read(text, {})) for text in tool.requires):
                facts |= {_read(text, {}) for text in tool.effects}
                kinds |= {*tool.produces.values()}
    return [key for key, value in case.goal.conditions.items() if not _may_hold(facts, key, value)]


def _may_hold(facts: set[tuple[str, Any]], key: str, value: Any) -> bool:
    if value is None:
        return True

    def as_pattern(text: str) -> str:
        return ".*".join(map(re.escape, re.split(r"\{\w+\}", text)))

    return any(
        known == value and (re.fullmatch(as_pattern(one), key) or re.fullmatch(as_pattern(key), one))
        for one, known in facts
    )


def random_crowd(seed: int) -> World:
    """Return a case of many tools of few sorts, so that most differ only in effects that a goal may or may not ask
    about: ties everywhere."""
    chance = random.Random(f"crowd {seed}")
    keys = [f"k{number}" for number in range(chance.randint(3, 8))]
    own = [f"x.{number}.on" for number in range(chance.randint(2, 40))]
    spoken = ["x.{p}.on"] if chance.random() < 0.3 else []
    sorts = [
        (
            ["p"] if chance.random() < 0.3 else [],
            tuple(
                chance.choice(["", "", "!"]) + chance.choice(keys + own[:3]) for _ in range(chance.choice([0, 1, 2]))
            ),
            chance.choice([None, None, None, 1]),
        )
        for _ in range(chance.randint(1, 5))
    ]
    tools = []
    for number in range(chance.randint(10, 70)):
        takes, needs, cost = chance.choice(sorts)
        texts = [chance.choice(["", "", "", "!"]) + chance.choice(keys) for _ in range(chance.choice([1, 1, 2]))]
        texts += [chance.choice(own + (spoken if takes else [])) + chance.choice(["", "", "=z"])]
        tools.append(
            ToolEntry(
                name=f"{chance.choice('abxy')}{number}",
                input_schema={"type": "object", "properties": {one: {} for one in takes}, "required": takes},
                requires=needs,
                effects=_effects(chance.sample(texts, len(texts))),
                produces={"out": chance.choice("pq")} if chance.random() < 0.1 else {},
                cost=cost,
            )
        )
    asked = [chance.choice(keys + own + spoken) for _ in range(chance.choice([1, 1, 2, 3]))]
    goal = ConditionGoal(
        conditions={key: chance.choice([True, True, True, "z", None]) for key in asked},
        given={"p": "v"} if chance.random() < 0.6 else {},
    )
    return World(tools, goal, {key: chance.choice([True, False, "z"]) for key in keys if chance.random() < 0.2})


def random_rivals(seed: int) -> World:
    """Return a case of stages, each with many rivals: tools that do the same after calls of their own, with values of
    their own, at prices of their own, and some that undo what another stage needs."""
    chance = random.Random(f"rivals {seed}")
    stages = chance.randint(1, 3)
    priced, undoing = chance.random() < 0.3, chance.random() < 0.4
    goal_kind = chance.random() < 0.6
    tools: list[ToolEntry] = []
    facts: dict[str, Any] = {}

    def add(name: str, needs: list[str], effects: list[str], takes: tuple[str, ...] = (), produces: Any = None) -> None:
        tools.append(
            ToolEntry(
                name=name,
                input_schema={"type": "object", "properties": {one: {} for one in takes}, "required": [*takes]},
                requires=tuple(needs),
                effects=_effects(effects),
                produces=produces or {},
                cost=chance.choice([None, 1, 2, 5]) if priced else None,
            )
        )

    for stage in range(stages):
        for rival in range(chance.randint(1, 6)):
            name, needs = f"{chance.choice('abz')}{stage}_{rival}", []
            for step in range(chance.choice([0, 0, 1, 1, 2, 3])):
                own = f"own.{stage}.{rival}.{step}"
                if chance.random() < 0.85:
                    add(f"{name}_pre{step}", needs, [own, *(["!s0"] if undoing and chance.random() < 0.2 else [])])
                if chance.random() < 0.1:
                    facts[own] = True
                needs = [own]
            if stage and chance.random() < 0.8:
                needs = [*needs, f"s{stage - 1}"]
            effects = [f"s{stage}"] if chance.random() < 0.9 else [f"s{stage}", f"s{(stage + 1) % stages}"]
            if undoing and chance.random() < 0.3:
                effects.append(f"!s{chance.randrange(stages)}")
            takes = ("thing",) if goal_kind and chance.random() < 0.2 else ()
            produces = {"thing": "thing"} if goal_kind and not takes and chance.random() < 0.4 else {}
            if produces and chance.random() < 0.5:
                effects.append("thing.{thing}.new")
            add(name, needs, effects, takes, produces)
    if goal_kind:
        for number in range(chance.randint(1, 5)):
            needs = [f"own.find.{number}"] if chance.random() < 0.4 else []
            if needs:
                add(f"ready{number}", [], needs)
            effects = ["thing.{thing}.new"] if chance.random() < 0.4 else []
            add(f"find{number}", needs, effects, produces={"thing": "thing"})
        for number in range(chance.randint(1, 3)):
            needs = chance.sample(["thing.{thing}.new", f"s{stages - 1}", "!thing.{thing}.done"], chance.randint(0, 2))
            spent = ["!thing.{thing}.new"] if chance.random() < 0.5 else []
            add(f"use{number}", needs, ["thing.{thing}.done", *spent], ("thing",))
    conditions: dict[str, Any] = {f"s{stages - 1}": True}
    if goal_kind:
        conditions["thing.{thing}.done"] = True
        if chance.random() < 0.3:
            conditions["thing.{thing}.new"] = True
    given = {"thing": "given"} if chance.random() < 0.1 else {}
    return World(tools, ConditionGoal(conditions=conditions, given=given), facts)
