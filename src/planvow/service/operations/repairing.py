"""Going on when a step failed: the rest of a plan, from what was really observed."""

from __future__ import annotations

from typing import Any

from planvow.errors import InputError
from planvow.kernel.repair.lookahead import simulate, steps_of
from planvow.kernel.repair.replan import replan
from planvow.service.common.domains import with_facts
from planvow.service.common.plans import PlanAnswer
from planvow.service.declare.document import document
from planvow.service.declare.operation import Answer, Operation, Right
from planvow.service.declare.setting import Setting
from planvow.service.operations.making import derived, plan_answer


@document
class ReplanQuestion:
    """A question to make_plan, the step of its plan that failed, and what was seen then."""

    failed_step: int
    """Number of the step that failed, from 1; those before it were done."""
    observed: dict[str, Any] | None = None
    """What was seen and differs from what the plan expected: {"at": {"taxi": "garage"}}."""
    try_again: bool = False
    """Allow the failed command, with the same arguments, in the new plan."""
    domain: str = ""
    goal: str = ""
    facts: dict[str, Any] | None = None
    """domain, goal and facts as they were given to make_plan."""
    max_iterations: int | None = None
    max_depth: int | None = None
    max_seconds: float | None = None


def replan_rest(asked: ReplanQuestion, setting: Setting) -> Answer:
    """Find the plan of the question again, keep what was done, and plan the rest from what was observed."""
    before = derived(asked, setting)
    if not before.success:
        hint = "give domain, goal and facts as make_plan was given them"
        raise InputError(f"there is no plan to repair: {before.reason}", place="goal", hint=hint)
    if not 1 <= asked.failed_step <= len(before.plan):
        hint = f"its steps are 1 to {len(before.plan)}"
        raise InputError(f"the plan has no step {asked.failed_step}", place="failed_step", hint=hint)
    world = simulate(before)[asked.failed_step - 1]
    seen = with_facts(world, asked.observed, before.problem.domain) if asked.observed else world
    node, _ = steps_of(before)[asked.failed_step - 1]
    interrupt = setting.deadline(asked.max_seconds)
    after = replan(before, seen, node, blacklist=not asked.try_again, interrupt=interrupt)
    return plan_answer(after, asked, setting)


REPLAN = Operation(
    name="replan",
    summary="Repair a plan after a step failed: keep what was done, plan the rest from what was observed.",
    question=ReplanQuestion,
    output=PlanAnswer,
    run=replan_rest,
    right=Right.PLAN,
    is_long=True,
    advanced=frozenset(("max_depth",)),
    commands=("planvow replan",),
)
