"""A planner behind a language model, held to a structure.

What keeps the structure is: an output bound to a schema that knows the parameters of every skill, step names fixed by
position, full validation, one repair attempt, and recordings. An answer that is still no plan after the repair is an
error; nothing is made up in its place. Every token is counted, those of failed attempts too.

The model is reached through a client that is passed in; the real ones are adapters.

Seed 004, mode `structural`; spec 004, "LLM adapter"; ruling 14; ADR 0006.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from planvow.canonical import to_jsonable
from planvow.clock import Clock, timestamp
from planvow.contract.errors import PlannerInvalidPlanError
from planvow.contract.interface.inputs import PlannerInputs
from planvow.contract.interface.interface import Answer, DeterminismMode, PlannerOutput
from planvow.contract.interface.keeping import keeps_contract, keeps_contract_async
from planvow.contract.plan.validate import PlanProblem, validate_plan
from planvow.contract.planners.answer_schema import given_parameters, plan_schema
from planvow.contract.planners.conversation import (
    DEFAULT_MAX_TOKENS,
    Bill,
    Correspondent,
    ModelClient,
    Problems,
    Question,
    read_json_text,
    single,
)
from planvow.contract.planners.prompt import SCHEMA_VERSION, SYSTEM, manifest_prompt, request_prompt
from planvow.contract.replaying.recordings import RecordingMode, RecordingStore
from planvow.contract.running.cost import CostModel
from planvow.step import OnError

Steps = list[dict[str, Any]]


class ModelPlanner:
    """Plans by asking a model. Structure is checked; content is the model's."""

    def __init__(
        self,
        client: ModelClient,
        *,
        model: str,
        planner_id: str = "llm",
        version: str = "1.1.0",
        max_tokens: int = DEFAULT_MAX_TOKENS,
        cost_model: CostModel | None = None,
        recordings: RecordingStore | None = None,
        mode: RecordingMode | str = RecordingMode.AUTO,
        clock: Clock | None = None,
    ) -> None:
        self._planner_id = planner_id
        self._version = version
        self._cost_model = cost_model
        self._clock = clock
        self.correspondent = Correspondent(client, model=model, max_tokens=max_tokens, recordings=recordings, mode=mode)

    @property
    def planner_id(self) -> str:
        return self._planner_id

    @property
    def version(self) -> str:
        return self._version

    def get_determinism_mode(self) -> str:
        return DeterminismMode.STRUCTURAL

    def bill(self) -> Bill:
        """Return an empty bill at this model's rates."""
        return Bill(rates=self._cost_model)

    @keeps_contract
    def plan(self, inputs: PlannerInputs) -> Answer:
        """Ask the model for a plan; repair it once if it is not valid; otherwise say what is wrong with it."""
        bill = self.bill()
        return self._output(*self.correspondent.ask(plan_question(inputs), bill), bill)

    @keeps_contract_async
    async def aplan(self, inputs: PlannerInputs) -> Answer:
        """Ask the model for a plan without holding up others; the same answer as `plan`."""
        bill = self.bill()
        return self._output(*await self.correspondent.aask(plan_question(inputs), bill), bill)

    def _output(self, steps: Steps, problems: Problems, bill: Bill) -> PlannerOutput:
        if problems:
            first = problems[0]
            raise PlannerInvalidPlanError(
                f"the model's answer is no valid plan, even after a repair: {first.path}: {first.message}",
                details={"problems": to_jsonable(problems), **bill.as_dict()},
            )
        metadata = {"model": self.correspondent.model, **bill.as_dict()}
        if self._clock is not None:
            metadata["generated_at"] = timestamp(self._clock.now_ms())
        return PlannerOutput(plan={"steps": steps}, metadata=metadata, deterministic=False)


def plan_question(inputs: PlannerInputs) -> Question[Steps]:
    """Return the question whose answer is a plan for these inputs."""
    return Question(
        version=SCHEMA_VERSION,
        system=SYSTEM,
        shared=manifest_prompt(inputs),
        prompt=request_prompt(inputs),
        schema=plan_schema(inputs.skills),
        inputs=inputs.as_dict(),
        read=functools.partial(read_steps, inputs=inputs),
    )


def read_steps(data: Any, inputs: PlannerInputs) -> tuple[Steps, Problems]:
    """Read an answer as plan steps; return them and everything that is wrong with them."""
    if not isinstance(data, dict) or not isinstance(data.get("steps"), list):
        return [], single("type", "$.steps", "an object with a list of steps was expected")
    steps = [_with_read_params(step, inputs) for step in data["steps"]]
    problems = validate_plan({**data, "steps": steps}, inputs.tool_manifest)
    return steps, problems or tuple(_name_problems(steps))


def _name_problems(steps: Sequence[dict[str, Any]]) -> list[PlanProblem]:
    """Steps are named by position, so that two answers with the same steps have the same names."""
    return [
        PlanProblem(
            code="step_name", path=f"$.steps[{index}].step_id", message=f"this step must be called s{index + 1}"
        )
        for index, step in enumerate(steps)
        if step["step_id"] != f"s{index + 1}"
    ]


def _with_read_params(step: Any, inputs: PlannerInputs) -> Any:
    """Return a step whose params are an object again (they may come as JSON text) without what was left out."""
    if not isinstance(step, dict):
        return step
    params = step.get("params")
    if isinstance(params, str):
        try:
            params = read_json_text(params)
        except ValueError:
            return step  # the validation says that params must be an object
    skill = (inputs.skills or {}).get(str(step.get("skill")))
    return {"on_error": OnError.ABORT.value, **step, "params": given_parameters(params, skill)}
