"""Quality metrics of unified-planning: what actions cost, as HDDL says it, and what a plan comes to."""

from __future__ import annotations

from typing import Any

from planvow.adapters.unified_planning.problems.errors import UpUnsupportedError
from planvow.hddl.language.cost import plan_cost
from planvow.hddl.language.formula import Atom
from planvow.hddl.language.model import Function, HddlProblem, Increase, Metric
from planvow.hddl.language.plan_format import HddlPlan

_TOTAL = Atom("total-cost")

Costs = tuple[tuple[Function, ...], dict[str, tuple[Increase, ...]], Metric | None]


def costs_of(problem: Any) -> Costs:
    """Return the cost function, what each action adds to it, and the metric; nothing where length is what counts."""
    if len(problem.quality_metrics) > 1:
        raise UpUnsupportedError(f"the problem has {len(problem.quality_metrics)} quality metrics, at most one is read")
    for metric in problem.quality_metrics:
        if metric.is_minimize_action_costs():
            costs = {action.name: _increase(action, metric) for action in problem.actions}
            return (Function(name=_TOTAL.predicate),), costs, Metric(direction="minimize", function=_TOTAL)
        if not metric.is_minimize_sequential_plan_length():
            raise UpUnsupportedError(f"the problem asks to {metric}: only action costs and the plan's length are read")
    return (), {}, None


def _increase(action: Any, metric: Any) -> tuple[Increase, ...]:
    cost = metric.get_action_cost(action)
    if cost is None:
        return (Increase(function=_TOTAL, amount=0),)
    if not cost.is_int_constant() or cost.int_constant_value() < 0:
        what = f"the action {action.name} costs {cost}"
        raise UpUnsupportedError(f"{what}: only whole numbers of at least 0 are read as costs")
    return (Increase(function=_TOTAL, amount=cost.int_constant_value()),)


def quality(problem: HddlProblem, plan: HddlPlan) -> int:
    """Return what a plan costs, or its length where nothing else is asked for: less is better."""
    if problem.metric is None:
        return len(plan.steps)
    return int(plan_cost(problem, plan) or 0)
