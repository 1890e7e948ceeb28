"""An independent checker of plan certificates of version 1. It imports nothing but the base layer and the form.

A certificate carries all that is needed to believe a plan without the domain's code: what each step read and
wrote, the decomposition it came from, the goals, the temporal constraints and a schedule. The checker re-derives
every claim from those parts and names the first thing that is wrong. The conditions, in the order they are checked:

 1. form           the document has the fields and types of `certificate/1`
 2. hash           the hash at the end is the hash of the rest
 3. decomposition  every node has one parent, every task a method, the roots are the agenda, the leaves are the steps
 4. order          the steps stand in the order of the leaves
 5. reads          every read is supported by the latest earlier write or by the initial state
 6. goals          each goal holds when its part of the plan is done
 7. schedule       every step has a start and an end, and the times satisfy every constraint
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from planvow.canonical import canonical_json, full_hash
from planvow.contract.checking.form_1 import FORMAT, well_formed
from planvow.verdict import Fault

_ABSENT = object()


def certificate_hash_1(document: Mapping[str, Any]) -> str:
    """Return the hash a certificate must carry: over everything but the hash itself."""
    return full_hash({key: value for key, value in document.items() if key != "hash"}, tag=FORMAT)


def faults_1(document: Any) -> Iterator[Fault]:
    """Yield faults condition by condition. A later condition relies on the earlier ones, so the first ends it."""
    malformed = well_formed(document)
    if malformed is not None:
        yield malformed
        return
    yield from _hash(document)
    yield from _decomposition(document)
    yield from _order(document)
    yield from _reads(document)
    yield from _goals(document)
    yield from _schedule(document)


def _fault(condition: str, place: str, message: str) -> Fault:
    return Fault(condition=condition, place=place, message=message)


def _hash(document: Mapping[str, Any]) -> Iterator[Fault]:
    expected = certificate_hash_1(document)
    if document["hash"] != expected:
        yield _fault("hash", "$.hash", f"the content hashes to {expected[:16]}…, the certificate says otherwise")


def _decomposition(document: Mapping[str, Any]) -> Iterator[Fault]:
    nodes: dict[int, Any] = {}
    parents: dict[int, int | None] = {}
    for i, node in enumerate(document["nodes"]):
        if node["id"] in nodes:
            yield _fault("decomposition", f"$.nodes[{i}]", f"node {node['id']} is listed twice")
        nodes[node["id"]] = node
    for parent, children in [(None, document["root"]), *((n["id"], n["children"]) for n in document["nodes"])]:
        for child in children:
            if child not in nodes:
                yield _fault("decomposition", _at(parent), f"child {child} is not a node")
            elif child in parents:
                yield _fault("decomposition", _at(parent), f"node {child} has two parents")
            parents[child] = parent
    reached = list(_preorder(document, nodes))
    if len(reached) != len(nodes):
        lost = min(set(nodes) - set(reached), default=0)
        yield _fault("decomposition", f"node {lost}", "not reached from the agenda")
    yield from _node_kinds(nodes)
    agenda = [canonical_json(item) for item in document["agenda"]]
    if agenda != [canonical_json(nodes[child]["item"]) for child in document["root"]]:
        yield _fault("decomposition", "$.root", "the roots are not the items of the agenda")


def _node_kinds(nodes: Mapping[int, Any]) -> Iterator[Fault]:
    for node in nodes.values():
        if node["kind"] == "command" and (node["children"] or node["method"] is not None):
            yield _fault("decomposition", f"node {node['id']}", "a command has neither method nor children")
        if node["kind"] == "sequence" and node["method"] is not None:
            yield _fault("decomposition", f"node {node['id']}", "a sequence has no method")
        if node["kind"] == "task" and node["method"] is None:
            yield _fault("decomposition", f"node {node['id']}", "the task was not decomposed")
        if node["kind"] in ("goal", "multigoal") and node["children"] and node["method"] is None:
            yield _fault("decomposition", f"node {node['id']}", "children without a method")


def _at(parent: int | None) -> str:
    return "$.root" if parent is None else f"node {parent}"


def _preorder(document: Mapping[str, Any], nodes: Mapping[int, Any]) -> Iterator[int]:
    stack = list(reversed(document["root"]))
    seen: set[int] = set()
    while stack:
        current = stack.pop()
        if current in seen or current not in nodes:
            continue
        seen.add(current)
        yield current
        stack.extend(reversed(nodes[current]["children"]))


def _order(document: Mapping[str, Any]) -> Iterator[Fault]:
    nodes = {node["id"]: node for node in document["nodes"]}
    leaves = [n for n in _preorder(document, nodes) if nodes[n]["kind"] == "command"]
    for k, (leaf, step) in enumerate(zip(leaves, document["steps"], strict=False)):
        if step["node"] != leaf:
            yield _fault("order", f"step {k + 1}", f"stands for node {step['node']}, the decomposition says {leaf}")
        elif canonical_json(step["command"]) != canonical_json(nodes[leaf]["item"]):
            yield _fault("order", f"step {k + 1}", f"is not the command of node {leaf}")
    if len(leaves) != len(document["steps"]):
        yield _fault("order", "$.steps", f"{len(document['steps'])} steps for {len(leaves)} commands")


def _key(triple: list[Any]) -> str:
    return canonical_json(triple[:2])


def _value(triple: list[Any]) -> Any:
    return canonical_json(triple[2]) if len(triple) == 3 else _ABSENT


def _shown(value: Any) -> str:
    return "nothing" if value is _ABSENT else f"{value:.60}"


def _states(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the known part of the state before each step and after the last, as one dictionary that is changed."""
    state = {_key(triple): _value(triple) for triple in document["initial"]}
    yield state
    for step in document["steps"]:
        for triple in step["writes"]:
            state[_key(triple)] = _value(triple)
        yield state


def _reads(document: Mapping[str, Any]) -> Iterator[Fault]:
    keys = [_key(triple) for triple in document["initial"]]
    if len(set(keys)) != len(keys):
        yield _fault("reads", "$.initial", "two initial values for one subject and predicate")
    for k, (state, step) in enumerate(zip(_states(document), document["steps"], strict=False)):
        for triple in step["reads"]:
            if _key(triple) not in state:
                yield _fault("reads", f"step {k + 1}", f"reads {_key(triple)}, which nothing before it gives")
            elif state[_key(triple)] != _value(triple):
                have, want = _shown(state[_key(triple)]), _shown(_value(triple))
                yield _fault("reads", f"step {k + 1}", f"reads {_key(triple)} as {want}, but it is {have} there")


def _goals(document: Mapping[str, Any]) -> Iterator[Fault]:
    ends = _steps_done_at_the_end_of(document)
    wanted: dict[int, list[Any]] = {}
    demanded = {node["id"] for node in document["nodes"] if node["kind"] in ("goal", "multigoal")}
    for goal in document["goals"]:
        if goal["node"] not in demanded:
            yield _fault("goals", f"node {goal['node']}", "is not a goal")
            return
        wanted.setdefault(ends[goal["node"]], []).append(goal)
    missing = sorted(demanded - {goal["node"] for goal in document["goals"]})
    if missing:
        yield _fault("goals", f"node {missing[0]}", "nothing says what this goal wants")
    for done, state in enumerate(_states(document)):
        for goal in wanted.get(done, ()):
            for triple in goal["triples"]:
                if state.get(_key(triple), _ABSENT) != _value(triple):
                    have = _shown(state.get(_key(triple), _ABSENT))
                    yield _fault(
                        "goals",
                        f"node {goal['node']}",
                        f"wants {_shown(_value(triple))} for {_key(triple)}, has {have}",
                    )
    yield from _goal_items(document)


def _goal_items(document: Mapping[str, Any]) -> Iterator[Fault]:
    """The triples of a goal must be those its node names: `{"goal": triple}` or `{"multigoal": [triples]}`."""
    items = {node["id"]: node["item"] for node in document["nodes"]}
    for goal in document["goals"]:
        item = items[goal["node"]]
        named = None
        if isinstance(item, dict):
            named = [item["goal"]] if "goal" in item else item.get("multigoal")
        if canonical_json(named) != canonical_json(goal["triples"]):
            yield _fault("goals", f"node {goal['node']}", "the triples are not those of the goal")


def _steps_done_at_the_end_of(document: Mapping[str, Any]) -> dict[int, int]:
    """Return, for each node, how many steps are done when its part of the plan is done."""
    nodes = {node["id"]: node for node in document["nodes"]}
    done = 0
    ends: dict[int, int] = {}
    stack: list[tuple[int, bool]] = [(child, False) for child in reversed(document["root"])]
    while stack:
        current, leaving = stack.pop()
        if leaving:
            ends[current] = done
            continue
        done += nodes[current]["kind"] == "command"
        stack.append((current, True))
        stack.extend((child, False) for child in reversed(nodes[current]["children"]))
    return ends


def _schedule(document: Mapping[str, Any]) -> Iterator[Fault]:
    time = document["time"]
    if time is None:
        return
    schedule = time["schedule"]
    for step in document["steps"]:
        for side in ("start", "end"):
            if f"{step['node']}.{side}" not in schedule:
                yield _fault("schedule", f"node {step['node']}", f"has no {side} time")
    for start, end, lo, hi, name in time["constraints"]:
        lost = next((point for point in (start, end) if point not in schedule), None)
        if lost is not None:
            yield _fault("schedule", name or f"{start} to {end}", f"point {lost} has no time")
            continue
        distance = schedule[end] - schedule[start]
        if (lo is not None and distance < lo) or (hi is not None and distance > hi):
            yield _fault("schedule", name or f"{start} to {end}", f"{distance} ticks is outside [{lo}, {hi}]")
