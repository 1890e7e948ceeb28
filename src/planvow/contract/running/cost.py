"""What planning and running may cost, in exact decimals, and whether a plan is feasible before anything runs.

Costs are decimals inside and whole cents, rounded up, outside: an estimate is never lower than the bill. The
estimate of a run is conservative: every step is charged, retries at their worst, unknown skills are not free.

Seed 004, "Planner Registry" (cost_model); spec 004, "Cost".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal, InvalidOperation
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from planvow.contract.plan.attempt import rules_of
from planvow.contract.plan.manifest import Skill, read_manifest
from planvow.contract.plan.plan import Plan, build_plan
from planvow.contract.plan.validate import PlanProblem, validate_plan
from planvow.errors import InputError, shown
from planvow.execution import has_side_effects

_RATES = (
    "base_cents", "per_call_cents", "per_token_cents", "per_input_token_cents", "per_output_token_cents",
    "per_cached_token_cents", "per_written_token_cents",
)  # fmt: skip


FREE: Mapping[str, int] = MappingProxyType({"base_cents": 0, "per_call_cents": 0})
"""The cost model of planners that call nobody."""


@dataclass(frozen=True, kw_only=True)
class CostModel:
    """What one planning call costs. `per_token_cents` counts input and output tokens alike.

    Tokens that a service read from its cache, or wrote into it, are input tokens with a rate of their own; without
    one they cost what other input tokens cost.

    >>> from decimal import Decimal
    >>> CostModel(base_cents=Decimal("2")).base_cents
    Decimal('2')
    """

    base_cents: Decimal = Decimal(0)
    per_call_cents: Decimal = Decimal(0)
    per_token_cents: Decimal = Decimal(0)
    per_input_token_cents: Decimal = Decimal(0)
    per_output_token_cents: Decimal = Decimal(0)
    per_cached_token_cents: Decimal | None = None
    per_written_token_cents: Decimal | None = None

    @classmethod
    def read(cls, rates: Mapping[str, Any]) -> CostModel:
        """Return the model for rates as a registry entry writes them; raise InputError for what is no rate."""
        unknown = sorted(set(rates) - set(_RATES))
        if unknown:
            raise InputError(f"a cost model has no {unknown[0]!r}", place="cost_model")
        return cls(**{name: _decimal(value, f"cost_model.{name}") for name, value in rates.items()})

    def cost(
        self, *, input_tokens: int = 0, output_tokens: int = 0, cached_tokens: int = 0, written_tokens: int = 0
    ) -> Decimal:
        """Return the exact cost of one call in cents. `input_tokens` includes the cached and the written ones."""
        usual = self.per_token_cents + self.per_input_token_cents
        cached = usual if self.per_cached_token_cents is None else self.per_cached_token_cents
        written = usual if self.per_written_token_cents is None else self.per_written_token_cents
        return (
            self.base_cents
            + self.per_call_cents
            + usual * (input_tokens - cached_tokens - written_tokens)
            + cached * cached_tokens
            + written * written_tokens
            + (self.per_token_cents + self.per_output_token_cents) * output_tokens
        )

    def as_dict(self) -> dict[str, str]:
        """Return the rates that are not zero, as decimal texts."""
        rates = {name: getattr(self, name) for name in _RATES}
        return {name: f"{rate:f}" for name, rate in rates.items() if rate} or {"base_cents": "0"}


def whole_cents(cost: Decimal) -> int:
    """Round a cost up to whole cents."""
    return int(cost.to_integral_value(rounding=ROUND_CEILING))


class Feasibility(StrEnum):
    """Whether a plan could be run as it stands."""

    FEASIBLE = "feasible"
    BUDGET_INSUFFICIENT = "budget_insufficient"
    PERMISSION_DENIED = "permission_denied"
    SKILL_UNAVAILABLE = "skill_unavailable"
    INVALID_PLAN = "invalid_plan"


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What running a plan would take. `worst_*` counts every retry the plan allows."""

    status: Feasibility
    cost_cents: int = 0
    worst_cost_cents: int = 0
    latency_ms: int = 0
    missing_permissions: tuple[str, ...] = ()
    unknown_skills: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()
    problems: tuple[PlanProblem, ...] = ()


def estimate(
    plan: Mapping[str, Any],
    tool_manifest: Sequence[Mapping[str, Any]] | None,
    *,
    budget_cents: int | None = None,
    permissions: Collection[str] = (),
) -> Estimate:
    """Say what running a plan would cost and whether anything stands in the way. Runs nothing.

    Latency is the sum of all time limits: the longest a sequential run may take.

    >>> estimate(output.plan, None).unknown_skills
    ('echo',)
    """
    problems = validate_plan(plan)
    if problems:
        return Estimate(status=Feasibility.INVALID_PLAN, problems=problems)
    skills = read_manifest(tool_manifest) or {}
    steps = build_plan(plan)
    unknown = tuple(sorted({step.skill for step in steps.steps} - set(skills)))
    known = [(step, skills[step.skill]) for step in steps.steps if step.skill in skills]
    missing = tuple(sorted({need for _, skill in known for need in skill.permissions} - set(permissions)))
    costs = [(Decimal(str(skill.cost_estimate_cents)), _attempts(step.retry_count, skill)) for step, skill in known]
    once = whole_cents(sum((cost for cost, _ in costs), Decimal(0)))
    worst = whole_cents(sum((cost * attempts for cost, attempts in costs), Decimal(0)))
    return Estimate(
        status=_verdict(unknown, missing, once, budget_cents),
        cost_cents=once,
        worst_cost_cents=worst,
        latency_ms=sum(skill.timeout_ms or 0 for _, skill in known),
        missing_permissions=missing,
        unknown_skills=unknown,
        risks=_risks(steps, skills, worst, budget_cents),
    )


def _verdict(unknown: tuple[str, ...], missing: tuple[str, ...], cost: int, budget: int | None) -> Feasibility:
    if unknown:
        return Feasibility.SKILL_UNAVAILABLE
    if missing:
        return Feasibility.PERMISSION_DENIED
    if budget is not None and cost > budget:
        return Feasibility.BUDGET_INSUFFICIENT
    return Feasibility.FEASIBLE


def _risks(plan: Plan, skills: Mapping[str, Skill], worst: int, budget: int | None) -> tuple[str, ...]:
    risks = []
    for step in plan.steps:
        skill = skills.get(step.skill)
        if has_side_effects(step, rules_of(skill)):
            risks.append(f"{step.step_id} changes the world through {step.skill}")
        if skill is not None and skill.timeout_ms is None:
            risks.append(f"{step.step_id} has no time limit")
    if budget is not None and worst > budget:
        risks.append(f"with every retry it costs {worst} cents, more than the {budget} allowed")
    return tuple(risks)


def _attempts(retry_count: int, skill: Skill) -> int:
    return 1 + (retry_count if skill.retry.max is None else min(retry_count, skill.retry.max))


def _decimal(value: Any, place: str) -> Decimal:
    try:
        number = Decimal(str(value)) if isinstance(value, int | float | str) and not isinstance(value, bool) else None
    except (InvalidOperation, ValueError):
        number = None
    if number is None or not number.is_finite() or number < 0:
        raise InputError(f"a rate is a number of at least 0, got {shown(value)}", place=place)
    return number
