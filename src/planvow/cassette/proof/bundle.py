"""A run carried away: one JSON document that anyone can check without the database.

It holds the stored rows of the run's jobs, byte for byte, the documents they name, each once, the leaves and seals over
them, the keys that were registered for its workers, and a hash over it all. What is kept apart is not in it: only which
private texts there were. The bundle of an archive also has the places of its rows in the log and the proof that a
checkpoint covers them. Checking a bundle is the same check as verifying the ledger it came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from planvow.canonical import full_hash, to_jsonable
from planvow.cassette.ledger.job_rows import JobRows, load_job
from planvow.cassette.ledger.log_entries import Checkpoint
from planvow.cassette.ledger.operated import worker_key_from
from planvow.cassette.ledger.store import Store
from planvow.cassette.proof.beside import Beside
from planvow.cassette.proof.bundle_log import check_places
from planvow.cassette.proof.check_job import check_job
from planvow.cassette.proof.check_seals import check_seals
from planvow.cassette.proof.checkpoint import read_checkpoint
from planvow.cassette.proof.job_parts import parts_of
from planvow.cassette.proof.kept_seal import KeptSeal
from planvow.cassette.signing.dsse import Verifier
from planvow.cassette.signing.receipts import SignedReceipts
from planvow.errors import InputError, PlanvowError
from planvow.verdict import Fault, Verdict

FORMAT = "planvow-bundle/1"
_OPTIONAL = ("dossier", "notes", "kept_apart", "actions")
_OF_DECISIONS = ("questions", "approved_until", "approval_sha256")
_REQUIRED = {field.name for field in fields(JobRows)} - {*_OPTIONAL, "documents"}
ARCHIVE_FORMAT = "planvow-archive/1"
PLACE = ("rank", "starts_at", "limit_key", "hold", "wake_at")


def export_run(store: Store, run_id: str) -> dict[str, Any]:
    """Return the bundle of a run."""
    with store.snapshot():
        store.check_known(run_id=run_id)
        content = {"format": FORMAT, **run_content(store, run_id)}
    return with_hash(content)


def run_content(store: Store, run_id: str) -> dict[str, Any]:
    """Return all rows of a run, as they stand in a bundle."""
    documents: dict[str, str] = {}
    jobs = [load_job(store, row["job_id"], documents) for row in store.rows_where("job_ids", run_id=run_id)]
    content: dict[str, Any] = {
        "run_id": run_id,
        "jobs": [_exported(job) for job in jobs],
        "leaves": to_jsonable(store.rows("rows_leaves", run_id=run_id)),
        "seals": to_jsonable(store.rows("rows_seals", run_id=run_id)),
    }
    names = {receipt["worker_id"].partition("@")[0] for job in jobs for receipt in job.receipts}
    keys = [row for row in store.rows("worker_keys") if row["worker_id"] in names]
    more = {"documents": documents, "worker_keys": to_jsonable(keys)}
    return content | {name: found for name, found in more.items() if found}


def with_hash(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a bundle with the hash over all of it."""
    return {**content, "bundle_sha256": _bundle_hash(content)}


def verify_bundle(
    bundle: Any,
    *,
    accepted: Sequence[Verifier] = (),
    kept: Sequence[KeptSeal] = (),
    checkpoints: Sequence[Checkpoint] = (),
    approvers: Sequence[Verifier] = (),
    verifier_of: Callable[[str], Verifier] | None = None,
    worker_keys: Mapping[str, Sequence[Verifier]] | None = None,
) -> Verdict:
    """Check a bundle; what is not a bundle at all raises InputError."""
    if not isinstance(bundle, Mapping) or bundle.get("format") not in (FORMAT, ARCHIVE_FORMAT):
        raise InputError(f"this is not a bundle: its format is neither {FORMAT!r} nor {ARCHIVE_FORMAT!r}")
    try:
        documents = bundle.get("documents", {})
        jobs = {rows.job_id: rows for rows in (_job_rows(raw, documents) for raw in bundle["jobs"])}
        content = {name: bundle[name] for name in bundle if name != "bundle_sha256"}
        leaves = _leaves_by_job(bundle["leaves"])
        registered = [worker_key_from(row) for row in bundle.get("worker_keys", ())]
        signatures = SignedReceipts(registered, verifier_of, kept=worker_keys)
        faults: list[Fault] = [*signatures.registrations()]
        erased: list[str] = []
        for rows in jobs.values():
            parts = parts_of(rows, leaves.get(rows.job_id, ()))
            beside = Beside(parts, approvers)
            faults += check_job(parts, beside, signatures)
            erased += beside.erased
        faults += [
            Fault(place=job_id, message="belongs to another run")
            for job_id, rows in jobs.items()
            if rows.job["run_id"] != bundle["run_id"]
        ]
        faults += _check_seals(bundle, jobs, accepted, kept)
        faults += _check_log(bundle, jobs, accepted, checkpoints)
        if _bundle_hash(content) != bundle.get("bundle_sha256"):
            faults.append(Fault(place="bundle", message="it does not have its hash"))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        if isinstance(error, PlanvowError):
            raise
        raise InputError(f"the bundle is incomplete or malformed: {type(error).__name__} {error}") from None
    receipts = sum(len(rows.receipts) for rows in jobs.values())
    counts = {"jobs": len(jobs), "receipts": receipts, "seals": len(bundle["seals"])}
    if signatures.signed:
        counts["signed_receipts"] = signatures.signed
    unvouched = _not_vouched(bundle, jobs, accepted, kept, checkpoints)
    left_open = (*unvouched, *signatures.not_proved(), *erased)
    return Verdict(checker="ledger", faults=tuple(faults), counts=counts, not_proved=left_open)


def _not_vouched(
    bundle: Mapping[str, Any],
    jobs: Mapping[str, JobRows],
    accepted: Sequence[Verifier],
    kept: Sequence[KeptSeal],
    checkpoints: Sequence[Checkpoint],
) -> Iterator[str]:
    """Say for what of a bundle nothing vouches that its writer could not have made: hashes are no signature."""
    if bundle["format"] == ARCHIVE_FORMAT and (accepted or checkpoints):
        return
    sizes = [seal.tree_size for seal in kept] + [seal["tree_size"] for seal in bundle["seals"] if accepted]
    sealed = bundle["leaves"][: max(sizes, default=0)]
    if not sealed:
        why = "whoever made it could have written all of it anew"
        yield f"nothing from elsewhere vouches for this bundle: {why} (--key, --seal)"
        return
    known, begun = {leaf["leaf_sha256"] for leaf in sealed}, {leaf["job_id"] for leaf in sealed}
    receipts = sum(receipt["sha256"] not in known for rows in jobs.values() for receipt in rows.receipts)
    if receipts or jobs.keys() - begun:
        what = f"{len(jobs.keys() - begun)} jobs and {receipts} receipts came after the newest seal that counts here"
        yield f"{what}: they could have been added or written anew"


def _leaves_by_job(leaves: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for leaf in leaves:
        found.setdefault(leaf["job_id"], []).append(leaf)
    return found


def _check_seals(
    bundle: Mapping[str, Any], jobs: Mapping[str, JobRows], accepted: Sequence[Verifier], kept: Sequence[KeptSeal]
) -> Iterator[Fault]:
    run_id = bundle["run_id"]
    leaves = [
        {**leaf, "run_of_job": jobs[leaf["job_id"]].job["run_id"] if leaf["job_id"] in jobs else None}
        for leaf in bundle["leaves"]
    ]
    own = [seal for seal in kept if seal.run_id == run_id]
    yield from check_seals(run_id, leaves, bundle["seals"], accepted, own)
    for seal in kept:
        if seal.run_id != run_id:
            place = f"kept seal of run {seal.run_id}"
            yield Fault(place=place, message=f"it covers {seal.tree_size} leaves, only 0 are here")


def _check_log(
    bundle: Mapping[str, Any],
    jobs: Mapping[str, JobRows],
    accepted: Sequence[Verifier],
    checkpoints: Sequence[Checkpoint],
) -> Iterator[Fault]:
    """Hold an archive's places against its checkpoint, and that one against those kept elsewhere."""
    if bundle["format"] == FORMAT:
        if accepted and not bundle["seals"]:
            yield Fault(place="bundle", message="it is not sealed, so no key vouches for it")
        if checkpoints:
            yield Fault(place="bundle", message="it was exported, not archived: it has no place in a log")
        return
    said = read_checkpoint(bundle["log"]["envelope"])
    if accepted and not bundle["seals"]:
        said = read_checkpoint(bundle["log"]["envelope"], accepted=accepted)
    yield from check_places(jobs.values(), bundle["log"], said)
    for known in checkpoints:
        if known.log_id != said.log_id:
            yield Fault(place=f"kept checkpoint {known.tree_size}", message="it is of another ledger than the bundle")
        elif known.tree_size == said.tree_size and known.root != said.root:
            yield Fault(place=f"kept checkpoint {known.tree_size}", message="it has another root than the bundle says")


def _exported(job: JobRows) -> dict[str, Any]:
    """Return a job's rows; what only dossiers, notes, approvals and operators need is left out where there are none."""
    rows: dict[str, Any] = to_jsonable({field.name: getattr(job, field.name) for field in fields(JobRows)})
    del rows["documents"]
    for name in _OPTIONAL:
        if not rows[name]:
            del rows[name]
    for state in rows["states"]:
        for name in _OF_DECISIONS if "notes" not in rows else ():
            del state[name]
        for name in PLACE if not any(state.get(name) for name in PLACE) else ():
            state.pop(name, None)
    return rows


def _job_rows(raw: Mapping[str, Any], documents: Mapping[str, str]) -> JobRows:
    given = {field.name: raw[field.name] for field in fields(JobRows) if field.name in raw or field.name in _REQUIRED}
    return JobRows(**given, documents=documents)


def _bundle_hash(content: Mapping[str, Any]) -> str:
    return full_hash(content, tag=str(content["format"]))
