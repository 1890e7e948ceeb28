"""Generators for `bench/hddl_worlds.py`: one function for each kind, a problem as text from a size and a seed.

The domains lie beside this file in `worlds/`. Every problem derives from its size alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from htn_domains import sequence

T = TypeVar("T")
Road = tuple[str, str]


class Draw:
    """Chance that is the same in every run."""

    def __init__(self, *seed: int) -> None:
        self._numbers = sequence(sum((number + 1) * 7919**place for place, number in enumerate(seed)))

    def below(self, limit: int) -> int:
        return next(self._numbers) % limit

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        found = list(items)
        for place in range(len(found) - 1, 0, -1):
            other = self.below(place + 1)
            found[place], found[other] = found[other], found[place]
        return found

    def roads(self, places: Sequence[str], more: int) -> list[Road]:
        """Return a tree over the places and some roads more, in one direction each."""
        tree = [(places[self.below(index)], place) for index, place in enumerate(places) if index]
        extra = [(self.pick(places), self.pick(places)) for _ in range(more)]
        return list(dict.fromkeys(tree + [(a, b) for a, b in extra if a != b and (b, a) not in tree]))


class World(NamedTuple):
    """The parts of a problem."""

    domain: str
    objects: dict[str, list[str]]
    init: list[str]
    tasks: list[str]
    in_order: bool = True
    goal: str = ""

    def text(self) -> str:
        """Return the problem in HDDL."""
        objects = "\n    ".join(f"{' '.join(names)} - {kind}" for kind, names in self.objects.items() if names)
        word = ":ordered-subtasks" if self.in_order else ":subtasks"
        tasks = "\n    ".join(f"(t{number} ({task}))" for number, task in enumerate(self.tasks))
        init = "\n    ".join(f"({fact})" for fact in self.init)
        goal = f"\n  (:goal {self.goal})" if self.goal else ""
        return (
            f"(define (problem made)\n  (:domain {self.domain})\n  (:objects\n    {objects})\n"
            f"  (:htn :parameters () {word} (and\n    {tasks}))\n  (:init\n    {init}){goal})\n"
        )


def names(stem: str, count: int) -> list[str]:
    return [f"{stem}{number}" for number in range(count)]


def both_ways(word: str, roads: Iterable[Road]) -> list[str]:
    return [f"{word} {a} {b}" for road in roads for a, b in (road, road[::-1])]


def storm(size: int) -> World:
    places, trucks = [(6, 2), (10, 3), (16, 4), (24, 5), (34, 6)][size]
    draw = Draw(1, size)
    place, truck = names("p", places), names("truck", trucks)
    seats = {t: [f"{t}s{number}" for number in range(2)] for t in truck}
    crew, saw = names("crew", 1 + size), names("saw", 1 + size)
    roads = draw.roads(place, places // 2)
    shelter = draw.shuffled(place)[: 2 + size // 2]
    dark = draw.shuffled(place)[: 2 + size]
    wire, person = names("wire", len(dark)), names("person", 3 + 3 * size)
    start = place[0]
    blocked = [road for road in roads if draw.below(3) == 0]
    init = both_ways("road", roads) + both_ways("blocked", blocked)
    init += [f"parked {t} {start}" for t in truck] + [f"seat-of {s} {t}" for t in truck for s in seats[t]]
    init += [f"empty {s}" for t in truck for s in seats[t]]
    init += [f"lies {x} {start}" for x in (*crew, *saw, *wire)] + [f"lies {x} {draw.pick(place)}" for x in person]
    init += [f"dark {p}" for p in dark] + [f"shelter {p}" for p in shelter]
    objects = {"place": place, "truck": truck, "seat": [s for t in truck for s in seats[t]], "crew": crew}
    objects |= {"saw": saw, "wire": wire, "person": person}
    tasks = [f"rescue {x}" for x in person] + [f"light {p}" for p in dark]
    return World("storm", objects, init, draw.shuffled(tasks))


def patience(size: int) -> World:
    suits, ranks, columns, cells = [(2, 4, 3, 2), (3, 5, 4, 3), (4, 6, 6, 3), (4, 9, 7, 4), (4, 13, 8, 4)][size]
    draw = Draw(2, size)
    card = {(suit, rank): f"c{suit}r{rank}" for suit in range(suits) for rank in range(ranks + 1)}
    column, cell = names("column", columns), names("cell", cells)
    dealt: list[list[tuple[int, int]]] = [[] for _ in column]
    for number, each in enumerate(draw.shuffled(key for key in card if key[1])):
        dealt[number % columns].append(each)
    init = [f"home {card[suit, 0]}" for suit in range(suits)] + [f"vacant {c}" for c in cell]
    for pile, spot in zip(dealt, column):
        init.append(f"in {card[pile[0]]} {spot}")
        init += [f"on {card[above]} {card[below]}" for below, above in itertools.pairwise(pile)]
        init.append(f"open {card[pile[-1]]}")
    init += [f"follows {card[s, r]} {card[s, r - 1]}" for s, r in card if r]
    init += [
        f"fits {card[s, r]} {card[t, r + 1]}" for s, r in card if 0 < r < ranks for t in range(suits) if (s + t) % 2
    ]
    objects = {"card": list(card.values()), "cell": cell, "column": column}
    tasks = [f"finish {card[suit, rank]}" for rank in range(1, ranks + 1) for suit in range(suits)]
    return World("patience", objects, init, tasks)


def towers(size: int) -> World:
    blocks, arms = [(6, 2), (10, 2), (16, 3), (24, 3), (40, 4)][size]
    draw = Draw(3, size)
    block, arm, colour = names("b", blocks), names("arm", arms), names("colour", arms)
    init = [f"takes {a} {c}" for a, c in zip(arm, colour)] + [f"takes {arm[0]} {colour[-1]}"]
    init += [f"painted {b} {draw.pick(colour)}" for b in block] + [f"wrong {b}" for b in block]
    init += [f"idle {a}" for a in arm]
    for order, on, floor in ((draw.shuffled(block), "on", "on-floor"), (draw.shuffled(block), "wants", "wants-floor")):
        height = 0
        for below, each in zip([None, *order], order):
            height = 0 if below is None or height > 4 or draw.below(4) == 0 else height + 1
            if on == "on" and height == 0 and below is not None:
                init.append(f"free {below}")
            init.append(f"{on} {each} {below}" if height else f"{floor} {each}")
        if on == "on":
            init.append(f"free {order[-1]}")
    return World("arms-and-towers", {"block": block, "arm": arm, "colour": colour}, init, ["rebuild"])


def bar(size: int) -> World:
    guests, recipes, glasses = [(2, 2, 2), (4, 3, 2), (8, 5, 3), (16, 8, 3), (32, 10, 4)][size]
    draw = Draw(4, size)
    guest, recipe, liquid = names("guest", guests), names("recipe", recipes), names("liquid", 3 + recipes // 2)
    glass, shaker, hand = names("glass", glasses), names("shaker", 1 + size // 4), ["left", "right"]
    init = [f"free {h}" for h in hand]
    init += [f"{word} {v}" for v in (*glass, *shaker) for word in ("stands", "clean", "blank")]
    for each in recipe:
        a, b = draw.shuffled(liquid)[:2]
        init += [f"first {each} {a}", f"second {each} {b}"]
    objects = {"hand": hand, "guest": guest, "recipe": recipe, "liquid": liquid, "glass": glass, "shaker": shaker}
    return World("bar", objects, init, [f"serve {g} {draw.pick(recipe)}" for g in guest])


def joinery(size: int) -> World:
    parts, boards, colours = [(4, 2, 2), (8, 3, 3), (16, 6, 4), (28, 10, 5), (44, 16, 6)][size]
    draw = Draw(5, size)
    part, board, colour, kind = names("part", parts), names("board", boards), names("colour", colours), names("kind", 2)
    left, saw = names("left", 6), names("saw", 1 + size // 3)
    sprayer, planer = names("sprayer", 1 + size // 2), names("planer", 1 + size // 2)
    init = [f"less {a} {b}" for a, b in itertools.pairwise(left)] + [f"vacant {s}" for s in saw]
    init += [f"kind-of {b} {kind[number % 2]}" for number, b in enumerate(board)]
    init += [f"left {b} {left[-1]}" for b in board] + [f"on-shelf {b}" for b in board]
    init += [f"loaded {s} {draw.pick(colour)}" for s in sprayer]
    room = dict.fromkeys(kind, 5 * (boards // 2))
    for each in part:
        k = draw.pick([k for k in kind if room[k]])
        room[k] -= 1
        init += [f"raw {each}", f"made-of {each} {k}", f"wish {each} {draw.pick(colour)}"]
        init += [f"rough {each}"] if draw.below(4) == 0 else []
    pairs = [f"join {a} {b}" for a, b in zip(part[: parts // 2 : 2], part[1 : parts // 2 : 2])]
    tasks = pairs + [f"make {p}" for p in part[2 * len(pairs) :]]
    objects = {"part": part, "board": board, "board-left": left, "colour": colour, "kind": kind}
    objects |= {"saw": saw, "sprayer": sprayer, "planer": planer}
    wishes = [fact.split()[1:] for fact in init if fact.startswith("wish ")]
    goal = "(and " + " ".join(f"(finished {p} {c})" for p, c in wishes) + ")"
    return World("joinery", objects, init, draw.shuffled(tasks), in_order=False, goal=goal)


def flood(size: int) -> World:
    places, boats, families = [(5, 1, 2), (8, 2, 4), (14, 3, 8), (22, 4, 14), (34, 5, 22)][size]
    draw = Draw(6, size)
    place, boat, family = names("p", places), names("boat", boats), names("family", families)
    pump, doctor = names("pump", 1 + size // 2), names("doctor", 1 + size // 2)
    roads = draw.roads(place, places // 3)
    high = place[: 1 + size // 2]
    wet = [p for p in place if p not in high]
    bags = names("bags", len(wet))
    init = both_ways("water", roads) + [f"high {p}" for p in high]
    init += [f"moored {b} {high[0]}" for b in boat] + [f"spare {b}" for b in boat]
    init += [f"waits {x} {high[0]}" for x in (*pump, *doctor, *bags)]
    init += [f"wet {p}" for p in wet] + [f"open {p}" for p in wet if draw.below(2)]
    for each in family:
        home = draw.pick(wet)
        init += [f"lives {each} {home}", f"waits {each} {draw.pick(place)}"]
        init += [f"ill {each}"] if draw.below(2) else []
    objects = {"place": place, "boat": boat, "family": family, "pump": pump, "bags": bags, "doctor": doctor}
    tasks = [f"save {f}" for f in family] + [f"dry {p}" for p in draw.shuffled(wet)[: 1 + size]]
    return World("flood", objects, init, draw.shuffled(tasks), in_order=False)


def sidings(size: int) -> World:
    wagons, tracks, length = [(6, 3, 4), (9, 4, 4), (14, 5, 5), (20, 6, 5), (30, 7, 6)][size]
    draw = Draw(7, size)
    wagon, track, count = [*names("w", wagons), "nobody"], names("track", tracks), names("n", length + 1)
    piles: list[list[str]] = [[] for _ in track]
    full = [pile for pile in piles[:-1] for _ in range(length)]
    for each, pile in zip(draw.shuffled(wagon[:-1]), full):
        pile.append(each)
    init = [f"less {a} {b}" for a, b in itertools.pairwise(count)] + [
        f"then {a} {b}" for a, b in itertools.pairwise(wagon)
    ]
    init.append(f"next-is {wagon[0]}")
    for pile, spot in zip(piles, track):
        init.append(f"room {spot} {count[length - len(pile)]}")
        init += [f"at-buffer {pile[0]} {spot}", f"last {pile[-1]}"] if pile else [f"bare {spot}"]
        init += [f"on {w} {spot}" for w in pile] + [f"behind {b} {a}" for a, b in itertools.pairwise(pile)]
    goal = f"(and {' '.join(f'(gone {w})' for w in wagon[:-1])})"
    objects = {"wagon": wagon, "track": track, "count": count}
    return World("sidings", objects, init, [f"send {w}" for w in wagon[:-1]], goal=goal)


def gallery(size: int) -> World:
    pictures, helpers, ladders = [(3, 1, 1), (6, 2, 2), (12, 2, 3), (20, 3, 4), (32, 3, 5)][size]
    draw = Draw(8, size)
    picture, helper, ladder = names("picture", pictures), names("helper", helpers), names("ladder", ladders)
    hook = names("hook", pictures + 1)
    init = [f"{word} {x}" for x in helper for word in ("hands-free", "on-foot")]
    init += [f"reaches {ladder[draw.below(ladders)]} {h}" for h in hook]
    used = draw.shuffled(hook)[:pictures]
    init += [f"hangs {p} {h}" for p, h in zip(picture, used)] + [f"blank {h}" for h in hook if h not in used]
    init += [f"wish {p} {h}" for p, h in zip(picture, draw.shuffled(hook))] + [f"pending {p}" for p in picture]
    objects = {"picture": picture, "hook": hook, "helper": helper, "ladder": ladder}
    return World("gallery", objects, init, ["evening"])


def stage(size: int) -> World:
    chains, length, spare = [(1, 2, 1), (2, 3, 1), (3, 4, 2), (4, 6, 3), (6, 8, 4)][size]
    draw = Draw(9, size)
    plug, device, cable, init, tasks = names("plug", 3 + size), [], [], [], []
    for chain in range(chains):
        row = [f"d{chain}x{number}" for number in range(length + 1)]
        device += row
        init.append(f"signal {row[0]} {row[0]}")
        for a, b in itertools.pairwise(row):
            ends = [draw.pick(plug), draw.pick(plug)]
            init += [f"socket-out {a} {ends[0]}", f"socket-in {b} {ends[1]}"]
            if draw.below(3) == 0:
                ends.insert(1, draw.pick(plug))
            for near, far in itertools.pairwise(ends):
                cable.append(f"cable{len(cable)}")
                init += [f"near {cable[-1]} {near}", f"far {cable[-1]} {far}", f"spare {cable[-1]}"]
        tasks.append(f"bring-signal {row[0]} {row[-1]}")
    for number in range(spare):
        init += [f"near odd{number} {draw.pick(plug)}", f"far odd{number} {draw.pick(plug)}", f"spare odd{number}"]
    objects = {"device": device, "cable": draw.shuffled([*cable, *names("odd", spare)]), "plug": plug}
    return World("stage", objects, init, draw.shuffled(tasks))


def kitchen(size: int) -> World:
    dishes, pans, burners, cooks = [(2, 1, 1, 1), (4, 2, 1, 1), (8, 3, 2, 2), (16, 4, 3, 2), (30, 5, 4, 3)][size]
    draw = Draw(10, size)
    dish, pan, burner, cook = (
        names("dish", dishes),
        names("pan", pans),
        names("burner", burners),
        names("cook", cooks),
    )
    food = names("food", 2 * dishes)
    init = [f"off {p}" for p in pan] + [f"clean {p}" for p in pan if draw.below(2)] + [f"cold {b}" for b in burner]
    init += [f"whole {f}" for f in food]
    init += [f"base {d} {f}" for d, f in zip(dish, food)] + [f"sauce {d} {f}" for d, f in zip(dish, food[dishes:])]
    objects = {"dish": dish, "cook": cook, "pan": pan, "burner": burner, "food": food}
    return World("kitchen", objects, init, [f"prepare {d}" for d in draw.shuffled(dish)], in_order=False)


def convoy(size: int) -> World:
    heaps, height, places = [(1, 10, 4), (2, 25, 8), (3, 50, 14), (4, 90, 20), (5, 150, 30)][size]
    draw = Draw(11, size)
    place, heap, level, cart = names("p", places), names("heap", heaps), names("l", height + 1), names("cart", 2)
    init = [*both_ways("road", draw.roads(place, places // 6)), f"dump {place[0]}", f"flat {level[0]}"]
    init += [f"above {b} {a}" for a, b in itertools.pairwise(level)] + [f"at {c} {place[0]}" for c in cart]
    for each in heap:
        init += [f"site {each} {place[1 + draw.below(places - 1)]}", f"height {each} {level[-1]}"]
    objects = {"place": place, "cart": cart, "level": level, "heap": heap}
    return World("convoy", objects, init, [f"remove {h}" for h in heap])


def census(size: int) -> World:
    sizes = [(10, 3, 2, 2), (40, 4, 4, 3), (120, 6, 8, 4), (300, 8, 15, 5), (700, 10, 30, 6)]
    households, clerks, streets, tongues = sizes[size]
    draw = Draw(12, size)
    household, clerk, street = names("h", households), names("clerk", clerks), names("street", streets)
    tongue, pen = names("tongue", tongues), names("pen", 2 + size)
    init = [f"speaks {c} {t}" for c in clerk for t in tongue if draw.below(3) == 0]
    init += [f"speaks {draw.pick(clerk)} {t}" for t in tongue] + [f"fresh {c}" for c in clerk]
    init += [f"assigned {c} {draw.pick(street)}" for c in clerk] + [f"dry {p}" for p in pen]
    for each in household:
        init += [f"tongue-of {each} {draw.pick(tongue)}", f"lives {each} {draw.pick(street)}"]
    objects = {"household": household, "clerk": clerk, "tongue": tongue, "street": street, "pen": pen}
    return World("census", objects, list(dict.fromkeys(init)), [f"visit {h}" for h in household])


def lockers(size: int) -> World:
    travellers = 3 + size
    traveller, locker = names("t", travellers), names("locker", travellers - 1)
    init = [f"in {t} hall" for t in traveller] + [f"vacant {x}" for x in locker]
    init += [f"locker-in {x} store" for x in locker] + ["door hall store", "needs hall store k0", "lies k0 hall"]
    objects = {"traveller": traveller, "locker": locker, "room": ["hall", "store"], "key": ["k0"]}
    return World("lockers", objects, init, [f"store {t}" for t in traveller])


def post(size: int) -> World:
    letters, postmen, streets = [(10, 2, 3), (40, 3, 5), (120, 5, 10), (300, 8, 20), (700, 12, 40)][size]
    draw = Draw(13, size)
    letter, postman, street = names("letter", letters), names("postman", postmen), names("street", streets)
    bag = names("bag", postmen)
    init = [f"knows {m} {s}" for m in postman for s in street if draw.below(3) == 0]
    init += [f"knows {draw.pick(postman)} {s}" for s in street] + [f"has {m} {b}" for m, b in zip(postman, bag)]
    init += [f"is-in {m} {draw.pick(street)}" for m in postman]
    for each in letter:
        init += [f"lies {each}", f"goes-to {each} {draw.pick(street)}"] + [f"dear {each}"] * (draw.below(4) == 0)
    objects = {"letter": letter, "postman": postman, "street": street, "bag": bag}
    return World("post", objects, list(dict.fromkeys(init)), [f"deliver {x}" for x in letter])


SIZES = 5
TUNED: dict[str, Callable[[int], World]] = {
    "storm": storm, "patience": patience, "towers": towers, "bar": bar, "joinery": joinery, "post": post,
}  # fmt: skip
JUDGED: dict[str, Callable[[int], World]] = {
    "flood": flood, "sidings": sidings, "gallery": gallery, "stage": stage, "kitchen": kitchen, "convoy": convoy,
    "census": census, "lockers": lockers,
}  # fmt: skip
KINDS = TUNED | JUDGED
NO_PLAN = {"lockers"}
