"""A run carried away: one JSON document that anyone can check without the database.

It holds the stored rows of the run's jobs, byte for byte, the documents they name, each once, the leaves and seals over
them, and a hash over all of it. What is kept apart is not in it: only which private texts there were.
Checking a bundle is the same check as verifying the ledger it came from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from planvow.canonical import full_hash, to_jsonable
from planvow.cassette.ledger.job_rows import JobRows, load_job
from planvow.cassette.ledger.store import Store
from planvow.cassette.proof.check_job import check_job
from planvow.cassette.proof.dsse import Verifier
from planvow.cassette.proof.kept_seal import KeptSeal, check_kept_seal
from planvow.cassette.proof.verify import check_seals, ledger_verdict
from planvow.errors import InputError, PlanvowError
from planvow.verdict import Fault, Verdict

FORMAT = "planvow-bundle/1"
_OPTIONAL = ("dossier", "notes", "kept_apart")
_OF_DECISIONS = ("questions", "approved_until", "approval_sha256")
_REQUIRED = {field.name for field in fields(JobRows)} - {*_OPTIONAL, "actions", "documents"}


def export_run(store: Store, run_id: str) -> dict[str, Any]:
    """Return the bundle of a run."""
    with store.snapshot():
        store.check_known(run_id=run_id)
        documents: dict[str, str] = {}
        jobs = [load_job(store, row["job_id"], documents) for row in store.rows_where("job_ids", run_id=run_id)]
        content = {
            "format": FORMAT,
            "run_id": run_id,
            "jobs": [_exported(job) for job in jobs],
            "leaves": to_jsonable(store.rows("rows_leaves", run_id=run_id)),
            "seals": to_jsonable(store.rows("rows_seals", run_id=run_id)),
        }
        if documents:
            content["documents"] = documents
    return {**content, "bundle_sha256": _bundle_hash(content)}


def verify_bundle(
    bundle: Any,
    *,
    accepted: Sequence[Verifier] = (),
    kept: Sequence[KeptSeal] = (),
    approvers: Sequence[Verifier] = (),
) -> Verdict:
    """Check a bundle; what is not a bundle at all raises InputError."""
    if not isinstance(bundle, Mapping) or bundle.get("format") != FORMAT:
        raise InputError(f"this is not a bundle: its format is not {FORMAT!r}")
    try:
        documents = bundle.get("documents", {})
        jobs = {rows.job_id: rows for rows in (_job_rows(raw, documents) for raw in bundle["jobs"])}
        content = {name: bundle[name] for name in bundle if name != "bundle_sha256"}
        faults = [fault for rows in jobs.values() for fault in check_job(rows, approvers)]
        faults += [
            Fault(place=job_id, message="belongs to another run")
            for job_id, rows in jobs.items()
            if rows.job["run_id"] != bundle["run_id"]
        ]
        faults += check_seals(bundle["run_id"], jobs, bundle["leaves"], bundle["seals"], accepted)
        for seal in kept:
            leaves = bundle["leaves"] if seal.run_id == bundle["run_id"] else []
            faults += check_kept_seal(seal, leaves)
        if accepted and not bundle["seals"]:
            faults.append(Fault(place="bundle", message="it is not sealed, so no key vouches for it"))
        if _bundle_hash(content) != bundle.get("bundle_sha256"):
            faults.append(Fault(place="bundle", message="it does not have its hash"))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        if isinstance(error, PlanvowError):
            raise
        raise InputError(f"the bundle is incomplete or malformed: {type(error).__name__} {error}") from None
    return ledger_verdict(faults, jobs, len(bundle["seals"]))


def _exported(job: JobRows) -> dict[str, Any]:
    """Return a job's rows; what only dossiers, notes and approvals need is left out where there are none."""
    rows: dict[str, Any] = to_jsonable({field.name: getattr(job, field.name) for field in fields(JobRows)})
    del rows["documents"]
    for name in _OPTIONAL:
        if not rows[name]:
            del rows[name]
    if "notes" not in rows:
        for state in rows["states"]:
            for name in _OF_DECISIONS:
                del state[name]
    return rows


def _job_rows(raw: Mapping[str, Any], documents: Mapping[str, str]) -> JobRows:
    given = {field.name: raw[field.name] for field in fields(JobRows) if field.name in raw or field.name in _REQUIRED}
    return JobRows(**given, documents=documents)


def _bundle_hash(content: Mapping[str, Any]) -> str:
    return full_hash(content, tag=FORMAT)
