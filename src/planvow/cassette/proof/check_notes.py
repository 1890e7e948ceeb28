"""Whether a job's dossier and notes are what their hashes say. Reads rows, trusts none of them.

Documents must have the hashes they are stored under, and none may be missing. Notes form a chain from the job's head.
Decisions are bound to this plan, this step and the word they answer. A certificate in the open must hold by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from planvow.canonical import canonical_bytes, is_canonical
from planvow.cassette.errors import SignatureError
from planvow.cassette.ledger.chain import note_hash, sha256_text
from planvow.cassette.ledger.job_rows import MANIFEST, named_documents
from planvow.cassette.proof.dsse import Verifier, unsigned_payload, verified_payload
from planvow.contract.checking.check import check_certificate
from planvow.verdict import Fault

Row = Mapping[str, Any]
Library = Callable[[str], str | None]

DECISION_TYPE = "application/vnd.planvow.decision.v1+json"
DECISIONS = ("requirement", "approval", "denial", "lapse")
OPEN = ("requirement", "lapse")
MAY_FOLLOW = {
    "requirement": (None,), "approval": OPEN, "lapse": ("approval",), "denial": ("requirement", "lapse", "approval"),
}  # fmt: skip


def read_document(library: Library, sha256: str | None) -> Mapping[str, Any]:
    """Return a document that is an object, empty where it is missing or something else."""
    text = None if sha256 is None else library(sha256)
    return {} if text is None else object_in(text)


def object_in(text: str) -> Mapping[str, Any]:
    """Return the JSON object in a text, empty where it is something else."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, Mapping) else {}


def check_documents(place: str, manifest_sha256: str | None, notes: Sequence[Row], library: Library) -> Iterator[Fault]:
    """Yield documents that are missing or are not what they are called."""
    wanted = [row["document_sha256"] for row in notes]
    if manifest_sha256 is not None:
        wanted.append(manifest_sha256)
        if read_document(library, manifest_sha256).get("format") != MANIFEST:
            yield Fault(place=place, message="its dossier has no list of documents")
    seen: set[str] = set()
    while wanted:
        sha256 = wanted.pop()
        if sha256 in seen:
            continue
        seen.add(sha256)
        text = library(sha256)
        if text is None:
            yield Fault(place=place, message=f"the document {sha256} is missing")
        elif not _sound(sha256, text):
            yield Fault(place=place, message=f"the document {sha256} does not have its hash")
        else:
            wanted += named_documents(text)


@lru_cache(maxsize=64)
def _sound(sha256: str, text: str) -> bool:
    """Many jobs share a state: each text is looked at once."""
    return sha256_text(text) == sha256 and is_canonical(text)


def check_stored_certificate(place: str, text: str | None) -> Iterator[Fault]:
    """Yield what is wrong with a certificate; against the domain it is checked by whoever has the domain."""
    fault = None if text is None else _certificate_fault(text)
    if fault is not None:
        yield Fault(place=f"{place} certificate", message=fault)


@lru_cache(maxsize=64)
def _certificate_fault(text: str) -> str | None:
    document = json.loads(text)
    if not isinstance(document, dict) or not str(document.get("format")).startswith("certificate/"):
        return None  # another planner's own form
    verdict = check_certificate(document)
    return None if verdict.accepted else str(verdict.fault)


def check_chain(job_id: str, head_sha256: str, notes: Sequence[Row]) -> Iterator[Fault]:
    """Yield breaks in the chain of notes, which begins at the job's head and never goes back in time."""
    before, receipt, event = head_sha256, 0, 0
    for number, note in enumerate(notes, 1):
        place = f"{job_id} note {number}"
        if note["note_seq"] != number or note["prev_sha256"] != before:
            yield Fault(place=place, message="does not continue the chain of notes")
        if note_hash(note) != note["sha256"]:
            yield Fault(place=place, message="does not have its hash")
        if note["after_receipt"] < receipt or note["after_event"] < event:
            yield Fault(place=place, message="knows less of what happened than the note before it")
        before, receipt, event = note["sha256"], note["after_receipt"], note["after_event"]


def check_decisions(
    job_id: str, plan_hash: str, names: Mapping[int, str | None], notes: Sequence[Row], library: Library,
    approvers: Sequence[Verifier],
) -> Iterator[Fault]:  # fmt: skip
    """Yield decisions that are about something else, come out of order, or whose person is not certain."""
    last: dict[int, Row] = {}
    for number, note in enumerate(notes, 1):
        if note["kind"] not in DECISIONS:
            continue
        place = f"{job_id} note {number}"
        said = read_document(library, note["document_sha256"])
        before = last.get(note["ordinal"])
        expected = {
            "decision": note["kind"],
            "job_id": job_id,
            "plan_hash": plan_hash,
            "step_id": names.get(note["ordinal"], "no such step"),
            "answers": None if before is None else before["sha256"],
            "expires_at": note["expires_at"],
        }
        wrong = [name for name, value in expected.items() if said.get(name) != value]
        if wrong:
            yield Fault(place=place, message=f"the {note['kind']} is about something else: {', '.join(wrong)}")
        if (None if before is None else before["kind"]) not in MAY_FOLLOW[note["kind"]]:
            yield Fault(place=place, message=f"{note['kind']} after {before['kind'] if before else 'nothing'}")
        if note["kind"] in ("approval", "denial"):
            yield from _check_person(said, place, approvers)
        last[note["ordinal"]] = note


def _check_person(said: Mapping[str, Any], place: str, approvers: Sequence[Verifier]) -> Iterator[Fault]:
    if not said.get("by"):
        yield Fault(place=place, message="names nobody who decided")
    statement = {name: value for name, value in said.items() if name != "signature"}
    try:
        if approvers:
            signed = verified_payload(said.get("signature") or {}, DECISION_TYPE, *approvers)
        elif "signature" in said:
            signed = unsigned_payload(said["signature"], DECISION_TYPE)
        else:
            return
        if signed != canonical_bytes(statement):
            yield Fault(place=place, message="was signed with other words")
    except SignatureError as error:
        yield Fault(place=place, message=f"who decided is not certain: {error.message}")
