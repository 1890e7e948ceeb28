"""What was seen after a step: notes in the job's chain, private facts apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planvow.canonical import canonical_json, to_jsonable
from planvow.cassette.dossier.private import Guard, private_text
from planvow.cassette.dossier.read import manifest_of, privacy_of, values_by_name
from planvow.cassette.errors import UnknownStepError
from planvow.cassette.ledger.model import MAX_MESSAGE_BYTES
from planvow.cassette.ledger.notes import WHOLE_PLAN, NoteKind
from planvow.cassette.ledger.store import Store
from planvow.cassette.ledger.stored_rows import Row, object_in, sized


@dataclass(frozen=True, kw_only=True)
class Observation:
    """What was seen: after which step (None: of the job as a whole), when it was noted, and the document."""

    step_id: str | None
    document: Any
    at: int
    sha256: str


def observe(store: Store, job_id: str, step_id: str | None, document: Any, *, worker_id: str | None = None) -> str:
    """Note what was observed after a step and return the note's hash.

    An observation that mentions a predicate declared private is kept apart; whoever notes it must then hold a step of
    the job, and name itself (`worker_id`).
    """
    privacy = privacy_of(manifest_of(store, job_id))
    content: dict[str, Any] = {"observation": document}
    with store.transaction():
        if privacy.predicates and Guard(privacy).mentions(to_jsonable(document)):
            text = private_text(document)
            store.keep_apart(job_id, worker_id or "", text)
            content = {"private": text.sha256}
        said = sized("the observation", canonical_json(content), MAX_MESSAGE_BYTES)
        note = store.add_note(job_id, NoteKind.OBSERVATION, ordinal_of(store, job_id, step_id), said)
    return str(note["sha256"])


def observations_of(store: Store, job_id: str) -> tuple[Observation, ...]:
    """Return what was observed of a job, in order."""
    steps = store.step_ids(job_id)
    notes = [row for row in store.rows("rows_notes", job_id=job_id) if row["kind"] == NoteKind.OBSERVATION]
    return tuple(_observation(store, note, steps) for note in notes)


def _observation(store: Store, note: Row, steps: tuple[str, ...]) -> Observation:
    text = store.rows("document", sha256=note["document_sha256"])[0]["content"]
    content = object_in(text)
    if isinstance(content.get("private"), str):
        seen: Any = values_by_name(store, note["job_id"], {"seen": content["private"]}).get("seen")
    else:
        seen = content.get("observation", text)  # a worker may write what it likes: then it is shown as it stands
    step_id = None if note["ordinal"] == WHOLE_PLAN else steps[note["ordinal"] - 1]
    return Observation(step_id=step_id, document=seen, at=note["created_at"], sha256=note["sha256"])


def ordinal_of(store: Store, job_id: str, step_id: str | None) -> int:
    """Return a step's number; the plan as a whole has none."""
    steps = store.step_ids(job_id)
    if step_id is None:
        store.check_known(job_id=job_id)
        return WHOLE_PLAN
    if step_id not in steps:
        raise UnknownStepError(f"job {job_id} has no step {step_id!r}")
    return steps.index(step_id) + 1
