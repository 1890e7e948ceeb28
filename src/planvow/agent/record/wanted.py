"""Repairs that people ask for: a note in the chain of a run's latest job, taken up by whoever pursues the run next.

To repair is to plan with the domain's code and then to call tools, so nobody does it from afar. What a person knows
(why, and what is the case now) is recorded; a job that comes after the note is the answer to it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from planvow.agent.errors import NothingToSettleError
from planvow.agent.loop.facts import Facts, facts_data, facts_from_data, read_facts
from planvow.agent.record.goals import is_goal
from planvow.agent.record.jobs import ENDED, read_run
from planvow.cassette.dossier.observe import observations_of, observe
from planvow.cassette.ledger.model import StepStatus, check_name
from planvow.cassette.ledger.notes import NoteKind
from planvow.cassette.ledger.store import Store
from planvow.errors import InputError

REPAIR = "repair"


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A repair that somebody asked for, and what they saw."""

    by: str
    reason: str
    facts: Facts
    at: int
    sha256: str

    def __str__(self) -> str:
        return f"{self.by} asked for a repair: {self.reason}"


def want_repair(store: Store, run_id: str, *, by: str, reason: str, observed: Any = None) -> str:
    """Note that somebody wants what is left of a run planned anew; return the note's hash.

    What failed before may be tried again. A run that is done has nothing to repair.
    """
    check_name("by", by)
    check_name("the reason", reason)
    last = read_run(store, run_id)[-1]
    steps = store.steps(last.job_id)
    if last.origin.kind != ENDED and all(step.status is StepStatus.COMMITTED for step in steps):
        raise NothingToSettleError(f"run {run_id!r:.80} is done: there is nothing to repair")
    facts = read_facts(observed)
    if facts and is_goal(last):
        hint = "begin a new run with what was seen among the planner's inputs"
        raise InputError("a run of a planner takes no observations", place="observed", hint=hint)
    said = {REPAIR: {"by": by, "reason": reason, "facts": facts_data(facts)}}
    return observe(store, last.job_id, None, said)


def wanted_repair(store: Store, job_id: str) -> Wanted | None:
    """Return the latest repair that was asked for while this was a run's latest job, with all that was seen."""
    if not any(row["kind"] == NoteKind.OBSERVATION for row in store.rows("rows_notes", job_id=job_id)):
        return None  # as of most jobs: asked before each move, so it is one look
    found = repairs_asked(store, job_id)
    return replace(found[-1], facts=tuple(fact for each in found for fact in each.facts)) if found else None


def repairs_asked(store: Store, job_id: str) -> tuple[Wanted, ...]:
    """Return the repairs that were asked for while this was a run's latest job."""
    return tuple(
        Wanted(
            by=str(seen.document[REPAIR]["by"]),
            reason=str(seen.document[REPAIR]["reason"]),
            facts=facts_from_data(seen.document[REPAIR]["facts"]),
            at=seen.at,
            sha256=seen.sha256,
        )
        for seen in observations_of(store, job_id)
        if _is_wanted(seen.document)
    )


def _is_wanted(document: Any) -> bool:
    """Whether this is our note: observations are anybody's documents, and one may tell of a repair in the world."""
    asked = document.get(REPAIR) if isinstance(document, dict) else None
    return isinstance(asked, dict) and {"by", "reason", "facts"} <= asked.keys()
