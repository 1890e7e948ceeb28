"""Retention: finished runs leave the ledger for bundles that still verify, and their places in the log stay.

A bundle is written, brought to the disk, read again and checked before anything is removed. Then one transaction notes
its hash and removes the rows; the record gets a place in the log itself. A process that dies on the way leaves either
the run where it was, with a bundle too many, or the run archived.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planvow.canonical import canonical_json
from planvow.cassette.errors import CassetteError, TamperedError
from planvow.cassette.files.durable_folder import make_folder, synchronise_way_to
from planvow.cassette.ledger.statements import filtered_name
from planvow.cassette.ledger.store import Store
from planvow.cassette.log.blocks import LogBlocks
from planvow.cassette.proof.bundle import ARCHIVE_FORMAT, run_content, verify_bundle, with_hash
from planvow.cassette.proof.bundle_log import log_blocks, log_content
from planvow.cassette.proof.checkpoint import checkpoint_envelope
from planvow.cassette.proof.dsse import Signer
from planvow.errors import InputError
from planvow.verdict import Fault

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, kw_only=True)
class Archived:
    """A run that was moved into a file."""

    archive_id: int
    run_id: str
    jobs: int
    entries: int
    bundle_sha256: str
    path: str


def runs_to_archive(store: Store, *, before: int, run_id: str | None = None) -> list[str]:
    """Return the finished runs in which nothing has happened since a time, and whose jobs have no child elsewhere."""
    given = {} if run_id is None else {"run_id": run_id}
    rows = store.rows(filtered_name("runs_to_archive", given), before=before, **given)
    return [row["run_id"] for row in rows]


def archive_run(store: Store, run_id: str, folder: Path, *signers: Signer) -> Archived:
    """Move one finished run into a bundle in a folder."""
    return archive_runs(store, [run_id], folder, *signers)[0]


def archive_runs(store: Store, run_ids: Sequence[str], folder: Path, *signers: Signer) -> list[Archived]:
    """Move finished runs into bundles in a folder, one after the other, all under one checkpoint."""
    if not run_ids:
        return []
    checkpoint = store.checkpoint()
    if checkpoint is None:
        raise CassetteError("the log is empty, so there is nothing to archive")
    blocks = log_blocks(store, checkpoint.tree_size)
    wrapped = checkpoint_envelope(checkpoint, *signers)
    try:
        return [_archive_run(store, run_id, folder, blocks, wrapped) for run_id in run_ids]
    finally:
        store.checkpoint()


def _archive_run(store: Store, run_id: str, folder: Path, blocks: LogBlocks, wrapped: Mapping[str, Any]) -> Archived:
    with store.snapshot():
        content = run_content(store, run_id)
        names = [job["job"]["job_id"] for job in content["jobs"]]
        log = {**log_content(store, names, blocks), "envelope": wrapped}
    bundle = with_hash({"format": ARCHIVE_FORMAT, **content, "log": log})
    path = folder / f"{_UNSAFE.sub('_', run_id)[:60]}-{bundle['bundle_sha256'][:16]}.json"
    _write(path, canonical_json(bundle) + "\n")
    verdict = verify_bundle(json.loads(path.read_text("utf-8")))
    if not verdict.accepted:
        path.unlink()
        raise TamperedError(
            f"run {run_id!r} does not verify and stays: {verdict.fault}",
            hint="planvow cassette verify lists everything",
        )
    number = store.archive(run_id, names, bundle_sha256=bundle["bundle_sha256"])
    return Archived(
        archive_id=number,
        run_id=run_id,
        jobs=len(names),
        entries=len(log["entries"]),
        bundle_sha256=bundle["bundle_sha256"],
        path=str(path),
    )


def check_archived(store: Store, bundles: Sequence[Mapping[str, Any]]) -> Iterator[Fault]:
    """Yield what is wrong with bundles in the light of the ledger that they left."""
    known = {row["bundle_sha256"]: row for row in store.rows("archives")}
    for bundle in bundles:
        place = f"bundle of run {bundle['run_id']}"
        archive = known.pop(bundle["bundle_sha256"], None)
        if (
            archive is None
            or archive["run_id"] != bundle["run_id"]
            or archive["entries"] != len(bundle["log"]["entries"])
        ):
            yield Fault(place=place, message="this ledger did not archive it, or it was named twice")
    for row in known.values():
        place = f"archive {row['archive_id']}"
        yield Fault(
            place=place,
            message=f"the bundle of run {row['run_id']} ({row['bundle_sha256'][:16]}…) is not among those named",
        )


def _write(path: Path, text: str) -> None:
    make_folder(path.parent)
    try:
        with path.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        synchronise_way_to(path)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", place=str(path)) from None
