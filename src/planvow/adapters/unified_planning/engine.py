"""The engine `planvow` of unified-planning: one-shot and anytime planner, and validator, of hierarchical problems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from warnings import warn

from unified_planning.engines.mixins import AnytimePlannerMixin, OneshotPlannerMixin, PlanValidatorMixin
from unified_planning.engines.mixins.anytime_planner import AnytimeGuarantee
from unified_planning.engines.results import (
    FailedValidationReason,
    LogLevel,
    LogMessage,
    ValidationResult,
    ValidationResultStatus,
)
from unified_planning.plans import PlanKind

from planvow.adapters.unified_planning.described import DescribedEngine
from planvow.adapters.unified_planning.plans.validation import judge
from planvow.adapters.unified_planning.problems.costs import quality
from planvow.adapters.unified_planning.problems.errors import (
    UpCycleError,
    UpModelError,
    UpPlanError,
    UpUnsupportedError,
)
from planvow.adapters.unified_planning.problems.translation import to_hddl
from planvow.adapters.unified_planning.solving import NAME, Call

_REASONS = {
    "action": FailedValidationReason.INAPPLICABLE_ACTION,
    "precondition": FailedValidationReason.INAPPLICABLE_ACTION,
    "goal": FailedValidationReason.UNSATISFIED_GOALS,
}


class PlanvowEngine(DescribedEngine, OneshotPlannerMixin, AnytimePlannerMixin, PlanValidatorMixin):  # type: ignore[misc]
    """What `OneshotPlanner`, `AnytimePlanner` and `PlanValidator` give for hierarchical problems."""

    called = NAME

    def __init__(self, **options: Any) -> None:
        DescribedEngine.__init__(self, options)
        OneshotPlannerMixin.__init__(self)
        AnytimePlannerMixin.__init__(self)

    @staticmethod
    def supports_plan(plan_kind: Any) -> bool:
        return bool(plan_kind == PlanKind.HIERARCHICAL_PLAN)

    @staticmethod
    def ensures(anytime_guarantee: Any) -> bool:
        return bool(anytime_guarantee == AnytimeGuarantee.INCREASING_QUALITY)

    def _solve_with_params(
        self,
        problem: Any,
        heuristic: Any = None,
        timeout: float | None = None,
        output_stream: Any = None,
        warm_start_plan: Any = None,
        **others: Any,
    ) -> Any:
        _ignored(heuristic=heuristic, warm_start_plan=warm_start_plan, **others)
        return Call(problem, self._settings, timeout, output_stream).answer()

    def _solve(
        self, problem: Any, heuristic: Any = None, timeout: float | None = None, output_stream: Any = None
    ) -> Any:
        return self._solve_with_params(problem, heuristic, timeout, output_stream)

    def _get_solutions_with_params(
        self,
        problem: Any,
        timeout: float | None = None,
        output_stream: Any = None,
        warm_start_plan: Any = None,
        **others: Any,
    ) -> Iterator[Any]:
        _ignored(warm_start_plan=warm_start_plan, **others)
        return Call(problem, self._settings, timeout, output_stream).answers()

    def _get_solutions(self, problem: Any, timeout: float | None = None, output_stream: Any = None) -> Iterator[Any]:
        return self._get_solutions_with_params(problem, timeout, output_stream)

    def _validate(self, problem: Any, plan: Any) -> Any:
        try:
            translation = to_hddl(problem)
        except (UpUnsupportedError, UpCycleError, UpModelError) as error:
            return _judged(ValidationResultStatus.UNKNOWN, f"{error.code}: {error}")
        try:
            judgement = judge(translation, plan)
        except (UpPlanError, UpModelError) as error:
            return _judged(ValidationResultStatus.INVALID, f"{error.code}: {error}")
        if judgement.verdict:
            value = quality(translation.problem, judgement.read.plan)
            metrics = dict.fromkeys(problem.quality_metrics, value)
            return ValidationResult(ValidationResultStatus.VALID, NAME, [], metrics)
        fault = judgement.verdict.faults[0]
        result = _judged(ValidationResultStatus.INVALID, f"{fault.condition}: {fault.message}")
        result.reason = _REASONS.get(fault.condition)
        if judgement.step is not None:
            result.inapplicable_action = judgement.read.actions[judgement.step]
        return result


def _ignored(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            warn(f"planvow does not use {name}", stacklevel=4)


def _judged(status: Any, reason: str) -> Any:
    return ValidationResult(status, NAME, [LogMessage(LogLevel.INFO, reason)])
