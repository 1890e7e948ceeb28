"""Planning over growing manifests: how much a request costs once the tools are on the shelf.

    python bench/tools.py            exit 1 when planning over 10,000 tools costs more than 20 times that over 100

Each manifest has one shop that matters and many tools beside it: of other keys and kinds, of the same keys with other
values, such as bring just what the shop needs but lack something that neither a tool nor the world has, and such as
could each be called instead of one of the shop's: as they are, with others that need what they bring besides, because
the world shows what they need, each at a price of its own, each with a value of its own, and each after a call of its
own, beside the shop's way and as the only ways; tools that need what the next one brings; and no way at all. All are
held to the gate. CPU time, the least of several plans, in one process; the first one, which also makes what a shelf
makes when it is first asked, is printed and held to nothing, like the shelf.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

from planvow.goals import ConditionGoal, plan_calls
from planvow.goals.conditions.shelf import ToolShelf
from planvow.goals.plan.search import Proof
from planvow.tools import ToolEntry

SIZES = (10, 100, 1_000, 10_000)
MOST = 20.0
GOAL = ConditionGoal(conditions={"order.{order_id}.status": "paid"}, given={"customer": "ann"})
FACTS = {"badge.shown": True}


def takes(*names: str) -> dict:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": [*names]}


SHOP = [
    ToolEntry(name="find", input_schema=takes("customer"), produces={"order_id": "order_id"}),
    ToolEntry(name="sign_in", effects=("session.open",)),
    ToolEntry(
        name="pay",
        input_schema=takes("order_id"),
        requires=("session.open", "order.{order_id}.filled"),
        effects=("order.{order_id}.status=paid",),
    ),
    ToolEntry(
        name="fill", input_schema=takes("order_id"), requires=("session.open",), effects=("order.{order_id}.filled",)
    ),
]


def other_apps(size: int) -> list[ToolEntry]:
    """Tools of other apps: keys and kinds of their own."""
    return [
        ToolEntry(
            name=f"app{number // 10}.do{number}",
            input_schema=takes(f"thing{number // 10}_id"),
            requires=(f"app{number // 10}.open",),
            effects=(f"app{number // 10}.thing.{{thing{number // 10}_id}}.done{number % 10}",),
            produces={"id": f"thing{number // 10}_id"},
        )
        for number in range(size)
    ]


def same_keys(size: int) -> list[ToolEntry]:
    """Tools that change the keys that the shop's calls need, to values that none of them needs."""
    return [
        ToolEntry(name=f"also{number}", requires=(f"flag{number}",), effects=("session.open=false",))
        for number in range(size)
    ]


def same_values(size: int) -> list[ToolEntry]:
    """Tools that bring just what the shop's calls need, each in need of something that is nowhere."""
    return [
        ToolEntry(name=f"also{number}", requires=(f"flag{number}",), effects=("session.open",))
        for number in range(size)
    ]


def usable(size: int) -> list[ToolEntry]:
    """Tools that could each stand in a plan: they open the session too, and change something nobody asks about."""
    return [ToolEntry(name=f"way{number}", effects=("session.open", f"extra.{number}.on")) for number in range(size)]


def usable_and_used(size: int) -> list[ToolEntry]:
    """Such tools, half as many, and for each another that needs what it brings besides."""
    users = [
        ToolEntry(name=f"use{number}", requires=(f"extra.{number}.on",), effects=(f"used.{number}",))
        for number in range(size // 2)
    ]
    return usable(size - len(users)) + users


def usable_here(size: int) -> list[ToolEntry]:
    """Such tools, for which the world must show a badge; it does."""
    return [replace(tool, requires=("badge.shown",)) for tool in usable(size)]


def usable_at_a_price(size: int) -> list[ToolEntry]:
    """Such tools, each of which costs something else."""
    return [replace(tool, cost=number + 1) for number, tool in enumerate(usable(size))]


def givers(size: int) -> list[ToolEntry]:
    """Tools that each give a value of the kind that the goal speaks of."""
    return [
        ToolEntry(name=f"find{number}", input_schema=takes("customer"), produces={"order_id": "order_id"})
        for number in range(size)
    ]


def filling_givers(size: int) -> list[ToolEntry]:
    """Such tools, each after a call of its own, and with that the order is filled besides."""
    found = [replace(tool, effects=("order.{order_id}.filled",)) for tool in givers(size // 2)]
    return [
        one
        for number, tool in enumerate(found)
        for one in (
            ToolEntry(name=f"look{number}", requires=("session.open",), effects=(f"look.{number}",)),
            replace(tool, requires=(f"look.{number}",)),
        )
    ]


def ways(size: int) -> list[ToolEntry]:
    """Tools that open the session, each after a call of its own."""
    return [
        one
        for number in range(size // 2)
        for one in (
            ToolEntry(name=f"key{number}", effects=(f"key.{number}.held",)),
            ToolEntry(name=f"way{number}", requires=(f"key.{number}.held",), effects=("session.open",)),
        )
    ]


def routes(size: int) -> list[ToolEntry]:
    """Tools that reach the goal, each after a call of its own."""
    return [
        one
        for number in range(size // 2)
        for one in (
            ToolEntry(name=f"get{number}", effects=(f"card.{number}.held",)),
            ToolEntry(
                name=f"settle{number}",
                input_schema=takes("order_id"),
                requires=("session.open", f"card.{number}.held"),
                effects=("order.{order_id}.status=paid",),
            ),
        )
    ]


def priced_ways(size: int) -> list[ToolEntry]:
    """Such tools, where every tool has another price and a cheap one stands behind a dear one."""
    pairs = size // 2
    return [
        replace(tool, cost=number // 2 + 1 if number % 2 else pairs - number // 2)
        for number, tool in enumerate(ways(size))
    ]


def links(size: int) -> list[ToolEntry]:
    """Tools that open the session, of which each needs what the next one brings; the last needs nothing."""
    return [
        ToolEntry(
            name=f"link{number}",
            requires=(f"link.{number + 1}",) if number < size - 1 else (),
            effects=(f"link.{number}", "session.open"),
        )
        for number in range(size)
    ]


def ways_and_routes(size: int) -> list[ToolEntry]:
    """Tools that open the session and tools that reach the goal, each after a call of its own."""
    return ways(size // 2) + routes(size // 2)


KINDS = {
    "other apps": other_apps,
    "the same keys": same_keys,
    "the same values": same_values,
    "all usable": usable,
    "usable and used": usable_and_used,
    "usable here": usable_here,
    "at a price": usable_at_a_price,
    "values": givers,
    "values, behind": filling_givers,
    "ways": ways,
}
ALONE = {
    "only ways": (ways, "sign_in", ["find", "key0", "way0", "fill", "pay"]),
    "only routes": (routes, "pay", ["find", "get0", "sign_in", "settle0"]),
    "only values": (givers, "find", ["find0", "sign_in", "fill", "pay"]),
    "priced ways": (priced_ways, "sign_in", ["key0", "way0", "find", "fill", "pay"]),
    "links": (links, "sign_in", ["find", "link{last}", "fill", "pay"]),
    "ways and routes": (ways_and_routes, "sign_in pay", ["find", "get0", "key0", "way0", "settle0"]),
    "no way": (ways, "fill", []),
}
"""Shapes without a tool of the shop, and the calls that there are then."""
CALLS = ["find", "sign_in", "fill", "pay"]


def cost(tools: list[ToolEntry], calls: list[str]) -> tuple[float, float, float]:
    begin = time.process_time()
    shelf = ToolShelf(tools)
    shelved = time.process_time() - begin
    planned = []
    for _ in range(5):
        begin = time.process_time()
        found = plan_calls(GOAL, shelf, FACTS)
        planned.append(time.process_time() - begin)
    last = len(tools) - len(SHOP)
    assert [step.skill for step in found.steps] == [call.format(last=last) for call in calls], found
    assert found.proof is (Proof.MINIMAL if calls else Proof.NO_PLAN), found
    return shelved, planned[0], min(planned)


def main() -> int:
    failed = False
    shapes = {name: (made, "", CALLS) for name, made in KINDS.items()} | ALONE
    for name, (made, without, calls) in shapes.items():
        times = []
        shop = [tool for tool in SHOP if tool.name not in without.split()]
        for size in SIZES:
            spent = cost(shop + made(size - len(shop)), calls)
            times.append(spent[-1])
            shelved, first, planned = (seconds * 1000 for seconds in spent)
            print(f"{name:15} {size:6} tools: shelf {shelved:8.1f} ms, first {first:8.2f} ms, plan {planned:8.2f} ms")
        growth = times[-1] / times[SIZES.index(100)]
        failed |= growth > MOST
        print(f"{name:15} 10,000 against 100: {growth:.1f} times (at most {MOST:g})")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
