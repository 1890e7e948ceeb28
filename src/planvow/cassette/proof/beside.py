"""What stands beside one job (dossier, notes, private texts): whether it is what its hashes say, and was heeded.

Documents have the hashes they are stored under, and none is missing. Notes form a chain from the job's head. Decisions
are bound to this plan, this step and the word they answer. For every lease of a step that needed a person there must be
an approval before it that had not run out, and the receipt repeats the approval's hash, which nobody could know before
it was given. Private texts are there, or somebody noted their erasure: then what rested on them is neither accepted nor
rejected, it is erased, and the chain holds. Reads rows, trusts none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from planvow.canonical import canonical_bytes, is_canonical
from planvow.cassette.errors import SignatureError
from planvow.cassette.ledger.chain import note_hash, sha256_text
from planvow.cassette.ledger.job_rows import MANIFEST, named_documents
from planvow.cassette.ledger.notes import WHOLE_PLAN
from planvow.cassette.ledger.stored_rows import object_in
from planvow.cassette.proof.job_parts import JobParts, Library
from planvow.cassette.signing.dsse import Verifier, unsigned_payload, verified_payload
from planvow.contract.checking.check import check_certificate
from planvow.verdict import Fault

Row = Mapping[str, Any]

DECISION_TYPE = "application/vnd.planvow.decision.v1+json"
DECISIONS = ("requirement", "approval", "denial", "lapse")
OPEN = ("requirement", "lapse")
MAY_FOLLOW = {
    "requirement": (None,), "approval": OPEN, "lapse": ("approval",), "denial": ("requirement", "lapse", "approval"),
}  # fmt: skip
ERASED = "erased: "


class Beside:
    """The dossier, the notes and the private texts of a job. `erased` is filled by `faults`."""

    def __init__(self, parts: JobParts, approvers: Sequence[Verifier] = ()) -> None:
        self._parts, self._approvers = parts, approvers
        self._library = parts.library
        self.notes = tuple(parts.notes)
        self.manifest_sha256: str | None = next((row["manifest_sha256"] for row in parts.dossiers), None)
        self.manifest = _read_document(self._library, self.manifest_sha256)
        self.erased: list[str] = []
        self._kept = {row["sha256"] for row in parts.kept_apart}
        self._decisions = [note for note in self.notes if note["kind"] in DECISIONS]
        self._last = {note["ordinal"]: note["kind"] for note in self._decisions}
        self._approvals = {note["sha256"] for note in self._decisions if note["kind"] == "approval"}
        self._names: dict[int, str | None] = {WHOLE_PLAN: None}
        self._rests_on: dict[tuple[int, int], str] = {}
        self._told: dict[tuple[int, int], tuple[int, Any]] = {}
        self._events = {note["after_event"] for note in self.notes} - {0}
        self._receipts = {note["after_receipt"]: note["after_sha256"] for note in self.notes}
        self._private = {name: f"the {what} of its dossier" for what, name in self._named("apart")}
        self._private |= {name: f"the argument {what}" for what, name in self._named("arguments")}

    def _named(self, group: str) -> list[tuple[str, str]]:
        found = self.manifest.get(group)
        return list(found.items()) if isinstance(found, Mapping) else []

    @property
    def denied(self) -> bool:
        """Whether the plan as a whole was denied."""
        return self._last.get(WHOLE_PLAN) == "denial"

    def denies(self, ordinal: int) -> bool:
        """Say whether a step was denied, or the plan."""
        return self.denied or self._last.get(ordinal) == "denial"

    def step_problems(self, step: Row | None, state: Row, events: Sequence[Row]) -> Iterator[str]:
        """Yield what of a step no person decided."""
        if not self.notes and self.manifest_sha256 is None:
            return
        ordinal = state["ordinal"]
        if step is not None:
            self._names[ordinal] = step["step_id"]
        self._events.difference_update(event["seq"] for event in events)
        waits, asked = state.get("questions", 0), sum(self._last.get(o) in OPEN for o in {WHOLE_PLAN, ordinal})
        was_out = state["fence"] > 0 and waits < asked
        if state["status"] == "PENDING" and waits != asked and not was_out:
            yield f"waits for {waits} answers, {asked} questions are open"
        ends = {note["expires_at"] for note in self._decisions if note["ordinal"] in (WHOLE_PLAN, ordinal)}
        if state.get("approved_until") not in {None, *ends}:
            yield f"is approved until {state['approved_until']}, which nobody decided"
        if state.get("approval_sha256") not in {None, *self._approvals}:
            yield "rests on an approval that nobody gave"
        for event in events:
            if event["to_status"] == "LEASED":
                yield from self._lease_problems(event)

    def _lease_problems(self, event: Row) -> Iterator[str]:
        standing = {
            note["ordinal"]: note
            for note in self._decisions
            if note["ordinal"] in (WHOLE_PLAN, event["ordinal"]) and note["after_event"] < event["seq"]
        }
        for note in standing.values():
            if note["kind"] != "approval":
                yield f"was begun while {_words(note)}"
            elif note["expires_at"] is not None and note["expires_at"] <= event["at"]:
                yield "was begun after its approval had run out"
        if standing:
            latest = max(standing.values(), key=lambda note: note["note_seq"])
            self._rests_on[event["ordinal"], event["fence"]] = latest["sha256"]

    def receipt_problems(self, receipt: Row) -> Iterator[str]:
        """Yield what is wrong with a receipt in the light of approvals; remember what it keeps apart."""
        named = self._receipts.get(receipt["chain_seq"])
        if named is not None and named != receipt["sha256"]:
            yield "is not the one that a note names"
        self._receipts.pop(receipt["chain_seq"], None)
        if not self._decisions and '"private_o' not in receipt["receipt_json"]:
            return
        body = object_in(receipt["receipt_json"])
        if self._decisions:  # receipts are read before the steps that say what they rest on
            self._told[receipt["ordinal"], receipt["fence"]] = receipt["chain_seq"], body.get("approval")
        if isinstance(body.get("private_output"), str):
            self._private[body["private_output"]] = f"the output of step {receipt['ordinal']}"
        if isinstance(body.get("private_observed"), str):
            self._private[body["private_observed"]] = f"what was observed after step {receipt['ordinal']}"

    def faults(self) -> Iterator[Fault]:
        """Yield everything else, when all steps and receipts were looked at."""
        job_id, head = self._parts.job_id, self._parts.job["head_sha256"]
        for lease, approval in self._rests_on.items():
            number, told = self._told.get(lease, (0, approval))
            if told != approval:
                message = "does not name the approval that its step rests on"
                yield Fault(place=f"{job_id} receipt {number}", message=message)
        if self.manifest_sha256 is None and not self.notes and not self._kept:
            return
        yield from _check_documents(job_id, self.manifest_sha256, self.notes, self._library)
        certificate = dict(self._named("documents")).get("certificate")
        yield from _check_stored_certificate(job_id, None if certificate is None else self._library(certificate))
        yield from _check_chain(job_id, head, self.notes)
        if self._events or {seq: sha for seq, sha in self._receipts.items() if (seq, sha) != (0, head)}:
            yield Fault(place=job_id, message="a note names an event or a receipt that there never was")
        plan_hash = self._parts.plan["plan_hash"]
        yield from _check_decisions(job_id, plan_hash, self._names, self.notes, self._library, self._approvers)
        yield from self._requirement_faults()
        yield from self._private_faults()

    def _requirement_faults(self) -> Iterator[Fault]:
        """What the dossier says needs a person must have been asked before anything happened."""
        needed = self.manifest.get("needs_approval") or {}
        ordinals = {name: ordinal for ordinal, name in self._names.items()}
        wanted = {ordinals.get(name): reason for name, reason in (needed.get("steps") or {}).items()}
        if needed.get("plan") is not None:
            wanted[WHOLE_PLAN] = needed["plan"]
        asked = {
            note["ordinal"]: _read_document(self._library, note["document_sha256"]).get("reason")
            for note in self.notes
            if note["kind"] == "requirement" and note["after_event"] == 0
        }
        for ordinal in sorted(wanted, key=lambda number: -1 if number is None else number):
            if ordinal not in asked or asked[ordinal] != wanted[ordinal]:
                what = "the plan" if ordinal == WHOLE_PLAN else f"step {ordinal}"
                yield Fault(place=self._parts.job_id, message=f"{what} needs a person, and nobody was asked")

    def _private_faults(self) -> Iterator[Fault]:
        """Yield private texts that are missing, that nothing names, or that are there though they were erased."""
        job_id = self._parts.job_id
        gone: dict[str, Mapping[str, Any]] = {}
        for note in self.notes:
            said = _read_document(self._library, note["document_sha256"])
            if note["kind"] == "erasure":
                gone |= dict.fromkeys(said.get("erased") or (), said)
            elif note["kind"] == "observation" and isinstance(said.get("private"), str):
                self._private[said["private"]] = f"what was observed after step {note['ordinal']}"
        for sha256, what in self._private.items():
            if sha256 in gone:
                said = gone[sha256]
                self.erased.append(f"{ERASED}{job_id} {what}, by {said.get('by')}: {said.get('reason')}")
            elif sha256 not in self._kept:
                yield Fault(place=job_id, message=f"{what} is missing, and nobody noted its erasure")
        for sha256 in sorted(self._kept & gone.keys()):
            yield Fault(place=job_id, message=f"{self._private.get(sha256, sha256)} is still there after its erasure")
        for sha256 in sorted(self._kept - self._private.keys()):
            yield Fault(place=job_id, message=f"a private text is kept that nothing names: {sha256}")


def _words(note: Row) -> str:
    if note["kind"] == "denial":
        return "it was denied"
    return "its approval had run out" if note["kind"] == "lapse" else "nobody had approved it"


def _read_document(library: Library, sha256: str | None) -> Mapping[str, Any]:
    """Return a document that is an object, empty where it is missing or something else."""
    text = None if sha256 is None else library(sha256)
    return {} if text is None else object_in(text)


def _check_documents(
    place: str, manifest_sha256: str | None, notes: Sequence[Row], library: Library
) -> Iterator[Fault]:
    """Yield documents that are missing or are not what they are called."""
    wanted = [row["document_sha256"] for row in notes]
    if manifest_sha256 is not None:
        wanted.append(manifest_sha256)
        if _read_document(library, manifest_sha256).get("format") != MANIFEST:
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


def _check_stored_certificate(place: str, text: str | None) -> Iterator[Fault]:
    """Yield what is wrong with a certificate; against the domain it is checked by whoever has the domain."""
    fault = None if text is None else _certificate_fault(text)
    if fault is not None:
        yield Fault(place=f"{place} certificate", message=fault)


@lru_cache(maxsize=64)
def _certificate_fault(text: str) -> str | None:
    document = object_in(text)
    if not str(document.get("format")).startswith("certificate/"):
        return None  # another planner's own form
    verdict = check_certificate(document)
    return None if verdict.accepted else str(verdict.fault)


def _check_chain(job_id: str, head_sha256: str, notes: Sequence[Row]) -> Iterator[Fault]:
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


def _check_decisions(
    job_id: str, plan_hash: str, names: Mapping[int, str | None], notes: Sequence[Row], library: Library,
    approvers: Sequence[Verifier],
) -> Iterator[Fault]:  # fmt: skip
    """Yield decisions that are about something else, come out of order, or whose person is not certain."""
    last: dict[int, Row] = {}
    for number, note in enumerate(notes, 1):
        if note["kind"] not in DECISIONS:
            continue
        place = f"{job_id} note {number}"
        said = _read_document(library, note["document_sha256"])
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
