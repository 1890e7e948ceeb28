"""Runs of agents that plan with a planner of the contract: what was asked, what it answered, and what is left of it.

The plan is stored as data, so going on needs no planner; a repair asks the planner once more, with what was done and
what failed among its inputs and without the skill that failed. What was done stays done: a step of the new plan that
calls the same skill with the same arguments as one that was done is left out, and its output is filled in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from planvow.agent.record.derive import with_pins
from planvow.agent.record.jobs import AgentJob
from planvow.agent.tools.bind import BoundTool
from planvow.canonical import canonical_json, to_jsonable
from planvow.cassette.dossier import Dossier, outputs_of
from planvow.cassette.ledger.store import Store
from planvow.contract.certificate.of_contract import certify_output
from planvow.contract.errors import UnresolvedReferenceError
from planvow.contract.interface.inputs import PlannerInputs, read_inputs
from planvow.contract.interface.interface import PlannerError, PlannerInterface, PlannerOutput
from planvow.contract.interface.keeping import safe_plan
from planvow.contract.plan.placeholders import INPUT_KEY, escape, references, resolve
from planvow.contract.plan.plan import build_plan, step_data
from planvow.errors import InputError
from planvow.execution import execution_order
from planvow.kernel.world.recorder import Triple
from planvow.kernel.world.state import State
from planvow.status import Status
from planvow.step import OnError

FORMAT = "agent-goal/1"


@dataclass(frozen=True, kw_only=True)
class GoalAsked:
    """What a planner is asked: its inputs as data, and what fills `{{input.…}}` when steps run."""

    asked: Mapping[str, Any]
    facts: Sequence[Any] = ()

    @property
    def inputs(self) -> PlannerInputs:
        """The inputs as any process reads them back."""
        given = dict(self.asked["inputs"])
        return read_inputs(**given.pop("extra"), **given)


def ask_goal(planner: PlannerInterface, goal: Any, state: Any, options: Mapping[str, Any]) -> GoalAsked:
    """Return what is asked of a planner as data; refuse what the contract does not take."""
    if not isinstance(goal, str):
        hint = "planners of the registry take a goal in words or as JSON text; an agenda needs a Domain"
        raise InputError(f"the goal is text, got {type(goal).__name__}", place="goal", hint=hint)
    given = {"agent_id": "agent", **options}
    filling = given.pop(INPUT_KEY, {})
    if state is not None:
        given["state"] = state.get_triples_as_array() if isinstance(state, State) else state
    inputs = read_inputs(goal=goal, **given)
    who = planner_identity(planner)
    asked = {"format": FORMAT, "inputs": inputs.as_dict(), "input": filling, "planner": who}
    return GoalAsked(asked=to_jsonable(asked))


def planner_identity(planner: PlannerInterface) -> dict[str, str]:
    """Return which planner it is."""
    return {"name": planner.planner_id, "source": planner.version}


def is_goal(job: AgentJob) -> bool:
    """Say whether a job was planned by a planner of the contract."""
    asked = job.dossier.asked
    return isinstance(asked, Mapping) and asked.get("format") == FORMAT


@dataclass(frozen=True, kw_only=True)
class GoalPlan:
    """What a planner answered: a status, steps, and what explains them."""

    status: Status
    reason: str
    steps: Sequence[Mapping[str, Any]] = ()
    dossier: Dossier


def plan_goal(planner: PlannerInterface, asked: GoalAsked, tools: Mapping[str, BoundTool]) -> GoalPlan:
    """Ask a planner; every answer is a status with a reason."""
    inputs = asked.inputs
    answer = safe_plan(planner, **inputs.as_arguments())
    parts: dict[str, Any] = {"asked": asked.asked, "domain": with_pins(planner_identity(planner), tools)}
    if isinstance(answer, PlannerError):
        told = {"why_none": {"status": answer.code, "reason": answer.message, "details": answer.details}}
        return GoalPlan(status=_status(answer), reason=answer.message, dossier=Dossier(**parts, decisions=told))
    missing = sorted({step["skill"] for step in answer.plan["steps"]} - tools.keys())
    certificate = certify_output(planner, inputs, answer).document
    parts |= {"certificate": certificate, "decisions": to_jsonable({"planner": answer.metadata})}
    if missing:
        reason = f"the plan calls {', '.join(missing)}, for which there is no tool"
        return GoalPlan(status=Status.NO_CAPABILITY, reason=reason, dossier=Dossier(**parts))
    return GoalPlan(status=Status.SOLVED, reason="", steps=_steps(answer, tools), dossier=Dossier(**parts))


def _status(error: PlannerError) -> Status:
    said = error.details.get("status")
    if said in {status.value for status in Status}:
        return Status(said)
    word = error.code.removeprefix("PLANNER_")
    known = {"INVALID_GOAL": Status.REJECTED, "INVALID_INPUT": Status.REJECTED, "INTERNAL": Status.INTERNAL}
    known |= {"NO_SKILLS_AVAILABLE": Status.NO_CAPABILITY, "BUDGET_EXCEEDED": Status.BUDGET_EXCEEDED}
    return known.get(word, Status.NO_PLAN)


def _steps(answer: PlannerOutput, tools: Mapping[str, BoundTool]) -> list[dict[str, Any]]:
    """Return the steps in the order of running; whether a call may be repeated is for its tool to say."""
    plan = build_plan(answer.plan)
    by_id = {step.step_id: step for step in plan.steps}
    made = []
    for step_id in execution_order(plan.steps):
        step, tool = by_id[step_id], tools[by_id[step_id].skill].tool
        on_error = step.on_error if step.on_error is OnError.CONTINUE else tool.on_error
        made.append(
            step_data(
                step.skill,
                step.params,
                step_id=step_id,
                depends_on=step.depends_on,
                on_error=on_error,
                retry_count=tool.retry_count,
                output_key=step.key,
            )
        )
    return made


@dataclass
class StepsInHand:
    """The calls of a stored plan, in order."""

    commands: Sequence[tuple[Any, ...]]


@dataclass
class Progress:
    """How far a plan without a model has got: nothing is promised, so nothing can be broken."""

    hand: StepsInHand
    done: set[int] = field(default_factory=set)
    broken: None = None

    def succeeded(self, ordinal: int, facts: Iterable[Triple]) -> None:
        """Take in that a step was done."""
        self.done.add(ordinal)

    def saw(self, ordinal: int, facts: Iterable[Triple]) -> None:
        """Take in what was seen when a step was not done; the receipt keeps it."""


@dataclass(frozen=True, kw_only=True)
class DoneCall:
    """A call that was made, with its arguments as they were filled in."""

    skill: str
    params: Mapping[str, Any]
    output: Any

    @property
    def key(self) -> str:
        return canonical_json([self.skill, self.params])


def done_calls(store: Store, jobs: Sequence[AgentJob], done_in: Any) -> list[DoneCall]:
    """Return the calls that all plans of a run have made, oldest first."""
    found = []
    for job in jobs:
        outputs, done = outputs_of(store, job.job_id), done_in(store, job.job_id)
        for number, step in enumerate(job.steps, start=1):
            if number in done:
                params = resolve(step["params"], outputs, job.dossier.asked.get("input"))
                found.append(DoneCall(skill=step["skill"], params=params, output=outputs.get(step["step_id"])))
    return found


def asked_after(
    asked: GoalAsked, done: Sequence[DoneCall], failed: Mapping[str, Any], tools: Iterable[str]
) -> GoalAsked:
    """Return the question after a failure: what is known now, and the skills without the one that failed."""
    inputs = asked.asked["inputs"]
    kept = [row for row in inputs["memory_snippets"] if row.get("kind") not in ("done", "failed")]
    before = [row for row in inputs["memory_snippets"] if row.get("kind") == "failed"]
    told = [{"kind": "done", "skill": call.skill, "params": call.params, "output": call.output} for call in done]
    failures = [*before, {"kind": "failed", **failed}]
    out = {row["skill"] for row in failures}
    given = inputs["tool_manifest"]
    manifest = [{"skill_id": name} for name in tools] if given is None else given
    manifest = [row for row in manifest if row.get("skill_id", row.get("name")) not in out]
    told_now = {**inputs, "memory_snippets": [*kept, *told, *failures], "tool_manifest": manifest}
    return GoalAsked(asked=to_jsonable({**asked.asked, "inputs": told_now}))


def without_done(
    steps: Sequence[Mapping[str, Any]], done: Sequence[DoneCall], given: Mapping[str, Any] | None
) -> list[dict[str, Any]]:
    """Return the steps that are left of a new plan, with what was done filled in."""
    waiting = Counter(call.key for call in done)
    outputs = {call.key: call.output for call in done}
    known: dict[str, Any] = {}
    gone: set[str] = set()
    left = []
    for step in steps:
        params = {name: _filled(value, known, given) for name, value in step["params"].items()}
        try:
            key = canonical_json([step["skill"], resolve(params, {}, given)])
        except (InputError, UnresolvedReferenceError):  # something it needs is not known yet
            key = ""
        if waiting[key] > 0:
            waiting[key] -= 1
            gone.add(step["step_id"])
            known[step["step_id"]] = known[step["output_key"] or step["step_id"]] = outputs[key]
            continue
        depends = [name for name in step["depends_on"] if name not in gone]
        left.append({**step, "params": params, "depends_on": depends})
    return left


def _filled(value: Any, known: Mapping[str, Any], given: Mapping[str, Any] | None) -> Any:
    """Fill in a parameter whose placeholders are all known; leave it as it is otherwise."""
    keys = {found.key for found in references(value)}
    if not keys or not keys <= known.keys():
        return value
    return _escaped(resolve(value, known, given))


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, Mapping):
        return {key: _escaped(part) for key, part in value.items()}
    return [_escaped(part) for part in value] if isinstance(value, list) else value
