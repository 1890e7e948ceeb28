"""Whether a job's dossier and notes are what their hashes say, and whether nothing ran that a person had not allowed.

Documents must have the hashes they are stored under, and none may be missing. Notes form a chain from the job's head
and name how far receipts and events had come. Decisions are bound to this plan, this step and the word they answer.
For every lease of a step that needed a person there must be an approval before it that had not run out, and the
receipt repeats the approval's hash, which nobody could know before it was given.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from planvow.canonical import canonical_bytes, is_canonical
from planvow.cassette.errors import SignatureError
from planvow.cassette.ledger.chain import note_hash, sha256_text
from planvow.cassette.ledger.job_rows import MANIFEST, JobRows, named_documents
from planvow.cassette.ledger.notes import WHOLE_PLAN
from planvow.cassette.proof.dsse import Verifier, unsigned_payload, verified_payload
from planvow.contract.checking.check import check_certificate
from planvow.verdict import Fault

Row = Mapping[str, Any]

DECISION_TYPE = "application/vnd.planvow.decision.v1+json"
DECISIONS = ("requirement", "approval", "denial", "lapse")
OPEN = ("requirement", "lapse")
MAY_FOLLOW = {
    "requirement": (None,), "approval": OPEN, "lapse": ("approval",), "denial": ("requirement", "lapse", "approval"),
}  # fmt: skip


def check_notes(rows: JobRows, approvers: Sequence[Verifier] = ()) -> Iterator[Fault]:
    """Yield everything that is wrong with a job's dossier and notes; with keys, every decision must be signed."""
    yield from _check_documents(rows)
    yield from _check_certificate(rows)
    yield from _check_chain(rows)
    yield from _check_decisions(rows, approvers)
    yield from _check_requirements(rows)
    yield from _check_leases(rows)


def manifest_in(rows: JobRows) -> Mapping[str, Any]:
    """Return the list of a job's documents, empty where it has none that can be read."""
    if rows.dossier is None:
        return {}
    return read_document(rows, rows.dossier["manifest_sha256"])


def read_document(rows: JobRows, sha256: str) -> Mapping[str, Any]:
    """Return a document that is an object, empty where it is missing or something else."""
    try:
        found = json.loads(rows.documents.get(sha256, "null"))
    except ValueError:
        return {}
    return found if isinstance(found, Mapping) else {}


def _check_documents(rows: JobRows) -> Iterator[Fault]:
    place = rows.job_id
    wanted = [row["document_sha256"] for row in rows.notes]
    if rows.dossier is not None:
        wanted.append(rows.dossier["manifest_sha256"])
        if manifest_in(rows).get("format") != MANIFEST:
            yield Fault(place=place, message="its dossier has no list of documents")
    seen: set[str] = set()
    while wanted:
        sha256 = wanted.pop()
        if sha256 in seen:
            continue
        seen.add(sha256)
        text = rows.documents.get(sha256)
        if text is None:
            yield Fault(place=place, message=f"the document {sha256} is missing")
        elif not _sound(sha256, text):
            yield Fault(place=place, message=f"the document {sha256} does not have its hash")
        else:
            wanted += named_documents(text)


def _check_certificate(rows: JobRows) -> Iterator[Fault]:
    """A certificate in the open must hold by itself; against the domain it is checked by whoever has the domain."""
    text = rows.documents.get(manifest_in(rows).get("documents", {}).get("certificate") or "")
    fault = None if text is None else _certificate_fault(text)
    if fault is not None:
        yield Fault(place=f"{rows.job_id} certificate", message=fault)


@lru_cache(maxsize=64)
def _certificate_fault(text: str) -> str | None:
    document = json.loads(text)
    if not isinstance(document, dict) or not str(document.get("format")).startswith("certificate/"):
        return None  # another planner's own form
    verdict = check_certificate(document)
    return None if verdict.accepted else str(verdict.fault)


@lru_cache(maxsize=256)
def _sound(sha256: str, text: str) -> bool:
    """Many jobs share a state: each text is looked at once."""
    return sha256_text(text) == sha256 and is_canonical(text)


def _check_chain(rows: JobRows) -> Iterator[Fault]:
    before = rows.job["head_sha256"]
    ends = {0: before, **{row["chain_seq"]: row["sha256"] for row in rows.receipts}}
    events = {0, *(row["seq"] for row in rows.events)}
    receipt = event = 0
    for number, note in enumerate(rows.notes, 1):
        place = f"{rows.job_id} note {number}"
        if note["note_seq"] != number or note["prev_sha256"] != before:
            yield Fault(place=place, message="does not continue the chain of notes")
        if note_hash(note) != note["sha256"]:
            yield Fault(place=place, message="does not have its hash")
        if ends.get(note["after_receipt"]) != note["after_sha256"] or note["after_receipt"] < receipt:
            yield Fault(place=place, message="names a receipt that was not the last one then")
        if note["after_event"] not in events or note["after_event"] < event:
            yield Fault(place=place, message="names an event that was not the last one then")
        before, receipt, event = note["sha256"], note["after_receipt"], note["after_event"]


def _check_decisions(rows: JobRows, approvers: Sequence[Verifier]) -> Iterator[Fault]:
    names: dict[int, str | None] = {WHOLE_PLAN: None, **{step["ordinal"]: step["step_id"] for step in rows.steps}}
    last: dict[int, Row] = {}
    for number, note in enumerate(rows.notes, 1):
        if note["kind"] not in DECISIONS:
            continue
        place = f"{rows.job_id} note {number}"
        said = read_document(rows, note["document_sha256"])
        before = last.get(note["ordinal"])
        expected = {
            "decision": note["kind"],
            "job_id": rows.job_id,
            "plan_hash": rows.plan["plan_hash"],
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


def _check_requirements(rows: JobRows) -> Iterator[Fault]:
    """What the dossier says needs a person must have been asked before anything happened."""
    needed = manifest_in(rows).get("needs_approval") or {}
    ordinals = {step["step_id"]: step["ordinal"] for step in rows.steps}
    wanted = {ordinals.get(name): reason for name, reason in (needed.get("steps") or {}).items()}
    if needed.get("plan") is not None:
        wanted[WHOLE_PLAN] = needed["plan"]
    asked = {
        note["ordinal"]: read_document(rows, note["document_sha256"]).get("reason")
        for note in rows.notes
        if note["kind"] == "requirement" and note["after_event"] == 0
    }
    for ordinal in sorted(wanted, key=lambda number: -1 if number is None else number):
        if ordinal not in asked or asked[ordinal] != wanted[ordinal]:
            what = "the plan" if ordinal == WHOLE_PLAN else f"step {ordinal}"
            yield Fault(place=rows.job_id, message=f"{what} needs a person, and nobody was asked")


def _check_leases(rows: JobRows) -> Iterator[Fault]:
    """Hold every lease, and every receipt, against the decisions that came before it."""
    decisions = [note for note in rows.notes if note["kind"] in DECISIONS]
    if not decisions:
        return
    tokens: dict[tuple[int, int], str | None] = {}
    for event in rows.events:
        if event["to_status"] != "LEASED":
            continue
        place = f"{rows.job_id} step {event['ordinal']}"
        standing = standing_at(decisions, event["ordinal"], event["seq"])
        for note in standing.values():
            if note["kind"] != "approval":
                yield Fault(place=place, message=f"was begun while {_words(note)}")
            elif note["expires_at"] is not None and note["expires_at"] <= event["at"]:
                yield Fault(place=place, message="was begun after its approval had run out")
        latest = max(standing.values(), key=lambda note: note["note_seq"], default=None)
        tokens[event["ordinal"], event["fence"]] = None if latest is None else latest["sha256"]
    for receipt in rows.receipts:
        approval = tokens.get((receipt["ordinal"], receipt["fence"]))
        if approval is not None and _said(receipt).get("approval") != approval:
            place = f"{rows.job_id} receipt {receipt['chain_seq']}"
            yield Fault(place=place, message="does not name the approval that its step rests on")


def standing_at(decisions: Sequence[Row], ordinal: int, event_seq: int) -> dict[int, Row]:
    """Return the last words on the plan and on a step before an event."""
    return {
        note["ordinal"]: note
        for note in decisions
        if note["ordinal"] in (WHOLE_PLAN, ordinal) and note["after_event"] < event_seq
    }


def open_questions(rows: JobRows, ordinal: int) -> int:
    """Count the questions about the plan and about a step that nobody has answered."""
    last = {note["ordinal"]: note["kind"] for note in rows.notes if note["kind"] in DECISIONS}
    return sum(last.get(scope) in OPEN for scope in {WHOLE_PLAN, ordinal})


def denied(rows: JobRows, ordinal: int) -> bool:
    """Say whether a step, or the plan, was denied."""
    return any(note["kind"] == "denial" and note["ordinal"] == ordinal for note in rows.notes)


def _words(note: Row) -> str:
    if note["kind"] == "denial":
        return "it was denied"
    return "its approval had run out" if note["kind"] == "lapse" else "nobody had approved it"


def _said(receipt: Row) -> Mapping[str, Any]:
    try:
        body = json.loads(receipt["receipt_json"])
    except ValueError:
        return {}
    return body if isinstance(body, Mapping) else {}
