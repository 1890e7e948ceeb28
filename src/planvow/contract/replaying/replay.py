"""Do it again and say whether it came out the same, and if not, where it first parted.

Two things can be replayed. A **plan**: the planner is asked again with the recorded inputs, and the bytes of the plan
(or its structure, if that is all the planner promises) must be equal. A **run**: the same plan is driven through the
same rules with stored responses (`mock_replay`), without any (`dry_run`), or for real (`full_replay`); order, skills,
versions, parameters, statuses, error codes, retries, costs and side effects must be equal, while contents of responses,
messages and times may differ. A replay reads no clock and writes no history.

Seed 004, "Replay Testing Contract"; spec 004, "Replay".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from planvow.contract.errors import InvalidPlanError, SkillFailedError
from planvow.contract.interface.interface import DeterminismMode, PlannerInterface, PlannerOutput
from planvow.contract.interface.keeping import safe_plan
from planvow.contract.plan.attempt import rules_of
from planvow.contract.plan.difference import Difference, first_difference
from planvow.contract.plan.manifest import read_manifest
from planvow.contract.plan.normalise import read_plan
from planvow.contract.replaying.recordings import Recording
from planvow.contract.running.run import Attempt, Call, Perform, RunRecord, run_plan
from planvow.contract.running.sandbox import require_allowed
from planvow.errors import InputError, chosen
from planvow.execution import execution_order, has_side_effects
from planvow.retry import ErrorClass, Failure


class ReplayMode(StrEnum):
    """How much really happens in a replay."""

    DRY_RUN = "dry_run"
    MOCK_REPLAY = "mock_replay"
    FULL_REPLAY = "full_replay"


@dataclass(frozen=True, kw_only=True)
class ReplayResult:
    """Whether it came out the same; `first_divergence` says where not."""

    parity: bool
    first_divergence: Difference | None = None
    compared: str = ""


def replay_plan(recording: Recording, planner: PlannerInterface) -> ReplayResult:
    """Ask the planner again with the recorded inputs and compare the plans.

    The hash of the inputs that was recorded must be theirs, too: a request and a plan that were changed together
    agree with each other, but they are not what was recorded.
    """
    extra = recording.request.get("extra") or {}
    if not isinstance(extra, dict):
        raise InputError(f"an object was expected, got {type(extra).__name__}", place="$.request.extra")
    arguments = {**extra, **{k: v for k, v in recording.request.items() if k != "extra"}}
    answer = safe_plan(planner, **arguments)
    stored = recording.answer.get("plan", recording.answer)
    found: Mapping[str, Any] = answer.plan if isinstance(answer, PlannerOutput) else {"error": answer.as_dict()}
    if planner.get_determinism_mode() == DeterminismMode.STRUCTURAL and isinstance(answer, PlannerOutput):
        result = _result(_structure(stored), _structure(found), "structure")
    else:
        result = _result(stored, found, "bytes")
    if not result.parity or not isinstance(answer, PlannerOutput):
        return result
    return _other_inputs(recording.answer.get("metadata"), answer.metadata, result.compared) or result


def _other_inputs(stored: Any, found: Mapping[str, Any], compared: str) -> ReplayResult | None:
    """Return the difference between the recorded hash of the inputs and theirs; None where there is none to compare."""
    told = stored.get("input_hash") if isinstance(stored, Mapping) else None
    if told is None or "input_hash" not in found or told == found["input_hash"]:
        return None
    expected, again = ({"metadata": {"input_hash": held}} for held in (told, found["input_hash"]))
    return _result(expected, again, compared)


def replay_run(
    record: RunRecord, *, mode: ReplayMode | str = ReplayMode.MOCK_REPLAY, perform: Perform | None = None
) -> ReplayResult:
    """Drive a recorded run's plan again and compare what must match."""
    mode = chosen(ReplayMode, mode, place="mode")
    if mode is ReplayMode.DRY_RUN:
        return _result(_intent(record), _dry_run(record), "order, skills, versions, parameters, side effects")
    if mode is ReplayMode.FULL_REPLAY and perform is None:
        raise InputError("a full replay needs something that performs the steps", place="perform")
    act = perform if mode is ReplayMode.FULL_REPLAY and perform is not None else stored_responses(record)
    again = run_plan(
        record.plan,
        act,
        run_id=record.run_id,
        inputs=record.inputs,
        tool_manifest=record.manifest,
        policy=record.policy,
    )
    return compare_runs(record, again)


def compare_runs(expected: RunRecord, found: RunRecord) -> ReplayResult:
    """Compare two runs in everything that must match."""
    return _result(_must_match(expected), _must_match(found), "order, skills, parameters, outcomes, retries, cost")


def stored_responses(record: RunRecord) -> Perform:
    """Return a function that answers every attempt as it was answered in the record."""
    attempts = {(step.step_id, n): a for step in record.steps for n, a in enumerate(step.attempts, start=1)}

    def perform(call: Call) -> Any:
        attempt = attempts.get((call.step_id, call.attempt))
        if attempt is None:
            raise InputError(f"attempt {call.attempt} of {call.step_id} was never recorded", place=call.step_id)
        if not attempt.succeeded:
            raise SkillFailedError(_stored_failure(attempt))
        return attempt.output

    return perform


def _stored_failure(attempt: Attempt) -> Failure:
    return Failure(
        code=attempt.error_code or "",
        message=attempt.message,
        error_class=ErrorClass(attempt.error_class) if attempt.error_class else None,
        retry_after_ms=attempt.delay_ms,
    )


def _must_match(record: RunRecord) -> dict[str, Any]:
    return {
        "steps": [
            {
                "step_id": step.step_id,
                "skill": step.skill,
                "skill_version": step.skill_version,
                "params": step.params,
                "status": step.status,
                "attempts": [attempt.error_code for attempt in step.attempts],
                "cost_cents": step.cost_cents,
            }
            for step in record.steps
        ],
        "side_effects": [step.step_id for step in record.steps if step.has_side_effects and step.attempts],
        "succeeded": record.succeeded,
    }


def _intent(record: RunRecord) -> list[dict[str, Any]]:
    return [
        _planned(step.step_id, step.skill, step.skill_version, step.params, step.has_side_effects)
        for step in record.steps
    ]


def _dry_run(record: RunRecord) -> list[dict[str, Any]]:
    """Return what a run would attempt, in order, without attempting it."""
    plan = read_plan(record.plan)
    skills = read_manifest(record.manifest) or {}
    require_allowed(plan, policy=record.policy, skills=skills)
    by_id = {step.step_id: step for step in plan.steps}
    planned = []
    for step_id in execution_order(plan.steps):
        step = by_id[step_id]
        skill = skills.get(step.skill)
        version = skill.version if skill is not None else "unknown"
        planned.append(_planned(step_id, step.skill, version, step.params, has_side_effects(step, rules_of(skill))))
    return planned


def _planned(step_id: str, skill: str, version: str, params: Mapping[str, Any], effects: bool) -> dict[str, Any]:
    return {
        "step_id": step_id,
        "skill": skill,
        "skill_version": version,
        "params": dict(params),
        "has_side_effects": effects,
    }


def _structure(plan: Any) -> Any:
    """Return the parts of a plan that structural determinism keeps, or the plan itself when it is not one."""
    try:
        steps = read_plan(plan).steps
    except InvalidPlanError:
        return plan
    return [{**step.as_dict(), "params": sorted(step.params)} for step in steps]


def _result(expected: Any, found: Any, compared: str) -> ReplayResult:
    difference = first_difference(expected, found)
    return ReplayResult(parity=difference is None, first_divergence=difference, compared=compared)
