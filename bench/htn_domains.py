"""Domains for `bench/htn.py`: plain functions that GTPyhop and planvow both run, unchanged, and problems of any size.

Every problem derives from its size alone (a linear congruential sequence stands in for chance), so figures compare.
"""

from __future__ import annotations

from collections.abc import Iterator


def sequence(seed: int) -> Iterator[int]:
    value = seed
    while True:
        value = (value * 6364136223846793005 + 1442695040888963407) % 2**64
        yield value >> 33


# Blocks world: a hand moves blocks until every block stands where the goal wants it.


def pickup(state, block):
    if state.pos[block] == "table" and state.clear[block] and not state.holding["hand"]:
        state.pos[block] = "hand"
        state.clear[block] = False
        state.holding["hand"] = block
        return state
    return None


def unstack(state, block, below):
    if state.pos[block] == below and below != "table" and state.clear[block] and not state.holding["hand"]:
        state.pos[block] = "hand"
        state.clear[block] = False
        state.holding["hand"] = block
        state.clear[below] = True
        return state
    return None


def putdown(state, block):
    if state.pos[block] == "hand":
        state.pos[block] = "table"
        state.clear[block] = True
        state.holding["hand"] = False
        return state
    return None


def stack(state, block, below):
    if state.pos[block] == "hand" and state.clear[below]:
        state.pos[block] = below
        state.clear[block] = True
        state.holding["hand"] = False
        state.clear[below] = False
        return state
    return None


def _is_final(block, state, goal):
    while block != "table":
        if block in goal.pos and goal.pos[block] != state.pos[block]:
            return False
        block = state.pos[block]
    return True


def _next_move(state, goal):
    """A clear block that can go where it will stay; otherwise one that is in the way; otherwise None."""
    waiting = None
    for block, is_clear in state.clear.items():
        if not is_clear or _is_final(block, state, goal):
            continue
        target = goal.pos.get(block, "table")
        if target == "table" or (state.clear[target] and _is_final(target, state, goal)):
            return block, target
        if waiting is None and state.pos[block] != "table":
            waiting = block, "table"
    return waiting


def arrange(state, goal):
    move = _next_move(state, goal)
    return [] if move is None else [("take", move[0]), ("put", *move), ("arrange", goal)]


def take(state, block):
    if not state.clear[block]:
        return None
    return [("pickup", block)] if state.pos[block] == "table" else [("unstack", block, state.pos[block])]


def put(state, block, target):
    if state.holding["hand"] != block:
        return None
    return [("putdown", block)] if target == "table" else [("stack", block, target)]


BLOCKS = {
    "actions": [pickup, unstack, putdown, stack],
    "task_methods": {"arrange": [arrange], "take": [take], "put": [put]},
}


def towers(count: int, seed: int) -> dict[str, str]:
    """Stand blocks 0 … count-1 in towers, shuffled."""
    chance = sequence(seed)
    blocks = sorted((f"b{i}" for i in range(count)), key=lambda _: next(chance))
    return {block: "table" if i == 0 or next(chance) % 5 == 0 else blocks[i - 1] for i, block in enumerate(blocks)}


def blocks_problem(count: int) -> tuple[dict[str, dict[str, object]], dict[str, str]]:
    pos, goal = towers(count, 1), towers(count, 2)
    names = [f"b{i}" for i in range(count)]
    clear = {name: name not in pos.values() for name in names}
    return {"pos": {n: pos[n] for n in names}, "clear": clear, "holding": {"hand": False}}, goal


# Logistics: trucks within cities, planes between them.


def drive(state, truck, place):
    state.at[truck] = place
    return state


def fly(state, plane, airport):
    state.at[plane] = airport
    return state


def load(state, package, vehicle):
    if state.at[package] == state.at[vehicle]:
        state.at[package] = vehicle
        return state
    return None


def unload(state, package, place):
    vehicle = state.at[package]
    if state.at[vehicle] == place:
        state.at[package] = place
        return state
    return None


def _vehicle_in(state, city):
    return state.truck_of[city]


def deliver(state, package, goal):
    here = state.at[package]
    if here == goal:
        return []
    if state.city[here] == state.city[goal]:
        return [("carry", package, _vehicle_in(state, state.city[here]), goal)]
    start, end = state.airport[state.city[here]], state.airport[state.city[goal]]
    return [("deliver", package, start), ("carry_by_air", package, end), ("deliver", package, goal)]


def carry(state, package, truck, goal):
    here = state.at[package]
    fetch = [] if state.at[truck] == here else [("drive", truck, here)]
    return [*fetch, ("load", package, truck), ("drive", truck, goal), ("unload", package, goal)]


def carry_by_air(state, package, goal):
    here = state.at[package]
    for plane in state.planes["all"]:
        if state.at[plane] == here:
            return [("load", package, plane), ("fly", plane, goal), ("unload", package, goal)]
    plane = state.planes["all"][0]
    return [("fly", plane, here), ("load", package, plane), ("fly", plane, goal), ("unload", package, goal)]


LOGISTICS = {
    "actions": [drive, fly, load, unload],
    "task_methods": {"deliver": [deliver], "carry": [carry], "carry_by_air": [carry_by_air]},
}


def logistics_problem(packages: int) -> tuple[dict[str, dict[str, object]], list[tuple[str, ...]]]:
    chance = sequence(3)
    cities = [f"city{i}" for i in range(max(2, packages // 10))]
    places = {city: [f"{city}-{k}" for k in range(4)] for city in cities}
    everywhere = [place for city in cities for place in places[city]]
    at: dict[str, object] = {f"{city}-truck": places[city][1] for city in cities}
    at |= {f"plane{i}": places[cities[i]][0] for i in range(2)}
    goals = []
    for i in range(packages):
        at[f"p{i}"] = everywhere[next(chance) % len(everywhere)]
        goals.append(("deliver", f"p{i}", everywhere[next(chance) % len(everywhere)]))
    state = {
        "at": at,
        "city": {place: city for city in cities for place in places[city]},
        "airport": {city: places[city][0] for city in cities},
        "truck_of": {city: f"{city}-truck" for city in cities},
        "planes": {"all": ("plane0", "plane1")},
    }
    return state, goals


# A chain: one step after the other, each leaving the rest to the same task.


def tick(state):
    state.count["n"] = state.count["n"] + 1
    return state


def until(state, limit):
    return [] if state.count["n"] >= limit else [("tick",), ("until", limit)]


CHAIN = {"actions": [tick], "task_methods": {"until": [until]}}


# Wide branching: every leaf but the last is a dead end.


def bit(state, index, value):
    state.bits[index] = value
    return state


def only_ones(state, length):
    if all(state.bits[i] for i in range(length)):
        state.bits["done"] = 1
        return state
    return None


def _choose(value):
    def choose(state, index):
        return [("bit", index, value)]

    choose.__name__ = f"choose_{value}"
    return choose


BRANCHING = {"actions": [bit, only_ones], "task_methods": {"choose": [_choose(0), _choose(1)]}}


def branching_problem(length: int) -> tuple[dict[str, dict[object, object]], list[tuple[object, ...]]]:
    return {"bits": {}}, [*(("choose", i) for i in range(length)), ("only_ones", length)]
