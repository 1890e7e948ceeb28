"""Which planners and domains there are."""

from __future__ import annotations

from typing import Any

from planvow.contract.planners.registry import Registry, default_registry
from planvow.errors import PlanvowError
from planvow.service.common import domains
from planvow.service.common.domains import DomainLine
from planvow.service.declare.document import document
from planvow.service.declare.operation import Answer, Operation, Right
from planvow.service.declare.setting import Setting


@document
class PlannersQuestion:
    """Nothing needs to be said."""


@document
class PlannerLine:
    """A planner, what it promises and what it costs."""

    planner_id: str
    determinism: str
    """full: the same bytes every time; structural: the same steps; none."""
    cost_model: dict[str, Any]
    target: str
    distribution: str
    distribution_version: str
    problem: str = ""
    """Why it cannot be used, if it cannot."""


@document
class PlannersAnswer:
    """What can be asked here."""

    default: str
    planners: list[PlannerLine]
    domains: list[DomainLine]


def list_planners(_asked: PlannersQuestion, setting: Setting) -> Answer:
    """Return the installed planners, and the domains that were given or are installed."""
    registry = default_registry()
    rows = [_line(registry, planner_id) for planner_id in registry.ids()]
    found = [domains.described(name, domains.find(setting, name)) for name in domains.names(setting)]
    return Answer(output=PlannersAnswer(default=registry.default_id, planners=rows, domains=found))


def _line(registry: Registry, planner_id: str) -> PlannerLine:
    entry = registry.entry(planner_id)
    problem = ""
    try:
        entry = registry.described(planner_id)
    except PlanvowError as error:  # another package's broken planner must not hide the rest
        problem = f"broken: {error.message}"
    return PlannerLine(
        planner_id=entry.planner_id,
        target=entry.target,
        determinism=entry.determinism.value if entry.determinism else "unknown",
        cost_model=dict(entry.cost_model.as_dict()) if entry.cost_model else {},
        distribution=entry.distribution,
        distribution_version=entry.distribution_version,
        problem=problem,
    )


LIST_PLANNERS = Operation(
    name="list_planners",
    summary="List planners and Python domains with their tasks and an example agenda. Call this first.",
    question=PlannersQuestion,
    output=PlannersAnswer,
    run=list_planners,
    right=Right.READ,
    commands=("planvow planners",),
)
