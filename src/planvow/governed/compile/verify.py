"""Verifying stored plans: recompute from the stored request and say which side changed (seed 002, Plan Verify).

Five things can differ, and they are told apart: the stored bytes (somebody edited the ledger), the request, the
planner's version, the policy the plan was made under, and the substrate it rests on. A substrate that changed
elsewhere, so that the plan is still the same, is no mismatch; another policy always is, for workers will not carry
the plan out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from planvow.canonical import canonical_json, to_jsonable
from planvow.cassette import PlanRecord, Store
from planvow.cassette.ledger.chain import sha256_text
from planvow.contract.plan.difference import first_difference
from planvow.errors import PlanvowError
from planvow.governed.compile.compiler import PLANNER_VERSION, plan_hash, step_id
from planvow.governed.compile.post import step_payload
from planvow.governed.errors import RequestPathError, UnknownPlanError

Recompute = Callable[[Any], Mapping[str, Any]]
"""From a stored request to the plan_output it gives now."""


class Side(StrEnum):
    """What is not as it was when the plan was stored."""

    STORED_BYTES = "stored bytes"
    REQUEST = "request"
    PLANNER_VERSION = "planner version"
    POLICY = "policy"
    SUBSTRATE = "substrate"


@dataclass(frozen=True, kw_only=True)
class PlanCheck:
    """The verdict on one stored plan. `changed` is empty when it holds; `finding` names the first difference."""

    job_id: str
    stored_hash: str
    recomputed_hash: str | None
    changed: tuple[Side, ...] = ()
    finding: str | None = None

    @property
    def holds(self) -> bool:
        return not self.changed


def verify_stored_plans(store: Store, recompute: Recompute, *, run_id: str, request_id: str) -> list[PlanCheck]:
    """Check every plan stored under a run and request; raise UnknownPlanError when there is none."""
    records = store.plans(run_id=run_id, request_id=request_id)
    if not records:
        raise UnknownPlanError(
            f"run {run_id!r} has no plan for request {request_id!r}",
            hint="planvow cassette status lists what is stored",
        )
    return [verify_record(store, record, recompute) for record in records]


def verify_record(store: Store, record: PlanRecord, recompute: Recompute) -> PlanCheck:
    """Check one stored plan, the ledger's own rows first."""

    def verdict(recomputed: str | None, *changed: Side, finding: str | None) -> PlanCheck:
        return PlanCheck(
            job_id=record.job_id,
            stored_hash=record.plan_hash,
            recomputed_hash=recomputed,
            changed=changed,
            finding=finding,
        )

    finding = next(_request_faults(store, record), None)
    if finding is not None:
        return verdict(None, Side.REQUEST, finding=finding)
    finding = next(_stored_faults(store, record), None)
    if finding is not None:
        return verdict(None, Side.STORED_BYTES, finding=finding)
    try:
        now = recompute(record.request)
    except RequestPathError as error:  # the request is as it was: only another policy refuses what it names
        return verdict(None, Side.POLICY, finding=f"{error.code} {error}")
    except PlanvowError as error:
        return verdict(None, *_moved(record, None), finding=f"{error.code} {error}")
    if now["plan_hash"] == record.plan_hash:
        if now["policy_hash"] == record.plan["policy_hash"]:
            return verdict(record.plan_hash, finding=None)
        return verdict(record.plan_hash, Side.POLICY, finding="the plan was made under another policy than today's")
    difference = first_difference(record.plan, now, ignored=("$.plan_hash", "$.index_hash", "$.policy_hash"))
    return verdict(now["plan_hash"], *_moved(record, now), finding=str(difference))


def _moved(record: PlanRecord, now: Mapping[str, Any] | None) -> tuple[Side, ...]:
    """Say what explains another plan: the planner's version, the substrate, the policy, or several.

    Where neither the version nor the index changed, a symbol or an intent's method did: the substrate too.
    """
    version = PLANNER_VERSION if now is None else now["planner_version"]
    moved = [Side.PLANNER_VERSION] if record.planner_version != version else []
    if now is None or not moved or now["index_hash"] != record.index_hash:
        moved.append(Side.SUBSTRATE)
    if now is not None and now["policy_hash"] != record.plan["policy_hash"]:
        moved.append(Side.POLICY)
    return tuple(moved)


def _request_faults(store: Store, record: PlanRecord) -> Iterator[str]:
    for row in store.rows("rows_message", job_id=record.job_id):
        if sha256_text(row["payload_json"]) != row["payload_sha256"]:
            yield "the stored request is not the one that was posted: its hash does not fit"
    request = record.request if isinstance(record.request, dict) else {}
    if (request.get("run_id"), request.get("request_id")) != (record.run_id, record.request_id):
        yield "the stored request has another run_id or request_id than the plan"


def _stored_faults(store: Store, record: PlanRecord) -> Iterator[str]:
    plan = record.plan if isinstance(record.plan, dict) else {}
    steps = plan.get("steps", [])
    try:
        if plan_hash(plan["run_id"], plan["request_id"], steps) != record.plan_hash:
            yield "the stored plan does not have the stored plan_hash"
        if plan["plan_hash"] != record.plan_hash:
            yield "the plan's own plan_hash is not the stored one"
        if plan["index_hash"] != record.index_hash or plan["planner_version"] != record.planner_version:
            yield "index_hash or planner_version stored beside the plan are not the plan's own"
        for step in steps:
            if step_id(step["ordinal"], step["op"], step["refs"], step["constraints"]) != step["step_id"]:
                yield f"step {step['ordinal']} does not have the id {step['step_id']}"
        yield from _row_faults(store, record, steps, plan["policy_hash"])
    except (KeyError, TypeError) as error:
        yield f"the stored plan is not a governed plan: {error}"


def _row_faults(store: Store, record: PlanRecord, steps: list[Any], policy_hash: str) -> Iterator[str]:
    """Compare the claimable steps, which workers see, with the plan they were made from."""
    rows = sorted(store.rows("rows_steps", job_id=record.job_id), key=lambda row: row["ordinal"])
    if len(rows) != len(steps):
        yield f"the job has {len(rows)} steps, the plan {len(steps)}"
        return
    for row, step in zip(rows, steps, strict=True):
        payload = canonical_json(to_jsonable(step_payload(step, policy_hash)))
        if (row["step_id"], row["op"], row["payload_json"]) != (step["step_id"], step["op"], payload):
            yield f"step {step['ordinal']} of the job is not step {step['ordinal']} of the plan"
