"""Times, relations and helpers of agenda items: as documents keep them, and what of them still binds what is left.

A repair starts when the failed step was to start and after the end of what was done, by the schedule: no clock decides
about plans. Deadlines of tasks that are half done go over to what is missing of them; relations hold between what is
left, and one that asks for time after something done becomes an earliest start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from planvow.agent.loop.rest import Bond, Node
from planvow.contract.certificate.items import item_data, item_from_data, told_data
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.entities import Entity
from planvow.kernel.domain.metadata import SELF, time_at
from planvow.kernel.domain.terms import Annotated, attach_metadata
from planvow.kernel.search.problem import Problem
from planvow.kernel.time.timing import Timing
from planvow.temporal import Relation

ENDS = ("deadline", "end_time")


def told_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an item's metadata says, in ticks."""
    told = told_data(metadata)
    temporal = metadata.get("temporal", {})
    return {**told, "due": time_at("due", temporal["due"])} if "due" in temporal else told


def with_told(item: Any, told: Mapping[str, Any]) -> Any:
    """Return an item with what was said about it; the item alone if nothing was."""
    if not told:
        return item
    temporal = {name: value for name, value in told.items() if name not in ("relations", "entities")}
    if told.get("relations"):
        temporal["relations"] = tuple(_relation(row) for row in told["relations"])
    entities = [{name: value for name, value in row.items() if value is not None} for row in told.get("entities", ())]
    return attach_metadata(item, temporal, entities)


def agenda_data(item: Any) -> Any:
    """Return an agenda item as JSON data that `agenda_item` turns back."""
    if isinstance(item, Annotated):
        return {"item": item_data(item.item), "told": told_of(item.metadata)}
    return item_data(item)


def agenda_item(data: Any) -> Any:
    """Return the item that `agenda_data` was given."""
    if isinstance(data, dict) and "told" in data:
        return with_told(item_from_data(data["item"]), data["told"])
    return item_from_data(data)


def timing_data(timing: Timing) -> dict[str, Any]:
    """Return how a plan is timed as JSON data."""
    rows = [{**vars(entity), "capabilities": sorted(entity.capabilities)} for entity in timing.entities]
    return {**vars(timing), "entities": rows}


def timing_from_data(data: Mapping[str, Any]) -> Timing:
    """Return the timing that `timing_data` was given."""
    return Timing(**{**data, "entities": tuple(Entity(**row) for row in data["entities"])})


def _relation(row: Sequence[Any]) -> Relation:
    kind, a, b, lo, hi = row
    return Relation(kind=kind, a=_side(a), b=_side(b), lo=lo, hi=hi)


def _side(data: Any) -> Any:
    return data if data is None or isinstance(data, int | str) else item_from_data(data)


def started_later(problem: Problem, result: Result, nodes: Sequence[int], done: Iterable[int], failed: int) -> Problem:
    """Return a problem whose time begins where a plan was left; `nodes` are the node ids of its steps."""
    timings = [factory for factory in problem.propagators if isinstance(factory, Timing)]
    if not timings:
        return problem
    spans = {allocation.node_id: allocation for allocation in result.time_allocations}
    over = [spans[nodes[ordinal - 1]] for ordinal in done if nodes[ordinal - 1] in spans]
    at = spans.get(nodes[failed - 1])
    now = max([timings[-1].start_time, *([at.start] if at else []), *(span.end for span in over)])
    spent: dict[str, int] = {}
    for span in over:
        for entity_id, amount in zip(span.entities, span.amounts, strict=False):
            spent[entity_id] = spent.get(entity_id, 0) + amount
    entities = tuple(_left_of(timings[-1].entities, spent))
    later = replace(timings[-1], start_time=now, entities=entities)
    return replace(problem, propagators=tuple(later if f is timings[-1] else f for f in problem.propagators))


def not_before(problem: Problem, now: int) -> Problem:
    """Return a problem whose time begins no earlier than a moment."""
    timed = [
        replace(factory, start_time=max(factory.start_time, now)) if isinstance(factory, Timing) else factory
        for factory in problem.propagators
    ]
    return replace(problem, propagators=tuple(timed))


def _left_of(entities: Iterable[Entity], spent: Mapping[str, int]) -> Iterator[Entity]:
    for entity in entities:
        left = entity.capacity - (spent.get(entity.entity_id, 0) if entity.is_consumable else 0)
        if left > 0:
            yield replace(entity, capacity=left)


def items_left(nodes: Sequence[Node]) -> tuple[Any, ...]:
    """Return the agenda of what is left, each item with what was said about it and about the tasks it belongs to."""
    places = {id(node): place for place, node in enumerate(nodes)}
    told: list[dict[str, Any]] = []
    tasks: dict[int, Node] = {}
    for node in nodes:
        lineage = list(node.lineage())
        tasks.update((id(above), above) for above in lineage)
        ends = [above.told[name] for above in lineage for name in ENDS if name in above.told]
        told.append({**node.told, **({"deadline": min(ends)} if ends else {})})
    for task in tasks.values():
        for bond in task.bonds:
            _keep(bond, places, told)
    return tuple(with_told(node.item, said) for node, said in zip(nodes, told, strict=True))


def _keep(bond: Bond, places: Mapping[int, int], told: Sequence[dict[str, Any]]) -> None:
    """Say of what is left what a relation demands of it."""
    first = [places[id(node)] for node in _below(bond.first) if id(node) in places]
    second = [places[id(node)] for node in _below(bond.second) if id(node) in places]
    if bond.second is None or bond.kind != "before":
        whole = len(first) == 1 and (bond.second is None or len(second) == 1)
        if whole:  # of what is half done, the others have no meaning any more
            _add(told[first[0]], [bond.kind, SELF, second[0] if second else None, bond.lo, bond.hi])
        return
    for place in second:
        for earlier in first:
            _add(told[earlier], ["before", SELF, place, bond.lo, bond.hi if len(first) == len(second) == 1 else None])
        ended = [node.end for node in _below(bond.first) if node.is_done and node.end is not None]
        if ended and bond.lo:
            told[place]["not_before"] = max(told[place].get("not_before", 0), max(ended) + bond.lo)


def _add(told: dict[str, Any], relation: list[Any]) -> None:
    if relation not in told.setdefault("relations", []):
        told["relations"].append(relation)


def _below(node: Node | None) -> Iterator[Node]:
    stack = [] if node is None else [node]
    while stack:
        found = stack.pop()
        while found.heir is not None:
            found = found.heir
        yield found
        stack.extend(reversed(found.children))
