"""Which relation in time is about which nodes of the path.

A decomposition, or an item's own metadata, relates siblings by name, by item or by place; the nodes meant join the path
one after the other. `Siblings` follows the path forwards and back and fills the sides of each relation in as they come.
A side may stay open while a search goes on, but not in a finished plan.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable
from typing import Any, NamedTuple

from planvow.errors import InputError, did_you_mean
from planvow.kernel.domain.metadata import SELF
from planvow.kernel.domain.propagator import Visit
from planvow.kernel.domain.terms import Item, item_text
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
        self.ties: dict[int, list[Tie]] = {}
        """The relations, by the parent of what they relate."""
        self._open: dict[tuple[int, Hashable], list[tuple[Tie, int]]] = {}  # parent and what is meant → open sides
        self._firsts: dict[int, _Firsts] = {}
        self._log: list[tuple[Any, ...]] = []  # what was done to relations: (parent,), (key,) and (tie, side, key)

    def add(self, visit: Visit) -> None:
        """Take a node in."""
        children = self._children.get(visit.parent_id)
        if children is None:
            self._children[visit.parent_id] = [visit]
        else:
            children.append(visit)
        self._children_log.append(visit.parent_id)

    def relate(self, parent: int, relation: Relation, self_node: int | None = None) -> Tie:
        """Note a relation between children of a node; in an item's own metadata, "self" is the item."""
        tie = Tie(relation, {})
        for side, activity in enumerate(relation.activities):
            meant = None
            if self_node is not None:
                meant = self_node if activity == SELF else self._first(parent, activity, self_node)
            if meant is not None:
                tie.nodes[side] = meant
            else:
                key = (parent, activity)
                self._open.setdefault(key, []).append((tie, side))
                self._log.append((key, None))
        self.ties.setdefault(parent, []).append(tie)
        self._log.append((parent,))
        return tie

    def wanting(self, visit: Visit) -> list[Tie]:
        """Find the open relations among this node's siblings that speak of it, and fill its side in."""
        found = []
        for meant in _meanings(visit):
            for tie, side in self._open.pop((visit.parent_id, meant), ()):
                tie.nodes[side] = visit.node_id
                self._log.append((tie, side, (visit.parent_id, meant)))
                found.append(tie)
        return found

    def with_next(self, node: int, parent: int) -> tuple[Visit, int]:
        """Return a node and the id of its next sibling: ids count in pre-order, so what lies between is below it."""
        visits = self._children[parent]
        place = bisect_left(visits, node, key=_id)
        return visits[place], visits[place + 1].node_id

    def require_all_sides(self) -> None:
        """Raise InputError for a relation that speaks of an item that the finished plan does not have beside it."""
        for (parent, activity), listed in self._open.items():
            if listed:
                beside = [visit.item for visit in self._children.get(parent, ())]
                raise _no_such_item(listed[0][0].relation, activity, self._item(parent), beside)

    def mark(self) -> tuple[int, int]:
        return len(self._children_log), len(self._log)

    def undo(self, mark: tuple[int, int]) -> None:
        children, log = mark
        for entry in reversed(self._log[log:]):
            if len(entry) == 1:
                self.ties[entry[0]].pop()
            elif len(entry) == 2:
                self._open[entry[0]].pop()
            else:
                tie, side, key = entry
                del tie.nodes[side]
                self._open.setdefault(key, []).insert(0, (tie, side))
        for parent in self._children_log[children:]:
            self._children[parent].pop()
            if parent in self._firsts:
                self._firsts[parent].cut(len(self._children[parent]))
        del self._children_log[children:], self._log[log:]

    def _first(self, parent: int, activity: Hashable, before: int) -> int | None:
        """Return the first child of a node that is meant, of those before another."""
        firsts = self._firsts.setdefault(parent, _Firsts())
        meant = firsts.node(self._children.get(parent, []), activity)
        return meant if meant is not None and meant < before else None

    def _item(self, node_id: int) -> Any:
        visits = (visit for children in self._children.values() for visit in children)
        return next((visit.item for visit in visits if visit.node_id == node_id), None)


class _Firsts:
    """Which child of one node is the first of its kind, looked up instead of searched for."""

    def __init__(self) -> None:
        self._nodes: dict[Hashable, int] = {}
        self._keys: list[list[Hashable]] = []  # what each child that has been looked at was the first to be called

    def node(self, children: list[Visit], activity: Hashable) -> int | None:
        for visit in children[len(self._keys) :]:
            new = [meant for meant in _meanings(visit) if meant not in self._nodes]
            self._nodes.update(dict.fromkeys(new, visit.node_id))
            self._keys.append(new)
        return self._nodes.get(activity)

    def cut(self, length: int) -> None:
        """Forget the children beyond a number of them."""
        while len(self._keys) > length:
            for meant in self._keys.pop():
                del self._nodes[meant]


def _no_such_item(relation: Relation, activity: Hashable, parent: Item | None, beside: list[Item]) -> InputError:
    names = [str(item[0]) for item in beside if isinstance(item, tuple) and item]
    meant = did_you_mean(activity, names) if isinstance(activity, str) else None
    return InputError(
        f"{relation.name} is about {activity!r}, which is none of the items beside it",
        place="agenda" if parent is None else item_text(parent),
        hint=meant or f"the items are {', '.join(map(item_text, beside[:8]))}; name one, or give its place from 0",
    )


def _meanings(visit: Visit) -> list[Hashable]:
    """Return how an activity may be named: by its place in the decomposition, by its item, by the item's name alone."""
    meanings: list[Hashable] = [visit.position]
    if isinstance(visit.item, tuple) and visit.item and isinstance(visit.item[0], str):
        meanings.append(visit.item[0])
    try:
        hash(visit.item)
    except TypeError:  # a relation cannot name it either: what it names can be hashed
        return meanings
    return [*meanings, visit.item]


def _id(visit: Visit) -> int:
    return visit.node_id
