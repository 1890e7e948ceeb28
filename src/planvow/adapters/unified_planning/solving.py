"""Answers to unified-planning: one result, or results that get better, with exact statuses.

Counts decide and clocks interrupt: a timeout can end a call but never changes which plan comes out. Every plan is held
against the problem once more as the plan of unified-planning that it became.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from unified_planning.engines.results import LogLevel, LogMessage, PlanGenerationResult, PlanGenerationResultStatus

from planvow.adapters.machine.deadline import deadline
from planvow.adapters.machine.memory import memory_limit
from planvow.adapters.unified_planning.plans.conversion import to_up_plan
from planvow.adapters.unified_planning.plans.improving import Improving
from planvow.adapters.unified_planning.plans.validation import judge
from planvow.adapters.unified_planning.problems.costs import quality
from planvow.adapters.unified_planning.problems.errors import UpCycleError, UpModelError, UpUnsupportedError
from planvow.adapters.unified_planning.problems.translation import Translation, to_hddl
from planvow.budgets import Budgets
from planvow.contract.plan.hddl_steps import VERSION, plan_steps
from planvow.contract.plan.normalise import document_hash
from planvow.errors import InputError, MemoryLimitError, did_you_mean
from planvow.hddl.language.plan_format import HddlPlan
from planvow.hddl.solve.entry import solve
from planvow.hddl.solve.outcome import Outcome, Progress
from planvow.status import Status

NAME = "planvow"
_OPTIONS = ("search", "max_iterations", "max_depth", "max_memory_mb", "improve")

_STATUSES = {
    Status.SOLVED: PlanGenerationResultStatus.SOLVED_SATISFICING,
    Status.SATISFIED: PlanGenerationResultStatus.SOLVED_SATISFICING,
    Status.NO_PLAN: PlanGenerationResultStatus.UNSOLVABLE_PROVEN,
    Status.BUDGET_EXCEEDED: PlanGenerationResultStatus.UNSOLVABLE_INCOMPLETELY,
    Status.INTERRUPTED: PlanGenerationResultStatus.TIMEOUT,
    Status.INTERNAL: PlanGenerationResultStatus.INTERNAL_ERROR,
}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The options of an engine: those of `planvow plan` for HDDL, and how long an anytime planner goes on."""

    search: Any = "auto"
    max_iterations: int | None = None
    max_depth: int | None = None
    max_memory_mb: int | None = None
    improve: int = 100_000
    """Nodes that the search for a better plan may look at."""

    @property
    def budgets(self) -> Budgets:
        limits = {"max_iterations": self.max_iterations, "max_depth": self.max_depth}
        return Budgets(**{name: value for name, value in limits.items() if value is not None})


def settings_of(options: Mapping[str, Any]) -> Settings:
    """Return the settings that the `params` of an engine name; raise InputError for one that there is not."""
    for name in options:
        if name not in _OPTIONS:
            hint = did_you_mean(name, _OPTIONS) or f"one of {', '.join(_OPTIONS)}"
            raise InputError(f"planvow has no option {name!r}", place="params", hint=hint)
    for name, least in (("improve", 0), ("max_memory_mb", 1)):
        value = options.get(name, least)
        is_unlimited = value is None and name == "max_memory_mb"
        if not is_unlimited and (isinstance(value, bool) or not isinstance(value, int) or value < least):
            raise InputError(f"expected a whole number of at least {least}, found {value!r}", place=name)
    return Settings(**options)


@dataclass
class Call:
    """One call of an engine: the problem, its limits, and where messages go."""

    problem: Any
    settings: Settings
    timeout: float | None = None
    output: Any = None
    without: Collection[str] = ()
    """Actions that can never be done."""
    late: Callable[[], bool] | None = field(init=False)

    def __post_init__(self) -> None:
        self.late = deadline(self.timeout, place="timeout")

    def answer(self) -> Any:
        """Return the result of a one-shot planner."""
        return next(self._results(improving=False))

    def answers(self) -> Iterator[Any]:
        """Yield a result for every better plan, marked INTERMEDIATE, and at the end the best with its status."""
        return self._results(improving=True)

    def _results(self, *, improving: bool) -> Iterator[Any]:
        work = self._searched(improving)
        try:
            while True:
                with memory_limit(self.settings.max_memory_mb):  # not while whoever asked looks at a result
                    result = next(work, None)
                if result is None:
                    return
                yield result
        except (UpUnsupportedError, UpCycleError, UpModelError) as error:
            yield self._failed(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, f"{error.code}: {error}")
        except MemoryLimitError as error:
            yield self._failed(PlanGenerationResultStatus.MEMOUT, error.message)

    def _searched(self, improving: bool) -> Iterator[Any]:
        translation = to_hddl(self.problem, without=self.without)
        problem, settings = translation.problem, self.settings
        self._say(f"translated: {len(problem.domain.methods)} methods, {len(problem.domain.actions)} actions")
        outcome = solve(
            problem.domain,
            problem,
            budgets=settings.budgets,
            search=settings.search,
            interrupt=self.late,
            progress=self._tell,
            improve=0 if improving else None,  # what comes first is to be there soon
        )
        if outcome.plan is None:
            yield self._failed(_STATUSES[outcome.status], outcome.reason, outcome.statistics)
            return
        status, best = _STATUSES[outcome.status], outcome.plan
        if improving:
            search = Improving(problem, best, settings.improve, self.late)
            yield self._found(translation, outcome, best, PlanGenerationResultStatus.INTERMEDIATE)
            for best in search:
                yield self._found(translation, outcome, best, PlanGenerationResultStatus.INTERMEDIATE)
            if search.is_proven:
                status = PlanGenerationResultStatus.SOLVED_OPTIMALLY
        yield self._found(translation, outcome, best, status)

    def _found(self, translation: Translation, outcome: Outcome, plan: HddlPlan, status: Any) -> Any:
        made = to_up_plan(translation, plan)
        verdict = judge(translation, made).verdict
        if not verdict:
            reason = f"a defect of planvow: the translated plan is rejected: {verdict.reason}"
            return self._failed(PlanGenerationResultStatus.INTERNAL_ERROR, reason)
        value = quality(translation.problem, plan)
        metrics = {
            "plan_hash": document_hash({"steps": plan_steps(translation.problem, plan)}),
            "planner": f"hddl {VERSION}",
            "search": outcome.search,
            "quality": str(value),
            **{name: str(count) for name, count in outcome.statistics.items()},
        }
        self._say(f"{status.name}: {len(plan.steps)} actions, quality {value}, verified")
        return PlanGenerationResult(status, made, NAME, metrics, [])

    def _failed(self, status: Any, reason: str, statistics: Mapping[str, Any] | None = None) -> Any:
        self._say(f"{status.name}: {reason}")
        level = LogLevel.INFO if status is PlanGenerationResultStatus.UNSOLVABLE_PROVEN else LogLevel.ERROR
        metrics = {name: str(count) for name, count in (statistics or {}).items()}
        return PlanGenerationResult(status, None, NAME, metrics, [LogMessage(level, reason)])

    def _tell(self, seen: Progress) -> None:
        self._say(f"{seen.search}: {seen.expansions} expansions, depth {seen.depth}")

    def _say(self, text: str) -> None:
        if self.output is not None:
            self.output.write(f"planvow: {text}\n")
