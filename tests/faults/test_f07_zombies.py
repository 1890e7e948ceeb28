"""F7: a worker that slept past its lease and was overtaken changes nothing; one that was not is not refused."""

from __future__ import annotations

import signal
import time

import pytest

from fault_lab import Zombie
from ledgers import independent, post, sqlite_ledger
from postgres_server import postgres_ledger, running_server

ROUNDS = 20
LEASE_MS = 100


@pytest.fixture(params=["sqlite", "postgres"])
def scene(request, tmp_path):
    """An open ledger and a zombie on the same ledger."""
    if request.param == "sqlite":
        store = sqlite_ledger(tmp_path)
        location = {"kind": "sqlite", "path": str(store.path)}
    else:
        store = postgres_ledger()
        location = {"kind": "postgres", "conninfo": running_server().conninfo, "schema": store.schema}
    zombie = Zombie(location)
    yield store, zombie
    zombie.end()
    store.close()


def overtake(store):
    """Claim the zombie's step as soon as its lease has run out."""
    while (claim := store.claim("heir", lease_ms=60_000)) is None:
        time.sleep(0.005)
    return claim


def haunt(store, zombie, *, cheat: bool) -> list[str]:
    """Stop the zombie past its lease, let an heir take over, wake it; return what became of its completions."""
    answers = []
    for number in range(ROUNDS if not cheat else 3):
        post(store, independent(1, request_id=f"haunted {number}"))
        zombie.tell(do="claim", lease_ms=LEASE_MS)
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


def test_f7_every_stale_completion_is_refused_and_no_other(scene, fault_table):
    store, zombie = scene
    answers = haunt(store, zombie, cheat=False)
    late = []
    for number in range(ROUNDS):  # past its lease, but nobody has taken the step: the token still counts
        post(store, independent(1, request_id=f"late {number}"))
        zombie.tell(do="claim", lease_ms=0)
        zombie.hear()
        zombie.tell(do="complete")
        late.append(zombie.hear())
    outputs = [store.outputs(job.job_id)["s1"] for job in store.jobs()]
    accepted = sum(answer == "accepted" for answer in answers)
    wrongly = sum(answer != "accepted" for answer in late)
    done = f"{ROUNDS} stopped past the lease, {ROUNDS} late but not overtaken"
    fault_table.add(f"F7 zombies on {type(store).__name__}", done, stale_accepted=accepted, wrongly_refused=wrongly)
    assert (accepted, wrongly) == (0, 0)
    assert (outputs.count("heir"), outputs.count("zombie")) == (ROUNDS, ROUNDS)


def test_control_a_zombie_that_has_stolen_the_token_is_seen(scene):
    store, zombie = scene
    assert haunt(store, zombie, cheat=True) == ["accepted"] * 3
