"""Who serves what and who goes first, decided by complete search.

Commands that share an entity beyond what it can do have to follow one another. The network knows nothing of that, so
its earliest times may use an entity too much at some moment. Of a set of commands that is too much together, one has to
end before another starts, in every schedule there is; so the search tries each ordered pair of them in turn, and where
a command may be served by several entities, each of these. When no moment is too much, the earliest times are a
schedule; when every alternative is used up, there is none. (Precedence constraint posting, after Cesta, Oddi and Smith
2002.)

Every contradiction names the bounds it rests on, and with them the decisions. The search goes back to the latest of
those at once: whatever was decided in between has nothing to do with it (conflict-directed backjumping, Prosser 1993).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from planvow.kernel.domain.entities import Entity, Pool, Requirement
from planvow.kernel.domain.metadata import Row
from planvow.temporal import Conflict, Stn


class Use(NamedTuple):
    """What serves one requirement of a command."""

    entity_id: str
    amount: int


class Job(NamedTuple):
    """A command that needs entities."""

    node_id: int
    requirements: tuple[Requirement, ...]
    uses: tuple[Use, ...] = ()
    """Who serves it, if that is settled: it lies in the past."""
    only: str | None = None
    """The entity that has to serve it, if there is but one and that serves one at a time; and how long."""
    load: int = 0


class Posted(NamedTuple):
    """A decision that one command comes before another, as the network is told it."""

    start: str
    end: str
    level: int
    name: str = "one after the other"
    lo: int = 0
    hi: int | None = None
    is_implied: bool = False


class Arrangement(NamedTuple):
    """Who serves each command, and when the commands take place."""

    uses: dict[int, tuple[Use, ...]]
    times: dict[int, tuple[int, int]]


class Unknown(NamedTuple):
    """Nothing is proved: the steps that were allowed are used up."""


@dataclass(slots=True)
class _Level:
    """One decision, with what is left to try and what its failures rest on."""

    alternatives: Iterator[object]
    job: int | None
    """Which command is being assigned; None where an order is decided."""
    rests_on: set[int]
    mark: int
    assigned: int
    """How many commands had been assigned."""
    tried: set[int] = field(default_factory=set)


class Arranger:
    """One search for an arrangement."""

    def __init__(
        self,
        rows: Iterable[Row | Limit],
        jobs: Sequence[Job],
        pool: Pool,
        step: Callable[[], bool],
        *,
        is_too_bad: Callable[[Stn], bool] | None = None,
    ) -> None:
        """`step` is asked before each decision whether one more is allowed, `is_too_bad` after it whether to go on."""
        self._network = self.network = Stn()
        self._is_too_bad = is_too_bad
        self._jobs, self._pool, self._step = jobs, pool, step
        self.is_hopeless = any(self._network.add_constraint(row) is not None for row in rows)
        """Whether the rows contradict each other whoever serves whom."""
        self._assigned: list[tuple[int, int]] = []  # job and the level at which it was assigned
        self._users: dict[str, list[tuple[int, int]]] = {}  # entity → jobs and how much of it they use
        self._uses: dict[int, tuple[Use, ...]] = {}
        self._levels: list[_Level] = []
        self._named = {r.entity_id for job in jobs for r in job.requirements if r.entity_id is not None}

    def run(self) -> Arrangement | Unknown | None:
        """Return an arrangement; None if there is none; Unknown if that was not found out."""
        if self.is_hopeless or (self._is_too_bad is not None and self._is_too_bad(self._network)):
            return None
        while True:
            level = self._next_decision()
            if level is None:
                return self._arrangement()
            self._levels.append(level)
            is_decided = self._try_alternatives()
            if not is_decided:
                return Unknown() if is_decided is None else None

    def _try_alternatives(self) -> bool | None:
        """Take the next alternative of the latest decision that has one that fits; say whether there was one.

        None says that no more steps are allowed.
        """
        while self._levels:
            level = self._levels[-1]
            self._restore(level)
            for alternative in level.alternatives:
                if not self._step():
                    return None
                against = self._take(level, alternative)
                if against is None:
                    return True
                level.tried |= against
            rests_on = {place for place in level.tried | level.rests_on if 0 <= place < len(self._levels) - 1}
            if not rests_on:
                break
            back_to = max(rests_on)
            del self._levels[back_to + 1 :]
            self._levels[-1].tried |= rests_on - {back_to}
        return False

    def _next_decision(self) -> _Level | None:
        """Return what has to be decided next: an order where too much is used, or else who serves the next command."""
        mark, assigned = self._network.snapshot(), len(self._assigned)
        for entity_id, users in self._users.items():
            crowd = self._crowd(self._pool.by_id[entity_id], users)
            if crowd:
                levels = dict(self._assigned)
                return _Level(iter(self._orders(crowd)), None, {levels[job] for job in crowd}, mark, assigned)
        if assigned == len(self._jobs):
            return None
        job = self._jobs[assigned]
        settled = [job.uses] if job.uses else None
        return _Level(iter(settled or self._services(job)), assigned, set(), mark, assigned)

    def _services(self, job: Job) -> Iterator[tuple[Use, ...]]:
        """Yield who could serve a command; of entities that nobody uses yet and that are alike, only the first."""
        for chosen in self._pool.fillings(job.requirements, self._named | self._users.keys()):
            yield tuple(Use(e.entity_id, r.amount) for e, r in zip(chosen, job.requirements, strict=True))

    def _orders(self, crowd: list[int]) -> list[tuple[int, int]]:
        """Return the ordered pairs of a crowd, those first that come earlier anyway."""
        starts = {job: self._span(job)[0] for job in crowd}
        pairs = [(a, b) for a in crowd for b in crowd if a != b]
        return sorted(pairs, key=lambda pair: (starts[pair[0]] - starts[pair[1]], pair))

    def _take(self, level: _Level, alternative: Any) -> set[int] | None:
        """Decide; return the levels that speak against it, if any do."""
        place = len(self._levels) - 1
        if level.job is None:
            before, after = (self._jobs[job].node_id for job in alternative)
            mark = self._network.snapshot()
            conflict = self._network.add_constraint(Posted(f"{before}.end", f"{after}.start", place))
            if conflict is not None:
                return _levels(conflict)
            if self._is_too_bad is not None and self._is_too_bad(self._network):
                self._network.restore(mark)
                return set(range(place))  # everything decided so far may have to do with it
            return None
        job = self._jobs[level.job]
        for use in alternative:
            users = self._users.get(use.entity_id, [])
            entity = self._pool.by_id[use.entity_id]
            if entity.is_consumable and sum(amount for _, amount in users) + use.amount > entity.capacity:
                levels = dict(self._assigned)
                return {levels[user] for user, _ in users}
        for use in alternative:
            self._users.setdefault(use.entity_id, []).append((level.job, use.amount))
        self._uses[job.node_id] = alternative
        self._assigned.append((level.job, place if not job.uses else -1))
        return None

    def _restore(self, level: _Level) -> None:
        self._network.restore(level.mark)
        while len(self._assigned) > level.assigned:
            job, _ = self._assigned.pop()
            for use in self._uses.pop(self._jobs[job].node_id):
                self._users[use.entity_id].pop()
                if not self._users[use.entity_id]:
                    del self._users[use.entity_id]

    def _span(self, job: int) -> tuple[int, int]:
        node_id = self._jobs[job].node_id
        start, end = self._network.earliest(f"{node_id}.start"), self._network.earliest(f"{node_id}.end")
        return start or 0, end or 0

    def _crowd(self, entity: Entity, users: list[tuple[int, int]]) -> list[int]:
        """Return commands that use too much of an entity at one moment, none of them to spare; empty if none do."""
        if entity.is_consumable or len(users) < 2:
            return []
        busy: list[tuple[int, int, int]] = []  # end, amount, job
        for (start, end), job, amount in sorted((self._span(job), job, amount) for job, amount in users):
            busy = [row for row in busy if row[0] > start]
            busy.append((end, amount, job))
            total = sum(row[1] for row in busy)
            if total > entity.capacity:
                for row in sorted(busy[:-1], key=lambda row: row[1]):
                    if total - row[1] > entity.capacity:
                        busy.remove(row)
                        total -= row[1]
                return [row[2] for row in busy]
        return []

    def _arrangement(self) -> Arrangement:
        return Arrangement(dict(self._uses), {job.node_id: self._span(k) for k, job in enumerate(self._jobs)})


class Limit(NamedTuple):
    """That a point comes no later than a time."""

    end: str
    hi: int
    start: str = "origin"
    lo: int | None = None
    name: str = "as good as the best"
    is_implied: bool = True


def _levels(conflict: Conflict) -> set[int]:
    return {source.level for source in conflict.sources if isinstance(source, Posted)}
