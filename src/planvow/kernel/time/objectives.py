"""How good a schedule is, how good it could be at best, and a better one within what may be spent.

The **makespan** is when the last command ends; the **tardiness** is by how much items end after the times they were
due, all together. The bound of a makespan comes from what the network demands without any entity, and from each entity
that serves one command at a time: what it has to do, with what must come before and after it (one machine, with
interruptions allowed; Jackson 1955, Carlier 1982).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from planvow.kernel.domain.metadata import Row
from planvow.kernel.time.arrange import Arrangement, Arranger, Job, Limit, Unknown, Use
from planvow.kernel.time.report import Served
from planvow.kernel.time.services import Services
from planvow.kernel.time.shop import Shop
from planvow.temporal import Stn

MAKESPAN, TARDINESS = "makespan", "tardiness"
PROVING = 2_000
"""How many decisions are spent on a better schedule, or on proving that there is none."""

Due = tuple[str, int]
"""The end of an item and when it was due."""


class Judged(NamedTuple):
    """What a schedule comes to, and at least would in any other for the same plan."""

    value: int
    bound: int


def value_of(name: str, network: Stn, commands: Sequence[Served], dues: Sequence[Due]) -> int:
    """Return a schedule's makespan or tardiness."""
    if name == MAKESPAN:
        return max((network.earliest(f"{node_id}.end") or 0 for node_id, _, _ in commands), default=0)
    return sum(max(0, (network.earliest(point) or 0) - due) for point, due in dues)


class Improver:
    """One attempt at a better schedule for a finished plan."""

    def __init__(
        self, rows: list[Row], commands: Sequence[Served], services: Services, step: Callable[[], bool]
    ) -> None:
        self._rows, self._commands, self._services, self._step = rows, commands, services, step
        self._shop = Shop(rows, [node_id for node_id, _, _ in commands])
        self._by_node = {node_id: uses for node_id, _, uses in commands}
        self._is_shop = self._shop.is_simple and services.is_all_new and all(map(self._is_single, services.jobs))

    def bound(self, name: str, dues: Sequence[Due]) -> int:
        """Return what no schedule of this plan goes below."""
        network = Stn()
        for row in self._rows:
            network.add_constraint(row)
        least = value_of(name, network, self._commands, dues)
        if name == MAKESPAN and self._is_shop:
            least = max([least, *(self._shop.one_machine(lane) for lane in self._fixed_lanes())])
        return least

    def arrangement(
        self, names: Sequence[str], dues: Sequence[Due], bounds: tuple[int, ...]
    ) -> tuple[Arrangement | None, bool]:
        """Return a better arrangement, if one was found, and whether none is better; the first name counts most."""
        best: Arrangement | None = None
        values = self._values(self._services.network, names, dues)
        if self._is_shop and names[0] == MAKESPAN:
            found = self._shop.improved(self._services.queues(), self._step, bounds[0])
            if found is not None and found.makespan < values[0]:
                uses = {job.node_id: self._uses(job) for job in self._services.jobs}
                best = Arrangement(uses, {job.node_id: found.spans[job.node_id] for job in self._services.jobs})
                values = self._values(self._network_of(best), names, dues)
        left = PROVING

        def step() -> bool:
            nonlocal left
            left -= 1
            return left >= 0 and self._step()

        while values > bounds:
            beaten = partial(self._is_no_better, values, names, dues)
            rows: list[Row | Limit] = [*self._rows, *self._limits(names, values)]
            arranger = Arranger(rows, self._services.jobs, self._services.pool, step, is_too_bad=beaten)
            answer = arranger.run()
            if isinstance(answer, Unknown):
                return best, False
            if answer is None:
                return best, True
            best, values = answer, self._values(arranger.network, names, dues)
        return best, True

    def _network_of(self, arrangement: Arrangement) -> Stn:
        """Return the network with an arrangement."""
        network = Stn()
        _, between = self._services.rearranged(network, self._services.jobs, arrangement)
        for row in (*self._rows, *between):
            network.add_constraint(row)
        return network

    def _limits(self, names: Sequence[str], values: tuple[int, ...]) -> list[Limit]:
        """Return what a better makespan demands of every command."""
        if names[0] != MAKESPAN:
            return []
        latest = values[0] - (len(names) == 1)
        return [Limit(f"{node_id}.end", latest) for node_id, _, _ in self._commands]

    def _is_no_better(self, best: tuple[int, ...], names: Sequence[str], dues: Sequence[Due], network: Stn) -> bool:
        return self._values(network, names, dues) >= best

    def _values(self, network: Stn, names: Sequence[str], dues: Sequence[Due]) -> tuple[int, ...]:
        return tuple(value_of(name, network, self._commands, dues) for name in names)

    def _is_single(self, job: Job) -> bool:
        """Say whether one entity that serves one command at a time is all that a command needs."""
        uses = self._uses(job)
        entities = [self._services.pool.by_id[use.entity_id] for use in uses]
        return len(uses) == 1 and entities[0].capacity == 1 and not entities[0].is_consumable

    def _uses(self, job: Job) -> tuple[Use, ...]:
        return job.uses or self._by_node[job.node_id]

    def _fixed_lanes(self) -> Iterable[list[int]]:
        """Yield what each entity has to do whatever is chosen."""
        lanes: dict[str, list[int]] = {}
        for job in self._services.jobs:
            for requirement in job.requirements:
                fitting = list(islice(self._services.pool.candidates(requirement), 2))
                if len(fitting) == 1:
                    lanes.setdefault(fitting[0].entity_id, []).append(job.node_id)
        return lanes.values()
