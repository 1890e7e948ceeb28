"""The decomposition of a certificate: is it a tree that leads from the agenda to the steps? Imports only the base."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from planvow.canonical import canonical_json
from planvow.verdict import Fault

Row = Mapping[str, Any]
GOALS = ("goal", "multigoal")


class Derivation:
    """The nodes and steps of a well-formed certificate, by their ids."""

    def __init__(self, document: Row) -> None:
        self.document = document
        self.asked: Row = document["asked"]
        self.nodes: dict[int, Row] = {node["id"]: node for node in document["nodes"]}
        self.steps: dict[int, Row] = {step["node"]: step for step in document["steps"]}

    @cached_property
    def parents(self) -> dict[int, int | None]:
        """The parent of every node; None for the items of the agenda."""
        found: dict[int, int | None] = dict.fromkeys(self.document["root"])
        for node in self.document["nodes"]:
            found.update(dict.fromkeys(node["children"], node["id"]))
        return found

    @cached_property
    def turns(self) -> list[tuple[int, bool]]:
        """The walk through the tree: each node as it is entered (True) and as it is left (False)."""
        turns: list[tuple[int, bool]] = []
        todo = [(child, True) for child in reversed(self.document["root"])]
        seen: set[int] = set()
        while todo:
            node, entering = todo.pop()
            if entering:
                if node in seen or node not in self.nodes:
                    continue
                seen.add(node)
                todo.append((node, False))
                todo.extend((child, True) for child in reversed(self.nodes[node]["children"]))
            turns.append((node, entering))
        return turns

    @cached_property
    def order(self) -> list[int]:
        """The nodes in the order of the plan, parents first."""
        return [node for node, entering in self.turns if entering]

    def siblings(self, node: int) -> list[int]:
        """Return the children of a node's parent, itself among them."""
        parent = self.parents[node]
        return list(self.document["root"] if parent is None else self.nodes[parent]["children"])


def wanted(node: Row) -> list[Any] | None:
    """Return the triples that a goal or multigoal names, or None where it names none."""
    item = node["item"]
    if node["kind"] == "goal":
        triple = item.get("goal") if isinstance(item, dict) else item
        fits = isinstance(triple, list) and len(triple) == 3 and isinstance(triple[0], str)
        return [triple] if fits else None
    triples = item.get("multigoal") if isinstance(item, dict) else None
    fits = isinstance(triples, list) and all(
        isinstance(t, list) and len(t) == 3 and isinstance(t[0], str) for t in triples
    )
    return triples if fits else None


def fits(kind: str, item: Any) -> bool:
    """Say whether a node of this kind may stand for the item: a goal that is called a task would never be looked at."""
    if isinstance(item, dict):
        return kind in (*GOALS, "sequence") and item.keys() - {"tag"} == {kind}
    return kind in ("task", "command", "goal")


def tree_faults(derivation: Derivation) -> Iterator[Fault]:
    """Yield what is wrong with the decomposition and the order of the steps."""
    document, nodes = derivation.document, derivation.nodes
    if len(nodes) != len(document["nodes"]):
        yield _fault("$.nodes", "two nodes have one id")
    seen: set[int] = set()
    for parent, children in [("$.root", document["root"]), *((_at(n), n["children"]) for n in document["nodes"])]:
        for child in children:
            if child not in nodes:
                yield _fault(parent, f"child {child} is not a node")
            elif child in seen:
                yield _fault(parent, f"node {child} has two parents")
            seen.add(child)
    if len(derivation.order) != len(nodes):
        lost = min(set(nodes) - set(derivation.order), default=0)
        yield _fault(f"node {lost}", "not reached from the agenda")
    for node in document["nodes"]:
        yield from _node_faults(node, nodes)
    given = [_told(nodes[child]) for child in document["root"] if child in nodes]
    if [canonical_json([row["item"], row["told"]]) for row in derivation.asked["agenda"]] != given:
        yield _fault("$.root", "the roots are not the items of the agenda")
    yield from _order_faults(derivation)


def _told(node: Row) -> str:
    return canonical_json([node["item"], node["told"]])


def _node_faults(node: Row, nodes: Mapping[int, Row]) -> Iterator[Fault]:
    kind, has_call = node["kind"], node["call"] is not None
    if not fits(kind, node["item"]):
        yield _fault(_at(node), f"its item is no {kind}")
    if kind == "command" and (node["children"] or has_call):
        yield _fault(_at(node), "a command has neither method nor children")
    if kind == "sequence":
        if has_call:
            yield _fault(_at(node), "a sequence has no method")
        parts = node["item"].get("sequence") if isinstance(node["item"], dict) else None
        listed = [canonical_json(_part(part)) for part in parts] if isinstance(parts, list) else None
        if listed != [_told(nodes[child]) for child in node["children"] if child in nodes]:
            yield _fault(_at(node), "the children are not the items of the sequence")
    if kind == "task" and not has_call:
        yield _fault(_at(node), "the task was not decomposed")
    if kind in GOALS:
        if node["children"] and not has_call:
            yield _fault(_at(node), "children without a method")
        if wanted(node) is None:
            yield Fault(condition="goals", place=_at(node), message="names no triples that are wanted")


def _part(part: Any) -> list[Any]:
    annotated = isinstance(part, dict) and part.keys() == {"item", "told"}
    return [part["item"], part["told"]] if annotated else [part, {}]


def _order_faults(derivation: Derivation) -> Iterator[Fault]:
    steps, nodes = derivation.document["steps"], derivation.nodes
    leaves = [node for node in derivation.order if nodes[node]["kind"] == "command"]
    for number, (leaf, step) in enumerate(zip(leaves, steps, strict=False), start=1):
        if step["node"] != leaf:
            yield _fault(f"step {number}", f"stands for node {step['node']}, the decomposition says {leaf}", "order")
        elif not step["command"] or canonical_json(step["command"]) != canonical_json(nodes[leaf]["item"]):
            yield _fault(f"step {number}", f"is not the command of node {leaf}", "order")
    if len(leaves) != len(steps):
        yield _fault("$.steps", f"{len(steps)} steps for {len(leaves)} commands", "order")


def _at(node: Row) -> str:
    return f"node {node['id']}"


def _fault(place: str, message: str, condition: str = "decomposition") -> Fault:
    return Fault(condition=condition, place=place, message=message)
