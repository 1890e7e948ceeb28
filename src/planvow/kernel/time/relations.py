"""Which relation in time is about which nodes of the path.

A decomposition, or an item's own metadata, relates siblings by name, by item or by place; the nodes meant join the path
one after the other. `Siblings` follows the path forwards and back and fills the sides of each relation in as they come.
A side may stay open while a search goes on, but not in a finished plan.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from planvow.errors import InputError, did_you_mean
from planvow.kernel.domain.metadata import SELF
from planvow.kernel.domain.propagator import Visit
from planvow.kernel.domain.terms import item_text
from planvow.temporal import Constraint, Relation


class Tie(NamedTuple):
    """A relation and which node stands on which of its sides."""

    relation: Relation
    nodes: dict[int, int]

    def constraints(self) -> tuple[Constraint, ...]:
        """Return what the relation demands, once all its sides are known; nothing before."""
        activities = self.relation.activities
        if len(self.nodes) < len(activities):
            return ()
        nodes = {activity: self.nodes[side] for side, activity in enumerate(activities)}
        return self.relation.constraints(lambda activity, end: f"{nodes[activity]}.{end}")


class Siblings:
    """The nodes of the path by their parents, and the relations between those of one parent."""

    def __init__(self) -> None:
        self._children: dict[int, list[Visit]] = {}
        self._children_log: list[int] = []
        self._ties: dict[int, list[Tie]] = {}
        self._ties_log: list[int] = []
        self._sides_log: list[tuple[Tie, int]] = []

    def add(self, visit: Visit) -> None:
        """Take a node in."""
        self._children.setdefault(visit.parent_id, []).append(visit)
        self._children_log.append(visit.parent_id)

    def relate(self, parent: int, relation: Relation, self_node: int | None = None) -> Tie:
        """Note a relation between children of a node; in an item's own metadata, "self" is the item."""
        tie = Tie(relation, {})
        if self_node is not None:
            tie.nodes.update({k: self_node for k, activity in enumerate(relation.activities) if activity == SELF})
            earlier = self._children[parent][:-1]
            for side, activity in enumerate(relation.activities):
                meant = next((v.node_id for v in earlier if _means(activity, v)), None)
                if side not in tie.nodes and meant is not None:
                    tie.nodes[side] = meant
        self._ties.setdefault(parent, []).append(tie)
        self._ties_log.append(parent)
        return tie

    def wanting(self, visit: Visit) -> list[Tie]:
        """Find the open relations among this node's siblings that speak of it, and fill its side in."""
        found = []
        for tie in self._ties.get(visit.parent_id, ()):
            for side, activity in enumerate(tie.relation.activities):
                if side not in tie.nodes and _means(activity, visit):
                    tie.nodes[side] = visit.node_id
                    self._sides_log.append((tie, side))
                    found.append(tie)
        return found

    def with_next(self, node: int) -> tuple[Visit, int]:
        """Return a node and the id of its next sibling: ids count in pre-order, so what lies between is below it."""
        visits = next(v for v in self._children.values() if any(c.node_id == node for c in v))
        place = next(k for k, v in enumerate(visits) if v.node_id == node)
        return visits[place], visits[place + 1].node_id

    def require_all_sides(self) -> None:
        """Raise InputError for a relation that speaks of an item that the finished plan does not have beside it."""
        for parent, ties in self._ties.items():
            for tie in ties:
                for side, activity in enumerate(tie.relation.activities):
                    if side not in tie.nodes:
                        beside = [visit.item for visit in self._children.get(parent, ())]
                        raise _no_such_item(tie.relation, activity, self._item(parent), beside)

    def mark(self) -> tuple[int, int, int]:
        return len(self._children_log), len(self._ties_log), len(self._sides_log)

    def undo(self, mark: tuple[int, int, int]) -> None:
        children, ties, sides = mark
        for tie, side in self._sides_log[sides:]:
            del tie.nodes[side]
        for parent in self._ties_log[ties:]:
            self._ties[parent].pop()
        for parent in self._children_log[children:]:
            self._children[parent].pop()
        del self._children_log[children:], self._ties_log[ties:], self._sides_log[sides:]

    def _item(self, node_id: int) -> Any:
        visits = (visit for children in self._children.values() for visit in children)
        return next((visit.item for visit in visits if visit.node_id == node_id), None)


def _no_such_item(relation: Relation, activity: Hashable, parent: Any, beside: list[Any]) -> InputError:
    names = [str(item[0]) for item in beside if isinstance(item, tuple) and item]
    meant = did_you_mean(activity, names) if isinstance(activity, str) else None
    return InputError(
        f"{relation.name} is about {activity!r}, which is none of the items beside it",
        place="agenda" if parent is None else item_text(parent),
        hint=meant or f"the items are {', '.join(map(item_text, beside[:8]))}; name one, or give its place from 0",
    )


def _means(activity: Hashable, visit: Visit) -> bool:
    """An activity is named by its place in the decomposition, by its item, or by the item's name alone."""
    if isinstance(activity, int) and not isinstance(activity, bool):
        return activity == visit.position
    if isinstance(activity, str):
        return isinstance(visit.item, tuple) and bool(visit.item) and visit.item[0] == activity
    return bool(activity == visit.item)
