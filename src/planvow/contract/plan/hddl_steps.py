"""The actions of an HDDL plan as steps of the contract: all that is needed to name such a plan by its hash."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from planvow.contract.plan.placeholders import escape
from planvow.contract.plan.plan import step_data

if TYPE_CHECKING:
    from planvow.hddl.language.model import HddlProblem
    from planvow.hddl.language.plan_format import HddlPlan

VERSION = "0.7.0"  # of the planner `hddl`; moves when a problem gets another plan than before


def plan_steps(problem: HddlProblem, plan: HddlPlan) -> list[dict[str, Any]]:
    """Return the actions of a plan as steps of the contract, each after the one before it."""
    steps = []
    for number, step in enumerate(plan.steps, start=1):
        names = [parameter.name[1:] for parameter in problem.domain.action_named[step.action].parameters]
        params = {name: escape(argument) for name, argument in zip(names, step.arguments)}
        before = [f"s{number - 1}"] if number > 1 else []
        steps.append(step_data(step.action, params, step_id=f"s{number}", depends_on=before))
    return steps
