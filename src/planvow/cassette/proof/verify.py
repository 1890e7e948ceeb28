"""Whether a whole ledger is what its hashes say.

Jobs one by one (`check_job`), the seals of runs (`check_seals`), the log over everything (`log.check`) with what was
kept of it elsewhere, signatures where keys are given, and the rules that guard it all (`check_schema`). Every table is
read once and nothing is kept of it, so the memory does not grow with the ledger. Row counts catch rows that belong to
nothing. Bundles that were carried away get the same checks (`bundle`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from planvow.cassette.errors import MigrationError
from planvow.cassette.ledger.chain import private_hash
from planvow.cassette.ledger.check_schema import check_schema
from planvow.cassette.ledger.log_entries import Checkpoint
from planvow.cassette.ledger.migrations import outstanding
from planvow.cassette.ledger.statements import migrations
from planvow.cassette.ledger.store import Store
from planvow.cassette.log.check import LogCheck
from planvow.cassette.proof.beside import Beside
from planvow.cassette.proof.check_job import check_job
from planvow.cassette.proof.check_seals import check_seals
from planvow.cassette.proof.checkpoint import check_signatures
from planvow.cassette.proof.jobs_in_turn import JobsInTurn
from planvow.cassette.proof.kept_seal import KeptSeal
from planvow.cassette.signing.dsse import Verifier
from planvow.cassette.signing.receipts import SignedReceipts
from planvow.verdict import Fault, Verdict

Row = Mapping[str, Any]

COUNTED = {"messages": "jobs", "jobs": "jobs", "plans": "jobs", "steps": "steps", "states": "states",
           "receipts": "receipts", "events": "events", "actions": "actions", "dossiers": "dossiers",
           "notes": "notes"}  # fmt: skip


def verify_ledger(
    store: Store,
    *,
    accepted: Sequence[Verifier] = (),
    kept: Sequence[KeptSeal] = (),
    checkpoints: Sequence[Checkpoint] = (),
    approvers: Sequence[Verifier] = (),
    verifier_of: Callable[[str], Verifier] | None = None,
    worker_keys: Mapping[str, Sequence[Verifier]] | None = None,
) -> Verdict:
    """Check everything in a ledger at one moment.

    `approvers` are keys of people: with them, every approval and denial must be signed by one.

    `kept` and `checkpoints` are seals and checkpoints from elsewhere, checked against `accepted` when they were read.
    With keys, every seal and every signature must be by one of them, and something must be signed at all. Workers'
    signatures are checked with what `verifier_of` makes of their registered public keys; those of `worker_keys`, by
    name, must be the ones that are registered.
    """
    faults: list[Fault] = []
    signed: list[int] = []
    erased: list[str] = []
    with store.snapshot():
        signatures = SignedReceipts(store.worker_keys(), verifier_of, kept=worker_keys)
        faults += signatures.registrations()
        jobs = JobsInTurn(store)
        for job in jobs:
            if isinstance(job, str):
                faults.append(Fault(place=job, message="its message or its plan is missing"))
            else:
                beside = Beside(job, approvers)
                faults += check_job(job, beside, signatures)
                erased += beside.erased
        faults += _check_private(store)
        seals, broken = _check_runs(store, accepted, kept)
        faults += broken
        log = LogCheck(store, checkpoints)
        faults += log.faults()
        faults += check_signatures(store, accepted, signed)
        faults += _check_counts(store.rows("row_counts")[0], jobs.counts)
        faults += _check_migrations(store)
        faults += check_schema(store)
    by_key = max([*signed, *(known.tree_size for known in checkpoints)], default=0) if accepted else 0
    if accepted and not (by_key or seals or kept):
        faults.append(Fault(place="ledger", message="nothing here was signed, so no key vouches for it"))
    counts = {"jobs": jobs.counts["jobs"], "receipts": jobs.counts["receipts"], "seals": seals, **log.counts}
    if signatures.signed:
        counts["signed_receipts"] = signatures.signed
    return Verdict(
        checker="ledger",
        faults=tuple(faults),
        counts={**counts, "signed": by_key} if accepted else counts,
        not_proved=(*_not_proved(log.counts, checkpoints), *signatures.not_proved(), *erased),
    )


def _check_runs(store: Store, accepted: Sequence[Verifier], kept: Sequence[KeptSeal]) -> tuple[int, list[Fault]]:
    """Return how many seals the runs have, and what is wrong with them."""
    count, faults = 0, list[Fault]()
    runs = {row["run_id"] for row in store.rows("runs_sealed")} | {seal.run_id for seal in kept}
    for run_id in sorted(runs):
        sealed = store.rows("rows_seals", run_id=run_id)
        count += len(sealed)
        here = [seal for seal in kept if seal.run_id == run_id]
        faults += check_seals(run_id, store.stream("audit_sealed", run_id=run_id), sealed, accepted, here)
    return count, faults


def _check_private(store: Store) -> Iterator[Fault]:
    """Hold private texts against their hashes, where whoever checks may read them."""
    if not store.rows("may_read_private"):
        return
    for row in store.stream("audit_private"):
        if private_hash(row["salt"], row["content"]) != row["sha256"]:
            yield Fault(place=row["job_id"], message=f"the private text {row['sha256']} does not have its hash")


def _not_proved(counts: Mapping[str, int], checkpoints: Sequence[Checkpoint]) -> Iterator[str]:
    if counts["uncovered"]:
        yield f"{counts['uncovered']} rows have no place in the log yet: nobody would miss them"
    newest = max((known.tree_size for known in checkpoints), default=0)
    if newest < counts["entries"]:
        what = f"entries from {newest} on are" if newest else "the log is"
        yield f"{what} held against no checkpoint from elsewhere: its end could be cut off, or all of it written anew"
    if counts["archived"]:
        yield f"what {counts['archived']} archives hold is in their bundles: name them with --archived"


def _check_counts(stored: Row, seen: Mapping[str, int]) -> Iterator[Fault]:
    for name, counted in COUNTED.items():
        if stored[name] != seen[counted]:
            yield Fault(place="ledger", message=f"{stored[name]} {name} are stored, {seen[counted]} belong to jobs")


def _check_migrations(store: Store) -> Iterator[Fault]:
    try:
        missing = outstanding(migrations(store.dialect), store.rows("rows_migrations"))
    except MigrationError as error:
        yield Fault(place="ledger", message=error.message)
    else:
        if missing:
            yield Fault(place="ledger", message=f"migration {missing[0].version} is not recorded")
