"""The planner `hddl`: HDDL text in, the steps of a verified plan out.

The problem is the goal text itself when that starts with `(define`, or the extra argument `problem`; the domain is
the extra argument `domain`, or given once when the planner is made. (A goal's white space is collapsed before a planner
sees it, so text with comments belongs into `problem`.) Every action becomes one step that depends on the one
before; its parameters are named as in the domain, without the question mark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from planvow.budgets import Budgets
from planvow.canonical import content_hash
from planvow.contract.errors import GenerationFailedError, InvalidGoalError
from planvow.contract.interface.inputs import PlannerInputs
from planvow.contract.interface.interface import Answer, DeterminismMode, PlannerOutput, error_for_status
from planvow.contract.interface.keeping import keeps_contract
from planvow.contract.plan.hddl_steps import VERSION, plan_steps
from planvow.contract.running.cost import FREE
from planvow.errors import InputError
from planvow.hddl.language.cost import plan_cost
from planvow.hddl.language.model import HddlProblem
from planvow.hddl.language.plan_format import format_plan
from planvow.hddl.parsing.text import parse_domain, parse_problem
from planvow.hddl.solve.entry import solve
from planvow.hddl.solve.outcome import Outcome
from planvow.status import Status

if TYPE_CHECKING:
    from planvow.kernel.answer.result import Result

_KNOWN = ("domain", "problem", "search", "max_iterations", "max_depth")


class HddlPlanner:
    """Plans for HDDL problems, keeping the planner contract."""

    determinism = DeterminismMode.FULL
    cost_model = FREE

    def __init__(self, *, domain: str | None = None) -> None:
        self._domain = domain

    @property
    def planner_id(self) -> str:
        return "hddl"

    @property
    def version(self) -> str:
        """The version, and the domain given when the planner was made: recordings of another domain are not its own."""
        return VERSION if self._domain is None else f"{VERSION}+domain.{content_hash(self._domain)}"

    def get_determinism_mode(self) -> str:
        return DeterminismMode.FULL

    @keeps_contract
    def plan(self, inputs: PlannerInputs) -> Answer:
        """Solve the problem and return the steps of the plan, which `solve` has verified."""
        problem, outcome = self._solved(inputs)
        if outcome.plan is None:
            return error_for_status(outcome.status, outcome.reason, details={"statistics": dict(outcome.statistics)})
        metadata = {
            "status": (Status.SOLVED if outcome.plan.steps else Status.SATISFIED).value,
            "search": outcome.search,
            "hddl_plan": format_plan(outcome.plan),
            "plan_cost": plan_cost(problem, outcome.plan),
            "input_tokens": 0,
            "output_tokens": 0,
            "cost_cents": 0,
        }
        return PlannerOutput(plan={"steps": plan_steps(problem, outcome.plan)}, metadata=metadata, deterministic=True)

    def derive(self, inputs: PlannerInputs) -> Result:
        """Return how the plan follows from the problem, in the engine's terms: what its certificate is made of."""
        from planvow.hddl.bind.binding import bind
        from planvow.hddl.bind.follow import follow

        problem, outcome = self._solved(inputs)
        if outcome.plan is None:
            raise GenerationFailedError(f"there is no plan to derive: {outcome.reason}")
        return follow(bind(problem), outcome.plan)

    def _solved(self, inputs: PlannerInputs) -> tuple[HddlProblem, Outcome]:
        extra = inputs.extra
        inputs.allow_extra(_KNOWN)
        problem = self._problem(inputs)
        limits = {name: extra[name] for name in ("max_iterations", "max_depth") if name in extra}
        search: Any = extra.get("search", "auto")
        return problem, solve(problem.domain, problem, budgets=Budgets(**limits), search=search)

    def _problem(self, inputs: PlannerInputs) -> HddlProblem:
        domain = inputs.extra.get("domain", self._domain)
        if not isinstance(domain, str):
            raise InputError("expected the text of an HDDL domain", place="domain")
        problem = inputs.extra.get("problem")
        if problem is None:
            if not inputs.goal.lower().startswith("(define"):
                raise InvalidGoalError(
                    "expected an HDDL problem as the goal or as the argument `problem`", place="goal"
                )
            problem = inputs.goal
        if not isinstance(problem, str):
            raise InputError("expected the text of an HDDL problem", place="problem")
        return parse_problem(problem, parse_domain(domain))
