"""What stands beside one job (dossier, notes, private texts), held against its steps one after the other.

For every lease of a step that needed a person there must be an approval before it that had not run out, and the
receipt repeats the approval's hash, which nobody could know before it was given. Private texts are there, or somebody
noted their erasure: then what rested on them is neither accepted nor rejected, it is erased, and the chain holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from planvow.cassette.ledger.notes import WHOLE_PLAN
from planvow.cassette.proof.check_notes import (
    DECISIONS,
    OPEN,
    check_chain,
    check_decisions,
    check_documents,
    check_stored_certificate,
    object_in,
    read_document,
)
from planvow.cassette.proof.dsse import Verifier
from planvow.cassette.proof.job_parts import JobParts
from planvow.verdict import Fault

Row = Mapping[str, Any]
ERASED = "erased: "


class Beside:
    """The dossier, the notes and the private texts of a job. `erased` is filled by `faults`."""

    def __init__(self, parts: JobParts, approvers: Sequence[Verifier] = ()) -> None:
        self._parts, self._approvers = parts, approvers
        self._library = parts.library
        self.notes = tuple(parts.notes)
        self.manifest_sha256: str | None = next((row["manifest_sha256"] for row in parts.dossiers), None)
        self.manifest = read_document(self._library, self.manifest_sha256)
        self.erased: list[str] = []
        self._kept = {row["sha256"] for row in parts.kept_apart}
        self._decisions = [note for note in self.notes if note["kind"] in DECISIONS]
        self._last = {note["ordinal"]: note["kind"] for note in self._decisions}
        self._approvals = {note["sha256"] for note in self._decisions if note["kind"] == "approval"}
        self._names: dict[int, str | None] = {WHOLE_PLAN: None}
        self._rests_on: dict[tuple[int, int], str] = {}
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
        """Yield what is wrong with a receipt in the light of approvals; remember its private output."""
        named = self._receipts.get(receipt["chain_seq"])
        if named is not None and named != receipt["sha256"]:
            yield "is not the one that a note names"
        self._receipts.pop(receipt["chain_seq"], None)
        approval = self._rests_on.get((receipt["ordinal"], receipt["fence"]))
        if approval is None and '"private_output"' not in receipt["receipt_json"]:
            return
        body = object_in(receipt["receipt_json"])
        if approval is not None and body.get("approval") != approval:
            yield "does not name the approval that its step rests on"
        if isinstance(body.get("private_output"), str):
            self._private[body["private_output"]] = f"the output of step {receipt['ordinal']}"

    def faults(self) -> Iterator[Fault]:
        """Yield everything else, when all steps and receipts were looked at."""
        job_id, head = self._parts.job_id, self._parts.job["head_sha256"]
        if self.manifest_sha256 is None and not self.notes and not self._kept:
            return
        yield from check_documents(job_id, self.manifest_sha256, self.notes, self._library)
        certificate = dict(self._named("documents")).get("certificate")
        yield from check_stored_certificate(job_id, None if certificate is None else self._library(certificate))
        yield from check_chain(job_id, head, self.notes)
        if self._events or {seq: sha for seq, sha in self._receipts.items() if (seq, sha) != (0, head)}:
            yield Fault(place=job_id, message="a note names an event or a receipt that there never was")
        plan_hash = self._parts.plan["plan_hash"]
        yield from check_decisions(job_id, plan_hash, self._names, self.notes, self._library, self._approvers)
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
            note["ordinal"]: read_document(self._library, note["document_sha256"]).get("reason")
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
            said = read_document(self._library, note["document_sha256"])
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
