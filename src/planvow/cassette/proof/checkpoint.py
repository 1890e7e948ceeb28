"""Checkpoints in envelopes: signed if there is a key, stored beside the log, kept in a file, and read again from there.

A checkpoint in the ledger binds nobody who owns the ledger. Kept elsewhere, it shows every change of what it covers;
signed, it also shows whether it is the one that was kept. Whoever keeps checkpoints is a witness: before an older one
is replaced, the log must still begin with what that one covers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from planvow.canonical import canonical_bytes, canonical_json
from planvow.cassette.errors import SignatureError, TamperedError
from planvow.cassette.files.durable_folder import make_folder, synchronise_way_to
from planvow.cassette.files.file_lock import FileLock
from planvow.cassette.ledger.log_entries import Checkpoint
from planvow.cassette.ledger.store import Store
from planvow.cassette.log.proofs import root_at
from planvow.cassette.proof.check_seals import stored_payload
from planvow.cassette.signing.dsse import Signer, Verifier, envelope
from planvow.cassette.signing.statements import Form, read_kept
from planvow.errors import InputError, NotCanonicalError
from planvow.verdict import Fault

PAYLOAD_TYPE = "application/vnd.planvow.checkpoint.v1+json"
STATEMENT = "checkpoint/1"
FIELDS = {"log_id": str, "tree_size": int, "root": str, "created_at": int}
_FORM = Form(
    name="checkpoint",
    version=STATEMENT,
    payload_type=PAYLOAD_TYPE,
    fields=FIELDS,
    of="log",
    written_by="cassette checkpoint --checkpoint-to FILE",
)


def checkpoint_statement(checkpoint: Checkpoint) -> dict[str, Any]:
    """Return what a checkpoint's envelope says."""
    return {"checkpoint": STATEMENT, **{name: getattr(checkpoint, name) for name in FIELDS}}


def checkpoint_envelope(checkpoint: Checkpoint, *signers: Signer) -> dict[str, Any]:
    """Return a checkpoint in an envelope, signed by each signer."""
    return envelope(PAYLOAD_TYPE, canonical_bytes(checkpoint_statement(checkpoint)), *signers)


def sign_checkpoint(store: Store, checkpoint: Checkpoint, *signers: Signer) -> None:
    """Store a signature of each signer beside the checkpoint; one that is there already stays as it is."""
    for signer in signers:
        wrapped = checkpoint_envelope(checkpoint, signer)
        store.add_checkpoint_signature(checkpoint.tree_size, signer.key_id, canonical_json(wrapped))


def read_checkpoint(wrapped: Any, *, accepted: Sequence[Verifier] = ()) -> Checkpoint:
    """Return what a kept envelope says; with keys, one of them must have signed it, else SignatureError."""
    return Checkpoint(**read_kept(_FORM, wrapped, accepted))


def check_signatures(store: Store, accepted: Sequence[Verifier], signed: list[int]) -> Iterator[Fault]:
    """Yield what is wrong with the signatures stored beside checkpoints; those that hold go into `signed` by size."""
    first = store.rows("log_first")
    log_id = first[0]["leaf_sha256"] if first else ""
    for row in store.stream("checkpoint_signatures"):
        place = f"signature of checkpoint {row['tree_size']}"
        try:
            said = stored_payload(row["envelope_json"], PAYLOAD_TYPE, accepted)
            names = [entry["keyid"] for entry in json.loads(row["envelope_json"])["signatures"]]
            facts = {name: row[name] for name in ("tree_size", "root", "created_at")}
            expected = canonical_bytes(checkpoint_statement(Checkpoint(log_id=log_id, **facts)))
            if said != expected or names != [row["key_id"]]:
                yield Fault(place=place, message="the envelope says something else than the row")
            elif accepted:
                signed.append(row["tree_size"])
        except (SignatureError, NotCanonicalError, ValueError, KeyError, TypeError) as error:
            yield Fault(place=place, message=str(error))


def keep_checkpoint(store: Store, checkpoint: Checkpoint, target: Path, *signers: Signer) -> Path:
    """Write a checkpoint to a file (`….json`), or into a folder under its size; return where it is.

    What is there already must be the beginning of this log, else TamperedError, and it stays. A newer one stays too.
    """
    folder = target.is_dir() or target.suffix != ".json"
    home = target if folder else target.parent
    make_folder(home)
    lock = FileLock(home / ".checkpoint.lock")
    lock.acquire()
    try:
        file = home / f"checkpoint-{checkpoint.tree_size:012d}.json" if folder else target
        before = max(home.glob("checkpoint-*.json"), default=None) if folder else target
        if before is not None and before.exists():
            known = _kept_before(before)
            _check_begins_with(store, known, before)
            if known.tree_size > checkpoint.tree_size or (known.tree_size == checkpoint.tree_size and not signers):
                return before
        _write(file, json.dumps(checkpoint_envelope(checkpoint, *signers), sort_keys=True, indent=2) + "\n")
        return file
    finally:
        lock.release()
        lock.close()


def _kept_before(path: Path) -> Checkpoint:
    try:
        return read_checkpoint(json.loads(path.read_text("utf-8")))
    except (ValueError, SignatureError, InputError) as error:
        raise InputError(f"this is no checkpoint, and is not overwritten: {error}", place=str(path)) from None


def _check_begins_with(store: Store, known: Checkpoint, place: Path) -> None:
    """Hold a kept checkpoint against the log: by the root that stands there for its size, else by its leaves."""
    stored = store.rows("checkpoint_of_size", tree_size=known.tree_size)
    if stored:
        root = stored[0]["root"]
    else:
        with store.snapshot():
            root = root_at(store, known.tree_size)
    if root != known.root:
        raise TamperedError(
            f"the log does not begin with the {known.tree_size} entries that were kept here; this file stays as it is",
            place=str(place),
            hint="run `cassette verify --checkpoint` with this file, or name another place for another ledger",
        )


def _write(file: Path, text: str) -> None:
    temporary = file.with_name(f".{file.name}.new")
    try:
        with temporary.open("w", encoding="utf-8") as opened:
            opened.write(text)
            opened.flush()
            os.fsync(opened.fileno())
        temporary.replace(file)
        synchronise_way_to(file)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", place=str(file)) from None
