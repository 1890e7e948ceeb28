"""The facts of a certificate: do they belong to the state, does every read see what was there, do goals hold?

Imports only the base. The walk follows the plan from item to item: a method reads what its predecessors left, a command
reads and then writes, a goal must hold when its part of the plan is done.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from planvow.canonical import canonical_json
from planvow.contract.checking.tree import GOALS, Derivation, wanted
from planvow.hash_tree import proved_root
from planvow.verdict import Fault

_ABSENT = object()
TABLE = "#table"
"""The predicate of the triples that say which predicates have subjects; a scalar has none."""
Row = Mapping[str, Any]


def key_of(triple: list[Any]) -> str:
    """Return what a triple is about: predicate and subject."""
    return canonical_json(triple[:2])


def predicate_prefix(predicate: str) -> str:
    """Return how the keys of a predicate's triples begin."""
    return canonical_json([predicate])[:-1] + ","


def proof_faults(derivation: Derivation) -> Iterator[Fault]:
    """Yield what is wrong with the proof that the initial facts, and the gaps, belong to the state with the root."""
    document, state = derivation.document, derivation.asked["state"]
    initial, proof = document["initial"], document["proof"]
    keys = [key_of(triple) for triple in initial]
    if len(set(keys)) != len(keys):
        yield _initial("two initial values for one subject and predicate")
        return
    if [place is None for place in proof["places"]] != [len(triple) == 2 for triple in initial]:
        yield _initial("every initial fact that is there needs its place, and no other")
        return
    shown = [(place, triple) for place, triple in zip(proof["places"], initial, strict=True) if place is not None]
    shown += [(place, triple) for place, triple in proof["beside"]]
    leaves = dict(shown)
    if len(leaves) != len(shown) or any(len(triple) != 3 for triple in leaves.values()):
        yield _initial("two facts at one place, or a place without a fact")
        return
    places = sorted(leaves)
    order = [key_of(leaves[place]) for place in places]
    if any(later <= earlier for earlier, later in pairwise(order)):
        yield _initial("the facts shown do not stand in order")
    yield from _root_faults(leaves, state, proof["hashes"])
    for triple, key in zip(initial, keys, strict=True):
        if len(triple) == 2 and not _is_gap(key, places, order, state["size"]):
            yield _initial(f"nothing shows that {key} is absent")
    yield from _scan_faults(derivation, places, order)
    said = set(keys)
    for predicate in sorted(_written(derivation)):
        if key_of([TABLE, predicate]) not in said:
            yield _initial(f"nothing says whether {predicate}, which is written, had subjects")


def _written(derivation: Derivation) -> set[str]:
    return {triple[0] for step in derivation.document["steps"] for triple in step["writes"]}


def _root_faults(leaves: Mapping[int, Any], state: Row, hashes: list[str]) -> Iterator[Fault]:
    try:
        rest = [bytes.fromhex(text) for text in hashes]
    except ValueError:
        rest = [b""]
    written = {place: canonical_json(triple).encode() for place, triple in leaves.items()}
    if proved_root(written, state["size"], rest) != state["root"]:
        yield _initial("the facts do not belong to the state with this root hash")


def _is_gap(key: str, places: list[int], order: list[str], size: int) -> bool:
    at = bisect_left(order, key)
    if at < len(order) and order[at] == key:
        return False
    return _after(at, places, size) - _before(at, places) == 1


def _before(at: int, places: list[int]) -> int:
    return places[at - 1] if at > 0 else -1


def _after(at: int, places: list[int], size: int) -> int:
    return places[at] if at < len(places) else size


def _scan_faults(derivation: Derivation, places: list[int], order: list[str]) -> Iterator[Fault]:
    """A predicate that somebody walked through must be shown as a whole."""
    given: dict[str, int] = {}
    for triple in derivation.document["initial"]:
        if len(triple) == 3:
            given[triple[0]] = given.get(triple[0], 0) + 1
    for predicate in sorted(_scanned(derivation)):
        prefix = predicate_prefix(predicate)
        start, end = bisect_left(order, prefix), bisect_left(order, prefix[:-1] + "-")
        room = _after(end, places, derivation.asked["state"]["size"]) - _before(start, places) - 1
        if not room == end - start == given.get(predicate, 0):
            yield _initial(f"{predicate} is looked through, but not all of it is shown")


def _scanned(derivation: Derivation) -> set[str]:
    found = {name for node in derivation.nodes.values() if node["call"] for name in node["call"]["scans"]}
    for step in derivation.document["steps"]:
        found.update(step["scans"], step["duration"]["scans"] if step["duration"] else ())
    return found


class _Known:
    """What is known of the state, predicate by predicate, as the plan goes on."""

    def __init__(self, initial: list[list[Any]]) -> None:
        self.tables: dict[str, dict[str, Any]] = {}
        self.write(initial)

    def write(self, triples: list[list[Any]]) -> None:
        for triple in triples:
            value = canonical_json(triple[2]) if len(triple) == 3 else _ABSENT
            self.tables.setdefault(triple[0], {})[key_of(triple)] = value

    def value(self, triple: list[Any]) -> Any:
        """Return what stands there, _ABSENT, or None where nothing says."""
        return self.tables.get(triple[0], {}).get(key_of(triple))

    def read_faults(self, row: Row, place: str, own: set[str]) -> Iterator[Fault]:
        """Yield which reads are not supported, and which facts a walk through a predicate has left out."""
        seen = set()
        for triple in row["reads"]:
            have, want = self.value(triple), canonical_json(triple[2]) if len(triple) == 3 else _ABSENT
            seen.add(key_of(triple))
            if have is None:
                yield _fault("reads", place, f"reads {key_of(triple)}, which nothing before it gives")
            elif have != want:
                yield _fault(
                    "reads", place, f"reads {key_of(triple)} as {_shown(want)}, but it is {_shown(have)} there"
                )
        for predicate in row["scans"]:
            for key, value in self.tables.get(predicate, {}).items():
                if value is not _ABSENT and key not in seen and key not in own:
                    yield _fault("reads", place, f"looks through {predicate}, but {key} is not among what it read")


def course_faults(derivation: Derivation) -> Iterator[Fault]:
    """Yield reads without support and goals that do not hold, in the order of the plan."""
    known = _Known(derivation.document["initial"])
    number = 0
    for node_id, entering in derivation.turns:
        node = derivation.nodes[node_id]
        if not entering:
            if node["kind"] in GOALS:
                yield from _goal_faults(node, known)
        elif node["call"] is not None:
            yield from known.read_faults(node["call"], f"method {node['call']['method']} of node {node_id}", set())
        elif node["kind"] == "command":
            number += 1
            step = derivation.steps[node_id]
            if step["duration"] is not None:
                yield from known.read_faults(step["duration"], f"duration of step {number}", set())
            yield from known.read_faults(step, f"step {number}", {key_of(triple) for triple in step["writes"]})
            known.write(step["writes"])


def _goal_faults(node: Row, known: _Known) -> Iterator[Fault]:
    for triple in wanted(node) or ():
        have, want = known.value(triple), canonical_json(triple[2])
        if have != want and not _is_alike(have, want):
            text = f"wants {_shown(want)} for {key_of(triple)}, has {_shown(have)}"
            yield _fault("goals", f"node {node['id']}", text)


def _is_alike(have: Any, want: str) -> bool:
    """Goals are compared as the domain's language compares: 1 is as good as true there."""
    return isinstance(have, str) and bool(json.loads(have) == json.loads(want))


def _shown(value: Any) -> str:
    return "nothing" if value is _ABSENT or value is None else f"{value:.60}"


def _initial(message: str) -> Fault:
    return _fault("initial", "$.initial", message)


def _fault(condition: str, place: str, message: str) -> Fault:
    return Fault(condition=condition, place=place, message=message)
