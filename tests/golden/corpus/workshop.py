"""A workshop whose problems use every part of the engine: values of all kinds, costs, capabilities, learning, time."""

from __future__ import annotations

from planvow import Domain, MultiGoal, State, refuse
from planvow.kernel import attach_metadata
from planvow.temporal import before, during, equals, finishes, meets, overlaps, starts, within

workshop = Domain("workshop")


@workshop.command(cost=3)
def saw(state, part, length):
    if state.stock[part] < length:
        return refuse(f"only {state.stock[part]} of {part} left")
    state.stock[part] -= length
    state.cut[part] = (length, "rough")
    return state


@workshop.command(cost=lambda state, part: 1 if part == "leg" else 4, requires={"lathe", "goggles"})
def turn(state, part):
    state.cut[part] = (*state.cut.get(part, ()), "round")
    return state


@workshop.command
def paint(state, part, colours):
    state.colours[part] = frozenset(colours)
    state.log["painted"] = {**state.log["painted"], part: sorted(colours)}
    return state


@workshop.command
def drop(state, part):
    del state.cut[part]
    return state


@workshop.method(task="make", cost=9)
def by_machine(state, part):
    if part == "top":
        return refuse("the top is too wide for the machine")
    return [("saw", part, 2), ("turn", part)]


@workshop.method(task="make", cost=2, requires={"knife", "bench", "apron"})
def by_knife(state, part):
    return [("saw", part, 1), ("saw", part, 1)]


@workshop.method(task="make", cost=5)
def by_hand(state, part):
    yield [("saw", part, 9)]
    yield [("saw", part, 3)]


@workshop.method(task="table")
def legs_and_top(state):
    return [("make", "leg"), ("make", "top"), ("colour", {"red", "blue"})]


@workshop.method(task="colour")
def every_cut_part(state, colours):
    return [("paint", part, tuple(sorted(colours))) for part in state.cut]


@workshop.method(goal="cut")
def cut_it(state, part, wanted):
    return [("make", part)]


@workshop.method(goal="stock")
def throw_away(state, part, wanted):
    return [("saw", part, state.stock[part] - wanted)]


def start(**more) -> State:
    facts = {
        "stock": {"leg": 8, "top": 4, "shelf": 1},
        "cut": {},
        "colours": {"door": frozenset({"white", "black"})},
        "log": {"painted": {}, "tools": ["saw", {"lathe": 1.5}], ("shelf", 2): {1: "one", None: {"a", "b"}}},
    }
    return State({**facts, **more})


def sequence_of_finds() -> State:
    """A state whose subjects came, went and came back: their order is that of their births."""
    state = start()
    for part in ("c", "a", "b"):
        state.cut[part] = (1,)
    del state.cut["a"]
    state.cut["a"] = (2,)
    return state


both = MultiGoal({"stock": {"top": 2, "leg": 5, "shelf": 0}})

factory = Domain("factory")


@factory.command(duration="PT20M")
def weld(state, part):
    state.welded[part] = True
    return state


@factory.command(duration=["PT5M", "PT15M"])
def cool(state, part):
    state.cold[part] = True
    return state


@factory.command(duration="PT10M")
def check(state, part):
    if not state.welded[part]:
        return refuse(f"{part} is in pieces")
    state.checked[part] = True
    return state


@factory.command(duration="PT3M")
def note(state, part):
    return state


@factory.method(task="build")
def weld_cool_check(state, part):
    return [
        attach_metadata(("weld", part), None, {"type": "welder", "capabilities": ["steel", "aluminium"]}),
        ("cool", part),
        attach_metadata(("check", part), None, {"type": "eye"}),
        meets("weld", "cool"),
        before("cool", "check", gap="PT1M", at_most="PT30M"),
    ]


@factory.method(task="film")
def notes_around(state, part):
    return [
        ("weld", part),
        ("note", part),
        ("cool", part),
        during("note", "weld"),
        overlaps("weld", "cool"),
        within("cool", start="PT4M", end="PT1H"),
    ]


@factory.method(task="twice")
def side_by_side(state, one, other):
    return [("weld", one), ("weld", other), equals(("weld", one), ("weld", other))]


@factory.method(task="ends")
def ends_together(state, part):
    return [("weld", part), ("note", part), ("cool", part), finishes("note", "weld"), starts("cool", "weld")]


def floor() -> State:
    return State(welded={"a": False, "b": False}, cold={}, checked={})
