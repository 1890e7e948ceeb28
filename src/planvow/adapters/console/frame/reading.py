"""What pages need from the ledger, read at one moment; what is made of it is the views' business."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from planvow.agent.record.jobs import INTENT
from planvow.agent.record.view import view
from planvow.agent.record.wanted import Wanted, repairs_asked
from planvow.agent.record.why import why_run
from planvow.cassette.dossier.approvals import Question, open_questions
from planvow.cassette.dossier.decisions import Decision, approvals_of
from planvow.cassette.dossier.model import Erased
from planvow.cassette.dossier.read import dossier_of, manifest_of
from planvow.cassette.ledger.model import JobStatus, PlanRecord, Receipt
from planvow.cassette.ledger.store import Store
from planvow.cassette.operate.look import JobView, find, latest_jobs, mark_of, runs_before, view_job
from planvow.errors import PlanvowError
from planvow.kernel.domain.terms import item_json
from planvow.service.records.audit import CalledLine, calls_of

PAGE = 100
"""Runs that one look takes in."""
MOST_PLANS = 40
"""Plans of a run that the list looks at, the latest ones."""
MOST_FACTS = 200


@dataclass(frozen=True, kw_only=True)
class RunsSeen:
    """Runs of a ledger that fit, newest first, with what the list says of each."""

    runs: Mapping[str, tuple[JobStatus, ...]]
    """The latest plans of each, newest first."""
    questions: tuple[Question, ...]
    late: frozenset[str]
    """Jobs with a lease that has run out."""
    requests: Mapping[str, Any]
    asked: Mapping[str, Any]
    now: int
    older: str | None
    """The last one looked at, where there are more."""


@dataclass(frozen=True, kw_only=True)
class RunSeen:
    """Everything about one run."""

    run_id: str
    jobs: tuple[JobView, ...]
    receipts: tuple[Receipt, ...]
    decisions: tuple[Decision, ...]
    questions: tuple[Question, ...]
    asked: Any
    now: int
    certified: frozenset[str]
    """Jobs whose plan has a certificate."""
    called: tuple[CalledLine, ...] = ()
    """Who asked for what from outside, as the server knew them."""
    status: tuple[str, str] | None = None
    """Of an agent's run: the status word and the reason."""
    why: str = ""
    commands: Mapping[tuple[str, int], Any] = field(default_factory=dict)
    """Of an agent's run: the commands as the plan has them, by job and place; the ledger sorts their arguments."""
    repairs: tuple[tuple[str, Wanted], ...] = ()
    """Of an agent's run: the repairs that people asked for, with the job that was the latest then."""
    facts: tuple[Any, ...] = ()
    mark: str = ""
    """Another one when something has happened since."""


@dataclass(frozen=True, kw_only=True)
class PlanSeen:
    """A stored plan with its certificate and the reasons for its methods."""

    record: PlanRecord
    certificate: Any = None
    decisions: tuple[Mapping[str, Any], ...] = field(default=())
    erased: str = ""


def read_runs(store: Store, before: str | None, **filters: Any) -> RunsSeen:
    """Return a page of runs with what belongs to them; the database looks for those that fit."""
    with store.snapshot():
        found = runs_before(store, before, PAGE + 1, **filters)
        runs = {run_id: latest_jobs(store, run_id, MOST_PLANS) for run_id, _ in found[:PAGE]}
        jobs = [job for several in runs.values() for job in several]
        now = store.now_ms()
        return RunsSeen(
            runs=runs,
            questions=open_questions(store),
            late=frozenset(lease.job_id for lease in store.leases() if lease.lease_expires_at < now),
            requests={job.job_id: store.request(job.job_id) for job in jobs if _tells(job)},
            asked={run_id: _asked(store, _first(store, run_id, jobs)) for run_id, jobs in runs.items()},
            now=now,
            older=found[PAGE - 1][1] if len(found) > PAGE else None,
        )


def _first(store: Store, run_id: str, jobs: tuple[JobStatus, ...]) -> str:
    return jobs[-1].job_id if len(jobs) < MOST_PLANS else str(store.rows("first_job", run_id=run_id)[0]["job_id"])


def _tells(job: JobStatus) -> bool:
    return job.steps == 0 or job.parent_job_id is not None


def _asked(store: Store, job_id: str) -> Any:
    """Return what a job was posted for, without reading the rest of its dossier."""
    name = manifest_of(store, job_id).get("documents", {}).get("asked")
    rows = [] if name is None else store.rows("document", sha256=name)
    return json.loads(rows[0]["content"]) if rows else None


def read_run(store: Store, run_id: str) -> RunSeen:
    """Return a run as it is at one moment."""
    store.check_known(run_id=run_id)
    mark = mark_of(store, run_id)  # before anything is read: what happens meanwhile is told to those who watch
    jobs = tuple(view_job(store, job.job_id) for job in store.jobs(run_id=run_id))
    status, why, commands = None, "", dict[tuple[str, int], Any]()
    if any(job.status.intent == INTENT for job in jobs):
        seen = view(store, run_id)
        status = (seen.status.value, seen.reason)
        commands = {(step.job_id, step.ordinal): item_json(step.command) for step in seen.steps}
        try:
            why = why_run(store, run_id)
        except PlanvowError as error:
            why = error.message
    names = [job.status.job_id for job in jobs]
    repairs = tuple((name, asked) for name in names for asked in repairs_asked(store, name))
    return RunSeen(
        run_id=run_id,
        jobs=jobs,
        receipts=tuple(receipt for name in names for receipt in store.receipts(name)),
        decisions=tuple(decision for name in names for decision in approvals_of(store, name)),
        questions=open_questions(store, run_id=run_id),
        asked=_asked(store, jobs[0].status.job_id),
        now=store.now_ms(),
        certified=frozenset(n for n in names if manifest_of(store, n).get("documents", {}).get("certificate")),
        called=tuple(line for name in names for line in calls_of(store, name)),
        status=status,
        why=why,
        commands=commands,
        repairs=repairs,
        facts=_facts(store, jobs) if status is not None else (),
        mark=mark,
    )


def _facts(store: Store, jobs: tuple[JobView, ...]) -> tuple[Any, ...]:
    """Return facts that the latest plan was made from, for people who say what has changed."""
    held: Any = dossier_of(store, jobs[-1].status.job_id).state
    return tuple(held[:MOST_FACTS]) if isinstance(held, list | tuple) else ()


def read_plan(store: Store, job: str) -> PlanSeen:
    """Return the plan of a job, with what its dossier says about it."""
    job_id = find(store, job).job_id
    (record,) = store.plans(job_id=job_id)
    dossier = dossier_of(store, job_id)
    gone = dossier.certificate if isinstance(dossier.certificate, Erased) else None
    if gone is not None:
        return PlanSeen(record=record, erased=f"erased by {gone.by}: {gone.reason}")
    told = dossier.decisions if isinstance(dossier.decisions, Mapping) else {}
    return PlanSeen(record=record, certificate=dossier.certificate, decisions=tuple(told.get("chosen") or ()))
