"""The times of a certificate: do they keep what was said about them, and does no step use what is not there yet?

Imports only the base. Nothing is taken from a list of constraints: durations, deadlines, relations and entities are
read where they were stated, on the items, and looked for in the schedule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from planvow.canonical import canonical_json
from planvow.contract.checking.causality import causality_faults
from planvow.contract.checking.tree import Derivation
from planvow.verdict import Fault

Row = Mapping[str, Any]
Span = tuple[int, int]
Use = tuple[int, int, int, int]
"""Of an entity: start, end, number of the step, how much."""
SELF = "self"
_POINTS = {"duration", "start_time", "end_time", "not_before", "deadline", "relations"}


def time_faults(derivation: Derivation) -> Iterator[Fault]:
    """Yield what is wrong with the schedule, with the use of entities and with causality."""
    time = derivation.asked["time"]
    if time is None:
        yield from _untimed(derivation)
        return
    yield from _missing_times(derivation)
    spans = spans_of(derivation)
    yield from _outer_faults(derivation, time)
    for node in derivation.document["nodes"]:
        yield from _told_faults(node, spans, derivation)
    for name, first, second, lo, hi in relation_rows(derivation):
        yield from _row_fault(name, first, second, lo, hi, spans)
    yield from _containment(derivation, spans)
    yield from _past_faults(time["past"], spans)
    yield from _entity_faults(derivation, time["entities"])
    if time["ordering"] == "sequential":
        yield from _sequence_faults(derivation.document["steps"])
    else:
        yield from causality_faults(derivation)


def spans_of(derivation: Derivation) -> dict[int, Span]:
    """Return when each node that has times begins and ends."""
    spans = {node["id"]: (node["span"][0], node["span"][1]) for node in derivation.document["nodes"] if node["span"]}
    return spans | {step["node"]: (step["start"], step["end"]) for step in derivation.document["steps"]}


def _untimed(derivation: Derivation) -> Iterator[Fault]:
    for number, step in enumerate(derivation.document["steps"], start=1):
        if step["start"] is not None or step["end"] is not None or step["entities"] or step["duration"] is not None:
            yield _fault(f"step {number}", "has a time, but the plan is not timed")
    for node in derivation.document["nodes"]:
        if node["span"] is not None:
            yield _fault(f"node {node['id']}", "has a time, but the plan is not timed")
        said = sorted(node["told"].keys() & (_POINTS | {"entities"}))
        if said or (node["call"] is not None and node["call"]["relations"]):
            yield _fault(f"node {node['id']}", f"{(said or ['relations'])[0]} was stated, but the plan has no times")


def _missing_times(derivation: Derivation) -> Iterator[Fault]:
    for number, step in enumerate(derivation.document["steps"], start=1):
        if step["start"] is None or step["end"] is None or step["duration"] is None:
            yield _fault(f"step {number}", "has no start, no end or no duration")
    meant = {side for _, first, second, _, _ in relation_rows(derivation) for side in (first[0], second[0])}
    for node in derivation.document["nodes"]:
        if node["kind"] == "command":
            if node["span"] is not None:
                yield _fault(f"node {node['id']}", "the times of a command stand in its step")
        elif node["span"] is None and (node["told"].keys() & _POINTS or node["id"] in meant):
            yield _fault(f"node {node['id']}", "something was said about its time, but it has none")


def _outer_faults(derivation: Derivation, time: Row) -> Iterator[Fault]:
    earliest = max(time["start_time"], time["past"]["now"] if time["past"] else time["start_time"])
    for number, step in enumerate(derivation.document["steps"], start=1):
        node = derivation.nodes[step["node"]]
        lo, hi = node["told"].get("duration") or step["duration"]["ticks"] or (0, 0)
        takes = step["end"] - step["start"]
        if takes < lo or (hi is not None and takes > hi):
            yield _fault(f"step {number}", f"takes {takes} ticks, its duration is {_span(lo, hi)}", "duration")
        if step["start"] < earliest:
            yield _fault(f"step {number}", f"starts at {step['start']}, before {earliest}")
        if time["horizon"] is not None and step["end"] > time["horizon"]:
            yield _fault(f"step {number}", f"ends at {step['end']}, all must be done by {time['horizon']}", "deadline")
    for node in derivation.document["nodes"]:  # what a task has begun may lie in the past, but not before all time
        if node["span"] is not None and node["span"][0] < time["start_time"]:
            yield _fault(f"node {node['id']}", f"starts at {node['span'][0]}, before {time['start_time']}")
        if node["span"] is not None and time["horizon"] is not None and node["span"][1] > time["horizon"]:
            place = f"node {node['id']}"
            yield _fault(place, f"ends at {node['span'][1]}, all must be done by {time['horizon']}", "deadline")


def _told_faults(node: Row, spans: Mapping[int, Span], derivation: Derivation) -> Iterator[Fault]:
    told, place = node["told"], f"node {node['id']}"
    if node["id"] not in spans:
        return
    start, end = spans[node["id"]]
    if end < start:
        yield _fault(place, f"ends at {end}, before it starts at {start}")
    lo, hi = told.get("duration", (0, None))
    if node["kind"] != "command" and (end - start < lo or (hi is not None and end - start > hi)):
        yield _fault(place, f"takes {end - start} ticks, its duration is {_span(lo, hi)}", "duration")
    if "deadline" in told and end > told["deadline"]:
        yield _fault(place, f"ends at {end}, its deadline is {told['deadline']}", "deadline")
    if "not_before" in told and start < told["not_before"]:
        yield _fault(place, f"starts at {start}, not before {told['not_before']} was said")
    for key, at in (("start_time", start), ("end_time", end)):
        if key in told and told[key] != at:
            yield _fault(place, f"{key} is {told[key]}, the schedule says {at}")


def _containment(derivation: Derivation, spans: Mapping[int, Span]) -> Iterator[Fault]:
    """Whatever is below a task with times lies inside it."""
    around: list[int] = []
    for node, entering in derivation.turns:
        if node not in spans:
            continue
        if not entering:
            around.pop()
            continue
        if around and not spans[around[-1]][0] <= spans[node][0] <= spans[node][1] <= spans[around[-1]][1]:
            yield _fault(f"node {node}", f"does not lie inside node {around[-1]}")
        around.append(node)


# Rows: the second point lies lo to hi ticks after the first. A point is (node, "start" or "end").
Point = tuple[int, str]
_AS, _AE, _BS, _BE = ("a", "start"), ("a", "end"), ("b", "start"), ("b", "end")
ALLEN: dict[str, tuple[tuple[tuple[str, str], tuple[str, str], int, int | None], ...]] = {
    "meets": ((_AE, _BS, 0, 0),),
    "overlaps": ((_AS, _BS, 0, None), (_BS, _AE, 0, None), (_AE, _BE, 0, None)),
    "during": ((_BS, _AS, 0, None), (_AE, _BE, 0, None)),
    "starts": ((_AS, _BS, 0, 0), (_AE, _BE, 0, None)),
    "finishes": ((_AE, _BE, 0, 0), (_BS, _AS, 0, None)),
    "equals": ((_AS, _BS, 0, 0), (_AE, _BE, 0, 0)),
}
ORIGIN = 0
"""The node of time zero in rows; a node of a certificate never has this id with times."""
NOWHERE = -1
"""Stands for what is not in the plan."""


Relation = tuple[str, str, int | None, int | None, int | None, int | None]


def relations(derivation: Derivation) -> Iterator[Relation]:
    """Yield (name, kind, a, b, lo, hi) for every stated relation: which nodes its sides mean, None where no node is."""
    for node in derivation.document["nodes"]:
        if node["call"] is not None:
            for relation in node["call"]["relations"]:
                yield _related(relation, [_first(side, node["children"], derivation) for side in relation[1:3]])
        if derivation.asked["time"]["past"] is None or derivation.parents.get(node["id"]) is not None:
            for relation in node["told"].get("relations", ()):
                yield _related(relation, [_own(side, node["id"], derivation) for side in relation[1:3]])


def _related(relation: list[Any], sides: list[int | None]) -> Relation:
    kind, *_, lo, hi = relation
    name = f"{kind}({', '.join(canonical_json(side) for side in relation[1:3] if side is not None)})"
    return name, kind, sides[0], sides[1], lo, hi


def relation_rows(derivation: Derivation) -> Iterator[tuple[str, Point, Point, int | None, int | None]]:
    """Yield what the stated relations demand, as rows between points. What is not understood demands the impossible."""
    for name, kind, a, b, lo, hi in relations(derivation):
        if kind == "within" and a is not None:
            yield name, (ORIGIN, "start"), (a, "start"), lo, None
            yield name, (ORIGIN, "start"), (a, "end"), None, hi
        elif kind == "before" and a is not None and b is not None:
            yield name, (a, "end"), (b, "start"), lo, hi
        elif kind in ALLEN and a is not None and b is not None:
            nodes = {"a": a, "b": b}
            for first, second, least, most in ALLEN[kind]:
                yield name, (nodes[first[0]], first[1]), (nodes[second[0]], second[1]), least, most
        else:
            yield name, (NOWHERE, "start"), (NOWHERE, "end"), 0, 0


def _first(side: Any, candidates: list[int], derivation: Derivation) -> int | None:
    """Return the first node that a side of a relation means: by place, by name, by item."""
    for place, node in enumerate(candidates):
        if _means(side, place, derivation.nodes[node]["item"]):
            return node
    return None


def _own(side: Any, node: int, derivation: Derivation) -> int | None:
    """Return what a side means in an item's own words: itself, an earlier sibling, or else a later one."""
    if side == SELF:
        return node
    siblings = derivation.siblings(node)
    others = [sibling if sibling != node else None for sibling in siblings]
    for place, sibling in enumerate(others):
        if sibling is not None and _means(side, place, derivation.nodes[sibling]["item"]):
            return sibling
    return None


def _means(side: Any, place: int, item: Any) -> bool:
    if isinstance(side, bool) or side is None:
        return False
    plain = item["goal"] if isinstance(item, dict) and "goal" in item else item
    if isinstance(side, int):
        return side == place
    if isinstance(side, str):
        return isinstance(plain, list) and bool(plain) and plain[0] == side
    meant = side["goal"] if isinstance(side, dict) and "goal" in side else side
    return canonical_json(meant) == canonical_json(plain)


def _row_fault(
    name: str, first: Point, second: Point, lo: int | None, hi: int | None, spans: Mapping[int, Span]
) -> Iterator[Fault]:
    times = [0 if node == ORIGIN else _at(spans.get(node), side) for node, side in (first, second)]
    if times[0] is None or times[1] is None:
        yield _fault(name, "is about something that the plan does not have", "relation")
        return
    distance = times[1] - times[0]
    if (lo is not None and distance < lo) or (hi is not None and distance > hi):
        yield _fault(name, f"{distance} ticks is outside {_span(lo, hi)}", "relation")


def _at(span: Span | None, side: str) -> int | None:
    return None if span is None else span[side == "end"]


def _past_faults(past: Row | None, spans: Mapping[int, Span]) -> Iterator[Fault]:
    if past is None:
        return
    points = {f"{node}.{side}": span[side == "end"] for node, span in spans.items() for side in ("start", "end")}
    points = {**past["points"], **points, "origin": 0}  # what is planned stands in the plan
    for first, second, lo, hi, name in past["rows"]:
        if first not in points or second not in points:
            yield _fault(name, "is about a time that the plan does not have", "relation")
            continue
        distance = points[second] - points[first]
        if (lo is not None and distance < lo) or (hi is not None and distance > hi):
            yield _fault(name, f"{distance} ticks is outside {_span(lo, hi)}", "relation")


def _entity_faults(derivation: Derivation, entities: list[Row]) -> Iterator[Fault]:
    known = {entity["entity_id"]: entity for entity in entities}
    uses: dict[str, list[Use]] = {}
    for number, step in enumerate(derivation.document["steps"], start=1):
        needs = derivation.nodes[step["node"]]["told"].get("entities", [])
        if len(set(step["entities"])) != len(needs) or len(step["entities"]) != len(needs):
            yield _fault(
                f"step {number}", f"needs {len(needs)} entities, {len(step['entities'])} are named", "entities"
            )
            continue
        for need, name in zip(needs, step["entities"], strict=True):
            if name not in known or not _serves(known[name], need):
                yield _fault(f"step {number}", f"{name} is not what it needs", "entities")
                continue
            uses.setdefault(name, []).append((step["start"], step["end"], number, need.get("amount", 1)))
    for name, used in uses.items():
        entity = known.get(name, {})
        check = _consumption_faults if entity.get("is_consumable") else _capacity_faults
        yield from check(name, used, entity.get("capacity", 1))


def _serves(entity: Row, need: Row) -> bool:
    wants, amount = need.get("capabilities", []), need.get("amount", 1)
    return (
        type(amount) is int  # an item's metadata is anything
        and amount >= 1
        and need.get("type") in (None, entity["type"])
        and need.get("entity_id") in (None, entity["entity_id"])
        and isinstance(wants, list)
        and all(word in entity["capabilities"] for word in wants)
    )


def _capacity_faults(name: str, uses: list[Use], capacity: int) -> Iterator[Fault]:
    """At no time may steps use more of an entity than there is; a use without length disturbs nobody at its edges."""
    busy: list[tuple[int, int, int]] = []
    for start, end, number, amount in sorted(uses):
        busy = [row for row in busy if row[0] > start]
        if sum(used for _, _, used in busy) + amount > capacity:
            others = f"when step {busy[0][1]} still does" if busy else f"{amount} of {capacity}"
            yield _fault(f"step {number}", f"uses {name} from {start}, {others}", "entities")
        busy.append((end, number, amount))


def _consumption_faults(name: str, uses: list[Use], capacity: int) -> Iterator[Fault]:
    """What is consumed is gone: all uses together take no more than there was."""
    left = capacity
    for start, _, number, amount in sorted(uses):
        left -= amount
        if left < 0:
            yield _fault(f"step {number}", f"takes {amount} of {name} at {start}, {left + amount} are left", "entities")
            return


def _sequence_faults(steps: list[Row]) -> Iterator[Fault]:
    for number, (earlier, later) in enumerate(pairwise(steps), start=2):
        if later["start"] < earlier["end"]:
            text = f"starts at {later['start']}, before the step before it has ended at {earlier['end']}"
            yield _fault(f"step {number}", text)


def _span(lo: int | None, hi: int | None) -> str:
    return f"[{lo}, {'…' if hi is None else hi}]"


def _fault(place: str, message: str, condition: str = "schedule") -> Fault:
    return Fault(condition=condition, place=place, message=message)
