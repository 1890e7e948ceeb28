"""A ledger on PostgreSQL as queues: a discrete-event simulation of posters, workers, one server and its log.

    run = Run(Load(workers=8), costs)        # as fast as it goes: steps are always there
    run = Run(Load(workers=8, rate=500.0), costs)   # steps arrive by Poisson, in jobs of so many
    print(run.finished / run.seconds)

A worker takes a step, spends its own CPU on it, does what the step says, then completes it and claims the next in one
transaction: it waits for the chain of the step's job (one completion at a time), for a core of the server, and for the
write-ahead log. One flush of that log serves everybody who waited when it began; who begins one needs a core for it,
and who waited for one needs a core to go on. Flushes last as long as measured ones, drawn by the seed. Posts,
checkpoints of the ledger's log and vacuum take cores of the same server. Same costs, load and seed: same result.
"""

from __future__ import annotations

import heapq
import itertools
import math
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

Then = Callable[[], None]


@dataclass(frozen=True, kw_only=True)
class Costs:
    """Service times in seconds, as measured: of a step, of a post for each of its steps, of an entry of the log."""

    client: float
    server: float
    flush: float
    """Of one flush in the mean, beside its CPU."""
    flush_cpu: float = 0.0
    """Of who makes the flush, on top of `server` and `post`."""
    flushes: tuple[float, ...] = ()
    """Measured flushes as shares of their mean; none: all are equally long."""
    post: float = 0.0
    post_once: float = 0.0
    entry: float = 0.0
    entries: float = 0.0
    """How many entries of the log a step makes."""
    vacuum: float = 0.0
    others: float = 0.0
    """What other processes of the machine spend for a step, beside it."""


@dataclass(frozen=True, kw_only=True)
class Load:
    """What runs against how many cores. No rate: steps are always there."""

    workers: int
    cores: int = 1000
    jobs: int = 0
    """How many jobs the workers share, in turn, when steps are always there; 0: each has its own."""
    steps: int = 20_000
    rate: float | None = None
    steps_a_job: int = 100
    work: float = 0.0
    """Seconds that a step itself takes, outside the ledger."""
    at_home: bool = False
    """Whether workers run on the server's machine and need its cores."""
    spread: bool = True
    """Take steps of the jobs in turn (`work --spread`), not all of the oldest first."""
    checkpoint_every: float = 1.0
    seed: int = 1


class Clock:
    """Simulated time: things that happen later, in order."""

    def __init__(self) -> None:
        self.now = 0.0
        self._later: list[tuple[float, int, Then]] = []
        self._number = itertools.count()

    def after(self, seconds: float, then: Then) -> None:
        heapq.heappush(self._later, (self.now + seconds, next(self._number), then))

    def run(self, goes_on: Callable[[], bool]) -> None:
        while self._later and goes_on():
            self.now, _, then = heapq.heappop(self._later)
            then()


class Station:
    """So many servers and one queue, first come first served; a lock is one that is told when to end."""

    def __init__(self, clock: Clock, servers: int) -> None:
        self._clock = clock
        self._free = servers
        self._queue: deque[tuple[float, Then]] = deque()
        self.busy = self.waited = 0.0
        self.begun = 0

    def ask(self, then: Then, *, first: bool = False) -> None:
        """Get a server, at once or when it is one's turn; `first` before all others, as who slept goes first."""
        (self._queue.appendleft if first else self._queue.append)((self._clock.now, then))
        self._begin()

    def leave(self) -> None:
        self._free += 1
        self._begin()

    def serve(self, seconds: float, then: Then, *, first: bool = False) -> None:
        """Get a server, keep it for so long, and go on."""

        def end() -> None:
            self.busy += seconds
            self.leave()
            then()

        self.ask(lambda: self._clock.after(seconds, end), first=first)

    def _begin(self) -> None:
        while self._free and self._queue:
            since, then = self._queue.popleft()
            self._free -= 1
            self.begun += 1
            self.waited += self._clock.now - since
            then()


class WriteAheadLog:
    """Commits that wait for the disk: one flush at a time, for all that wait when it begins.

    It is made by one of those who wait, who needs a core for its part of it; whom it served need one to go on. So does
    PostgreSQL, where no process of its own flushes for the others.
    """

    def __init__(self, clock: Clock, cores: Station, seconds: Callable[[], float], cpu: float = 0.0) -> None:
        self._clock = clock
        self._cores = cores
        self._seconds = seconds
        self._cpu = cpu
        self._waiting: list[Then] = []
        self._flushing = False
        self.flushes = self.commits = 0

    def commit(self, then: Then) -> None:
        self.commits += 1
        self._waiting.append(then)
        if not self._flushing:
            self._flush()

    def _flush(self) -> None:
        self._flushing, served = True, self._waiting
        self._waiting = []
        self.flushes += 1

        def end() -> None:
            self._flushing = False
            for then in served:
                self._cores.serve(0.0, then, first=True)
            if self._waiting and not self._flushing:
                self._flush()

        self._cores.serve(self._cpu, lambda: self._clock.after(self._seconds(), end), first=True)


class Run:
    """One simulated stretch of time, until so many steps are finished."""

    def __init__(self, load: Load, costs: Costs) -> None:
        self.load, self.costs = load, costs
        self.clock = Clock()
        self.cores = Station(self.clock, load.cores)
        self._random, self._disk = random.Random(load.seed), random.Random(f"disk {load.seed}")
        self.wal = WriteAheadLog(self.clock, self.cores, self._flush_seconds, costs.flush_cpu)
        self.finished = self.arrived = self.unlogged = 0
        self.delays: list[float] = []
        self._ready: deque[tuple[float, Station, int]] = deque()
        self._idle: deque[int] = deque()
        self._turns = itertools.count()
        self._own = [Station(self.clock, 1) for _ in range(load.jobs or load.workers)]
        for worker in range(load.workers):
            self._next(worker)
        if load.rate is not None:
            self._arrive()
        if costs.entry:
            self.clock.after(load.checkpoint_every, self._checkpoint)
        self.clock.run(lambda: self.finished < load.steps)
        self.seconds = self.clock.now

    @property
    def rate(self) -> float:
        return self.finished / self.seconds

    @property
    def utilisation(self) -> float:
        return self.cores.busy / self.seconds / self.load.cores

    def delay(self, share: float) -> float:
        """Return how long a step lay there before a worker began it, for so many of them."""
        return sorted(self.delays)[math.ceil(share * len(self.delays)) - 1] if self.delays else 0.0

    def _flush_seconds(self) -> float:
        return self.costs.flush * (self._disk.choice(self.costs.flushes) if self.costs.flushes else 1.0)

    def _next(self, worker: int) -> None:
        if self.load.rate is None:
            self._work(worker, self._own[next(self._turns) % len(self._own) if self.load.jobs else worker])
        elif self._ready:
            since, job, left = self._ready.popleft()
            if left > 1:
                (self._ready.append if self.load.spread else self._ready.appendleft)((since, job, left - 1))
            self.delays.append(self.clock.now - since)
            self._work(worker, job)
        else:
            self._idle.append(worker)

    def _work(self, worker: int, job: Station) -> None:
        def completed() -> None:
            job.leave()
            self.finished += 1
            self.unlogged += 1
            if self.costs.others:
                self.cores.serve(self.costs.others, lambda: None)
            self._next(worker)

        def complete() -> None:
            seconds = self.costs.server + self.costs.vacuum
            self.cores.serve(seconds, lambda: self.wal.commit(completed))

        def act() -> None:
            self.clock.after(self.load.work, lambda: job.ask(complete))

        if self.load.at_home:
            self.cores.serve(self.costs.client, act)
        else:
            self.clock.after(self.costs.client, act)

    def _arrive(self) -> None:
        count, rate = self.load.steps_a_job, self.load.rate
        assert rate is not None
        self.clock.after(self._random.expovariate(rate / count), self._post)

    def _post(self) -> None:
        count = self.load.steps_a_job
        job = Station(self.clock, 1)

        def posted() -> None:
            self.arrived += count
            self._ready.append((self.clock.now, job, count))
            for _ in range(min(len(self._idle), count)):
                self._next(self._idle.popleft())

        self.cores.serve(self.costs.post_once + count * self.costs.post, lambda: self.wal.commit(posted))
        self._arrive()

    def _checkpoint(self) -> None:
        """Give places to all that was finished: one at a time, in one process of the server."""
        entries, self.unlogged = self.unlogged * self.costs.entries, 0
        seconds = entries * self.costs.entry

        def logged() -> None:
            self.wal.commit(lambda: self.clock.after(max(0.0, self.load.checkpoint_every - seconds), self._checkpoint))

        self.cores.serve(seconds, logged)
