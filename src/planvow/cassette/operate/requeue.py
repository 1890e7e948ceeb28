"""Putting back what dead workers held, now, and saying of everything else why it stays.

A lease that has run out is put back by anybody. A worker of this machine is dead when the lock that its process held is
free. Of any other worker nothing is known: what it holds waits for its lease.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from planvow.cassette.ledger.schedule import Decider, Lease, PutBack, WorkerSeen
from planvow.cassette.ledger.store import Store
from planvow.cassette.work.attendance import Life, life_of

WHY = "the lock of its process is free, so it is dead"


@dataclass(frozen=True, kw_only=True)
class Left:
    """A step that was not put back, and why."""

    lease: Lease
    why: str


@dataclass(frozen=True, kw_only=True)
class Requeued:
    """What was put back: how many leases that had run out, which steps of dead workers; and what was not."""

    expired: int
    put_back: tuple[PutBack, ...]
    left: tuple[Left, ...]


def requeue_dead(store: Store, made_by: str, why: str = WHY) -> Requeued:
    """Put back the steps of workers that are known to be dead; `why` is kept with each."""
    expired = store.requeue_expired()
    known = {worker.worker_id: worker for worker in store.workers()}
    folder = store.meeting_folder()
    lives = {lease.worker_id: _life(known.get(lease.worker_id), folder) for lease in store.leases()}
    dead = [worker_id for worker_id, (life, _why) in lives.items() if life is Life.DEAD]
    put_back = store.requeue_of(dead, Decider(made_by=made_by, why=why)) if dead else ()
    left = [Left(lease=lease, why=lives[lease.worker_id][1]) for lease in store.leases() if lease.worker_id in lives]
    return Requeued(expired=expired, put_back=put_back, left=tuple(left))


def _life(worker: WorkerSeen | None, folder: Path) -> tuple[Life, str]:
    if worker is None:
        return Life.UNKNOWN, "its worker never made itself known"
    life = life_of(worker, folder)
    return life, {
        Life.ALIVE: f"its worker lives (process {worker.pid})",
        Life.DEAD: WHY,
        Life.ENDED: "its worker said that it ended",
        Life.ELSEWHERE: f"its worker ran on {worker.machine} or before a restart; from here nothing shows its death",
        Life.UNKNOWN: "the lock of its worker cannot be found here, so nothing shows that it is dead",
    }[life]
