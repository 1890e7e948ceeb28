"""What people decide about posted plans, as the service answers and notes it; and calls that it refused."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import asdict, replace
from typing import Any

from golden.corpus.agent import PARTY, an_agent
from golden.corpus.case import Case, as_json
from golden.corpus.dossiers import NEEDS, post, salted
from golden.corpus.errands import at_the_shop
from golden.corpus.ledger import diamond, exported, ledger, step
from planvow.cassette import SqliteStore
from planvow.cassette.ledger.schedule import Presence
from planvow.cassette.work.attendance import Attendance, lock_path, this_boot
from planvow.service.declare.document import Refusal
from planvow.service.declare.setting import Setting
from planvow.service.records.audit import calls_of
from planvow.service.records.deciding import DECIDE, OPERATE, DecideQuestion, OperateQuestion
from planvow.service.records.refusals import Refusals

NO = Refusal(code="RIGHT_MISSING", reason="no token")


def desk(store: SqliteStore) -> Setting:
    return Setting(lend=lambda: nullcontext(store), client="ann", origin="http")


def operated(store: SqliteStore, **asked: Any) -> dict[str, Any]:
    return asdict(OPERATE(OperateQuestion(by="ann", reason="it is late", **asked), desk(store)).output)


def decided() -> str:
    """A plan is approved and one of its steps denied, which ends the job."""
    with salted() as (_, store):
        job_id = post(store, needs_approval=NEEDS)
        asked = DecideQuestion(job_id=job_id, decision="approve", by="ann", reason="all of it")
        denied = replace(asked, decision="deny", step_id="a", reason="too early")
        said = [asdict(DECIDE(one, desk(store)).output) for one in (asked, denied)]
        return f"{as_json(said)}\n{exported(store)}"


def cancelled() -> str:
    """A job is cancelled while one of its steps runs."""
    with ledger() as (_, store, _):
        job_id = store.post("run", {}, replace(diamond(), steps=tuple(step(name) for name in "abc"))).job_id
        store.claim("w-1")
        return f"{as_json(operated(store, action='cancel', job_id=job_id))}\n{exported(store)}"


def put_back() -> str:
    """Steps of a worker that is dead are put back; of others it is said why not."""
    with ledger() as (_, store, _):
        job_id = store.post("run", {}, replace(diamond(), steps=tuple(step(name) for name in "abc"))).job_id
        dead = Attendance("dead")
        dead.arrive(store)
        dead._lock._path = store.meeting_folder() / "kept"  # the file stays, as after a kill
        dead._lock.release()
        store.worker_seen(Presence(worker_id="far", machine="moon", boot="another start", pid=1))
        for name in ("dead", "far", "nobody"):
            store.claim(name)
        said = operated(store, action="requeue")
        lock_path(store.meeting_folder(), "dead").unlink()
        return as_json([said, *map(asdict, calls_of(store, job_id))])


def has_no_boot() -> str | None:
    return None if this_boot() else "here the system does not tell its starts apart, so no worker is known to be dead"


def repair_asked() -> str:
    """A run that failed is to be planned anew with what somebody saw."""

    def broken(thing: str) -> None:
        raise ValueError(thing)

    with an_agent(fetch=broken) as (agent, store):
        run = agent.run(PARTY[:1], at_the_shop())
        job_id = store.jobs(run_id=run.id)[-1].job_id
        return as_json(operated(store, action="repair", job_id=job_id, observed={"shop": {"tea": 2}}))


def refused() -> str:
    """Calls that were refused, about a job and about none: as the ledger keeps them."""
    with ledger() as (_, store, _):
        job_id = store.post("run", {}, replace(diamond(), steps=(step("a"),))).job_id
        desk_notes = Refusals(desk(store), lambda: 0.0, print)
        desk_notes.note("operate", NO, by="eve", origin="http", job_id=job_id)
        desk_notes.note("post_plan", NO, by="eve", origin="mcp")
        (day,) = [job.run_id for job in store.jobs() if job.run_id != "run"]
        return f"{exported(store)}\n{exported(store, day)}"


CASES = (
    Case("decisions/decided", "ledger export", decided),
    Case("decisions/cancelled", "ledger export", cancelled),
    Case("decisions/put-back", "service answer", put_back, has_no_boot),
    Case("decisions/repair-asked", "agent run", repair_asked),
    Case("decisions/refused", "ledger export", refused),
)
