"""Too much to do: proofs that need no search.

Between two moments, the entities that could do something can do so much and no more. Where the commands that have to
take place there, and that nobody else could serve, come to more than that, no order and no choice helps. A search over
orders would find it out too, after as many of them as there are; this is asked first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import nsmallest
from itertools import islice
from typing import NamedTuple

from planvow.kernel.domain.entities import Pool, Requirement
from planvow.kernel.domain.metadata import Row
from planvow.kernel.time.arrange import Job
from planvow.temporal import Stn

CANDIDATES = 1_000
"""Requirements that more entities could fill are not looked at."""
BEGINNINGS = 100
"""How many moments are taken for the first of the two."""


class Work(NamedTuple):
    """What one command takes of entities, and between which moments."""

    earliest: int
    latest: int
    ticks: int
    units: int
    """How much of an entity is used all the while."""


def is_overloaded(network: Stn, rows: Iterable[Row], jobs: Sequence[Job], pool: Pool) -> bool:
    """Say whether it is proved that some entities have too much to do. The network is the one that the rows make."""
    fitting = {need: _fitting(need, pool) for need in {need for job in jobs for need in job.requirements}}
    shortest = {(row.start, row.end): row.lo for row in rows if row.lo}
    windows = network.windows()
    works: dict[frozenset[str], list[Work]] = {}
    for job in jobs:
        begin, end = f"{job.node_id}.start", f"{job.node_id}.end"
        earliest, latest, ticks = windows[begin][0], windows[end][1], shortest.get((begin, end), 0)
        if earliest is not None and latest is not None:
            for need in job.requirements:
                works.setdefault(fitting[need], []).append(Work(earliest, latest, ticks, need.amount))
    groups = [ids for ids in works if ids]
    for ids in groups:
        capacity = sum(pool.by_id[name].capacity for name in ids)
        if _is_too_much([work for inner in groups if inner <= ids for work in works[inner]], capacity):
            return True
    return False


def _fitting(need: Requirement, pool: Pool) -> frozenset[str]:
    """Return the entities that could fill a requirement; none where they are many, or where one is used up."""
    entities = list(islice(pool.candidates(need), CANDIDATES + 1))
    if len(entities) > CANDIDATES or any(entity.is_consumable for entity in entities):
        return frozenset()
    return frozenset(entity.entity_id for entity in entities)


def _is_too_much(works: list[Work], capacity: int) -> bool:
    """Say whether between some two moments more has to be done than a capacity allows, in ticks or in number."""
    by_end = sorted(works, key=lambda work: (work.latest, -work.ticks))
    for begin in nsmallest(BEGINNINGS, {work.earliest for work in works}):
        ticks = units = 0
        shortest: int | None = None
        for _, latest, taken, used in (work for work in by_end if work.earliest >= begin):
            ticks, units = ticks + taken * used, units + used
            shortest = taken if shortest is None else min(shortest, taken)
            room = latest - begin
            if ticks > capacity * room or (shortest and units > capacity * (room // shortest)):
                return True
    return False
