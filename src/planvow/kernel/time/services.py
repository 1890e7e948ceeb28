"""Who serves which command, and when: every entity within what it can do at a time, or has in all.

An entity of capacity *n* serves *n* uses at a time. It has that many **lanes**, each a sequence of commands in order of
time, and a use of *u* takes *u* of them at once. A command that needs a busy entity goes into its lanes where it does
the least harm, last if it can. What is consumed is only counted. All of it follows the search forwards and back. Where
no place is left for a command, everything is arranged anew (`arrange`), and the lanes are filled from that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from planvow.errors import InputError, did_you_mean
from planvow.kernel.domain.entities import Entity, Pool, Requirement
from planvow.kernel.domain.metadata import Row
from planvow.kernel.time.arrange import Arrangement, Job, Use
from planvow.kernel.time.links import ENTITY
from planvow.kernel.world.reason import Unspoken
from planvow.temporal import Conflict, Stn

Lanes = list[tuple[int, int]]
"""Where a command goes: lane and place in it."""
Served = tuple[tuple[Use, ...], list[Row], str | Unspoken | None]
"""Who serves a command, what keeps it apart from others, and why it cannot be served."""

GREEDY = 64
"""How many assignments are looked at for the best one before all are searched."""


class Services:
    """The entities of one run and what they do."""

    def __init__(self, pool: Pool, network: Stn, misfit: Callable[[str, Conflict], Unspoken]) -> None:
        self.pool = pool
        self._entities = pool.by_id
        self.network = network
        self._misfit = misfit
        self._lanes: dict[str, list[list[int]]] = {}
        self._spent: dict[str, int] = {}
        self._log: list[tuple[str, int, int]] = []  # entity, lane (below zero: consumed), command or amount
        self._loads: dict[str, int] = {}
        self.jobs: list[Job] = []
        """The commands that are served, in the order of the plan; those of the past with what served them."""

    def serve(self, node_id: int, requirements: tuple[Requirement, ...]) -> Served:
        """Choose entities for a command; return them with what keeps them apart from others, or why there are none.

        Of the first few choices the one that ends earliest wins, the first of equal ones; what was decided stays.
        """
        best: tuple[int, tuple[Use, ...], list[Lanes]] | None = None
        reason: str | Unspoken | None = None
        soonest = self._end(node_id)
        for chosen in islice(self.pool.fillings(self._checked(requirements), self._lanes), GREEDY):
            uses = tuple(Use(e.entity_id, r.amount) for e, r in zip(chosen, requirements, strict=True))
            mark = self.network.snapshot()
            lanes, why = self._fit(node_id, uses)
            end = self._end(node_id)
            self.network.restore(mark)
            if lanes is None:
                reason = why
            elif best is None or end < best[0]:
                best = (end, uses, lanes)
                if end == soonest:
                    break
        if best is None:
            return (), [], reason or f"no distinct entities for {' and '.join(map(str, requirements))}"
        _, uses, fitting = best
        rows = []
        for use, places in zip(uses, fitting, strict=True):
            rows += [row for lane, place in places for row in self._rows(node_id, use.entity_id, lane, place)]
            self._enter(node_id, use, places)
        self._add_job(node_id, requirements)
        return uses, rows, None

    def load(self) -> int:
        """Return how long the busiest entity is busy, of those that serve one at a time and are the only choice."""
        return max(self._loads.values(), default=0)

    def _add_job(self, node_id: int, requirements: tuple[Requirement, ...]) -> None:
        load = 0
        only: str | None = None
        for requirement in requirements:
            fitting = list(islice(self.pool.candidates(requirement), 2))
            if len(fitting) == 1 and fitting[0].capacity == 1 and not fitting[0].is_consumable:
                only, load = fitting[0].entity_id, self._end(node_id) - (self.network.earliest(f"{node_id}.start") or 0)
                break
        if only is not None:
            self._loads[only] = self._loads.get(only, 0) + load
        self.jobs.append(Job(node_id, requirements, (), only, load))

    def rearranged(self, network: Stn, jobs: Sequence[Job], arrangement: Arrangement) -> tuple[Services, list[Row]]:
        """Return services that do what an arrangement says, and what keeps the uses of an entity apart then."""
        services = Services(self.pool, network, self._misfit)
        services.jobs = list(jobs)
        for job in jobs:
            if job.only is not None:
                services._loads[job.only] = services._loads.get(job.only, 0) + job.load
        rows: list[Row] = []
        ends = {node_id: span[1] for node_id, span in arrangement.times.items()}
        settled = {job.node_id for job in jobs if job.uses}
        for node_id in sorted(ends, key=lambda node_id: (*arrangement.times[node_id], node_id)):
            for use in arrangement.uses[node_id]:
                for earlier in services.occupy(node_id, use, arrangement.times[node_id][0], ends):
                    if not {earlier, node_id} <= settled:
                        rows.append(self._after(node_id, earlier, use.entity_id))
        return services, rows

    def queues(self) -> dict[str, list[int]]:
        """Return what follows one another on each entity that serves one command at a time."""
        return {name: lanes[0] for name, lanes in self._lanes.items() if len(lanes) == 1 and lanes[0]}

    @property
    def is_all_new(self) -> bool:
        """Whether nothing that is served lies in the past."""
        return not any(job.uses for job in self.jobs)

    def settle(self, node_id: int, use: Use, start: int, ends: dict[int, int]) -> None:
        """Note a use that lies in the past; `ends` says when earlier ones were over."""
        if use.entity_id in self._entities:
            self.occupy(node_id, use, start, ends)
            if self.jobs and self.jobs[-1].node_id == node_id:
                use_before = self.jobs.pop().uses
                self.jobs.append(Job(node_id, (), (*use_before, use)))
            else:
                self.jobs.append(Job(node_id, (), (use,)))

    def occupy(self, node_id: int, use: Use, start: int, ends: dict[int, int]) -> list[int]:
        """Put a use last into lanes that are free at a time; return who was last there."""
        entity = self._entities[use.entity_id]
        lanes = self._lanes.setdefault(use.entity_id, [])
        # Those that became free last: who waits for them waits least.
        free = sorted(
            (k for k, lane in enumerate(lanes) if not lane or ends[lane[-1]] <= start),
            key=lambda k: (-ends[lanes[k][-1]] if lanes[k] else 1, k),
        )
        while len(free) < use.amount and len(lanes) < entity.capacity and not entity.is_consumable:
            free.append(len(lanes))
            lanes.append([])
        taken = free[: use.amount]
        earlier = [lanes[k][-1] for k in taken if lanes[k]]
        self._enter(node_id, use, [(k, len(lanes[k])) for k in taken])
        return earlier

    def mark(self) -> tuple[int, int]:
        return len(self._log), len(self.jobs)

    def undo(self, mark: tuple[int, int]) -> None:
        """Forget everything since a mark."""
        log, jobs = mark
        for entity_id, lane, noted in reversed(self._log[log:]):
            if lane < 0:
                self._spent[entity_id] -= noted
            else:
                self._lanes[entity_id][lane].remove(noted)
        for job in self.jobs[jobs:]:
            if job.only is not None:
                self._loads[job.only] -= job.load
        del self._log[log:], self.jobs[jobs:]

    def _checked(self, requirements: tuple[Requirement, ...]) -> tuple[Requirement, ...]:
        for requirement in requirements:
            wanted = requirement.entity_id
            if wanted is not None and wanted not in self._entities:
                known = ", ".join(islice(self._entities, 8)) or "none"
                hint = did_you_mean(wanted, self._entities) or f"there are {known}"
                raise InputError(f"there is no entity {wanted!r:.60}", place="entity_constraints", hint=hint)
        return requirements

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
            known = self._lanes.get(use.entity_id, [])
            unused = [k for k, lane in enumerate(known) if not lane]
            unused += range(len(known), min(entity.capacity, len(known) + use.amount))
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
            mark = self.network.snapshot()
            self._try(self._rows(node_id, entity_id, lane, place))
            ends.append((self._end(node_id), lane, place))
            self.network.restore(mark)
        return min(ends)[1:], None

    def _place_in(self, node_id: int, entity_id: str, lane: int) -> tuple[int | None, str | Unspoken | None]:
        """Find a place in a lane, the last one first: going last disturbs nobody."""
        why: str | Unspoken | None = None
        for place in range(len(self._lanes[entity_id][lane]), -1, -1):
            mark = self.network.snapshot()
            conflict = self._try(self._rows(node_id, entity_id, lane, place))
            self.network.restore(mark)
            if conflict is None:
                return place, None
            why = self._misfit(f"{entity_id} is not free", conflict)
        return None, why

    def _try(self, rows: Iterable[Row]) -> Conflict | None:
        for row in rows:
            conflict = self.network.add_constraint(row)
            if conflict is not None:
                return conflict
        return None

    def _rows(self, node_id: int, entity_id: str, lane: int, place: int) -> list[Row]:
        name = use_of(self._entities[entity_id])
        lanes = self._lanes.get(entity_id, [])
        users = lanes[lane] if lane < len(lanes) else []
        rows: list[Row] = []
        if place > 0:
            rows.append(Row(f"{users[place - 1]}.end", f"{node_id}.start", 0, None, name, reason=ENTITY))
        if place < len(users):
            rows.append(Row(f"{node_id}.end", f"{users[place]}.start", 0, None, name, reason=ENTITY))
        return rows

    def _after(self, node_id: int, earlier: int, entity_id: str) -> Row:
        name = use_of(self._entities[entity_id])
        return Row(f"{earlier}.end", f"{node_id}.start", 0, None, name, reason=ENTITY)

    def _enter(self, node_id: int, use: Use, lanes: Lanes) -> None:
        entity_id = use.entity_id
        if self._entities[entity_id].is_consumable:
            self._spent[entity_id] = self._spent.get(entity_id, 0) + use.amount
            self._log.append((entity_id, -1, use.amount))
            return
        held = self._lanes.setdefault(entity_id, [])
        for lane, place in lanes:
            while lane >= len(held):
                held.append([])
            held[lane].insert(place, node_id)
            self._log.append((entity_id, lane, node_id))

    def _end(self, node_id: int) -> int:
        return self.network.earliest(f"{node_id}.end") or 0


def use_of(entity: Entity) -> str:
    """Return the name of the constraints that keep the uses of an entity apart."""
    if entity.capacity == 1:
        return f"one use of {entity.entity_id} at a time"
    return f"{entity.capacity} uses of {entity.entity_id} at a time"


def as_uses(told: Any) -> tuple[Use, ...]:
    """Return the uses of an allocation."""
    return tuple(Use(entity_id, amount) for entity_id, amount in zip(told.entities, told.amounts, strict=True))
