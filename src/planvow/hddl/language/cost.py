"""What a plan costs, by the action costs of its domain."""

from __future__ import annotations

from collections.abc import Mapping

from planvow.hddl.language.formula import Atom
from planvow.hddl.language.model import HddlProblem
from planvow.hddl.language.plan_format import HddlPlan


def plan_cost(problem: HddlProblem, plan: HddlPlan) -> int | float | None:
    """Add up what the actions add to the function of the metric (`total-cost` when there is none).

    None when the domain states no such costs, or a value it needs is not given in the problem.
    """
    metric = problem.metric.function if problem.metric else Atom("total-cost")
    domain = problem.domain
    values = {value.function: value.value for value in problem.values}
    if not any(cost.function.predicate == metric.predicate for action in domain.actions for cost in action.costs):
        return None
    total: int | float = values.get(metric, 0)
    for step in plan.steps:
        action = domain.action_named[step.action]
        binding = {parameter.name: name for parameter, name in zip(action.parameters, step.arguments)}
        for cost in action.costs:
            if _ground(cost.function, binding) != metric:
                continue
            amount = values.get(_ground(cost.amount, binding)) if isinstance(cost.amount, Atom) else cost.amount
            if amount is None:
                return None
            total += amount
    return total


def _ground(function: Atom, binding: Mapping[str, str]) -> Atom:
    return Atom(function.predicate, tuple(binding.get(term, term) for term in function.arguments))
