"""F7: a worker that slept past its lease and was overtaken changes nothing; one that was not is not refused."""

from __future__ import annotations

import signal
import time
from collections import Counter
from contextlib import contextmanager

import pytest

from fault_lab import Zombie
from ledgers import independent, post, sqlite_ledger
from postgres_server import postgres_ledger, running_server

ROUNDS = 20
LEASE_MS = 100


@contextmanager
def haunted(kind, folder):
    """An open ledger and a zombie on the same ledger."""
    if kind == "sqlite":
        store = sqlite_ledger(folder)
        location = {"kind": "sqlite", "path": str(store.path)}
    else:
        store = postgres_ledger()
        location = {"kind": "postgres", "conninfo": running_server().conninfo, "schema": store.schema}
    zombie = Zombie(location)
    yield store, zombie
    zombie.end()
    store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def scene(request, tmp_path):
    with haunted(request.param, tmp_path) as parts:
        yield parts


def overtake(store):
    """Claim the zombie's step as soon as its lease has run out."""
    while (claim := store.claim("heir", lease_ms=60_000)) is None:
        time.sleep(0.005)
    return claim


def haunt(store, zombie, *, cheat: bool, rounds: int = ROUNDS, lease_ms: int = LEASE_MS) -> list[str]:
    """Stop the zombie past its lease, let an heir take over, wake it; return what became of its completions."""
    answers = []
    for number in range(rounds if not cheat else 3):
        post(store, independent(1, request_id=f"haunted {number}"))
        zombie.tell(do="claim", lease_ms=lease_ms)
        zombie.hear()
        zombie.signal(signal.SIGSTOP)
        heir = overtake(store)
        if not cheat:
            store.complete(heir, "SUCCESS", {"output": "heir"})
        zombie.signal(signal.SIGCONT)
        forged = {"fence": heir.fence, "worker_id": heir.worker_id} if cheat else {}
        zombie.tell(do="complete", forged=forged)
        answers.append(zombie.hear())
    return answers


def wrong_verdicts(store, zombie, *, rounds: int, lease_ms: int = LEASE_MS) -> dict[str, int]:
    """Count stale completions that were accepted, and others that were not; check whose outputs stand."""
    answers = haunt(store, zombie, cheat=False, rounds=rounds, lease_ms=lease_ms)
    late = []
    for number in range(rounds):  # past its lease, but nobody has taken the step: the token still counts
        post(store, independent(1, request_id=f"late {number}"))
        zombie.tell(do="claim", lease_ms=0)
        zombie.hear()
        zombie.tell(do="complete")
        late.append(zombie.hear())
    outputs = Counter(store.outputs(job.job_id)["s1"] for job in store.jobs())
    return {
        "stale_accepted": sum(answer == "accepted" for answer in answers),
        "wrongly_refused": sum(answer != "accepted" for answer in late),
        "wrong_outputs": abs(outputs["heir"] - rounds) + abs(outputs["zombie"] - rounds),
    }


def test_f7_every_stale_completion_is_refused_and_no_other(scene, fault_table):
    store, zombie = scene
    wrong = wrong_verdicts(store, zombie, rounds=ROUNDS)
    done = f"{ROUNDS} stopped past the lease, {ROUNDS} late but not overtaken"
    fault_table.add(f"F7 zombies on {type(store).__name__}", done, **wrong)
    assert wrong == dict.fromkeys(wrong, 0)


def test_control_a_zombie_that_has_stolen_the_token_is_seen(scene):
    store, zombie = scene
    assert haunt(store, zombie, cheat=True) == ["accepted"] * 3
