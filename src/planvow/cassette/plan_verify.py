"""Whether a stored plan is what its request gives today, and if not, which side changed.

The caller supplies `recompute`: it gets the stored record and returns what planning its request gives now. Sides are
named in the order in which they explain a difference: stored bytes, request, planner version, substrate, plan.

Seed 002, "Plan Verify Command".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from planvow.canonical import canonical_json
from planvow.cassette.check_job import check_job
from planvow.cassette.errors import UnknownStepError
from planvow.cassette.job_rows import load_job
from planvow.cassette.model import PlanRecord
from planvow.cassette.store import Store
from planvow.errors import PlanvowError


@dataclass(frozen=True, kw_only=True)
class Recomputed:
    """What planning a stored request gives now."""

    plan_hash: str
    plan: Any
    planner_version: str
    index_hash: str | None = None


Recompute = Callable[[PlanRecord], Recomputed]


@dataclass(frozen=True, kw_only=True)
class PlanVerdict:
    """The answer for one stored plan. `sides` is empty when everything matches."""

    job_id: str
    stored_hash: str
    recomputed_hash: str | None
    sides: tuple[str, ...]
    details: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.sides


def verify_plans(store: Store, run_id: str, request_id: str, recompute: Recompute) -> tuple[PlanVerdict, ...]:
    """Check every stored plan of a request; an unknown request raises UnknownStepError."""
    with store.snapshot():
        records = store.plans(run_id=run_id, request_id=request_id)
        loaded = [(record, [str(f) for f in check_job(load_job(store, record.job_id))]) for record in records]
    if not records:
        raise UnknownStepError(f"run {run_id!r} has no plan for the request {request_id!r}")
    return tuple(_verdict(record, broken, recompute) for record, broken in loaded)


def _verdict(record: PlanRecord, broken: list[str], recompute: Recompute) -> PlanVerdict:
    sides: list[str] = []
    details: list[str] = []
    if broken:
        sides.append("stored bytes")
        details += broken
    now: Recomputed | None = None
    if record.parent_job_id is None:  # a repaired plan answers what happened to its parent, not the request alone
        try:
            now = recompute(record)
        except PlanvowError as error:
            sides.append("substrate")
            details.append(f"the request can no longer be planned: {error.message}")
    if now is not None:
        if now.planner_version != record.planner_version:
            sides.append("planner version")
            details.append(f"planned with {record.planner_version}, now {now.planner_version}")
        if now.index_hash != record.index_hash:
            sides.append("substrate")
            details.append(f"the index was {record.index_hash}, now it is {now.index_hash}")
        if now.plan_hash != record.plan_hash or canonical_json(now.plan) != canonical_json(record.plan):
            sides.append("plan")
            details.append(f"the stored hash is {record.plan_hash}, the recomputed one {now.plan_hash}")
    return PlanVerdict(
        job_id=record.job_id,
        stored_hash=record.plan_hash,
        recomputed_hash=now.plan_hash if now is not None else None,
        sides=tuple(sides),
        details=tuple(details),
    )
