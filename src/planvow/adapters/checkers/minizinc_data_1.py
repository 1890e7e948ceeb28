"""The data of `certificate_1.mzn`: the model of certificates of version 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from planvow.adapters.checkers.numbers import Numbers
from planvow.canonical import canonical_json

_KINDS = {"task": 1, "goal": 2, "multigoal": 3, "command": 4, "sequence": 5}
_ABSENT = 0


def data_of_version_1(document: Mapping[str, Any]) -> dict[str, Any]:
    """Number everything a well-formed certificate names: the data of `certificate.mzn`."""
    items = Numbers()
    nodes: Sequence[Mapping[str, Any]] = document["nodes"]
    place = {node["id"]: i for i, node in reversed(list(enumerate(nodes, start=1)))}
    edges = [(0, child) for child in document["root"]]
    edges += [(i, child) for i, node in enumerate(nodes, start=1) for child in node["children"]]
    data: dict[str, Any] = {
        "N": len(nodes),
        "E": len(edges),
        "S": len(document["steps"]),
        "node_id": [node["id"] for node in nodes],
        "kind": [_KINDS[node["kind"]] for node in nodes],
        "has_method": [node["method"] is not None for node in nodes],
        "item": [items(node["item"]) for node in nodes],
        "edge_parent": [parent for parent, _ in edges],
        "edge_child": [place.get(child, 0) for _, child in edges],
        "A": len(document["agenda"]),
        "agenda": [items(item) for item in document["agenda"]],
        "step_node": [place.get(step["node"], 0) for step in document["steps"]],
        "step_item": [items(step["command"]) for step in document["steps"]],
    }
    variables, values = Numbers(), Numbers()
    data |= _triples("init", [(0, triple) for triple in document["initial"]], variables, values)
    data |= _triples("read", _with_step(document["steps"], "reads"), variables, values)
    data |= _triples("write", _with_step(document["steps"], "writes"), variables, values)
    return data | _goals(document, place, variables, values) | _times(document)


def _with_step(steps: Sequence[Mapping[str, Any]], field: str) -> list[tuple[int, Any]]:
    return [(k, triple) for k, step in enumerate(steps, start=1) for triple in step[field]]


def _triples(name: str, rows: list[tuple[int, Any]], variables: Numbers, values: Numbers) -> dict[str, Any]:
    data: dict[str, Any] = {
        name[0].upper(): len(rows),
        f"{name}_var": [variables(triple[:2]) for _, triple in rows],
        f"{name}_value": [_number(triple, values) for _, triple in rows],
    }
    if name != "init":
        data[f"{name}_step"] = [step for step, _ in rows]
    return data


def _number(triple: list[Any], values: Numbers) -> int:
    return values(triple[2]) if len(triple) == 3 else _ABSENT


def _goals(document: Mapping[str, Any], place: dict[int, int], variables: Numbers, values: Numbers) -> dict[str, Any]:
    nodes = document["nodes"]
    goal_places = {node["id"]: place[node["id"]] for node in nodes if node["kind"] in ("goal", "multigoal")}
    rows = [(goal_places.get(goal["node"], 0), triple) for goal in document["goals"] for triple in goal["triples"]]
    rows += [(0, ["", ""]) for goal in document["goals"] if goal["node"] not in goal_places]
    stated: dict[int, bool] = {}
    for goal in document["goals"]:
        node = nodes[place[goal["node"]] - 1] if goal["node"] in place else None
        fits = node is not None and canonical_json(_wanted(node["item"])) == canonical_json(goal["triples"])
        stated[goal["node"]] = fits and stated.get(goal["node"], True)
    return {
        "G": len(rows),
        "goal_node": [node for node, _ in rows],
        "goal_var": [variables(triple[:2]) for _, triple in rows],
        "goal_value": [_number(triple, values) for _, triple in rows],
        "goal_stated": [stated.get(node["id"], False) for node in nodes],
    }


def _wanted(item: Any) -> Any:
    if not isinstance(item, dict):
        return None
    return [item["goal"]] if "goal" in item else item.get("multigoal")


def _times(document: Mapping[str, Any]) -> dict[str, Any]:
    time = document["time"] or {"constraints": [], "schedule": {}}
    points = {point: i for i, point in enumerate(sorted(time["schedule"]), start=1)}
    rows = time["constraints"]
    sides = [f"{step['node']}.{side}" for step in document["steps"] for side in ("start", "end")]
    return {
        "P": len(points),
        "time": [time["schedule"][point] for point in sorted(points)],
        "C": len(rows),
        "from_point": [points.get(row[0], 0) for row in rows],
        "to_point": [points.get(row[1], 0) for row in rows],
        "lo": [row[2] or 0 for row in rows],
        "has_lo": [row[2] is not None for row in rows],
        "hi": [row[3] or 0 for row in rows],
        "has_hi": [row[3] is not None for row in rows],
        "every_step_timed": document["time"] is None or all(side in points for side in sides),
    }
