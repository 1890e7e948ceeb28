"""A planner behind a language model, held to a structure.

There is no sampling knob to turn for determinism. What keeps the structure is: an output bound to a schema, step
names fixed by position, full validation, one repair attempt, and recordings that answer the same prompt with the same
text. An answer that is still no plan after the repair is an error; nothing is made up in its place.

The model is reached through a one-method client that is passed in; the real one is an adapter. Every token is
counted, those of failed attempts too.

Seed 004, mode `structural`; spec 004, "LLM adapter"; ruling 14; ADR 0006.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from planvow.canonical import to_jsonable
from planvow.clock import Clock, timestamp
from planvow.contract.errors import ContextTooLongError, GenerationFailedError, PlannerInvalidPlanError
from planvow.contract.interface.inputs import PlannerInputs
from planvow.contract.interface.interface import Answer, DeterminismMode, PlannerOutput, keeps_contract
from planvow.contract.plan.validate import PlanProblem, validate_plan
from planvow.contract.planners.prompt import SCHEMA_VERSION, SYSTEM, plan_schema, repair_prompt, request_prompt
from planvow.contract.replaying.recordings import Recording, RecordingMode, RecordingStore, keep, known
from planvow.contract.running.cost import CostModel, whole_cents
from planvow.errors import chosen
from planvow.step import OnError

MAX_ATTEMPTS = 2  # the answer and one repair
DEFAULT_MAX_TOKENS = 4_096


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """One question to a model. Equal requests have equal recordings."""

    model: str
    system: str
    prompt: str
    schema: dict[str, Any]
    max_tokens: int = DEFAULT_MAX_TOKENS


@dataclass(frozen=True, kw_only=True)
class ModelReply:
    """What the model said. `stop_reason` is the service's own word for why it stopped."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    stop_reason: str = "end_turn"


class ModelClient(Protocol):
    """Something that can ask a model. It raises the planner errors of `contract.errors` when it cannot."""

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the model's reply to one request."""
        ...


@dataclass(kw_only=True)
class _Bill:
    """What one planning call has used so far."""

    input_tokens: int = 0
    output_tokens: int = 0
    attempts: int = 0

    def add(self, reply: ModelReply) -> None:
        self.input_tokens += reply.input_tokens
        self.output_tokens += reply.output_tokens
        self.attempts += 1


class ModelPlanner:
    """Plans by asking a model. Structure is checked; content is the model's."""

    def __init__(
        self,
        client: ModelClient,
        *,
        model: str,
        planner_id: str = "llm",
        version: str = "1.0.0",
        max_tokens: int = DEFAULT_MAX_TOKENS,
        cost_model: CostModel | None = None,
        recordings: RecordingStore | None = None,
        mode: RecordingMode | str = RecordingMode.AUTO,
        clock: Clock | None = None,
    ) -> None:
        self._client = client
        self._model = model
        self._planner_id = planner_id
        self._version = version
        self._max_tokens = max_tokens
        self._cost_model = cost_model or CostModel()
        self._recordings = recordings
        self._mode = chosen(RecordingMode, mode, place="mode")
        self._clock = clock

    @property
    def planner_id(self) -> str:
        return self._planner_id

    @property
    def version(self) -> str:
        return self._version

    def get_determinism_mode(self) -> str:
        return DeterminismMode.STRUCTURAL

    @keeps_contract
    def plan(self, inputs: PlannerInputs) -> Answer:
        """Ask the model for a plan; repair it once if it is not valid; otherwise say what is wrong with it."""
        bill = _Bill()
        prompt = request_prompt(inputs)
        problems: tuple[PlanProblem, ...] = ()
        for _ in range(MAX_ATTEMPTS):
            reply = self._ask(inputs, prompt)
            bill.add(reply)
            self._check_stop(reply, bill)
            steps, problems = read_steps(reply, inputs)
            if not problems:
                return self._output(steps, bill)
            prompt = repair_prompt(inputs, reply.text, problems)
        raise PlannerInvalidPlanError(
            f"the model's answer is no valid plan, even after a repair: {problems[0].path}: {problems[0].message}",
            details={"problems": to_jsonable(problems), **self._accounts(bill)},
        )

    def _ask(self, inputs: PlannerInputs, prompt: str) -> ModelReply:
        request = ModelRequest(
            model=self._model, system=SYSTEM, prompt=prompt, schema=plan_schema(inputs), max_tokens=self._max_tokens
        )
        if self._recordings is None:
            return self._client.complete(request)
        # The exact prompt, the schema version and the model make the key; the inputs stand beside the prompt so that a
        # miss can say which input changed.
        said = {"inputs": inputs.as_dict(), "max_tokens": self._max_tokens, "prompt": prompt, "system": SYSTEM}
        asked: dict[str, Any] = {"maker": self._model, "maker_version": SCHEMA_VERSION, "request": said}
        kept = known(self._recordings, self._mode, **asked)
        if kept is None:
            answer = to_jsonable(self._client.complete(request))
            kept = keep(self._recordings, self._mode, Recording(**asked, answer=answer))
        return ModelReply(**kept.answer)

    def _check_stop(self, reply: ModelReply, bill: _Bill) -> None:
        if reply.stop_reason == "refusal":
            raise GenerationFailedError("the model refused", details=self._accounts(bill))
        if reply.stop_reason == "model_context_window_exceeded":
            raise ContextTooLongError("the model's context window is full", details=self._accounts(bill))

    def _output(self, steps: list[dict[str, Any]], bill: _Bill) -> PlannerOutput:
        metadata = {"model": self._model, **self._accounts(bill)}
        if self._clock is not None:
            metadata["generated_at"] = timestamp(self._clock.now_ms())
        return PlannerOutput(plan={"steps": steps}, metadata=metadata, deterministic=False)

    def _accounts(self, bill: _Bill) -> dict[str, Any]:
        cost = self._cost_model.cost(input_tokens=bill.input_tokens, output_tokens=bill.output_tokens)
        return {
            "input_tokens": bill.input_tokens,
            "output_tokens": bill.output_tokens,
            "cost_cents": whole_cents(cost),
            "cost_cents_exact": f"{cost:f}",
            "attempts": bill.attempts,
        }


def read_steps(reply: ModelReply, inputs: PlannerInputs) -> tuple[list[dict[str, Any]], tuple[PlanProblem, ...]]:
    """Read a reply as plan steps; return them and everything that is wrong with them. JSON only, no prose."""
    if reply.stop_reason == "max_tokens":
        return [], _single("cut_off", "$", "the answer was cut off before its end; answer with fewer or shorter steps")
    try:
        data = json.loads(reply.text, parse_constant=_no_constant)
    except RecursionError:
        return [], _single("not_json", "$", "the answer is nested too deeply")
    except ValueError as error:
        return [], _single("not_json", "$", f"the answer is not JSON alone: {str(error)[:200]}")
    if not isinstance(data, dict) or not isinstance(data.get("steps"), list):
        return [], _single("type", "$.steps", "an object with a list of steps was expected")
    steps = [_with_read_params(step) for step in data["steps"]]
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


def _with_read_params(step: Any) -> Any:
    """Return a step whose params, which the schema carries as JSON text, are an object again."""
    if not isinstance(step, dict) or not isinstance(step.get("params"), str):
        return step
    try:
        params = json.loads(step["params"], parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return step  # the validation says that params must be an object
    return {"on_error": OnError.ABORT.value, **step, "params": params}


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _single(code: str, path: str, message: str) -> tuple[PlanProblem, ...]:
    return (PlanProblem(code=code, path=path, message=message),)
