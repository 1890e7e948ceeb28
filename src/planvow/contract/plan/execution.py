"""The rules of running a plan, as pure functions: what may start, what a failure means, what to wait.

Nothing here runs a skill. A worker keeps a map of step statuses, asks `next_steps` what may start, resolves the
parameters with `placeholders.resolve`, checks them with `sandbox.step_problems`, and after a failed attempt asks
`after_failure`. The in-memory runner of `replay` and the ledger's workers use the same functions, so they agree.

`on_error` says what happens when a step has failed for good: abort stops the plan, continue goes on without the steps
that needed it, retry also tries errors of unknown class again and then stops. Retryable errors are retried up to
`retry_count` times under every policy (attempts = 1 + retries), except that a step with side effects and no
idempotency key is never run twice.

Seed 004, "Plan Structure Contract"; spec 004, "Execution".
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from planvow.contract.errors import InvalidPlanError, SkillFailedError
from planvow.contract.failure import readable
from planvow.contract.plan.manifest import Skill
from planvow.contract.plan.placeholders import resolve
from planvow.contract.plan.plan import OnError, Plan, Step
from planvow.contract.plan.schema_check import schema_problems
from planvow.contract.plan.validate import PlanProblem
from planvow.contract.retry import Backoff, ErrorClass, backoff_ms, classify_exception
from planvow.contract.retry import Failure as Failure  # part of this module's interface
from planvow.errors import InputError

IDEMPOTENCY_PARAM = "idempotency_key"
SIDE_EFFECT_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class StepStatus(StrEnum):
    """Where a step stands in a run."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    SKIPPED = "skipped"

    @property
    def is_final(self) -> bool:
        """Whether this step will not change any more."""
        return self in (StepStatus.SUCCEEDED, StepStatus.FAILED, StepStatus.SKIPPED)


class Reaction(StrEnum):
    """What follows from a failed attempt."""

    RETRY = "retry"
    STOP_PLAN = "stop_plan"
    GO_ON = "go_on"


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What to do after a failed attempt, and why, in words."""

    reaction: Reaction
    reason: str
    delay_ms: int = 0


@dataclass(frozen=True, kw_only=True)
class NextSteps:
    """What the statuses of a run allow now. All in the plan's canonical order."""

    ready: tuple[str, ...]
    skip: tuple[str, ...]
    aborted_by: str | None
    finished: bool


def execution_order(plan: Plan | Sequence[Step]) -> tuple[str, ...]:
    """Return the step ids in canonical order: dependencies first, otherwise as the plan lists them.

    Raises InvalidPlanError when dependencies form a cycle or name no step.
    """
    steps = _steps(plan)
    position = {step.step_id: index for index, step in enumerate(steps)}
    for index, step in enumerate(steps):
        for place, dependency in enumerate(step.depends_on):
            if dependency not in position:
                raise _broken("unknown_dependency", f"$.steps[{index}].depends_on[{place}]", "no such step")
    waiting = [len(set(step.depends_on)) for step in steps]
    followers: list[list[int]] = [[] for _ in steps]
    for index, step in enumerate(steps):
        for dependency in dict.fromkeys(step.depends_on):
            followers[position[dependency]].append(index)
    ready = [index for index, count in enumerate(waiting) if count == 0]
    order: list[str] = []
    while ready:
        index = heapq.heappop(ready)  # the smallest position: the plan's own order breaks ties
        order.append(steps[index].step_id)
        for follower in followers[index]:
            waiting[follower] -= 1
            if waiting[follower] == 0:
                heapq.heappush(ready, follower)
    if len(order) < len(steps):
        stuck = next(index for index, count in enumerate(waiting) if count > 0)
        raise _broken("cycle", f"$.steps[{stuck}].depends_on", "the dependencies form a cycle")
    return tuple(order)


def next_steps(plan: Plan | Sequence[Step], statuses: Mapping[str, StepStatus]) -> NextSteps:
    """Say which steps may start, which must be skipped, and whether the run is over.

    A step without a status is pending. A failed step that does not say `continue` stops the plan: nothing else
    starts, what runs may end. A failed or skipped step that says `continue` takes its dependents with it.
    """
    by_id = {step.step_id: step for step in _steps(plan)}
    order = execution_order(plan)
    now = {step_id: statuses.get(step_id, StepStatus.PENDING) for step_id in order}
    aborted_by = next(
        (i for i in order if now[i] is StepStatus.FAILED and by_id[i].on_error is not OnError.CONTINUE), None
    )
    ready: list[str] = []
    skip: list[str] = []
    for step_id in order:
        if now[step_id] is not StepStatus.PENDING:
            continue
        if aborted_by is not None or is_cut_off(by_id[step_id], now):
            skip.append(step_id)
            now[step_id] = StepStatus.SKIPPED  # so that its own dependents are skipped in the same pass
        elif all(now[d] is StepStatus.SUCCEEDED for d in by_id[step_id].depends_on):
            ready.append(step_id)
    finished = not ready and all(status.is_final for status in now.values())
    return NextSteps(ready=tuple(ready), skip=tuple(skip), aborted_by=aborted_by, finished=finished)


def is_cut_off(step: Step, statuses: Mapping[str, StepStatus]) -> bool:
    """Say whether something a step depends on failed or was skipped, so that it can never start."""
    lost = (StepStatus.FAILED, StepStatus.SKIPPED)
    return any(statuses.get(dependency) in lost for dependency in step.depends_on)


def after_failure(
    step: Step,
    failure: Failure,
    *,
    attempt: int,
    run_id: str,
    skill: Skill | None = None,
    params: Mapping[str, Any] | None = None,
    backoff: Backoff | None = None,
) -> Decision:
    """Decide what follows when attempt number `attempt` (the first is 1) of a step has failed."""
    kind = failure.kind
    final = Reaction.GO_ON if step.on_error is OnError.CONTINUE else Reaction.STOP_PLAN
    listed = skill is not None and failure.code in skill.retry.retryable_codes
    if not (kind.is_retryable or listed or (step.on_error is OnError.RETRY and kind is ErrorClass.UNKNOWN)):
        return Decision(reaction=final, reason=f"an error of class {kind.value} is not retried")
    allowed = step.retry_count
    if skill is not None and skill.retry.max is not None:
        allowed = min(allowed, skill.retry.max)
    if attempt > allowed:
        return Decision(reaction=final, reason=f"all {allowed + 1} attempts failed")
    if has_side_effects(step, skill, params) and not _has_idempotency_key(step, params):
        return Decision(reaction=final, reason="it has side effects and no idempotency key, so it is never run twice")
    delay = backoff_ms(
        run_id=run_id,
        step_id=step.step_id,
        attempt=attempt,
        backoff=backoff or (skill.backoff if skill else Backoff()),
        retry_after_ms=failure.retry_after_ms,
    )
    return Decision(reaction=Reaction.RETRY, reason=f"attempt {attempt} of {allowed + 1} failed", delay_ms=delay)


def failure_of(error: Exception) -> Failure:
    """Return what an exception that a skill raised says about the failure."""
    if isinstance(error, SkillFailedError):
        return error.failure
    code = getattr(error, "code", None)
    return Failure(
        code=code if isinstance(code, str) else type(error).__name__,
        message=readable(error),
        error_class=classify_exception(error),
    )


def has_side_effects(step: Step, skill: Skill | None, params: Mapping[str, Any] | None = None) -> bool:
    """Say whether a step changes the world: its skill says so, or it carries an HTTP method that does."""
    if skill is not None and skill.side_effects:
        return True
    method = (params or step.params).get("method")
    return isinstance(method, str) and method.strip().upper() in SIDE_EFFECT_METHODS


def resolve_params(
    step: Step,
    outputs: Mapping[str, Any],
    inputs: Mapping[str, Any] | None = None,
    *,
    skill: Skill | None = None,
) -> dict[str, Any]:
    """Return the step's parameters with every placeholder filled, values keeping their type.

    Raises UnresolvedReferenceError when nothing fills one, and InputError when the filled parameters break the skill's
    schema, which could not be known before.
    """
    path = f"{step.step_id}.params"
    resolved: dict[str, Any] = resolve(step.params, outputs, inputs, path)
    if skill is not None and skill.input_schema is not None:
        for place, message in schema_problems(resolved, skill.input_schema, path):
            raise InputError(message, place=place)
    return resolved


def _has_idempotency_key(step: Step, params: Mapping[str, Any] | None) -> bool:
    key = (params or step.params).get(IDEMPOTENCY_PARAM)
    return isinstance(key, str) and bool(key.strip())


def _steps(plan: Plan | Sequence[Step]) -> Sequence[Step]:
    return plan.steps if isinstance(plan, Plan) else plan


def _broken(code: str, path: str, message: str) -> InvalidPlanError:
    return InvalidPlanError([PlanProblem(code=code, path=path, message=message)])
