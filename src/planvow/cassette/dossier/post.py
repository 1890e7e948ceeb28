"""Posting a plan with its dossier: documents, job, and the questions to people, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planvow.canonical import canonical_json, to_jsonable
from planvow.cassette.dossier.approvals import requirement
from planvow.cassette.dossier.model import (
    NEEDS_NOBODY,
    NOTHING_PRIVATE,
    PARTS,
    Dossier,
    Needs,
    Privacy,
    StateDocument,
)
from planvow.cassette.dossier.private import Guard, private_text
from planvow.cassette.dossier.read import private_values
from planvow.cassette.dossier.states import STATE, change_text, state_document
from planvow.cassette.errors import IdempotencyConflictError
from planvow.cassette.ledger.chain import sha256_text
from planvow.cassette.ledger.job_rows import MANIFEST
from planvow.cassette.ledger.model import MAX_PLAN_BYTES, Posted, Source, StoredPlan
from planvow.cassette.ledger.notes import WHOLE_PLAN, Laid, NoteKind, PrivateText
from planvow.cassette.ledger.store import Store
from planvow.cassette.ledger.stored_rows import sized
from planvow.spans import carried_span

KEPT_APART = {"asked": "kept apart"}


def store_plan_with_dossier(
    store: Store,
    run_id: str,
    plan: StoredPlan,
    dossier: Dossier,
    *,
    payload: Any = None,
    idempotency_key: str | None = None,
    source: Source = Source.USER,
    privacy: Privacy = NOTHING_PRIVATE,
    arguments: Mapping[str, Any] | None = None,
    needs_approval: Needs = NEEDS_NOBODY,
) -> Posted:
    """Store a plan with all that explains it, wholly or not at all.

    `payload` is the request as `Store.post` takes it; without one it is what the dossier says was asked. `arguments`
    are the private values that `{{private.NAME}}` in the plan refers to (`hide_arguments`).
    """
    hidden = dict(arguments or {})
    folder = _Folder(store, privacy)
    state = folder.add_state(dossier.state, plan.parent_job_id)
    guard = Guard(privacy, state, hidden.values())
    for name in PARTS:
        if name != "state":
            folder.add(name, getattr(dossier, name), guard)
    if payload is None:
        payload = KEPT_APART if "asked" in folder.apart else {"asked": dossier.asked}
    guard.check_open("request", payload)
    guard.check_open("plan", plan.plan)
    for step in plan.steps:
        guard.check_open(f"step {step.step_id}", step.payload)
    reasons = needs_approval.of(plan)
    laid = folder.laid(hidden, reasons)
    with store.transaction():
        posted = store.post(run_id, payload, plan, idempotency_key=idempotency_key, source=source, laid=laid)
        if posted.created:
            _ask(store, posted, reasons)
        elif payload == KEPT_APART:
            _check_same(store, posted, folder)
    return posted


def _ask(store: Store, posted: Posted, reasons: Mapping[str | None, str]) -> None:
    ordinals: dict[str | None, int] = {name: number for number, name in enumerate(posted.step_ids, 1)}
    for step_id in sorted(reasons, key=lambda name: ordinals.get(name, WHOLE_PLAN)):
        said = requirement(posted.job_id, posted.plan_hash, step_id, reasons[step_id])
        store.add_note(posted.job_id, NoteKind.REQUIREMENT, ordinals.get(step_id, WHOLE_PLAN), canonical_json(said))


def _check_same(store: Store, posted: Posted, folder: _Folder) -> None:
    """A request that is kept apart is not in the hash that tells a repetition from another request."""
    before = private_values(store, posted.job_id, "apart").get("asked")
    if before is not None and canonical_json(before) != folder.apart["asked"].content:
        raise IdempotencyConflictError(
            "the same key was used for another request, which is kept apart",
            hint="choose a new idempotency key, or send the stored request",
        )


class _Folder:
    """The documents of one dossier, as they are collected."""

    def __init__(self, store: Store, privacy: Privacy) -> None:
        self._store = store
        self._privacy = privacy
        self._documents: dict[str, str] = {}
        self._parts: dict[str, str] = {}
        self.apart: dict[str, PrivateText] = {}

    def add(self, name: str, value: Any, guard: Guard) -> None:
        """Add a part, apart from the others if it mentions something private."""
        if value is None:
            return
        value = to_jsonable(value.document) if hasattr(value, "document") else value
        if self._privacy and guard.mentions(to_jsonable(value)):  # or holds a hash over private facts
            self.apart[name] = private_text(value)
        else:
            self._add_text(name, canonical_json(value))

    def add_state(self, state: Any, parent_job_id: str | None) -> tuple[str, ...]:
        """Add the state, as a difference where it pays; return its private facts."""
        if state is None:
            return ()
        if not isinstance(state, StateDocument | list | tuple):
            self._add_text("state", canonical_json({"format": STATE, "value": state}))
            return ()
        known = state if isinstance(state, StateDocument) else state_document(state, self._privacy)
        self._add_text("state", self._shortest(known, parent_job_id))
        if known.apart:
            self.apart["state"] = PrivateText(salt=private_text(None).salt, content="[" + ",".join(known.apart) + "]")
        return known.apart

    def _shortest(self, state: StateDocument, parent_job_id: str | None) -> str:
        """Return the state's document: as a difference from the full state that its parent's dossier rests on."""
        if parent_job_id is None or self._store.rows("document_known", sha256=state.sha256):
            return state.text
        rows = self._store.rows("state_of_job", job_id=parent_job_id)
        for row in rows:
            change = change_text(state, row["sha256"], row["content"])
            if change is not None:
                self._documents.setdefault(row["sha256"], row["content"])
                return change
        return state.text

    def _add_text(self, name: str, text: str) -> None:
        sized(f"the {name} of the dossier", text, MAX_PLAN_BYTES)
        self._parts[name] = sha256_text(text)
        self._documents[self._parts[name]] = text

    def laid(self, hidden: Mapping[str, Any], reasons: Mapping[str | None, str]) -> Laid:
        """Return everything with the manifest that lists it."""
        arguments = {name: private_text(value) for name, value in hidden.items()}
        manifest: dict[str, Any] = {"format": MANIFEST, "documents": self._parts}
        if self.apart:
            manifest["apart"] = {name: text.sha256 for name, text in self.apart.items()}
        if arguments:
            manifest["arguments"] = {name: text.sha256 for name, text in arguments.items()}
        if self._privacy:
            manifest["private"] = self._privacy.as_json()
        if reasons:
            steps = {name: reason for name, reason in reasons.items() if name is not None}
            manifest["needs_approval"] = {"plan": reasons.get(None), "steps": steps}
        trace = carried_span()
        if trace is not None:  # beside the job, so that its steps are told below what asked for them
            manifest["trace"] = trace
        text = canonical_json(manifest)
        sha256 = sha256_text(text)
        return Laid(
            documents={**self._documents, sha256: text},
            manifest_sha256=sha256,
            apart=(*self.apart.values(), *arguments.values()),
        )
