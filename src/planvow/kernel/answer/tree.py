"""The solution tree of a plan as repairs see it: who is above a node, what is left to do after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress

from planvow.kernel.domain.terms import Annotated, Item
from planvow.kernel.search.watcher import Trail


class Tree:
    """A derivation. Indexes count from 0, node ids from 1."""

    def __init__(self, trail: Trail, annotations: Mapping[int, Mapping[str, object]], first_new_id: int = 1) -> None:
        self.trail = trail
        self.first_new_id = first_new_id
        """The first node that an earlier repair has brought."""
        self.annotations = annotations
        """Node id → what was attached to its item."""
        self._agendas: dict[int, list[int]] = {}

    def lineage(self, node_id: int) -> Iterator[int]:
        """Yield a node and its ancestors, lowest first, without the root."""
        parents = self.trail.parents
        while node_id > 0:
            yield node_id
            node_id = parents[node_id - 1]

    def pending(self, node_id: int) -> tuple[Item, ...]:
        """Return the agenda at a node: its item and everything that stood behind it."""
        items, ids = self.trail.items, self.pending_ids(node_id)
        if not self.annotations:
            return tuple([items[later - 1] for later in ids])
        told = [(items[later - 1], self.annotations.get(later)) for later in ids]
        return tuple([item if metadata is None else Annotated(item, metadata) for item, metadata in told])

    def rest(self, node_id: int) -> int:
        """Return the index of the first node after a node's subtree; it and all later ones are the rest."""
        behind = self.pending_ids(node_id)[1:]
        return behind[0] - 1 if behind else len(self.trail)

    def grafted(self, new: Trail, node_id: int) -> Trail:
        """Return the whole tree with new nodes in the place of a node and everything after it."""
        parents, items, hows, ordinals = self.trail.columns
        owners = [parents[later - 1] for later in self.pending_ids(node_id)]
        shift, top, moved = node_id - 1, -1, []
        for parent_id in new.parents:
            top += parent_id == 0
            moved.append(parent_id + shift if parent_id else owners[top])
        return Trail(
            (
                parents[:shift] + moved,
                items[:shift] + new.items,
                hows[:shift] + new.hows,
                ordinals[:shift] + new.columns[3],
            )
        )

    def stability(self, new: Trail, failed_node_id: int) -> float:
        """Return the share of the old commands still to come that the new plan has as well."""
        old = Counter(self.trail.commands_from(failed_node_id - 1))
        return (old & Counter(new.commands)).total() / old.total() if old else 1.0

    def pending_ids(self, node_id: int) -> list[int]:
        """Return a node, its later siblings, those of its parent, and so on: the agenda, by node ids."""
        if node_id not in self._agendas:
            parents, end, pending = self.trail.parents, len(self.trail), list[int]()
            for parent_id in (0, *reversed([*self.lineage(node_id)][1:])):  # outermost first: the others come before
                siblings, place = list[int](), node_id
                with suppress(ValueError):  # there is none left
                    while True:
                        place = parents.index(parent_id, place, end) + 1
                        siblings.append(place)
                if siblings:
                    pending, end = siblings + pending, siblings[0] - 1
            self._agendas[node_id] = [node_id, *pending]
        return self._agendas[node_id]
