"""The fewest tool calls for a wish in words, for goals as data, or for conditions over anybody's tools."""

from __future__ import annotations

import json
from typing import Any

from planvow.contract.interface.interface import PlannerOutput, unwrap
from planvow.contract.interface.keeping import safe_plan
from planvow.contract.plan.normalise import document_hash
from planvow.errors import InputError
from planvow.goals.conditions.contract_planner import ToolPlanner
from planvow.goals.conditions.goal import conditions_of
from planvow.goals.conditions.ground import Reach
from planvow.goals.plan.convert import to_contract
from planvow.goals.plan.explain import what_would_help, why_each_tool
from planvow.goals.plan.orchestrator import GoalOrchestrator, OrchestratorResult
from planvow.goals.plan.planner import VERSION, GoalPlanner
from planvow.goals.plan.tools import ToolRegistry
from planvow.goals.understand.interpreter import UNDERSTOOD, GoalInterpreter, Interpretation
from planvow.goals.values.config import default_config
from planvow.goals.values.data import meta_goal_from_data, world_from_data
from planvow.goals.values.metagoal import MetaGoal
from planvow.goals.values.values import WorldState
from planvow.service.common.findings import documents_of
from planvow.service.common.plans import PlanStep, step_lines
from planvow.service.declare.document import Refusal, document
from planvow.service.declare.operation import Answer, Operation, Right
from planvow.service.declare.setting import Setting
from planvow.tools.statements import read_statement

WORKSPACE = "/workspace"


@document
class GoalQuestion:
    """A wish in words, goals as data, or conditions over tools."""

    wish: str = ""
    """A wish in English: "open youtube and search nvidia"."""
    conditions: list[str] | None = None
    """With tools: what shall be so: ["order.status=paid", "!cart.open"]."""
    wants: list[str] | None = None
    """With tools: kinds of which a value is wanted."""
    given: dict[str, Any] | None = None
    """With tools: values calls may use, by kind."""
    facts: dict[str, Any] | None = None
    """With tools: what the world shows now."""
    tools: Any = None
    """A tool list of any known shape: MCP, OpenAI, OpenAPI or planvow-tools."""
    review: dict[str, Any] | None = None
    use_proposed: bool = False
    """Also rest on effects that nobody has confirmed."""
    max_calls: int = 100
    max_steps: int = 10_000_000
    depth: int = 6
    """With tools: how many calls may hand values on, one to the next."""
    goals: Any = None
    """Goals as data instead of a wish."""
    world: dict[str, Any] | None = None
    capabilities: Any = None


@document
class GoalAnswer:
    """Tool calls, or what stands in the way."""

    status: str
    reason: str
    planner: str
    planner_version: str
    steps: list[PlanStep]
    why: dict[str, str]
    """Why each call, by step id."""
    plan_hash: str | None = None
    proof: str | None = None
    rests_on: list[str] | None = None
    """Proposals that nobody has confirmed."""
    warnings: list[str] | None = None
    choices: list[str] | None = None
    """What a doubtful wish may have meant."""
    reading: list[dict[str, Any]] | None = None
    """How a wish was read: its goals, each with what was understood of it."""
    refusal: Refusal | None = None


def plan_goal(asked: GoalQuestion, setting: Setting) -> Answer:
    """Plan a wish or goals with the tools that ship or were given; conditions with anybody's tools."""
    if asked.wish or asked.goals is not None:
        return _wish(asked, setting)
    if asked.conditions or asked.wants:
        return _conditions(asked)
    hint = "give wish, or tools with conditions or wants"
    raise InputError("nothing is wanted", place="wish", hint=hint)


def _wish(asked: GoalQuestion, setting: Setting) -> Answer:
    config = setting.goal_config or default_config()
    shipped = asked.capabilities is None
    registry = ToolRegistry.default(config) if shipped else ToolRegistry.from_data(asked.capabilities)
    world = WorldState() if asked.world is None else world_from_data(asked.world)
    found: Interpretation | None = None
    if asked.goals is not None:
        meta: MetaGoal | None = meta_goal_from_data(asked.goals)
    else:
        interpreter = GoalInterpreter(config, tools=registry.capabilities(), descriptions=registry.descriptions)
        found = interpreter.interpret(asked.wish)
        meta = found.meta_goal if found.status == UNDERSTOOD else None
    if meta is None:
        return _doubt(found)
    anchors = {"workspace": WORKSPACE, **setting.anchors}
    index = registry.index()
    result = GoalOrchestrator(GoalPlanner(config), anchors=anchors).plan(meta, world, index)
    why = dict(why_each_tool(result.graph, meta, index)) if result.graph is not None else {}
    return _planned(result, why, reading_of(meta) if asked.wish else None)


def reading_of(meta: MetaGoal) -> list[dict[str, Any]]:
    """Return the goals of a wish, each with what was said of it."""
    return [{name: value for name, value in vars(goal).items() if value not in (None, False)} for goal in meta.goals]


def _common(status: str, reason: str) -> dict[str, Any]:
    return {"status": status, "reason": reason, "planner": "goal", "planner_version": VERSION}


def _doubt(found: Any) -> Answer:
    choices = list(found.choices)
    change = f"say it as one of: {'; '.join(choices)}" if choices else "say it in other words, one wish after the other"
    refusal = Refusal(code="PLANNER_INVALID_GOAL", reason=f"{found.status}: {found.reason}", change=change)
    output = GoalAnswer(
        **_common(found.status, found.reason or ""), steps=[], why={}, choices=choices or None, refusal=refusal
    )
    return Answer(output=output, whole=found)


def _planned(result: OrchestratorResult, why: dict[str, str], reading: list[dict[str, Any]] | None) -> Answer:
    refusal = None
    if result.failed_goals:
        first = result.failed_goals[0]
        codes = {"no_capability": "PLANNER_NO_SKILLS_AVAILABLE", "blocked": "PLANNER_GENERATION_FAILED"}
        code = codes.get(first.status, "PLANNER_INVALID_GOAL")
        refusal = Refusal(code=code, reason=first.reason, change=what_would_help(first) or "")
    common = _common(result.status, result.reason or "a plan was found")
    warnings = list(result.warnings) or None
    if result.graph is None:
        output = GoalAnswer(**common, steps=[], why={}, warnings=warnings, refusal=refusal, reading=reading)
        return Answer(output=output, whole=(result, why))
    plan = to_contract(result.graph).as_dict()
    output = GoalAnswer(
        **common,
        steps=step_lines(plan["steps"]),
        why=why,
        plan_hash=document_hash(plan),
        warnings=warnings,
        refusal=refusal,
        reading=reading,
    )
    made = documents_of(plan, ("goal", VERSION), _uncertified, {"goal": common["reason"]})
    return Answer(output=output, whole=(result, why), documents=made)


def _uncertified() -> Any:
    hint = "ask make_plan with planner=goal: plans of the contract are certified"
    raise InputError("a plan for a wish has no certificate", place="plan_hash", hint=hint)


def goal_text(asked: GoalQuestion) -> str:
    """Return conditions, wants and given values as the goal text of the planner `tools`."""
    return json.dumps(
        {
            "conditions": conditions_of(map(read_statement, asked.conditions or ())),
            "wants": asked.wants or [],
            "given": asked.given or {},
        }
    )


def _conditions(asked: GoalQuestion) -> Answer:
    from planvow.contract.certificate.of_contract import certify_output
    from planvow.contract.interface.inputs import read_inputs

    if asked.tools is None:
        raise InputError("conditions are about tools, and none were given", place="tools", hint="give a tool list")
    limits = {"max_calls": asked.max_calls, "max_steps": asked.max_steps}
    if asked.depth != Reach.depth:
        limits["depth"] = asked.depth
    arguments: dict[str, Any] = {"tools": asked.tools, "use_proposed": asked.use_proposed, "limits": limits}
    for name in ("review", "facts"):
        if getattr(asked, name) is not None:
            arguments[name] = getattr(asked, name)
    arguments |= {"agent_id": "cli", "goal": goal_text(asked)}
    planner = ToolPlanner()
    found: PlannerOutput = unwrap(safe_plan(planner, **arguments))
    told = found.metadata
    output = GoalAnswer(
        status=str(told["status"]),
        reason=str(told["proof"]).replace("_", " "),
        planner=planner.planner_id,
        planner_version=planner.version,
        steps=step_lines(found.plan["steps"]),
        why=dict(told["why"]),
        plan_hash=document_hash(found.plan),
        proof=str(told["proof"]),
        rests_on=list(told["rests_on"]) or None,
    )
    inputs = read_inputs(**arguments)
    made = documents_of(
        found.plan,
        (planner.planner_id, planner.version),
        lambda: certify_output(planner, inputs, found).document,
        {"goal": arguments["goal"]},
    )
    return Answer(output=output, whole=(planner, inputs, found), documents=made)


PLAN_GOAL = Operation(
    name="plan_goal",
    summary="Fewest tool calls for a wish in words, or for conditions over a list of tools. Never calls them.",
    question=GoalQuestion,
    output=GoalAnswer,
    run=plan_goal,
    right=Right.PLAN,
    advanced=frozenset(("goals", "world", "capabilities", "max_steps", "depth", "review")),
    commands=("planvow goal", "planvow tools plan"),
)
