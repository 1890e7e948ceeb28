"""Why this plan and no other, why none, and why a run came to where it stands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from planvow.agent.record.why import why_run, why_step
from planvow.agent.run.settle import open_doubts
from planvow.canonical import to_jsonable
from planvow.errors import InputError
from planvow.service.common.hddl_view import explanation_text, is_partially_ordered, kernel_result, plan_details
from planvow.service.declare.document import document
from planvow.service.declare.operation import Answer, Operation, Right
from planvow.service.declare.setting import Setting
from planvow.service.operations.hddl import HddlQuestion, solve_hddl
from planvow.service.operations.making import derived

TIMES = ("earliest_start", "latest_start", "earliest_end", "latest_end")


@document
class ExplainQuestion:
    """What is to be explained: a plan by its hash, a question to make_plan, or a run."""

    plan_hash: str = ""
    """A plan that make_plan gave."""
    domain: str = ""
    goal: str = ""
    facts: dict[str, Any] | None = None
    """domain, goal and facts as make_plan takes them: why it answers as it does."""
    max_iterations: int | None = None
    max_depth: int | None = None
    max_seconds: float | None = None
    hddl_domain: str = ""
    hddl_problem: str = ""
    """HDDL texts instead: why solve_hddl answers as it does."""
    run_id: str = ""
    step: int | None = None
    """With run_id: one step of the run."""
    details: bool = False
    """Also the decisions, the order of the steps and their times as data."""


@document
class ExplainAnswer:
    """The explanation."""

    text: str
    status: str | None = None
    open_doubts: list[int] | None = None
    """Steps of a run of which nobody knows whether they happened."""
    details: dict[str, Any] | None = None
    """decisions (why each method), order (which step before which) and times (earliest and latest); of HDDL plans also
    derivation (the plan in its own terms) and verdicts (what the verifier says)."""


def explain(asked: ExplainQuestion, setting: Setting) -> Answer:
    """Explain a run from the ledger alone, or a plan by running its search again."""
    if asked.run_id:
        return _of_run(asked, setting)
    if asked.step is not None:
        raise InputError("a step belongs to a run", place="step", hint="add run_id")
    if asked.hddl_domain:
        return _of_hddl(asked, setting)
    if asked.plan_hash:
        asked = _as_asked(asked, setting)
    result = derived(asked, setting)
    text = result.explain_text() if result.success else _why_none(result)
    details = details_of(result) if asked.details else None
    return Answer(output=ExplainAnswer(text=text, status=result.status.value, details=details), whole=result)


def details_of(result: Any) -> dict[str, Any]:
    """Return why a plan is as it is as data: decisions, and for a solved problem order and times."""
    told: dict[str, Any] = {"decisions": result.explain_plan()["decisions"]}
    if result.success:
        told["order"] = result.partial_order().as_dict()["edges"]
        told["times"] = [
            {name: getattr(row, name) for name in ("node_id", *TIMES, "entities")} for row in result.time_allocations
        ]
    found: dict[str, Any] = to_jsonable(told)
    return found


def _as_asked(asked: ExplainQuestion, setting: Setting) -> ExplainQuestion:
    question = setting.shelf.read("question", asked.plan_hash)
    if "facts" not in question:
        hint = "give domain and goal, or verify the plan"
        raise InputError("only plans of Python domains are explained by their hash", place="plan_hash", hint=hint)
    limits = {name: question[name] for name in ("max_iterations", "max_depth")}
    kept = {name: question[name] for name in ("domain", "goal", "facts")}
    return ExplainQuestion(**kept, **limits, max_seconds=asked.max_seconds, details=asked.details)


def _why_none(result: Any) -> str:
    return f"{result.status}: {result.reason}\n{result.explanation.text(solved=False)}"


def _of_hddl(asked: ExplainQuestion, setting: Setting) -> Answer:
    limits = {name: getattr(asked, name) for name in ("max_iterations", "max_depth")}
    question = HddlQuestion(domain=asked.hddl_domain, problem=asked.hddl_problem, **limits)
    late = setting.deadline(asked.max_seconds)  # one moment for everything, the explanation included
    problem, outcome = solve_hddl(question, replace(setting, interrupt=late)).whole
    if problem is None:
        return Answer(output=ExplainAnswer(text=outcome.reason, status=outcome.status.value), whole=outcome)
    told = kernel_result(problem, outcome, late) if asked.details or not is_partially_ordered(problem) else None
    details = plan_details(problem, outcome.plan, told) if asked.details and outcome.plan is not None else None
    output = ExplainAnswer(
        text=explanation_text(problem, outcome, told, late), status=outcome.status.value, details=details
    )
    return Answer(output=output, whole=told or outcome)


def _of_run(asked: ExplainQuestion, setting: Setting) -> Answer:
    with setting.open_ledger(looking=False) as ledger:
        if asked.step is not None:
            return Answer(output=ExplainAnswer(text=why_step(ledger, asked.run_id, asked.step)))
        doubts = [entry.step.number for entry in open_doubts(ledger, asked.run_id)]
        return Answer(output=ExplainAnswer(text=why_run(ledger, asked.run_id), open_doubts=doubts or None))


EXPLAIN = Operation(
    name="explain",
    summary="Say why a plan is as it is, why there is none, or why a run stands where it stands.",
    question=ExplainQuestion,
    output=ExplainAnswer,
    run=explain,
    right=Right.READ,
    is_long=True,
    advanced=frozenset(("max_depth", "details")),
    commands=("planvow agent why",),
)
