"""Whether a whole ledger, or an exported part of it, is what its hashes say.

The same checks run on an open store and on a bundle that was carried away: jobs one by one (`check_job`), then seals:
their leaves against the jobs, their roots against the leaves, their envelopes and, when keys are given, their
signatures. Seals that were kept elsewhere are held against the leaves. Row counts catch rows that belong to nothing.
Of an open store the rules that guard it are checked too (`check_schema`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from planvow.canonical import canonical_bytes, canonical_json
from planvow.cassette.errors import MigrationError, SignatureError, UnknownStepError
from planvow.cassette.ledger.chain import private_hash
from planvow.cassette.ledger.job_rows import JobRows, load_job
from planvow.cassette.ledger.migrations import outstanding
from planvow.cassette.ledger.statements import migrations
from planvow.cassette.ledger.store import Store
from planvow.cassette.proof.check_job import check_job
from planvow.cassette.proof.check_schema import check_schema
from planvow.cassette.proof.dsse import Verifier, unsigned_payload, verified_payload
from planvow.cassette.proof.kept_apart import erased_parts
from planvow.cassette.proof.kept_seal import KeptSeal, check_kept_seal
from planvow.cassette.proof.seal import PAYLOAD_TYPE, seal_statement, sealed_root
from planvow.errors import NotCanonicalError
from planvow.verdict import Fault, Verdict

Row = Mapping[str, Any]
ERASED = "erased: "


def ledger_verdict(faults: Iterable[Fault], jobs: Mapping[str, JobRows], seals: int) -> Verdict:
    """Return everything that is wrong with a ledger or a part of it, and how much was looked at."""
    receipts = sum(len(job.receipts) for job in jobs.values())
    erased = tuple(f"{ERASED}{part}" for job in jobs.values() for part in erased_parts(job))
    return Verdict(
        checker="ledger",
        faults=tuple(faults),
        not_proved=erased,
        counts={"jobs": len(jobs), "receipts": receipts, "seals": seals},
    )


def verify_ledger(
    store: Store,
    *,
    accepted: Sequence[Verifier] = (),
    kept: Sequence[KeptSeal] = (),
    approvers: Sequence[Verifier] = (),
) -> Verdict:
    """Check everything in a ledger at one moment; with keys, every seal must be signed by one of them.

    `approvers` are keys of people: with them, every approval and denial must be signed by one.
    """
    faults: list[Fault] = []
    jobs: dict[str, JobRows] = {}
    documents: dict[str, str] = {}
    seals = 0
    with store.snapshot():
        for row in store.rows("job_ids"):
            try:
                jobs[row["job_id"]] = load_job(store, row["job_id"], documents)
            except UnknownStepError:
                faults.append(Fault(place=row["job_id"], message="its message or its plan is missing"))
        for job in jobs.values():
            faults += check_job(job, approvers)
            faults += _check_private(store, job)
        runs = {row["run_id"] for row in [*store.rows("run_ids"), *store.rows("runs_sealed")]}
        for run_id in sorted(runs):
            leaves = store.rows("rows_leaves", run_id=run_id)
            sealed = store.rows("rows_seals", run_id=run_id)
            seals += len(sealed)
            faults += check_seals(run_id, jobs, leaves, sealed, accepted)
        for seal in kept:
            faults += check_kept_seal(seal, store.rows("rows_leaves", run_id=seal.run_id))
        faults += _check_counts(store.rows("row_counts")[0], jobs)
        faults += _check_migrations(store)
        faults += check_schema(store)
    return ledger_verdict(faults, jobs, seals)


def _check_private(store: Store, job: JobRows) -> Iterator[Fault]:
    """Hold private texts against their hashes, where whoever checks may read them."""
    if not job.kept_apart or not store.rows("may_read_private"):
        return
    for row in store.rows("private_of", job_id=job.job_id):
        if private_hash(row["salt"], row["content"]) != row["sha256"]:
            yield Fault(place=job.job_id, message=f"the private text {row['sha256']} does not have its hash")


def check_seals(
    run_id: str,
    jobs: Mapping[str, JobRows],
    leaves: Sequence[Row],
    seals: Sequence[Row],
    accepted: Sequence[Verifier] = (),
) -> Iterator[Fault]:
    """Yield everything that is wrong with the seals of one run."""
    place = f"seals of run {run_id}"
    if [leaf["leaf_index"] for leaf in leaves] != list(range(len(leaves))):
        yield Fault(place=place, message="the leaves are not numbered without gaps")
    seen: set[str] = set()
    for job_id, group in groupby(leaves, key=lambda leaf: leaf["job_id"]):
        stored = tuple(leaf["leaf_sha256"] for leaf in group)
        job = jobs.get(job_id)
        if job is None or job.job["run_id"] != run_id or job_id in seen:
            yield Fault(place=place, message=f"has leaves for {job_id}, which is not a job of this run, or twice")
        elif stored != job.leaves(len(stored) - len(job.leaves(0))):
            yield Fault(place=place, message=f"{job_id} is not what was sealed")
        seen.add(job_id)
    if (seals[-1]["tree_size"] if seals else 0) != len(leaves):
        yield Fault(place=place, message="the last seal does not cover all leaves")
    for seal in seals:
        yield from _check_seal(run_id, leaves, seal, accepted)


def _check_seal(run_id: str, leaves: Sequence[Row], seal: Row, accepted: Sequence[Verifier]) -> Iterator[Fault]:
    size = seal["tree_size"]
    place = f"seal {size} of run {run_id}"
    if seal["run_id"] != run_id or sealed_root(leaves, size) != seal["merkle_root"]:
        yield Fault(place=place, message="the leaves do not have this root")
    try:
        wrapped = json.loads(seal["envelope_json"])
        if not isinstance(wrapped, dict) or canonical_json(wrapped) != seal["envelope_json"]:
            raise SignatureError("the envelope is not canonical JSON")
        if accepted:
            said = verified_payload(wrapped, PAYLOAD_TYPE, *accepted)
            if not {entry["keyid"] for entry in wrapped["signatures"]} <= {key.key_id for key in accepted}:
                raise SignatureError("the envelope names a key that is not accepted")
        else:
            said = unsigned_payload(wrapped, PAYLOAD_TYPE)
        if said != canonical_bytes(seal_statement(run_id, size, seal["merkle_root"], seal["created_at"])):
            yield Fault(place=place, message="the envelope says something else than the row")
    except (SignatureError, NotCanonicalError, ValueError, KeyError, TypeError) as error:
        yield Fault(place=place, message=str(error))


def _check_counts(counts: Row, jobs: Mapping[str, JobRows]) -> Iterator[Fault]:
    belonging = {
        "messages": len(jobs),
        "jobs": len(jobs),
        "plans": len(jobs),
        "steps": sum(len(job.steps) for job in jobs.values()),
        "states": sum(len(job.states) for job in jobs.values()),
        "receipts": sum(len(job.receipts) for job in jobs.values()),
        "events": sum(len(job.events) for job in jobs.values()),
        "actions": sum(len(job.actions) for job in jobs.values()),
        "dossiers": sum(job.dossier is not None for job in jobs.values()),
        "notes": sum(len(job.notes) for job in jobs.values()),
    }
    for name, count in belonging.items():
        if counts[name] != count:
            yield Fault(place="ledger", message=f"{counts[name]} {name} are stored, {count} belong to jobs")


def _check_migrations(store: Store) -> Iterator[Fault]:
    try:
        missing = outstanding(migrations(store.dialect), store.rows("rows_migrations"))
    except MigrationError as error:
        yield Fault(place="ledger", message=error.message)
    else:
        if missing:
            yield Fault(place="ledger", message=f"migration {missing[0].version} is not recorded")
