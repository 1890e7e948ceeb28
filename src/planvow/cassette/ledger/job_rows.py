"""One job with everything that belongs to it, as stored rows: the thing that is checked, exported and checked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planvow.cassette.errors import UnknownStepError
from planvow.cassette.ledger.chain import head_hash, tail_hash
from planvow.cassette.ledger.store import Store

Row = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class JobRows:
    """A job's rows of every table, in their natural order."""

    message: Row
    job: Row
    plan: Row
    steps: Sequence[Row]
    dependencies: Sequence[Row]
    states: Sequence[Row]
    events: Sequence[Row]
    receipts: Sequence[Row]
    actions: Sequence[Row] = ()

    @property
    def job_id(self) -> str:
        return str(self.job["job_id"])

    @property
    def finished(self) -> bool:
        return all(state["status"] not in ("PENDING", "LEASED") for state in self.states)

    def head(self) -> str:
        """Return the hash of what was posted, computed from the rows."""
        pairs = [(row["ordinal"], row["needs_ordinal"]) for row in self.dependencies]
        return head_hash(self.message, self.job, self.plan, self.steps, pairs)

    def leaves(self) -> tuple[str, ...]:
        """Return what a seal covers of a finished job: head, receipts, tail."""
        receipts = [str(row["sha256"]) for row in self.receipts]
        return (self.head(), *receipts, tail_hash(self.job_id, self.events, self.states, self.actions))


def load_job(store: Store, job_id: str) -> JobRows:
    """Read one job."""
    jobs = store.rows("rows_job", job_id=job_id)
    messages = store.rows("rows_message", job_id=job_id)
    plans = store.rows("rows_plan", job_id=job_id)
    if not (jobs and messages and plans):
        raise UnknownStepError(f"there is no complete job {job_id}")
    return JobRows(
        message=messages[0],
        job=jobs[0],
        plan=plans[0],
        steps=store.rows("rows_steps", job_id=job_id),
        dependencies=store.rows("rows_dependencies", job_id=job_id),
        states=store.rows("rows_states", job_id=job_id),
        events=store.rows("rows_events", job_id=job_id),
        receipts=store.rows("receipts_of_job", job_id=job_id),
        actions=store.rows("rows_actions", job_id=job_id),
    )
