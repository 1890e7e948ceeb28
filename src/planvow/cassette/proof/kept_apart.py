"""What of a job was private: whether it is still there, was erased, or is missing.

The chains hold salted hashes. For each of them the text is there, or somebody noted its erasure; then what rested on it
is neither accepted nor rejected, it is erased, and the chain holds all the same. Anything else is a fault.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from planvow.cassette.ledger.job_rows import JobRows
from planvow.cassette.proof.check_notes import manifest_in, read_document
from planvow.verdict import Fault


@dataclass(frozen=True, kw_only=True)
class ErasedPart:
    """Something private that is gone: what it was, and who erased it why."""

    job_id: str
    what: str
    by: str
    reason: str

    def __str__(self) -> str:
        return f"{self.job_id} {self.what}, by {self.by}: {self.reason}"


def check_kept_apart(rows: JobRows) -> Iterator[Fault]:
    """Yield private texts that are missing, that nothing names, or that are there though they were erased."""
    named, gone, kept = private_names(rows), _erasures(rows), set(rows.kept_apart)
    for sha256, what in named.items():
        if sha256 not in kept and sha256 not in gone:
            yield Fault(place=rows.job_id, message=f"{what} is missing, and nobody noted its erasure")
    for sha256 in sorted(kept & gone.keys()):
        yield Fault(place=rows.job_id, message=f"{named.get(sha256, sha256)} is still there after its erasure")
    for sha256 in sorted(kept - named.keys()):
        yield Fault(place=rows.job_id, message=f"a private text is kept that nothing names: {sha256}")


def erased_parts(rows: JobRows) -> tuple[ErasedPart, ...]:
    """Return what of a job was erased."""
    gone = _erasures(rows)
    return tuple(
        ErasedPart(job_id=rows.job_id, what=what, by=gone[sha256]["by"], reason=gone[sha256]["reason"])
        for sha256, what in private_names(rows).items()
        if sha256 in gone
    )


def private_names(rows: JobRows) -> dict[str, str]:
    """Return what is private about a job, by the hash that stands for it, in words."""
    manifest = manifest_in(rows)
    found = {sha256: f"the {name} of its dossier" for name, sha256 in manifest.get("apart", {}).items()}
    found.update({sha256: f"the argument {name}" for name, sha256 in manifest.get("arguments", {}).items()})
    for receipt in rows.receipts:
        body = _object(receipt["receipt_json"])
        if isinstance(body.get("private_output"), str):
            found[body["private_output"]] = f"the output of step {receipt['ordinal']}"
    for note in rows.notes:
        said = read_document(rows, note["document_sha256"]) if note["kind"] == "observation" else {}
        if isinstance(said.get("private"), str):
            found[said["private"]] = f"what was observed after step {note['ordinal']}"
    return found


def _erasures(rows: JobRows) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for note in rows.notes:
        if note["kind"] == "erasure":
            said = read_document(rows, note["document_sha256"])
            words = {"by": "nobody", "reason": "", **said}
            found.update(dict.fromkeys(said.get("erased", ()), words))
    return found


def _object(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, Mapping) else {}
