"""Sealing a run: one signed hash over everything its finished jobs did.

A seal's tree has, for each finished job, its head, its receipts and its tail as leaves, in the order in which they
were sealed. Later seals of the same run add leaves and never change earlier ones. Keep seals outside the database:
triggers guard against mistakes, hashes against everybody who does not own the database, and a seal elsewhere against
its owner.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from planvow.canonical import canonical_bytes, canonical_json
from planvow.cassette.errors import SignatureError, UnknownStepError
from planvow.cassette.ledger.job_rows import load_job
from planvow.cassette.ledger.store import Store
from planvow.cassette.ledger.stored_rows import Leaf
from planvow.cassette.log.merkle import merkle_root
from planvow.cassette.proof.dsse import Signer, envelope

PAYLOAD_TYPE = "application/vnd.planvow.seal.v1+json"
STATEMENT = "seal/1"


@dataclass(frozen=True, kw_only=True)
class Seal:
    """The state of a run at one moment, as a hash with its envelope."""

    run_id: str
    tree_size: int
    merkle_root: str
    envelope: dict[str, Any]
    created: bool


def seal_statement(run_id: str, tree_size: int, root: str, created_at: int) -> dict[str, Any]:
    """Return what a seal's envelope says."""
    return {"seal": STATEMENT, "run_id": run_id, "tree_size": tree_size, "merkle_root": root, "created_at": created_at}


def seal_run(store: Store, run_id: str, *signers: Signer) -> Seal:
    """Seal what has been finished since the last seal of the run; nothing new returns the last seal."""
    with store.transaction():
        store.check_known(run_id=run_id)
        store.lock_seals()
        leaves = [row["leaf_sha256"] for row in store.rows("rows_leaves", run_id=run_id)]
        fresh = _fresh_leaves(store, run_id)
        if not fresh:
            store.confirm_stored()
            return _last_seal(store, run_id, signers)
        leaves += [leaf for _, leaf in fresh]
        root = merkle_root([bytes.fromhex(leaf) for leaf in leaves])
        now = store.now_ms()
        payload = canonical_bytes(seal_statement(run_id, len(leaves), root, now))
        wrapped = envelope(PAYLOAD_TYPE, payload, *signers)
        store.add_seal(run_id, fresh, root=root, envelope_json=canonical_json(wrapped), created_at=now)
    return Seal(run_id=run_id, tree_size=len(leaves), merkle_root=root, envelope=wrapped, created=True)


def _fresh_leaves(store: Store, run_id: str) -> list[Leaf]:
    sealed = {row["job_id"] for row in store.rows("rows_leaves", run_id=run_id)}
    fresh: list[Leaf] = []
    for row in store.rows_where("job_ids", run_id=run_id):
        if row["job_id"] in sealed:
            continue
        job = load_job(store, row["job_id"])
        if job.finished:
            fresh.extend((job.job_id, leaf) for leaf in job.leaves())
    return fresh


def _last_seal(store: Store, run_id: str, signers: Sequence[Signer]) -> Seal:
    seals = store.rows("rows_seals", run_id=run_id)
    if not seals:
        raise UnknownStepError(f"run {run_id!r} has no finished job to seal")
    last = seals[-1]
    wrapped = json.loads(last["envelope_json"])
    held = {entry["keyid"] for entry in wrapped["signatures"]}
    if any(signer.key_id not in held for signer in signers):
        raise SignatureError(
            f"run {run_id!r} is sealed already, without this key, and a seal is never edited",
            hint="sign the next seal of this run, when another of its jobs is finished",
        )
    return Seal(
        run_id=run_id,
        tree_size=last["tree_size"],
        merkle_root=last["merkle_root"],
        envelope=wrapped,
        created=False,
    )
