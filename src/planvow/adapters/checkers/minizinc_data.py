"""The data of `certificate.mzn`: everything a certificate names, as numbers. What it means is the model's business."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from planvow.adapters.checkers.numbers import Numbers
from planvow.contract.checking.schedule import relations, spans_of
from planvow.contract.checking.tree import GOALS, Derivation, fits, wanted

_KINDS = {"task": 1, "goal": 2, "multigoal": 3, "command": 4, "sequence": 5}
_TOLD = {"deadline": 1, "not_before": 2, "start_time": 3, "end_time": 4}
_RELATIONS = ("before", "meets", "overlaps", "during", "starts", "finishes", "equals", "within")
_MOMENTS = {"start": 1, "end": 2}
_ABSENT = 0
Row = Mapping[str, Any]


def certificate_data(document: Row) -> dict[str, Any]:
    """Number everything a well-formed certificate of version 2 names."""
    nodes: Sequence[Row] = document["nodes"]
    derivation = Derivation(document)
    place = {node["id"]: i for i, node in reversed(list(enumerate(nodes, start=1)))}
    made = _tree(document, place)
    variables, values, predicates = Numbers(), Numbers(), Numbers()
    made |= _facts(document, place, variables, values, predicates)
    made |= _goals(document, place, variables, values)
    rows = sorted(variables.known(), key=lambda known: known[1])
    made |= {"V": len(rows), "var_predicate": [predicates(key[0]) for key, _ in rows]}
    made |= _order(document, predicates)
    return made | _times(derivation, place) | _relations(derivation, place) | _entities(document)


def _tree(document: Row, place: Mapping[int, int]) -> dict[str, Any]:
    items, nodes = Numbers(), document["nodes"]
    edges = [(0, child, k) for k, child in enumerate(document["root"], start=1)]
    edges += [(i, c, k) for i, node in enumerate(nodes, 1) for k, c in enumerate(node["children"], 1)]
    listed = [(i, k, part) for i, node in enumerate(nodes, 1) for k, part in enumerate(_sequence(node), 1)]
    asked = document["asked"]
    limit = asked["budgets"].get("max_iterations")
    return {
        "N": len(nodes),
        "E": len(edges),
        "S": len(document["steps"]),
        "node_id": [node["id"] for node in nodes],
        "kind": [_KINDS[node["kind"]] for node in nodes],
        "has_call": [node["call"] is not None for node in nodes],
        "item": [items(node["item"]) for node in nodes],
        "told_item": [items([node["item"], node["told"]]) for node in nodes],
        "edge_parent": [parent for parent, _, _ in edges],
        "edge_child": [place.get(child, 0) for _, child, _ in edges],
        "edge_place": [k for _, _, k in edges],
        "A": len(asked["agenda"]),
        "agenda": [items([row["item"], row["told"]]) for row in asked["agenda"]],
        "L": len(listed),
        "list_node": [i for i, _, _ in listed],
        "list_place": [k for _, k, _ in listed],
        "list_item": [items(part) for _, _, part in listed],
        "step_node": [place.get(step["node"], 0) for step in document["steps"]],
        "step_item": [items(step["command"]) for step in document["steps"]],
        "solved": document["status"] == "solved",
        "max_iterations": -1 if limit is None else limit,
        "B": len(asked["blacklist"]),
        "blacklist": [items(item) for item in asked["blacklist"]],
    }


def _sequence(node: Row) -> list[Any]:
    """Return the items of a sequence, each with what was said about it."""
    if node["kind"] != "sequence":
        return []
    parts = node["item"].get("sequence") if isinstance(node["item"], dict) else None
    annotated = [
        p if isinstance(p, dict) and p.keys() == {"item", "told"} else {"item": p, "told": {}} for p in parts or ()
    ]
    return [[part["item"], part["told"]] for part in annotated] if isinstance(parts, list) else [["no sequence"]]


def _facts(
    document: Row, place: Mapping[int, int], variables: Numbers, values: Numbers, names: Numbers
) -> dict[str, Any]:
    readers = list(_readers(document, place))
    reads = [(q, triple) for q, (_, _, _, row) in enumerate(readers, 1) for triple in row["reads"]]
    scans = [(q, name) for q, (_, _, _, row) in enumerate(readers, 1) for name in row["scans"]]
    writes = [(k, triple) for k, step in enumerate(document["steps"], 1) for triple in step["writes"]]
    return {
        "I": len(document["initial"]),
        "init_var": [variables(triple[:2]) for triple in document["initial"]],
        "init_value": [_number(triple, values) for triple in document["initial"]],
        "Q": len(readers),
        "reader_step": [step for step, _, _, _ in readers],
        "reader_node": [node for _, node, _, _ in readers],
        "reader_writes": [acts for _, _, acts, _ in readers],
        "R": len(reads),
        "read_reader": [q for q, _ in reads],
        "read_var": [variables(triple[:2]) for _, triple in reads],
        "read_value": [_number(triple, values) for _, triple in reads],
        "X": len(scans),
        "scan_reader": [q for q, _ in scans],
        "scan_predicate": [names(name) for _, name in scans],
        "W": len(writes),
        "write_step": [k for k, _ in writes],
        "write_var": [variables(triple[:2]) for _, triple in writes],
        "write_value": [_number(triple, values) for _, triple in writes],
    }


def _readers(document: Row, place: Mapping[int, int]) -> Iterator[tuple[int, int, bool, Row]]:
    """Yield (step, node, writes too, row) for everything that reads."""
    for node in document["nodes"]:
        if node["call"] is not None:
            yield 0, place[node["id"]], False, node["call"]
    for k, step in enumerate(document["steps"], start=1):
        yield k, 0, True, step
        if step["duration"] is not None:
            yield k, 0, False, step["duration"]


def _number(triple: list[Any], values: Numbers) -> int:
    return values(triple[2]) if len(triple) == 3 else _ABSENT


def _goals(document: Row, place: Mapping[int, int], variables: Numbers, values: Numbers) -> dict[str, Any]:
    nodes = document["nodes"]
    rows = [(place[n["id"]], triple) for n in nodes if n["kind"] in GOALS for triple in wanted(n) or ()]
    return {
        "G": len(rows),
        "goal_node": [node for node, _ in rows],
        "goal_var": [variables(triple[:2]) for _, triple in rows],
        "goal_value": [{values(triple[2]), *values.alike(triple[2])} for _, triple in rows],
        "goal_named": [_is_named(node) for node in nodes],
    }


def _is_named(node: Row) -> bool:
    """Say whether a node is what its item says it is, and a goal names what it wants."""
    return fits(node["kind"], node["item"]) and (node["kind"] not in GOALS or wanted(node) is not None)


def _order(document: Row, predicates: Numbers) -> dict[str, Any]:
    asked, steps = document["asked"], document["steps"]
    names = [name for name, _ in sorted(predicates.known(), key=lambda known: known[1])]
    commands = [str(step["command"][0]) if step["command"] else "" for step in steps]
    nothing: Row = {"conditions": {}, "effects": {}}
    told = [asked["moments"].get(command, nothing) for command in commands]
    return {
        "PR": len(names),
        "ignored": [[name in asked["ignored_predicates"].get(command, ()) for name in names] for command in commands],
        "read_moment": [[_MOMENTS.get(row["conditions"].get(name), 0) for name in names] for row in told],
        "write_moment": [[_MOMENTS.get(row["effects"].get(name), 0) for name in names] for row in told],
        "is_ordered": [command in asked["ordered"] for command in commands],
    }


def _times(derivation: Derivation, place: Mapping[int, int]) -> dict[str, Any]:
    document, time = derivation.document, derivation.asked["time"]
    steps, nodes = document["steps"], document["nodes"]
    numbers = [step[side] for step in steps for side in ("start", "end")]
    fits = all(n is not None for n in numbers) and all(step["duration"] is not None for step in steps)
    if time is None:
        fits = all(n is None for n in numbers) and not any(s["duration"] or s["entities"] for s in steps)
    spans = {node: span for node, span in spans_of(derivation).items() if None not in span}
    lasting = [_lasting(derivation, step) for step in steps]
    told = [(place[n["id"]], kind, n["told"][key]) for n in nodes for key, kind in _TOLD.items() if key in n["told"]]
    for node in nodes:
        lo, hi = node["told"].get("duration", (None, None))
        if lo is not None and node["kind"] != "command":
            told += [(place[node["id"]], 5, lo), *([] if hi is None else [(place[node["id"]], 6, hi)])]
    horizon, past = (time or {}).get("horizon"), (time or {}).get("past")
    earliest = max(time["start_time"], past["now"] if past else time["start_time"]) if time else 0
    fits = fits and not any(node["kind"] == "command" and node["span"] is not None for node in nodes)
    return {
        "timed": time is not None,
        "times_fit": fits,
        "start": [step["start"] or 0 for step in steps],
        "end": [step["end"] or 0 for step in steps],
        "shortest": [lo for lo, _ in lasting],
        "longest": [hi or 0 for _, hi in lasting],
        "has_longest": [hi is not None for _, hi in lasting],
        "earliest": earliest,
        "horizon": horizon or 0,
        "has_horizon": horizon is not None,
        "has_span": [node["id"] in spans for node in nodes],
        "span_start": [spans.get(node["id"], (0, 0))[0] for node in nodes],
        "span_end": [spans.get(node["id"], (0, 0))[1] for node in nodes],
        "said": [_is_said(node, timed=time is not None) for node in nodes],
        "T": len(told),
        "told_node": [node for node, _, _ in told],
        "told_kind": [kind for _, kind, _ in told],
        "told_value": [value for _, _, value in told],
        "sequential": time is None or time["ordering"] == "sequential",
        **_past(past, spans),
    }


def _lasting(derivation: Derivation, step: Row) -> tuple[int, int | None]:
    node = derivation.nodes.get(step["node"], {"told": {}})
    lo, hi = node["told"].get("duration") or (step["duration"] or {}).get("ticks") or (0, 0)
    return lo, hi


def _is_said(node: Row, *, timed: bool) -> bool:
    """Say whether something was said about a node's time; without times, whether anything was said at all."""
    words = set(node["told"]) - ({"entities"} if timed else set())
    return bool(words) or (not timed and node["call"] is not None and bool(node["call"]["relations"]))


def _past(past: Row | None, spans: Mapping[int, tuple[int, int]]) -> dict[str, Any]:
    points = {f"{node}.{side}": span[side == "end"] for node, span in spans.items() for side in ("start", "end")}
    points = {**(past["points"] if past else {}), **points, "origin": 0}
    rows = past["rows"] if past else []
    known = [row[0] in points and row[1] in points for row in rows]
    return {
        "H": len(rows),
        "past_known": known,
        "past_distance": [points[r[1]] - points[r[0]] if k else 0 for r, k in zip(rows, known, strict=True)],
        **_bounds("past", [(row[2], row[3]) for row in rows]),
    }


def _relations(derivation: Derivation, place: Mapping[int, int]) -> dict[str, Any]:
    rows = list(relations(derivation)) if derivation.asked["time"] is not None else []
    return {
        "D": len(rows),
        "rel_kind": [_RELATIONS.index(row[1]) + 1 if row[1] in _RELATIONS else 0 for row in rows],
        "rel_a": [place.get(row[2] or 0, 0) for row in rows],
        "rel_b": [place.get(row[3] or 0, 0) for row in rows],
        **_bounds("rel", [(row[4], row[5]) for row in rows]),
    }


def _bounds(name: str, rows: list[tuple[int | None, int | None]]) -> dict[str, Any]:
    return {
        f"{name}_lo": [lo or 0 for lo, _ in rows],
        f"{name}_has_lo": [lo is not None for lo, _ in rows],
        f"{name}_hi": [hi or 0 for _, hi in rows],
        f"{name}_has_hi": [hi is not None for _, hi in rows],
    }


def _named(entity_id: str | None, known: Mapping[str, int]) -> int:
    """Return the number of the entity that was asked for by name; 0 is any, -1 one that is not there."""
    return 0 if entity_id is None else known.get(entity_id, -1)


def _amount(said: Any) -> int:
    """Return how much is used; 0, which no use may be, where nothing that makes sense was said."""
    return said if type(said) is int else 0


def _entities(document: Row) -> dict[str, Any]:
    entities: list[Row] = (document["asked"]["time"] or {"entities": []})["entities"]
    known = {row["entity_id"]: number for number, row in enumerate(entities, start=1)}
    types, able = Numbers(), Numbers()
    told = {node["id"]: node["told"].get("entities", []) for node in document["nodes"]}
    needs = [told.get(step["node"], []) for step in document["steps"]]
    uses = [
        (k, known.get(name, 0), need)
        for k, (step, wants) in enumerate(zip(document["steps"], needs, strict=True), start=1)
        for name, need in zip(step["entities"], wants, strict=False)
    ]
    return {
        "K": len(entities),
        "entity_type": [types(row["type"]) for row in entities],
        "entity_able": [{able(word) for word in row["capabilities"]} for row in entities],
        "capacity": [row.get("capacity", 1) for row in entities],
        "consumable": [row.get("is_consumable", False) for row in entities],
        "use_amount": [_amount(need.get("amount", 1)) for _, _, need in uses],
        "U": len(uses),
        "use_step": [k for k, _, _ in uses],
        "use_entity": [entity for _, entity, _ in uses],
        "use_type": [types(need["type"]) if need.get("type") is not None else 0 for _, _, need in uses],
        "use_named": [_named(need.get("entity_id"), known) for _, _, need in uses],
        "use_able": [_able(need, able) for _, _, need in uses],
        "needs": [len(wants) for wants in needs],
        "gets": [len(step["entities"]) for step in document["steps"]],
    }


def _able(need: Row, able: Numbers) -> set[int]:
    wants = need.get("capabilities", [])
    return {able(word) for word in wants} if isinstance(wants, list) else {-1}
