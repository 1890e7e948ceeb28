"""Who serves which command, and when: every entity within what it can do at a time, or has in all.

An entity of capacity *n* serves *n* uses at a time. It has that many **lanes**, each a sequence of commands in order of
time, and a use of *u* takes *u* of them at once. A command that needs a busy entity goes into its lanes where it does
the least harm, last if it can. What is consumed is only counted. All of it follows the search forwards and back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from planvow.errors import InputError, did_you_mean
from planvow.kernel.domain.entities import Entity, Requirement, assignments
from planvow.kernel.domain.metadata import Row
from planvow.kernel.time.causal import ENTITY
from planvow.kernel.world.reason import Unspoken
from planvow.temporal import Conflict, Stn


class Use(NamedTuple):
    """What serves one requirement of a command."""

    entity_id: str
    amount: int


Lanes = list[tuple[int, int]]
"""Where a command goes: lane and place in it."""
Served = tuple[tuple[Use, ...], list[Row], str | Unspoken | None]
"""Who serves a command, what keeps it apart from others, and why it cannot be served."""


class Services:
    """The entities of one run and what they do."""

    def __init__(self, entities: tuple[Entity, ...], network: Stn, misfit: Callable[[str, Conflict], Unspoken]) -> None:
        self._entities = {entity.entity_id: entity for entity in entities}
        self._network = network
        self._misfit = misfit
        self._lanes: dict[str, list[list[int]]] = {entity.entity_id: [] for entity in entities}
        self._spent: dict[str, int] = {}
        self._log: list[tuple[str, int, int]] = []  # entity, lane (below zero: consumed), command or amount

    def serve(self, node_id: int, requirements: tuple[Requirement, ...]) -> Served:
        """Choose entities for a command; return them with what keeps them apart from others, or why there are none.

        The choice that ends earliest wins, the first of equal ones.
        """
        best: tuple[int, tuple[Use, ...], list[Lanes]] | None = None
        reason: str | Unspoken | None = None
        for chosen in assignments(self._checked(requirements), self._usable(requirements)):
            uses = tuple(Use(e.entity_id, r.amount) for e, r in zip(chosen, requirements, strict=True))
            mark = self._network.snapshot()
            lanes, why = self._fit(node_id, uses)
            if lanes is None:
                reason = why
            else:
                end = self._end(node_id) if len(self._entities) > 1 else 0
                if best is None or end < best[0]:
                    best = (end, uses, lanes)
            self._network.restore(mark)
        if best is None:
            return (), [], reason or f"no distinct entities for {' and '.join(map(str, requirements))}"
        _, uses, fitting = best
        rows = []
        for use, places in zip(uses, fitting, strict=True):
            rows += [row for lane, place in places for row in self._rows(node_id, use.entity_id, lane, place)]
            self._enter(node_id, use, places)
        return uses, rows, None

    def occupy(self, node_id: int, use: Use, start: int, ends: dict[int, int]) -> None:
        """Note a use that lies in the past; `ends` says when earlier ones were over."""
        entity = self._entities.get(use.entity_id)
        if entity is None:
            return
        lanes = self._lanes[use.entity_id]
        free = [k for k, lane in enumerate(lanes) if not lane or ends[lane[-1]] <= start]
        while len(free) < use.amount and len(lanes) < entity.capacity and not entity.is_consumable:
            free.append(len(lanes))
            lanes.append([])
        self._enter(node_id, use, [(k, len(lanes[k])) for k in free[: use.amount]])

    def mark(self) -> int:
        return len(self._log)

    def undo(self, mark: int) -> None:
        """Forget everything since a mark."""
        for entity_id, lane, noted in reversed(self._log[mark:]):
            if lane < 0:
                self._spent[entity_id] -= noted
            else:
                self._lanes[entity_id][lane].remove(noted)
        del self._log[mark:]

    def _checked(self, requirements: tuple[Requirement, ...]) -> tuple[Requirement, ...]:
        for requirement in requirements:
            wanted = requirement.entity_id
            if wanted is not None and wanted not in self._entities:
                hint = did_you_mean(wanted, self._entities) or f"there are {', '.join(self._entities) or 'none'}"
                raise InputError(f"there is no entity {wanted!r:.60}", place="entity_constraints", hint=hint)
        return requirements

    def _usable(self, requirements: tuple[Requirement, ...]) -> Iterable[Entity]:
        """Yield the entities that have anything left."""
        least = min((requirement.amount for requirement in requirements), default=0)
        for entity in self._entities.values():
            if not entity.is_consumable or self._left(entity) >= least:
                yield entity

    def _left(self, entity: Entity) -> int:
        return entity.capacity - self._spent.get(entity.entity_id, 0)

    def _fit(self, node_id: int, uses: Sequence[Use]) -> tuple[list[Lanes] | None, str | Unspoken | None]:
        """Find lanes for each use, and add what they demand to the network."""
        found: list[Lanes] = []
        for use in uses:
            entity = self._entities[use.entity_id]
            if entity.is_consumable:
                if self._left(entity) < use.amount:
                    return None, f"{use.entity_id} has {self._left(entity)} left, {use.amount} are needed"
                found.append([])
                continue
            # A lane that nobody uses yet delays nobody.
            count = len(self._lanes[use.entity_id])
            unused = [k for k, lane in enumerate(self._lanes[use.entity_id]) if not lane]
            unused += range(count, entity.capacity)
            lanes: Lanes = [(lane, 0) for lane in unused[: use.amount]]
            while len(lanes) < use.amount:
                place, why = self._best_lane(node_id, use.entity_id, {lane for lane, _ in lanes})
                if place is None:
                    return None, why
                self._try(self._rows(node_id, use.entity_id, *place))
                lanes.append(place)
            found.append(lanes)
        return found, None

    def _best_lane(
        self, node_id: int, entity_id: str, taken: set[int]
    ) -> tuple[tuple[int, int] | None, str | Unspoken | None]:
        fitting, why = [], None
        for lane in range(len(self._lanes[entity_id])):
            if lane not in taken:
                place, objection = self._place_in(node_id, entity_id, lane)
                why = objection or why
                if place is not None:
                    fitting.append((lane, place))
        if len(fitting) < 2:
            return (fitting[0], None) if fitting else (None, why)
        ends = []
        for lane, place in fitting:
            mark = self._network.snapshot()
            self._try(self._rows(node_id, entity_id, lane, place))
            ends.append((self._end(node_id), lane, place))
            self._network.restore(mark)
        return min(ends)[1:], None

    def _place_in(self, node_id: int, entity_id: str, lane: int) -> tuple[int | None, str | Unspoken | None]:
        """Find a place in a lane, the last one first: going last disturbs nobody."""
        why: str | Unspoken | None = None
        for place in range(len(self._lanes[entity_id][lane]), -1, -1):
            mark = self._network.snapshot()
            conflict = self._try(self._rows(node_id, entity_id, lane, place))
            self._network.restore(mark)
            if conflict is None:
                return place, None
            why = self._misfit(f"{entity_id} is not free", conflict)
        return None, why

    def _try(self, rows: Iterable[Row]) -> Conflict | None:
        for row in rows:
            conflict = self._network.add_constraint(row)
            if conflict is not None:
                return conflict
        return None

    def _rows(self, node_id: int, entity_id: str, lane: int, place: int) -> list[Row]:
        name = use_of(self._entities[entity_id])
        lanes = self._lanes[entity_id]
        users = lanes[lane] if lane < len(lanes) else []
        rows: list[Row] = []
        if place > 0:
            rows.append(Row(f"{users[place - 1]}.end", f"{node_id}.start", 0, None, name, reason=ENTITY))
        if place < len(users):
            rows.append(Row(f"{node_id}.end", f"{users[place]}.start", 0, None, name, reason=ENTITY))
        return rows

    def _enter(self, node_id: int, use: Use, lanes: Lanes) -> None:
        entity_id = use.entity_id
        if self._entities[entity_id].is_consumable:
            self._spent[entity_id] = self._spent.get(entity_id, 0) + use.amount
            self._log.append((entity_id, -1, use.amount))
            return
        held = self._lanes[entity_id]
        for lane, place in lanes:
            while lane >= len(held):
                held.append([])
            held[lane].insert(place, node_id)
            self._log.append((entity_id, lane, node_id))

    def _end(self, node_id: int) -> int:
        return self._network.earliest(f"{node_id}.end") or 0


def use_of(entity: Entity) -> str:
    """Return the name of the constraints that keep the uses of an entity apart."""
    if entity.capacity == 1:
        return f"one use of {entity.entity_id} at a time"
    return f"{entity.capacity} uses of {entity.entity_id} at a time"


def as_uses(told: Any) -> tuple[Use, ...]:
    """Return the uses of an allocation."""
    return tuple(Use(entity_id, amount) for entity_id, amount in zip(told.entities, told.amounts, strict=True))
