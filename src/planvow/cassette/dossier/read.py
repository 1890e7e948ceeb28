"""Reading a job's dossier back, with what is kept apart where it is still there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from planvow.cassette.dossier.model import NOTHING_PRIVATE, PARTS, Dossier, Erased, Privacy
from planvow.cassette.dossier.states import facts_in
from planvow.cassette.errors import ErasedError
from planvow.cassette.ledger.job_rows import named_documents
from planvow.cassette.ledger.notes import NoteKind
from planvow.cassette.ledger.store import Store


def dossier_of(store: Store, job_id: str) -> Dossier:
    """Return what a job was posted with; nothing is said where it has no dossier. Erased parts read as `Erased`."""
    store.check_known(job_id=job_id)
    manifest = manifest_of(store, job_id)
    apart = private_values(store, job_id, "apart")
    parts: dict[str, Any] = {}
    for name in PARTS:
        text = _document(store, manifest.get("documents", {}).get(name))
        if name == "state":
            parts[name] = _state(store, text, apart.get(name))
        else:
            parts[name] = apart[name] if name in apart else None if text is None else json.loads(text)
    return Dossier(**parts)


def _state(store: Store, text: str | None, apart: Any) -> Any:
    if text is None:
        return None
    if isinstance(apart, Erased):
        return apart
    before = {name: found for name in named_documents(text) if (found := _document(store, name)) is not None}
    facts = facts_in(text, before)
    return [*facts, *apart] if isinstance(apart, list) else facts


def manifest_of(store: Store, job_id: str) -> Mapping[str, Any]:
    """Return the list of a job's documents; empty where it was posted without a dossier."""
    rows = store.rows("manifest_of_job", job_id=job_id)
    manifest: Mapping[str, Any] = json.loads(rows[0]["content"]) if rows else {}
    return manifest


def privacy_of(manifest: Mapping[str, Any]) -> Privacy:
    """Return what a job's manifest declares private."""
    return Privacy.from_json(manifest["private"]) if "private" in manifest else NOTHING_PRIVATE


def private_values(store: Store, job_id: str, group: str) -> dict[str, Any]:
    """Return the private values of one group of the manifest by name, `Erased` for those that are gone."""
    named: Mapping[str, str] = manifest_of(store, job_id).get(group, {})
    return values_by_name(store, job_id, named) if named else {}


def values_by_name(store: Store, job_id: str, named: Mapping[str, str]) -> dict[str, Any]:
    """Return private values of a job by name, from the hashes that stand for them."""
    kept = {row["sha256"]: row["content"] for row in store.rows("private_of", job_id=job_id)}
    found: dict[str, Any] = {name: json.loads(kept[sha256]) for name, sha256 in named.items() if sha256 in kept}
    if len(found) < len(named):
        gone = erasures(store, job_id)
        found.update({name: gone[sha256] for name, sha256 in named.items() if sha256 in gone})
    return found


def private_arguments(store: Store, job_id: str) -> dict[str, Any]:
    """Return the private arguments of a job's steps by name; raise ErasedError when one was erased."""
    found = private_values(store, job_id, "arguments")
    for name, value in found.items():
        if isinstance(value, Erased):
            raise ErasedError(f"the argument {name!r} of job {job_id} was erased by {value.by}: {value.reason}")
    return found


def erasures(store: Store, job_id: str) -> dict[str, Erased]:
    """Return who erased what of a job, by the hash that stands for it."""
    found: dict[str, Erased] = {}
    for note in store.rows("rows_notes", job_id=job_id):
        if note["kind"] == NoteKind.ERASURE:
            said = json.loads(_document(store, note["document_sha256"]) or "{}")
            gone = Erased(by=said["by"], reason=said["reason"], at=note["created_at"])
            found.update(dict.fromkeys(said["erased"], gone))
    return found


def outputs_of(store: Store, job_id: str) -> dict[str, Any]:
    """Return what the committed steps of a job gave, like `Store.outputs`, private outputs included."""
    found = store.outputs(job_id)
    named: dict[str, str] = {}
    for row in store.rows("outputs_of_job", job_id=job_id):
        sha256 = json.loads(row["receipt_json"]).get("private_output")
        if sha256 is not None:
            keys = (row["step_id"], row["output_key"])
            named.update({key: sha256 for key in keys if key is not None})
    if not named:
        return found
    return {**found, **values_by_name(store, job_id, named)}


def _document(store: Store, sha256: str | None) -> str | None:
    rows = [] if sha256 is None else store.rows("document", sha256=sha256)
    return str(rows[0]["content"]) if rows else None
