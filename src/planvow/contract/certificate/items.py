"""Items, values, triples and what is told about items, as certificates hold them.

Tasks, commands and goals written as tuples are lists; `{"goal": triple}`, `{"multigoal": [triples]}` and
`{"sequence": [items]}` are what they say. Times are ticks. What has no JSON form is shown by its type alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planvow.canonical import to_jsonable
from planvow.errors import NotCanonicalError
from planvow.kernel.domain.entities import Entity, Requirement, read_requirements
from planvow.kernel.domain.metadata import duration_of, own_relations, time_at
from planvow.kernel.domain.terms import Annotated, Check, Goal, MultiGoal, is_sequence, normal_item
from planvow.kernel.search.table import as_goal
from planvow.kernel.world.recorder import ABSENT, Triple
from planvow.kernel.world.values import freeze, value_from_json, value_to_json
from planvow.temporal import Relation

_MOMENTS = ("start_time", "end_time", "not_before", "deadline")


def value_json(value: Any) -> Any:
    """Return a value as JSON data."""
    kind = type(value)
    if kind is bool or value is None or (kind is str and value.isascii()):
        return value  # as most are
    if isinstance(value, MultiGoal | Goal):
        return item_data(value)
    try:
        return to_jsonable(value_to_json(value))
    except NotCanonicalError:
        return {"$opaque": type(value).__name__}


def triple_json(triple: Triple) -> list[Any]:
    """Return a triple as a certificate holds it; an absent object is left out."""
    plain = [triple.predicate, value_json(triple.subject)]
    return plain if triple.object is ABSENT else [*plain, value_json(triple.object)]


def item_data(item: Any) -> Any:
    """Return an item as JSON data that `item_from_data` turns back into an equal one."""
    if isinstance(item, Annotated):
        return {"item": item_data(item.item), "told": told_data(item.metadata)}
    if isinstance(item, Goal):
        return {"goal": triple_json(Triple(*item))}
    if isinstance(item, MultiGoal):
        tag = {"tag": item.goal_tag} if item.goal_tag else {}
        return {"multigoal": [triple_json(Triple(*goal)) for goal in item.goals()], **tag}
    if isinstance(item, Check):
        return item_data(as_goal(item.goal))  # a goal that a repaired plan still has to meet
    if is_sequence(item):
        return {"sequence": [item_data(part) for part in item]}
    return [value_json(part) for part in item]


def item_from_data(data: Any) -> Any:
    """Return the item that `item_data` was given."""
    if isinstance(data, dict) and "goal" in data:
        return Goal(*_values(data["goal"]))
    if isinstance(data, dict) and "multigoal" in data:
        conditions: dict[str, dict[Any, Any]] = {}
        for predicate, subject, value in data["multigoal"]:
            conditions.setdefault(predicate, {})[freeze(value_from_json(subject))] = value_from_json(value)
        return MultiGoal(conditions, tag=data.get("tag"))
    if isinstance(data, dict) and "sequence" in data:
        return tuple(item_from_data(part) for part in data["sequence"])
    if isinstance(data, dict) and "item" in data:
        return item_from_data(data["item"])
    return normal_item(tuple(_argument(part) for part in data))


def _values(triple: list[Any]) -> list[Any]:
    return [freeze(value_from_json(part)) for part in triple]


def _argument(part: Any) -> Any:
    is_item = isinstance(part, dict) and (part.keys() == {"goal"} or part.keys() <= {"multigoal", "tag"}) and part
    return item_from_data(part) if is_item else value_from_json(part)


def told_data(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what was said about an item's time and helpers, in ticks."""
    if not metadata:
        return {}
    temporal = metadata.get("temporal", {})
    told: dict[str, Any] = {key: time_at(key, temporal[key]) for key in _MOMENTS if key in temporal}
    if temporal.get("duration") is not None:
        told["duration"] = list(duration_of(temporal["duration"], is_command=True))
    relations = own_relations(temporal)
    if relations:
        told["relations"] = [relation_data(relation) for relation in relations]
    if metadata.get("entity"):
        told["entities"] = [fields_data(need) for need in read_requirements(metadata["entity"])]
    return told


def fields_data(value: Entity | Requirement) -> dict[str, Any]:
    """Return what an entity is, or what one is needed for, with its sets in order."""
    return {name: sorted(held) if isinstance(held, frozenset) else held for name, held in vars(value).items()}


def relation_data(relation: Relation) -> list[Any]:
    """Return a relation as [kind, a, b, lo, hi]."""
    return [relation.kind, _side(relation.a), _side(relation.b), relation.lo, relation.hi]


def _side(activity: Any) -> Any:
    return activity if activity is None or isinstance(activity, int | str) else item_data(activity)
