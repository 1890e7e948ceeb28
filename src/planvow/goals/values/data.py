"""Goals, worlds and tools from JSON: what files, the command line and the contract hand over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from planvow.errors import InputError, did_you_mean
from planvow.goals.values.metagoal import MetaGoal
from planvow.goals.values.values import Fact, ToolGoal, WorldState


def goal_from_data(data: Any, *, place: str = "goal") -> ToolGoal:
    """Read one goal."""
    return ToolGoal(**_known(data, ToolGoal, place))


def meta_goal_from_data(data: Any) -> MetaGoal:
    """Read one goal, a list of goals, or `{"goals": […], "dependencies": {"1": [0]}, "meta_type": …}`."""
    if isinstance(data, list):
        return MetaGoal.of(goal_from_data(row, place=f"goals[{i}]") for i, row in enumerate(data))
    if not isinstance(data, Mapping) or "goals" not in data:
        return MetaGoal.of([goal_from_data(data)])
    unknown = sorted(set(data) - {"goals", "dependencies", "meta_type"})
    if unknown or not isinstance(data["goals"], list):
        raise InputError("expected goals (a list), dependencies and meta_type", place="$")
    goals = tuple(goal_from_data(row, place=f"goals[{i}]") for i, row in enumerate(data["goals"]))
    dependencies = _dependencies(data.get("dependencies"))
    if "meta_type" not in data:
        return MetaGoal.of(goals, dependencies)
    if not isinstance(data["meta_type"], str):
        raise InputError("meta_type is text", place="meta_type")
    return MetaGoal(meta_type=data["meta_type"], goals=goals, dependencies=dependencies)


def world_from_data(data: Any) -> WorldState:
    """Read a world snapshot."""
    known = _known(data, WorldState, "world")
    facts = known.get("recent_facts", [])
    apps = known.get("running_apps", [])
    if not isinstance(facts, list) or not isinstance(apps, list) or not all(isinstance(app, str) for app in apps):
        raise InputError("recent_facts is a list of facts, running_apps a list of names", place="world")
    read = tuple(Fact(**_known(row, Fact, f"world.recent_facts[{i}]")) for i, row in enumerate(facts))
    return WorldState(**{**known, "recent_facts": read, "running_apps": frozenset(apps)})


def _known(data: Any, kind: type, place: str) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        raise InputError(f"expected an object, found {type(data).__name__}", place=place)
    names = [field.name for field in fields(kind)]
    for key in data:
        if key not in names:
            raise InputError(f"unknown field {key!r}", place=place, hint=did_you_mean(str(key), names))
    required = {ToolGoal: ("goal_type",), Fact: ("subject", "predicate", "value")}.get(kind, ())
    for key in required:
        if key not in data:
            raise InputError(f"{key} is missing", place=place)
    return dict(data)


def _dependencies(data: Any) -> dict[int, tuple[int, ...]]:
    if data is None:
        return {}
    try:
        return {int(key): tuple(int(need) for need in needs) for key, needs in data.items()}
    except (AttributeError, TypeError, ValueError):
        raise InputError("expected an object from goal index to indices", place="dependencies") from None
