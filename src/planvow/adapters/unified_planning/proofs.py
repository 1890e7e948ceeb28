"""Why, and is it so? Certificates, explanations and proofs for problems and plans of unified-planning.

A plan may come from any engine: a certificate of another planner's plan is checked like one of ours.
"""

from __future__ import annotations

from typing import Any

from planvow.adapters.unified_planning.plans.validation import judge
from planvow.adapters.unified_planning.problems.errors import UpPlanError
from planvow.adapters.unified_planning.problems.translation import to_hddl
from planvow.contract.certificate.build import build_certificate
from planvow.hddl.bind.binding import bind
from planvow.hddl.bind.follow import follow
from planvow.hddl.solve.entry import solve
from planvow.hddl.solve.no_plan import prove_no_plan
from planvow.service.common.hddl_view import explanation_text
from planvow.status import Status


def certify(problem: Any, plan: Any) -> Any:
    """Return the certificate of a HierarchicalPlan of any engine; raise UpPlanError when the plan is wrong."""
    translation = to_hddl(problem)
    judgement = judge(translation, plan)
    if not judgement.verdict:
        raise UpPlanError(f"a wrong plan has no certificate: {judgement.verdict.reason}")
    return build_certificate(follow(bind(translation.problem), judgement.read.plan))


def explain(problem: Any) -> str:
    """Say in sentences why each method was chosen, or what stands in the way of a plan.

    The reasons are those of a plain search, which comes to most plans but not to all; for the others it is said what
    every task became, why its method applied, and what each action waited for.
    """
    made = to_hddl(problem).problem
    outcome = solve(made.domain, made)
    return explanation_text(made, outcome)


def prove_unsolvable(problem: Any) -> dict[str, Any] | None:
    """Return a proof that there is no plan, which `check_no_plan` follows; None when there is a plan or no proof."""
    made = to_hddl(problem).problem
    outcome = solve(made.domain, made)
    return prove_no_plan(made) if outcome.status is Status.NO_PLAN else None
