"""The derivation of a run as one tree through all its plans, and what is left to do of it.

A repair breaks one node down anew: the step that failed, or the lowest node above it for which that leads to a plan.
What was done stays, whatever its place: steps may have been done side by side. What nobody touched stays the task it
was, and what was begun is taken apart into what is missing. The new plan's tree is put where its agenda stood in the
old one, so the next repair still knows everything above.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from planvow.contract.certificate.items import item_from_data
from planvow.kernel.domain.metadata import SELF
from planvow.kernel.domain.terms import Goal, MultiGoal


class Node:
    """One item of a derivation, with the plan and the node of that plan's certificate that it came from."""

    __slots__ = ("bonds", "children", "end", "heir", "is_command", "is_done", "item", "origin", "parent", "told")

    def __init__(self, item: Any, *, is_command: bool = False, origin: tuple[int, int] | None = None) -> None:
        self.item = item
        self.is_command = is_command
        self.origin = origin
        self.parent: Node | None = None
        self.children: list[Node] = []
        self.is_done = False
        self.told: Mapping[str, Any] = {}
        """What was said about its times and helpers, as certificates hold it."""
        self.bonds: list[Bond] = []
        """What was said about its time and that of others: by itself, and by its method about its parts."""
        self.heir: Node | None = None
        """The node that took its place when it was planned again."""
        self.end: int | None = None
        """When a command was to end."""

    def add(self, child: Node) -> None:
        child.parent = self
        self.children.append(child)

    def lineage(self) -> Iterator[Node]:
        """Yield this node and those above it, lowest first, without the root of the run."""
        node: Node | None = self
        while node is not None and node.parent is not None:
            yield node
            node = node.parent


class Bond(NamedTuple):
    """A relation in time between two nodes, or of one to the clock."""

    kind: str
    first: Node
    second: Node | None
    lo: int | None
    hi: int | None


class RunTree:
    """The tree of a run. `steps` are the nodes of the latest plan's commands, in order."""

    def __init__(self) -> None:
        self.root = Node(())
        self.steps: list[Node] = []
        self._plans = 0

    def begin(self, certificate: Mapping[str, Any]) -> None:
        """Start with a plan that was made as a whole."""
        self.root = Node(())
        for node in self._read(certificate):
            self.root.add(node)

    def graft(self, places: Sequence[Node], certificate: Mapping[str, Any]) -> None:
        """Put a plan for an agenda where that agenda stood."""
        for old, new in zip(places, self._read(certificate), strict=True):
            parent = old.parent
            assert parent is not None
            new.parent, old.heir = parent, new
            parent.children[parent.children.index(old)] = new

    def agenda(self, redone: Node | None = None) -> list[Node]:
        """Return the nodes that are left to do; `redone` is put back as it stood, whatever of it was done."""
        order = self._preorder()
        place = {id(node): number for number, node in enumerate(order)}
        below, done = _counts(order)
        first_left = next((place[id(n)] for n in order if n.is_command and not n.is_done), len(order))
        above = set() if redone is None else {id(node) for node in redone.lineage()}
        left: list[Node] = []
        stack = list(reversed(self.root.children))
        while stack:
            node = stack.pop()
            key = id(node)
            if node is redone:
                left.append(node)
            elif key in above or 0 < done[key] < below[key]:
                if isinstance(node.item, Goal | MultiGoal):
                    stack.append(_again(node))
                stack.extend(child for child in reversed(node.children) if child.origin is not None)
            elif not below[key]:
                if (
                    node.origin is None or place[key] > first_left
                ):  # there was nothing to do, in a state that is to come
                    left.append(node)
            elif not done[key]:
                left.append(node)
        return left

    def unfinished(self) -> list[Node]:
        """Return the nodes of the run's agenda that are not wholly done."""
        below, done = _counts(self._preorder())
        return [node for node in self.root.children if done[id(node)] < below[id(node)]]

    def _preorder(self) -> list[Node]:
        found, stack = [], [self.root]
        while stack:
            node = stack.pop()
            found.append(node)
            stack.extend(reversed(node.children))
        return found

    def _read(self, certificate: Mapping[str, Any]) -> list[Node]:
        """Return the roots of a plan's derivation, and take over its commands."""
        commands = {step["node"]: None for step in certificate["steps"]}
        made = {
            row["id"]: Node(
                item_from_data(row["item"]), is_command=row["id"] in commands, origin=(self._plans, row["id"])
            )
            for row in certificate["nodes"]
        }
        for row in certificate["nodes"]:
            for child in row["children"]:
                made[row["id"]].add(made[child])
        for step in certificate["steps"]:
            made[step["node"]].end = step["end"]
        roots = [made[node_id] for node_id in certificate["root"]]
        for row in certificate["nodes"]:
            node = made[row["id"]]
            node.told = {name: value for name, value in row["told"].items() if name != "relations"}
            node.bonds += _bonds(row["told"].get("relations", ()), node, node.parent.children if node.parent else roots)
            node.bonds += _bonds((row["call"] or {}).get("relations", ()), node, node.children)
        self._plans += 1
        self.steps = [made[node_id] for node_id in commands]
        return roots


def _bonds(relations: Sequence[Any], own: Node, beside: Sequence[Node]) -> Iterator[Bond]:
    """Yield relations between the nodes they mean: itself, one beside it by its place, or by its item."""
    for kind, a, b, lo, hi in relations:
        first, second = (_meant(side, own, beside) for side in (a, b))
        if first is not None and (b is None or second is not None):
            yield Bond(kind, first, second, lo, hi)


def _meant(side: Any, own: Node, beside: Sequence[Node]) -> Node | None:
    if side is None or side == SELF:
        return own if side == SELF else None
    if isinstance(side, int):
        return beside[side] if side < len(beside) else None
    wanted = side if isinstance(side, str) else item_from_data(side)
    return next((node for node in beside if wanted in (node.item, node.item[:1] and node.item[0])), None)


def _counts(order: Sequence[Node]) -> tuple[dict[int, int], dict[int, int]]:
    """Return for each node how many commands are below it, itself included, and how many of them are done."""
    below = {id(node): int(node.is_command) for node in order}
    done = {id(node): int(node.is_command and node.is_done) for node in order}
    for node in reversed(order):  # children come after their parents there
        if node.parent is not None:
            below[id(node.parent)] += below[id(node)]
            done[id(node.parent)] += done[id(node)]
    return below, done


def _again(goal: Node) -> Node:
    """Return the place behind a goal's parts at which it is looked at once more."""
    last = goal.children[-1] if goal.children else None
    if last is not None and last.origin is None:
        return last
    again = Node(goal.item)
    goal.add(again)
    return again
