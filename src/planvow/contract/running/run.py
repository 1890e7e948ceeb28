"""Run a plan in memory, one step after the other, and keep a record that can be replayed.

The runner decides nothing itself: order and retries are those of `planvow.execution`, placeholders and the sandbox the
contract's. It waits only
if it is given something to wait with, reads no clock, and calls skills through one function. The record holds what a
replay must repeat (order, skills, versions, parameters as planned, outcomes) and, beside it, what may vary.

Spec 004, "Execution" and "Replay".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from planvow.canonical import derived_id, to_jsonable
from planvow.contract.plan.attempt import failure_of, resolve_params, rules_of
from planvow.contract.plan.manifest import Skill, read_manifest
from planvow.contract.plan.normalise import read_plan
from planvow.contract.plan.plan import Plan
from planvow.contract.running.cost import whole_cents
from planvow.contract.running.sandbox import DEFAULT_POLICY, SandboxPolicy, refused, require_allowed, step_problems
from planvow.errors import InputError
from planvow.execution import Course, Decision, StepStatus, after_failure, drive, has_side_effects
from planvow.retry import Failure
from planvow.step import Step

FORMAT = "planvow-run/1"


@dataclass(frozen=True, kw_only=True)
class Call:
    """One attempt at a step: what a skill is given. The parameters have every placeholder filled."""

    step_id: str
    skill: str
    params: Mapping[str, Any]
    attempt: int


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """How one attempt ended. `output` and `message` may differ in a replay; `error_code` may not."""

    succeeded: bool
    output: Any = None
    error_code: str | None = None
    error_class: str | None = None
    message: str = ""
    delay_ms: int = 0


@dataclass(frozen=True, kw_only=True)
class StepRecord:
    """What became of one step. `params` are the planned ones, placeholders included."""

    step_id: str
    skill: str
    skill_version: str
    params: Mapping[str, Any]
    status: StepStatus
    has_side_effects: bool
    cost_cents: int
    attempts: tuple[Attempt, ...] = ()
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """One run of a plan, complete enough to be replayed."""

    run_id: str
    plan: Mapping[str, Any]
    inputs: Mapping[str, Any]
    manifest: tuple[Mapping[str, Any], ...] | None
    policy: SandboxPolicy
    steps: tuple[StepRecord, ...]
    succeeded: bool
    format: str = FORMAT

    def outputs(self) -> dict[str, Any]:
        """Return what the steps produced, by output key."""
        keys = {step.step_id: step.key for step in read_plan(self.plan).steps}
        done = [record for record in self.steps if record.status is StepStatus.SUCCEEDED]
        return {keys[record.step_id]: record.attempts[-1].output for record in done if record.attempts}


Perform = Callable[[Call], Any]


def run_plan(
    plan: Mapping[str, Any] | Plan,
    perform: Perform,
    *,
    run_id: str | None = None,
    inputs: Mapping[str, Any] | None = None,
    tool_manifest: Sequence[Mapping[str, Any]] | None = None,
    policy: SandboxPolicy = DEFAULT_POLICY,
    wait: Callable[[int], None] | None = None,
) -> RunRecord:
    """Run every step in canonical order through `perform` and return the record.

    `perform` returns the output or raises. Raises InvalidPlanError or SandboxRefusedError before the first step when
    the plan may not run at all. Without a `run_id`, one is derived from plan and inputs.
    """
    given = to_jsonable({} if inputs is None else inputs)
    if not isinstance(given, dict):
        raise InputError(f"the inputs of a run are an object, got {type(inputs).__name__}", place="inputs")
    steps = read_plan(plan)
    skills = read_manifest(tool_manifest) or {}
    require_allowed(steps, policy=policy, skills=skills)
    name = run_id or derived_id("run", {"plan": steps.as_dict()["steps"], "inputs": given})
    runner = _Runner(run_id=name, inputs=given, skills=skills, policy=policy, perform=perform)
    course = Course(steps.steps)
    drive(course, runner.attempt, judge=runner.judge, wait=wait or (lambda _ms: None))
    by_id = {step.step_id: step for step in steps.steps}
    records = tuple(runner.record(by_id[step_id], course) for step_id in course.order)
    return RunRecord(
        run_id=name,
        plan=steps.as_dict(),
        inputs=given,
        manifest=None if tool_manifest is None else tuple(to_jsonable(tool_manifest)),
        policy=policy,
        steps=records,
        succeeded=all(record.status is StepStatus.SUCCEEDED for record in records),
    )


@dataclass(kw_only=True)
class _Runner:
    """The moving part of one run: what was produced so far, and how every attempt ended."""

    run_id: str
    inputs: Mapping[str, Any]
    skills: Mapping[str, Skill]
    policy: SandboxPolicy
    perform: Perform
    outputs: dict[str, Any] = field(default_factory=dict)
    attempts: dict[str, list[Attempt]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    params: Mapping[str, Any] | None = None
    """The parameters of the attempt that is under way, as far as they could be filled."""

    def attempt(self, step: Step, number: int) -> Failure | None:
        self.params = None
        try:
            self.params = self._params(step)
            call = Call(step_id=step.step_id, skill=step.skill, params=self.params, attempt=number)
            output = to_jsonable(self.perform(call))
        except Exception as error:  # a skill may raise anything: it becomes an outcome of the step
            return failure_of(error)
        self.outputs[step.key] = output
        self.attempts.setdefault(step.step_id, []).append(Attempt(succeeded=True, output=output))
        return None

    def judge(self, step: Step, failure: Failure, number: int) -> Decision:
        rules = rules_of(self.skills.get(step.skill))
        decision = after_failure(step, failure, attempt=number, run_id=self.run_id, rules=rules, params=self.params)
        self.attempts.setdefault(step.step_id, []).append(_failed(failure, decision.delay_ms))
        self.reasons[step.step_id] = decision.reason
        return decision

    def record(self, step: Step, course: Course) -> StepRecord:
        attempts, status = self.attempts.get(step.step_id, []), course.statuses[step.step_id]
        skill = self.skills.get(step.skill)
        once = Decimal(str(skill.cost_estimate_cents)) if skill is not None else Decimal(0)
        return StepRecord(
            step_id=step.step_id,
            skill=step.skill,
            skill_version=skill.version if skill is not None else "unknown",
            params=step.params,
            status=status,
            has_side_effects=has_side_effects(step, rules_of(skill)),
            cost_cents=whole_cents(once * len(attempts)),
            attempts=tuple(attempts),
            reason=self._reason(step, course),
        )

    def _params(self, step: Step) -> dict[str, Any]:
        """Fill the parameters and look at them once more: an output can carry what the plan did not show."""
        skill = self.skills.get(step.skill)
        params = resolve_params(step, self.outputs, self.inputs, skill=skill)
        problems = step_problems(step, policy=self.policy, skill=skill, params=params, path=step.step_id)
        if problems:
            raise refused(problems)
        return params

    def _reason(self, step: Step, course: Course) -> str:
        status = course.statuses[step.step_id]
        if status is not StepStatus.SKIPPED:
            return self.reasons[step.step_id] if status is StepStatus.FAILED else ""
        stop = course.stopped_by
        if stop is not None and course.is_behind(step.step_id, stop):
            return f"the plan was stopped by {stop}"
        return "a step it depends on did not succeed"


def _failed(failure: Failure, delay_ms: int) -> Attempt:
    return Attempt(
        succeeded=False,
        error_code=failure.code,
        error_class=failure.kind.value,
        message=failure.message,
        delay_ms=delay_ms,
    )
