"""The initial facts that a plan rests on, with the proof that they belong to the state it was planned in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from planvow.canonical import canonical_json
from planvow.contract.certificate.items import triple_json
from planvow.contract.checking.tree import GOALS, wanted
from planvow.kernel.world.facts import TABLE, Facts, facts_of
from planvow.kernel.world.recorder import Triple
from planvow.kernel.world.state import SCALAR_SUBJECT, State

Rows = list[dict[str, Any]]


def proof_of(state: State, nodes: Rows, steps: Rows, named: list[str]) -> tuple[list[list[Any]], dict[str, Any]]:
    """Return the initial facts that were read, and the proof that they, and the gaps, belong to the state.

    `named` are the predicates that were asked for as such: whether each is there with subjects is shown, too.
    """
    facts = facts_of(state)
    initial, whole = _initial(state, facts, nodes, steps)
    initial += [[TABLE, name, True] if isinstance(vars(state).get(name), dict) else [TABLE, name] for name in named]
    places: list[int | None] = []
    beside: set[int] = set()
    for triple in initial:
        place, is_there = facts.place(canonical_json(triple[:2]))
        places.append(place if is_there else None)
        if not is_there:
            beside |= {place - 1, place}
    for predicate in whole:
        start, end = facts.range_of(predicate)
        beside |= {start - 1, end}
    known = {place for place in places if place is not None}
    beside = {place for place in beside if 0 <= place < len(facts)} - known
    shown = sorted(known | beside)
    rows = [[place, facts.triple(place)] for place in sorted(beside)]
    return initial, {"places": places, "beside": rows, "hashes": facts.tree.proof(shown)}


def _initial(state: State, facts: Facts, nodes: Rows, steps: Rows) -> tuple[list[list[Any]], list[str]]:
    """Return what was read before anything wrote it, goals that held, and whole predicates in their own order."""
    needed: dict[str, list[Any]] = {}
    written: set[str] = set()
    whole: dict[str, None] = {}
    for row, writes in _readings(nodes, steps):
        whole.update(dict.fromkeys(row["scans"]))
        for triple in row["reads"]:
            if canonical_json(triple[:2]) not in written:
                needed.setdefault(canonical_json(triple[:2]), triple)
        written.update(canonical_json(triple[:2]) for triple in writes)
    for node in nodes:
        for triple in (wanted(node) or ()) if node["kind"] in GOALS else ():
            key = canonical_json(triple[:2])
            place, is_there = facts.place(key)
            if key not in needed and is_there:
                needed[key] = facts.triple(place)
    scanned = sorted(whole)
    rows = [triple for key, triple in sorted(needed.items()) if triple[0] not in whole]
    for predicate in scanned:  # the order of a predicate that was looked through may have decided something
        held = vars(state).get(predicate, {})
        held = held if isinstance(held, dict) else {SCALAR_SUBJECT: held}
        there = [triple_json(Triple(predicate, subject, value)) for subject, value in held.items()]
        absent = [triple for _, triple in sorted(needed.items()) if triple[0] == predicate and len(triple) == 2]
        rows += there + absent
    return rows, scanned


def _readings(nodes: Rows, steps: Rows) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    """Yield everything that was read, in the order of the plan, with what was written after it. Ids are in order."""
    by_node = {step["node"]: step for step in steps}
    for node in nodes:
        if node["call"] is not None:
            yield node["call"], []
        step = by_node.get(node["id"])
        if step is not None:
            if step["duration"] is not None:
                yield step["duration"], []
            yield step, step["writes"]
