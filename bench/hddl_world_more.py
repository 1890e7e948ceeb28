"""Further generators for `bench/hddl_worlds.py`, of the kinds that `auto` is known to miss in competitions, and others.

They were split before anything was measured, as those of `hddl_world_kinds.py` were. The domains lie in `worlds/`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from hddl_world_kinds import Draw, World, both_ways, names


def county(size: int) -> World:
    """Return what was seen of one incident: drives, loads and works in order, and free ones after that."""
    places, crews, vans = [(5, 2, 1), (10, 3, 2), (16, 4, 3), (24, 6, 4), (36, 8, 5)][size]
    draw = Draw(21, size)
    place, crew, patient = names("p", places), names("crew", crews), names("patient", crews)
    van, tow, plough = names("van", vans), names("tow", 1 + vans // 2), names("plough", 1 + vans // 2)
    cone, generator, stove = names("cone", crews), names("generator", crews), names("stove", crews)
    roads = draw.roads(place, 2 * places)
    beside = {road for pair in roads for road in (pair, pair[::-1])}
    seen, stands, lies = [], {}, {}
    for each in (*van, *tow, *plough):
        stands[each] = draw.pick(place)
    for each in (*crew, *patient, *cone, *generator, *stove):
        lies[each] = draw.pick(place)
    init = both_ways("beside", roads) + [f"parked {v} {p}" for v, p in stands.items()]
    init += [f"lies {x} {p}" for x, p in lies.items()] + [f"clinic {p}" for p in draw.shuffled(place)[:2]]
    dark = draw.shuffled(place)[: places // 2]
    init += [f"dark {p}" for p in dark]
    for word in ("wreck", "snow"):
        init += [f"{word} {a} {b}" for a, b in draw.shuffled(roads)[: places // 3 + 1]]

    def way(start: str, end: str) -> list[str]:
        ways = [[start]]
        for found in ways:
            if found[-1] == end:
                return found
            ways += [[*found, near] for near in place if (found[-1], near) in beside and near not in found][:6]
        raise AssertionError

    def go(vehicle: str, to: str) -> None:
        for a, b in itertools.pairwise(way(stands[vehicle], to)):
            seen.append(f"saw-drive {vehicle} {a} {b}")
        stands[vehicle] = to

    def bring(thing: str, to: str) -> None:
        if lies[thing] != to:
            v = draw.pick(van)
            go(v, lies[thing])
            seen.append(f"saw-load {thing} {v} {lies[thing]}")
            go(v, to)
            seen.append(f"saw-unload {thing} {v} {to}")
            lies[thing] = to

    spot, worker = draw.pick(dark), draw.pick(crew)
    bring(draw.pick(generator), spot)
    bring(worker, spot)
    seen.append(f"saw-work {worker} {spot}")
    if size % 2:
        bring(draw.pick(stove), spot)
    seen = seen[: max(2, len(seen) * 2 // 3)]
    moment = names("m", len(seen) + 1)
    init += [f"{fact} {m} {n}" for fact, (m, n) in zip(seen, itertools.pairwise(moment))]
    init += [f"now {moment[0]}", f"over {moment[-1]}"]
    objects = {"place": place, "moment": moment, "van": van, "tow": tow, "plough": plough, "crew": crew}
    objects |= {"patient": patient, "cone": cone, "generator": generator, "stove": stove}
    return World("county", objects, init, ["incident"], goal=f"(now {moment[-1]})")


def harbour(size: int) -> World:
    boxes, slots, cranes = [(4, 4, 2), (8, 6, 2), (14, 8, 3), (24, 11, 4), (40, 15, 5)][size]
    draw = Draw(22, size)
    box, slot, crane = names("b", boxes), names("s", slots), names("crane", cranes)
    init = [f"idle {k}" for k in crane]
    width = -(-slots // cranes)
    for number, each in enumerate(crane):  # neighbours share two slots
        init += [f"reaches {each} {s}" for s in slot[max(0, number * width - 2) : (number + 1) * width]]
    used = slots - 1 - size
    for before in (True, False):
        piles: list[list[str]] = [[] for _ in range(used)]
        for each in draw.shuffled(box):
            piles[draw.below(used)].append(each)
        for pile, spot in zip(piles, slot):
            for place, each in enumerate(pile):
                below = f"{each} {pile[place - 1]}" if place else f"{each} {spot}"
                init.append(f"{('on' if before else 'wants') + ('' if place else '-floor')} {below}")
                init += [f"in {each} {spot}"] if before else []
            if before:
                init.append(f"open {pile[-1]}" if pile else f"empty {spot}")
    init += [f"empty {s}" for s in slot[used:]] + [f"spare {s}" for s in slot]
    return World("harbour", {"box": box, "slot": slot, "crane": crane}, init, ["arrange"])


def mills(size: int) -> World:
    places, goods, there, carts = [(5, 4, 2, 1), (8, 6, 3, 1), (12, 8, 3, 2), (16, 11, 4, 2), (22, 14, 4, 3)][size]
    draw = Draw(23, size)
    place, good, cart = names("p", places), names("g", goods), names("cart", carts)
    roads = draw.roads(place, places // 2)
    init = both_ways("road", roads) + [f"stands {c} {draw.pick(place)}" for c in cart] + [f"free {c}" for c in cart]
    spots = draw.shuffled(place)
    for number, each in enumerate(good):
        if number < there:
            init.append(f"makes {spots[number]} {each}")
        else:
            init.append(f"beam {each} {good[draw.below(number)]}")
        if number < 2:
            init.append(f"needs-none {each}")
        elif draw.below(2) or number < 3:
            init.append(f"needs {each} {good[max(0, number - 1 - draw.below(3))]}")
        else:
            a, b = draw.shuffled(good[max(0, number - 4) : number])[:2]
            init.append(f"needs-both {each} {a} {b}")
    init += [f"vacant {p}" for p in spots[there:]]
    objects = {"place": place, "good": good, "cart": cart}
    return World("mills", objects, init, [f"supply {good[-1]} {draw.pick(place)}"])


def valley(size: int) -> World:
    sizes = [(5, 1, 1, 2), (9, 2, 1, 4), (14, 2, 2, 7), (22, 3, 3, 12), (32, 4, 4, 20)]
    villages, trucks, flyers, families = sizes[size]
    draw = Draw(24, size)
    village, truck, flyer = names("v", villages), names("truck", trucks), names("heli", flyers)
    doctor, engineer = names("doctor", 1 + size // 2), names("engineer", 1 + size // 2)
    family, crate, level = names("family", families), names("crate", 1 + size), names("n", 4)
    roads = draw.roads(village, villages // 3)
    over = [road for road in roads if draw.below(3) == 0]
    init = both_ways("road", [road for road in roads if road not in over]) + both_ways("bridge", over)
    init += both_ways("down", [road for road in over if draw.below(3)])
    init += [f"less {a} {b}" for a, b in itertools.pairwise(level)] + [f"full {level[-1]}"]
    base = village[0]
    init += [f"pump {base}", f"safe {base}"] + [f"safe {p}" for p in draw.shuffled(village)[:size]]
    init += [f"stands {v} {base}" for v in (*truck, *flyer)] + [f"hollow {v}" for v in (*truck, *flyer)]
    init += [f"fuel {h} {level[-1]}" for h in flyer]
    init += [f"waits {x} {base}" for x in (*doctor, *engineer, *crate)]
    for each in family:
        init += [f"waits {each} {draw.pick(village)}"] + [f"ill {each}"] * (draw.below(3) == 0)
    objects = {"village": village, "level": level, "truck": truck, "helicopter": flyer, "doctor": doctor}
    objects |= {"engineer": engineer, "family": family, "crate": crate}
    tasks = [f"evacuate {f}" for f in family] + [f"feed {p}" for p in draw.shuffled(village)[: len(crate)]]
    return World("valley", objects, list(dict.fromkeys(init)), draw.shuffled(tasks), in_order=False)


def solitaire(size: int) -> World:
    suits, ranks, columns = [(2, 5, 2), (3, 6, 4), (4, 8, 5), (4, 11, 7), (4, 13, 8)][size]
    draw = Draw(25, size)
    cards = [(suit, rank) for suit in range(suits) for rank in range(ranks)]

    def fits(one: tuple[int, int], other: tuple[int, int]) -> bool:
        return (one[0] == other[0] and abs(one[1] - other[1]) < 4) or abs(one[1] - other[1]) == 1

    name = {card: f"c{card[0]}r{card[1]}" for card in cards}
    waiting = draw.shuffled(cards)
    shown, piles, stock = waiting.pop(), [[] for _ in range(columns)], []
    first = shown
    while waiting:  # the deal is dealt backwards from a game that was won
        found = [card for card in waiting if fits(card, shown)]
        shown = found[0] if found and draw.below(4) else waiting[0]
        waiting.remove(shown)
        (stock if not found or shown not in found else draw.pick(piles)).append(shown)
    init = [f"fits {name[a]} {name[b]}" for a in cards for b in cards if a != b and fits(a, b)]
    for pile in piles:
        init += [f"lies-on {name[a]} {name[b]}" for a, b in itertools.pairwise(pile)]
        init += [f"open {name[pile[0]]}", f"bottom {name[pile[-1]]}"] if pile else []
    stacked = [*(name[card] for card in stock), "back"]
    init += [f"stock-next {a} {b}" for a, b in itertools.pairwise(stacked)] + [f"stock-top {stacked[0]}"]
    total = sum(map(len, piles))
    count = names("n", total + 1)
    init += [f"one-less {a} {b}" for a, b in itertools.pairwise(count)]
    init += [f"left {count[-1]}", f"none {count[0]}", f"shown {name[first]}"]
    return World("solitaire", {"card": [*name.values(), "back"], "count": count}, init, ["play-all"])


def loom(size: int) -> World:
    sizes = [(2, 1, 2, 2), (5, 3, 3, 2), (10, 5, 4, 3), (20, 9, 5, 4), (36, 16, 7, 5)]
    garments, bales, colours, patterns = sizes[size]
    draw = Draw(26, size)
    garment, bale, colour, pattern = (
        names("g", garments), names("bale", bales), names("colour", colours), names("pattern", patterns),
    )  # fmt: skip
    vat, frame, table, length = (
        names("vat", 1 + size // 3), names("frame", 1 + size // 3), names("table", 1 + size // 2), names("l", 4),
    )  # fmt: skip
    kinds = [(draw.pick(colour), draw.pick(pattern)) for _ in bale]
    room = dict.fromkeys(range(bales), len(length) - 1)
    init = [f"less {a} {b}" for a, b in itertools.pairwise(length)]
    for each in garment:
        number = draw.pick([b for b in room if room[b]])
        room[number] -= 1
        init += [f"wish-colour {each} {kinds[number][0]}", f"wish-pattern {each} {kinds[number][1]}"]
    for each in bale:
        init += [f"{word} {each}" for word in ("undyed", "plain", "in-store")] + [f"left {each} {length[-1]}"]
    init += [f"clean {v}" for v in vat] + [f"bare {t}" for t in table]
    init += [f"threaded {f} {draw.pick(pattern)}" for f in frame]
    objects = {"garment": garment, "bale": bale, "length": length, "colour": colour, "pattern": pattern}
    objects |= {"vat": vat, "frame": frame, "table": table}
    return World("loom", objects, init, [f"produce {g}" for g in draw.shuffled(garment)], in_order=False)


def quarry(size: int) -> World:
    width, depth, cells, height = [(3, 3, 2, 1), (6, 6, 6, 2), (12, 12, 14, 2), (20, 20, 30, 3), (32, 32, 60, 3)][size]
    draw = Draw(27, size)
    level = names("l", height + 1)
    grid = {(x, y): f"c{x}x{y}" for x in range(width) for y in range(depth)}
    near = [(grid[x, y], grid[x + a, y + b]) for x, y in grid for a, b in ((0, 1), (1, 0)) if (x + a, y + b) in grid]
    # The wall follows every other column, so that no cell of it shuts a way.
    walls = draw.shuffled(grid[x, y] for x, y in grid if x % 2 and 0 < y < depth - 1)[:cells]
    stone = names("stone", len(walls) * height)
    init = both_ways("next", near) + [f"height {c} {level[0]}" for c in grid.values()]
    init += [f"above {b} {a}" for a, b in itertools.pairwise(level)] + [f"same {n} {n}" for n in level]
    init += [f"in-pit {s}" for s in stone] + ["hands-free", f"pit {grid[0, 0]}", f"mason-at {grid[0, 0]}"]
    objects = {"cell": list(grid.values()), "level": level, "stone": stone}
    return World("quarry", objects, init, [f"wall {c} {level[-1]}" for c in walls])


def doors(size: int) -> World:
    rooms, robots, parcels = [(4, 1, 1), (7, 1, 3), (12, 2, 6), (20, 2, 10), (30, 3, 16)][size]
    draw = Draw(28, size)
    room, robot, parcel = names("room", rooms), names("robot", robots), names("parcel", parcels)
    tree = [(room[draw.below(index)], each) for index, each in enumerate(room) if index]
    init, key = both_ways("door", tree), []
    for number, (a, b) in enumerate(tree):
        if number and draw.below(2):  # a key lies in a room that is reached without it
            key.append(f"key{number}")
            init += both_ways("locked", [(a, b)]) + both_ways(f"opens key{number}", [(a, b)])
            init.append(f"lies key{number} {room[draw.below(number + 1)]}")
    hands = {r: [f"{r}left", f"{r}right"] for r in robot}
    init += [f"is-in {r} {room[0]}" for r in robot] + [f"hand-of {h} {r}" for r in robot for h in hands[r]]
    init += [f"free {h}" for r in robot for h in hands[r]] + [f"lies {x} {draw.pick(room)}" for x in parcel]
    objects = {"room": room, "robot": robot, "hand": [h for r in robot for h in hands[r]], "key": key, "parcel": parcel}
    return World("doors", objects, init, [f"deliver {x} {draw.pick(room)}" for x in parcel])


MORE_TUNED: dict[str, Callable[[int], World]] = {"county": county, "harbour": harbour, "mills": mills}
MORE_JUDGED: dict[str, Callable[[int], World]] = {
    "valley": valley, "solitaire": solitaire, "loom": loom, "quarry": quarry, "doors": doors,
}  # fmt: skip
