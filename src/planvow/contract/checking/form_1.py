"""The form of a plan certificate of version 1: which fields, which types. Kept so that old ones can be verified.

A triple is `[predicate, subject, value]`; `[predicate, subject]` says that there is no value. A node is an item of the
agenda or of a decomposition. Times are whole ticks, points are `origin`, `<node>.start` and `<node>.end`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from planvow.canonical import canonical_json
from planvow.errors import NotCanonicalError
from planvow.verdict import Fault

FORMAT = "certificate/1"


def well_formed(document: Any) -> Fault | None:
    """Return what is wrong with the form of a certificate, or None."""
    return next(_form(document), None)


def _fault(place: str, message: str) -> Fault:
    return Fault(condition="form", place=place, message=message)


def _form(document: Any) -> Iterator[Fault]:
    if not isinstance(document, dict):
        yield _fault("$", "a certificate is a JSON object")
        return
    if document.get("format") != FORMAT:
        yield _fault("$.format", f"expected {FORMAT!r}, found {document.get('format')!r:.60}")
        return
    for name, kind in _FIELDS.items():
        if not isinstance(document.get(name), kind):
            yield _fault(f"$.{name}", f"expected {_name(kind)}, found {_found(document, name)}")
    unknown = sorted(set(document) - set(_FIELDS) - {"time"})
    if unknown:
        yield _fault(f"$.{unknown[0]}", "unknown field")
    if "time" not in document:
        yield _fault("$.time", "missing (null when the plan has no times)")
    try:
        canonical_json(document)
    except NotCanonicalError as error:
        yield _fault(error.place or "$", error.message)
        return
    for name, check in (("nodes", _node_form), ("steps", _step_form), ("goals", _goal_form)):
        rows = document[name]
        for i, row in enumerate(rows if isinstance(rows, list) else ()):
            yield from check(row, f"$.{name}[{i}]")
    for i, triple in enumerate(document["initial"]):
        yield from _triple_form(triple, f"$.initial[{i}]")
    yield from _ids_form(document["root"], "$.root")
    yield from _time_form(document.get("time"))


_FIELDS: dict[str, type] = {
    "format": str, "planner": dict, "inputs_hash": str, "budgets": dict, "status": str, "agenda": list, "initial": list,
    "root": list, "nodes": list, "steps": list, "goals": list, "hash": str,
}  # fmt: skip
KINDS = {"task", "goal", "multigoal", "sequence", "command"}


def _name(kind: type) -> str:
    names: dict[type, str] = {str: "text", dict: "an object", list: "a list"}
    return names[kind]


def _found(document: Mapping[str, Any], name: str) -> str:
    return type(document[name]).__name__ if name in document else "nothing"


def _is_id(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _ids_form(ids: Any, place: str) -> Iterator[Fault]:
    if not isinstance(ids, list) or not all(map(_is_id, ids)):
        yield _fault(place, "expected a list of node ids")


def _node_form(node: Any, place: str) -> Iterator[Fault]:
    if not isinstance(node, dict) or set(node) != {"id", "kind", "item", "method", "children"}:
        yield _fault(place, "a node has exactly id, kind, item, method and children")
        return
    if not _is_id(node["id"]):
        yield _fault(f"{place}.id", "expected a whole number")
    if not isinstance(node["kind"], str) or node["kind"] not in KINDS:
        yield _fault(f"{place}.kind", f"expected one of {', '.join(sorted(KINDS))}")
    if not isinstance(node["method"], str | None):
        yield _fault(f"{place}.method", "expected a method name or null")
    yield from _ids_form(node["children"], f"{place}.children")


def _step_form(step: Any, place: str) -> Iterator[Fault]:
    if not isinstance(step, dict) or set(step) != {"node", "command", "reads", "writes"}:
        yield _fault(place, "a step has exactly node, command, reads and writes")
        return
    if not _is_id(step["node"]):
        yield _fault(f"{place}.node", "expected a node id")
    if not isinstance(step["command"], list) or not step["command"]:
        yield _fault(f"{place}.command", "expected a list: name and arguments")
    yield from _triples_form(step["reads"], f"{place}.reads")
    yield from _triples_form(step["writes"], f"{place}.writes")


def _goal_form(goal: Any, place: str) -> Iterator[Fault]:
    if not isinstance(goal, dict) or set(goal) != {"node", "triples"} or not _is_id(goal["node"]):
        yield _fault(place, "a goal has exactly node and triples")
        return
    yield from _triples_form(goal["triples"], f"{place}.triples")


def _triples_form(triples: Any, place: str) -> Iterator[Fault]:
    if not isinstance(triples, list):
        yield _fault(place, "expected a list of triples")
        return
    for i, triple in enumerate(triples):
        yield from _triple_form(triple, f"{place}[{i}]")


def _triple_form(triple: Any, place: str) -> Iterator[Fault]:
    if not isinstance(triple, list) or len(triple) not in (2, 3) or not isinstance(triple[0], str):
        yield _fault(place, "expected [predicate, subject, value], or [predicate, subject] for an absent value")


def _time_form(time: Any) -> Iterator[Fault]:
    if time is None:
        return
    if not isinstance(time, dict) or set(time) != {"constraints", "schedule"}:
        yield _fault("$.time", "expected an object with constraints and schedule, or null")
        return
    if not isinstance(time["schedule"], dict) or not all(map(_is_id, time["schedule"].values())):
        yield _fault("$.time.schedule", "expected an object from point to whole ticks")
    if not isinstance(time["constraints"], list):
        yield _fault("$.time.constraints", "expected a list")
        return
    for i, row in enumerate(time["constraints"]):
        fits = (
            isinstance(row, list)
            and len(row) == 5
            and all(isinstance(row[k], str) for k in (0, 1, 4))
            and all(row[k] is None or _is_id(row[k]) for k in (2, 3))
        )
        if not fits:
            yield _fault(f"$.time.constraints[{i}]", "expected [from, to, lo, hi, name]")
