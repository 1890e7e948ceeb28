"""The planner `governed` of the contract registry: a plan request in, its steps in the common plan model out.

The request is the extra argument `request`, or the goal itself as JSON text (whose runs of white space are
collapsed before a planner sees it, so text that must keep them belongs into `request`). Each step's skill is its
operation and its params are what a worker's governed operation takes, so the plan can be stored and run like any
other.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from planvow.contract.errors import InvalidGoalError
from planvow.contract.failure import PlannerErrorCode
from planvow.contract.interface.inputs import PlannerInputs
from planvow.contract.interface.interface import Answer, DeterminismMode, PlannerError, PlannerOutput
from planvow.contract.interface.keeping import keeps_contract
from planvow.contract.plan.plan import step_data
from planvow.contract.running.cost import FREE
from planvow.governed.compile.compiler import PLANNER_VERSION
from planvow.governed.compile.intents import Intents
from planvow.governed.compile.planner import DEFAULT_SUBSTRATE, RequestPlanner
from planvow.governed.compile.post import PLANNER_ID, step_payload
from planvow.governed.errors import InvalidRequestError, PlanBudgetError
from planvow.status import Status

_KNOWN = ("request", "repo_root", "substrate")
_CODES = {
    InvalidRequestError: PlannerErrorCode.INVALID_INPUT,
    PlanBudgetError: PlannerErrorCode.BUDGET_EXCEEDED,
}


class GovernedPlanner:
    """Governed requests, keeping the planner contract. The repository is fixed here or named per call."""

    determinism = DeterminismMode.FULL
    cost_model = FREE

    def __init__(
        self,
        *,
        repo_root: str | Path | None = None,
        substrate: str = DEFAULT_SUBSTRATE,
        intents: Intents | None = None,
    ) -> None:
        self._planner = RequestPlanner(repo_root, intents=intents)
        self._substrate = substrate

    @property
    def planner_id(self) -> str:
        return PLANNER_ID

    @property
    def version(self) -> str:
        return f"{PLANNER_VERSION}.0"

    def get_determinism_mode(self) -> str:
        return DeterminismMode.FULL

    @keeps_contract
    def plan(self, inputs: PlannerInputs) -> Answer:
        """Compile the request and return its steps; the same request against the same index gives the same bytes."""
        inputs.allow_extra(_KNOWN)
        try:
            found = self._planner.plan_request(
                _request(inputs),
                repo_root=inputs.extra.get("repo_root"),
                substrate=inputs.extra.get("substrate", self._substrate),
            )
        except (InvalidRequestError, PlanBudgetError) as error:
            return PlannerError(
                code=_CODES[type(error)], message=f"{error.place}: {error.message}", details=error.as_dict()
            )
        steps = [
            step_data(
                step["op"],
                step_payload(step, found["policy_hash"]),
                step_id=step["step_id"],
                depends_on=step["constraints"].get("after", ()),
                retry_count=0,  # governed steps are never tried again unless the requester asks anew (ruling 13)
            )
            for step in found["steps"]
        ]
        metadata = {
            "status": (Status.SOLVED if steps else Status.SATISFIED).value,
            "plan_hash": found["plan_hash"],
            "index_hash": found["index_hash"],
            "policy_hash": found["policy_hash"],
            "usage": found["usage"],
            "input_tokens": 0,
            "output_tokens": 0,
            "cost_cents": 0,
        }
        return PlannerOutput(plan={"steps": steps}, metadata=metadata, deterministic=True)


def _request(inputs: PlannerInputs) -> Any:
    if "request" in inputs.extra:
        return inputs.extra["request"]
    try:
        return json.loads(inputs.goal)
    except (ValueError, RecursionError):
        raise InvalidGoalError(
            "expected a plan request as JSON, as the goal or as the argument `request`", place="goal"
        ) from None
