"""Calls that were lost with their plan: leases without a word, of steps that nobody can take up any more.

When a plan is given up, steps that dead workers held are given up with it. What they did still counts for the repair,
so a probe's or a person's answer is noted beside the step.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from planvow.cassette.dossier import observe
from planvow.cassette.ledger.model import Outcome, Receipt, StepState, StepStatus
from planvow.cassette.ledger.notes import NoteKind
from planvow.cassette.ledger.store import Store

SETTLED, UNKNOWN, ASKED = "settled", "unknown", "asked"
DEVIATION = "DEVIATION"
"""The code of a step that was failed before it ran, because the plan no longer held."""
GIVEN_UP = (StepStatus.SKIPPED, StepStatus.CANCELLED, StepStatus.DEAD)


def open_fences(ordinal: int, last: int, receipts: Iterable[Receipt]) -> tuple[int, ...]:
    """Return those of the leases 1 to `last` of a step of which nobody knows what they did."""
    own = {receipt.fence: receipt for receipt in receipts if receipt.ordinal == ordinal}
    settled = max((fence for fence, receipt in own.items() if SETTLED in receipt.body), default=0)
    return tuple(
        fence
        for fence in range(settled + 1, last + 1)
        if fence not in own or (own[fence].outcome is Outcome.ABORTED and own[fence].body.get(UNKNOWN))
    )


def lost_calls(store: Store, job_id: str, steps: Iterable[StepState], receipts: Iterable[Receipt]) -> list[StepState]:
    """Return the steps that were given up and of which nobody knows, and nobody said, whether they happened."""
    rows = list(receipts)
    unrun = {receipt.ordinal for receipt in rows if (receipt.body.get("error") or {}).get("code") == DEVIATION}
    ended = [s for s in steps if s.status in GIVEN_UP or (s.status is StepStatus.FAILED and s.ordinal in unrun)]
    lost = [step for step in ended if open_fences(step.ordinal, step.fence, rows)]
    said = settled_besides(store, job_id) if lost else {}
    return [step for step in lost if step.ordinal not in said]


def note_settled(store: Store, job_id: str, step_id: str, **said: Any) -> None:
    """Note what became of a call that was lost with its plan."""
    observe(store, job_id, step_id, {SETTLED: said})


def settled_besides(store: Store, job_id: str) -> dict[int, bool]:
    """Return what was said about lost calls of a job: by step, whether it happened."""
    return {ordinal: bool(said["happened"]) for ordinal, said in _noted(store, job_id, SETTLED).items()}


def note_asked(store: Store, job_id: str, ordinal: int, text: str) -> None:
    """Note, once, that a person was asked about a call, so that the ledger alone tells what is waited for."""
    step = store.steps(job_id)[ordinal - 1]
    said = [step.fence, text]
    if _noted(store, job_id, ASKED).get(ordinal) != said:
        observe(store, job_id, step.step_id, {ASKED: said})


def asked_doubts(store: Store, job_id: str, steps: Iterable[StepState], receipts: Iterable[Receipt]) -> dict[int, str]:
    """Return what was asked about calls of which nobody knows, and nobody has answered: by step, the question."""
    rows, held = list(receipts), list(steps)
    waiting = [step for step in held if step.status is StepStatus.PENDING]
    open_steps = [step for step in waiting if open_fences(step.ordinal, step.fence, rows)]
    open_steps += lost_calls(store, job_id, held, rows)
    noted = _noted(store, job_id, ASKED) if open_steps else {}
    open_steps.sort(key=lambda step: step.ordinal)
    asked = [(step, *noted[step.ordinal]) for step in open_steps if step.ordinal in noted]
    return {step.ordinal: text for step, fence, text in asked if fence == step.fence}  # not about an earlier call of it


def _noted(store: Store, job_id: str, word: str) -> dict[int, Any]:
    """Return what notes beside the steps of a job have under a word; the last note counts."""
    found: dict[int, Any] = {}
    for row in store.rows("rows_notes", job_id=job_id):
        if row["kind"] == NoteKind.OBSERVATION and row["ordinal"]:
            said = json.loads(store.rows("document", sha256=row["document_sha256"])[0]["content"]).get("observation")
            if isinstance(said, dict) and word in said:
                found[row["ordinal"]] = said[word]
    return found


def done_in(store: Store, job_id: str) -> frozenset[int]:
    """Return the steps of a job that were done, by their receipts or by what was said later."""
    done = {receipt.ordinal for receipt in store.receipts(job_id) if receipt.outcome is Outcome.SUCCESS}
    return frozenset(done | {ordinal for ordinal, happened in settled_besides(store, job_id).items() if happened})
