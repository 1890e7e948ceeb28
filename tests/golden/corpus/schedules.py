"""Timed plans in which something must be chosen: who serves whom, who goes first, what is put behind what."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from golden.corpus.case import Case, as_json
from planvow import Domain, State, plan, refuse
from planvow.kernel import Result, attach_metadata
from planvow.kernel.domain.entities import Entity
from planvow.kernel.time.arrange import Arranger
from planvow.kernel.time.shop import one_machine
from planvow.kernel.time.timing import Timing
from planvow.temporal import before, during

lifts = Domain("lifts")


@lifts.command(duration=lambda state, item, ticks: ticks)
def lift(state, item, ticks):
    return state


@lifts.command(duration=1)
def stack(state, item):
    state.held[item] = state.yard[item]
    del state.yard[item]
    return state


@lifts.command(duration=1)
def paint(state, item):
    state.yard[item], state.shed[item] = "red", "red"
    return state


@lifts.command(duration=1)
def stop(state):
    return refuse("it stops here")


@lifts.method(task="clear")
def one_and_stop(state):
    return [("stack", "b"), ("stop",)]


@lifts.method(task="clear")
def all_in_order(state):
    return [("stack", item) for item in state.yard]


@lifts.method(task="renew")
def look_at_the_yard(state):
    return [("lift", "first", 3), ("renew the shed", "a" if "a" in state.yard else "b"), ("lift", "last", 2)]


@lifts.method(task="renew the shed")
def look_at_the_shed(state, item):
    return [("lift", "middle", 2), ("paint", item if state.shed.get(item) is None else "c")]


@lifts.method(task="rounds")
def by_the_clock(state):
    tied = [before("morning", "evening"), before("noon", "evening"), during("noon", "day")]
    return [("morning",), ("noon",), ("day",), ("evening",), *tied]


@lifts.method(task="rounds by themselves")
def each_for_itself(state):
    tied = {"relations": [before("noon", "self"), before("morning", "self")], "deadline": 9}
    return [("morning",), ("noon",), attach_metadata(("evening",), tied)]


for name, ticks in (("morning", 4), ("noon", 2), ("day", 9), ("evening", 3)):
    lifts.method(task=name, name=f"lift_in_the_{name}")(lambda state, n=name, t=ticks: [("lift", n, t), ("lift", n, 1)])


def job(item: Any, ticks: int, needs: Any, **temporal: Any) -> Any:
    return attach_metadata(("lift", item, ticks), temporal, needs)


ROBOT = {"type": "robot"}
VAN = {"type": "van"}
ROBOTS = tuple(Entity(entity_id=name, type="robot", capabilities=able) for name, able in (
    ("ann", ["heavy", "cold"]), ("bob", ["heavy"])))  # fmt: skip
VANS = (Entity(entity_id="van", type="van", capacity=3),)
MACHINES = tuple(Entity(entity_id=name, type=name) for name in ("saw", "lathe"))
TODO: dict[str, tuple[list[Any], tuple[Entity, ...], dict[str, Any]]] = {
    "chosen again": (
        [job("x", 10, {**ROBOT, "capabilities": ["heavy"]}, start_time=0),
         job("y", 10, {**ROBOT, "capabilities": ["cold"]}, start_time=0)], ROBOTS, {},
    ),
    "changed places": (
        [job("x", 10, ROBOT, deadline=40), job("y", 10, ROBOT, deadline=30), job("z", 20, ROBOT, deadline=20)],
        ROBOTS[:1], {},
    ),
    "several at once": (
        [job("a", 10, VAN, deadline=40), job("b", 12, {**VAN, "amount": 2}, deadline=40), job("c", 7, VAN, deadline=45),
         job("d", 5, VAN, deadline=30), job("all", 10, {**VAN, "amount": 3}, deadline=10)], VANS, {},
    ),
    "others arranged too": (
        [job("x", 10, ROBOT, deadline=40), job("y", 10, ROBOT, deadline=30), job("p", 15, VAN),
         job("all", 20, {**VAN, "amount": 3}), job("q", 10, {**VAN, "amount": 2}),
         job("z", 20, ROBOT, deadline=20)], (*ROBOTS[:1], *VANS), {},
    ),
    "the lane that was free last": (
        [job("x", 5, VAN), job("y", 10, VAN), job("w", 7, VAN), job("z", 3, VAN, start_time=12)], VANS, {},
    ),
    "shop": (
        [job("a", 3, {"type": "saw"}), job("b", 9, {"type": "saw"}, due=8), job("c", 2, {"type": "saw"}, due=2),
         job("d", 6, {"type": "lathe"}, start_time=4), job("e", 5, {"type": "lathe"})], MACHINES,
        {"optimal": ("tardiness", "makespan")},
    ),
}  # fmt: skip


def told(result: Result) -> Any:
    if not result.success:
        return [result.status, result.reason, result.explain_plan()]
    rows = [[a.item, a.start, a.end, a.entities] for a in result.time_allocations]
    return [result.status, result.reason, rows, result.as_dict()["plan"], result.partial_order().as_dict()]


def arranged() -> Iterator[Any]:
    for todo, entities, more in TODO.values():
        yield told(plan(lifts, State(), todo, time=Timing(entities=entities), **more))


def walked() -> str:
    """A place that was given up and taken back stands where it stood; reads above reads; tasks tied to earlier ones."""
    state = State(yard={"a": 1, "b": 2, "c": 3}, held={}, shed={})
    tasks = ("clear", "renew", "rounds", "rounds by themselves")
    found = [plan(lifts, state, [(task,)], time=Timing()) for task in tasks]
    return as_json([told(result) for result in found])


def bounds() -> str:
    """How soon one machine can be done, and who is in whose way."""
    rows = ([(3, 2, 1), (0, 4, 2)], [(0, 5, 0), (1, 2, 9), (2, 2, 8)], [(7, 1, 0), (0, 1, 7), (3, 3, 3)])
    # Of commands that are too many at once, those that take least are left out first.
    spans, uses = ((0, 10), (0, 15), (0, 20)), [(0, 2), (1, 1), (2, 3)]
    crowd = Arranger._crowd(SimpleNamespace(_span=spans.__getitem__), VANS[0], uses)  # type: ignore[arg-type]
    return as_json([*(one_machine(tasks) for tasks in rows), crowd])


CASES = (
    Case("schedules/arranged", "htn plan", lambda: as_json(list(arranged()))),
    Case("schedules/walked", "htn plan", walked),
    Case("schedules/bounds", "htn plan", bounds),
)
