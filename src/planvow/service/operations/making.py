"""A plan for a Python domain, or from any planner of the contract."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from planvow._version import HTN_VERSION
from planvow.contract.plan.normalise import document_hash
from planvow.kernel.answer.planning import solve
from planvow.kernel.answer.result import Result
from planvow.service.common.domains import asked_problem
from planvow.service.common.findings import documents_of, refusal_for
from planvow.service.common.plans import PlanAnswer, contract_plan, step_lines
from planvow.service.declare.document import document
from planvow.service.declare.operation import Answer, Operation, Right
from planvow.service.declare.setting import Setting
from planvow.spans import span

if TYPE_CHECKING:
    from planvow.contract.interface.interface import PlannerOutput

HTN = "htn"


@document
class PlanQuestion:
    """What is wanted, of which domain, starting from which facts."""

    domain: str = ""
    """Name from list_planners; may be left out if there is one."""
    goal: str = ""
    """JSON agenda like [["travel","ann","park"]]; empty: the domain's own problem."""
    facts: dict[str, Any] | None = None
    """Facts that replace the domain's own: {"cash": {"ann": 5}}."""
    max_iterations: int | None = None
    max_depth: int | None = None
    max_seconds: float | None = None
    planner: str = HTN
    """Another planner's id from list_planners; goal is then its text."""
    arguments: dict[str, Any] | None = None
    """Further arguments of another planner."""


def make_plan(asked: PlanQuestion, setting: Setting) -> Answer:
    """Plan for a Python domain with the engine; with another planner through the contract."""
    if asked.planner == HTN and (asked.domain or setting.domains):
        result = derived(asked, setting)
        return plan_answer(result, asked, setting)
    return _from_contract(asked, setting)


def derived(asked: Any, setting: Setting) -> Result:
    """Search for the plan of a question and return how it came about."""
    limits = {"max_iterations": asked.max_iterations, "max_depth": asked.max_depth}
    problem = asked_problem(setting, asked.domain, asked.goal, asked.facts, **limits)
    tell = setting.progress
    watch = None if tell is None else lambda seen: tell(seen.iterations, f"{seen.iterations:,} nodes")
    with setting.limited(), span("search"):
        return solve(problem, interrupt=setting.deadline(asked.max_seconds), progress=watch)


def plan_answer(result: Result, asked: Any, setting: Setting) -> Answer:
    """Return a result of the engine as an answer, with what can be read of it afterwards."""
    common: dict[str, Any] = {
        "status": result.status.value,
        "reason": result.reason,
        "planner": HTN,
        "planner_version": HTN_VERSION,
    }
    if not result.success:
        with span("explain"):
            why = "; ".join(line.strip() for line in result.explanation.why_none()) if setting.says_why else ""
        refusal = refusal_for(result.status, result.reason, why)
        return Answer(output=PlanAnswer(**common, steps=[], refusal=refusal), whole=result)
    with span("write plan"):
        plan = contract_plan(result)
    output = PlanAnswer(**common, steps=step_lines(plan["steps"]), plan_hash=document_hash(plan))
    question = {field.name: getattr(asked, field.name) for field in fields(asked)}
    made = documents_of(plan, (HTN, HTN_VERSION), lambda: result.certificate().document, question)
    return Answer(output=output, whole=result, documents=made)


def _from_contract(asked: PlanQuestion, setting: Setting) -> Answer:
    from planvow.contract.certificate.of_contract import certify_output
    from planvow.contract.interface.inputs import read_inputs
    from planvow.contract.interface.interface import unwrap
    from planvow.contract.interface.keeping import safe_plan
    from planvow.service.common.asked_planners import asked_planner

    planner = setting.planner or asked_planner(setting, asked.planner)
    arguments: dict[str, Any] = {"agent_id": "service", **(asked.arguments or {}), "goal": asked.goal}
    for name in ("max_iterations", "max_depth"):
        if getattr(asked, name) is not None:
            arguments[name] = getattr(asked, name)
    found: PlannerOutput = unwrap(safe_plan(planner, **arguments))
    status = str(found.metadata.get("status") or "solved")
    output = PlanAnswer(
        status=status,
        reason=str(found.metadata.get("reason") or "a plan was found"),
        planner=planner.planner_id,
        planner_version=planner.version,
        steps=step_lines(found.plan["steps"]),
        plan_hash=document_hash(found.plan),
    )
    inputs = read_inputs(**arguments)
    question = {"planner": asked.planner, "goal": asked.goal, "arguments": asked.arguments}
    made = documents_of(
        found.plan,
        (planner.planner_id, planner.version),
        lambda: certify_output(planner, inputs, found).document,
        question,
    )
    return Answer(output=output, whole=(planner, inputs, found), documents=made)


MAKE_PLAN = Operation(
    name="make_plan",
    summary="Plan: break the tasks of a Python domain down into commands. Same question, same plan. Never executes.",
    question=PlanQuestion,
    output=PlanAnswer,
    run=make_plan,
    right=Right.PLAN,
    is_long=True,
    advanced=frozenset(("arguments",)),
    commands=("planvow plan", "planvow ask"),
)
