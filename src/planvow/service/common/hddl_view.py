"""HDDL problems in the engine's eyes: how a plan follows from its tasks, or what stands in the way of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from planvow.budgets import Budgets
from planvow.canonical import to_jsonable
from planvow.hddl.language.model import HddlProblem
from planvow.hddl.language.plan_format import HddlPlan
from planvow.hddl.solve.outcome import Outcome

if TYPE_CHECKING:
    from planvow.hddl.solve.derivation import ToldTask

NOT_CERTIFIED = "not certified: a proof that can be checked would be too large, or has no known form"
_EXPLAINED_ITERATIONS = 20_000
_FOLLOWED_ITERATIONS = 2_000
"""What a plain search may look at to come to the plan that it shall give reasons for."""


def kernel_result(problem: HddlProblem, outcome: Outcome, interrupt: Callable[[], bool] | None = None) -> Any:
    """Return the kernel's view: it follows the plan that was found, or looks for itself what stands in the way."""
    # Most calls want the plan alone, and the engine takes as long to load as a small problem to solve.
    from planvow.hddl.bind.binding import bind
    from planvow.hddl.bind.follow import follow
    from planvow.kernel.answer.planning import plan

    bound = bind(problem)
    if outcome.plan is not None:
        return follow(bound, outcome.plan)
    limits = Budgets(max_iterations=_EXPLAINED_ITERATIONS)
    return plan(bound.domain, bound.state, bound.todo, budgets=limits, interrupt=interrupt)


def explained(
    problem: HddlProblem, outcome: Outcome, told: Any = None, interrupt: Callable[[], bool] | None = None
) -> dict[str, Any]:
    """Return the explanation as data; the answer in it is the solver's, whatever the engine came to."""
    own = {"success": outcome.status.is_success, "status": outcome.status, "reason": outcome.reason}
    engine = _engine(problem, outcome, told, interrupt)
    if engine is not None:
        return {**engine.explain_plan(), **own, **({"reason": engine.reason} if outcome.plan is not None else {})}
    own["text"] = _in_words(problem, outcome, interrupt)
    return own if outcome.plan is None else {**own, **plan_told(problem, outcome.plan, interrupt)}


def explanation_text(
    problem: HddlProblem, outcome: Outcome, told: Any = None, interrupt: Callable[[], bool] | None = None
) -> str:
    """Return the explanation in sentences, with what it rests on."""
    engine = _engine(problem, outcome, told, interrupt)
    if engine is None:
        return _in_words(problem, outcome, interrupt)
    if outcome.plan is not None:
        return _in_hddl(str(engine.explain_text()))
    seen = _in_hddl("\n".join(_why_none(engine.explanation)))
    limit = f"{_EXPLAINED_ITERATIONS:,}"
    return (
        seen
        if engine.hit is None
        else f"{seen}\n(This is what the first {limit} nodes of a plain search show; the answer does not rest on it.)"
    )


def _why_none(explanation: Any) -> list[str]:
    """Return what the engine says, with a goal that it did not come to as HDDL has it."""
    from planvow.hddl.bind.facts import arguments_of
    from planvow.kernel.domain.terms import Goal

    lines: list[str] = explanation.why_none()
    goal = explanation.deepest.item if explanation.deepest is not None else None
    if isinstance(goal, Goal):
        wanted = " ".join((goal.predicate, *arguments_of(goal.subject)))
        lines[0] = f"The search came furthest at the goal: ({wanted}) is false."
    return lines


def _in_hddl(text: str) -> str:
    """Name in the words of HDDL what the engine has of its own; no name in HDDL begins with a colon."""
    return text.replace(":htn()", "the tasks of :htn").replace(":goal()", "the goal")


def _in_words(problem: HddlProblem, outcome: Outcome, interrupt: Callable[[], bool] | None) -> str:
    from planvow.hddl.solve.words import obstacles_in_words, plan_in_words

    if outcome.plan is not None:
        return plan_in_words(problem, outcome.plan, interrupt)
    return obstacles_in_words(problem, interrupt)


def _engine(problem: HddlProblem, outcome: Outcome, told: Any, interrupt: Callable[[], bool] | None) -> Any:
    """Return the engine's result if it can explain the answer; None where it would be silent or show its insides.

    It explains a plan by coming to it with its own search, which it does to most small plans and hardly ever to others.
    """
    if is_partially_ordered(problem):
        return None
    told = told or kernel_result(problem, outcome, interrupt)
    if outcome.plan is None:
        return told
    limits = Budgets(max_iterations=_FOLLOWED_ITERATIONS)
    limited = replace(told, problem=replace(told.problem, budgets=limits))
    return limited if limited.explanation.decisions or not outcome.plan.decompositions else None


def plan_told(problem: HddlProblem, plan: HddlPlan, interrupt: Callable[[], bool] | None = None) -> dict[str, Any]:
    """Return a plan in its own terms, as data in the form of a certificate's derivation, with decisions and order.

    Nodes are numbered from 1 on, facts are texts as HDDL writes them, and a fact that is taken away begins with `not`.
    """
    from planvow.hddl.solve.derivation import derivation_of

    told = derivation_of(problem, plan, interrupt)
    tasks = [
        {
            "id": task.number + 1,
            "kind": "task",
            "item": list(task.call),
            "call": {"method": task.method, "reads": list(task.needs)},
            "children": [child + 1 for child in task.children],
        }
        for task in told.tasks
    ]
    actions = [
        {"id": step.number + 1, "kind": "command", "item": list(step.call), "children": []} for step in told.steps
    ]
    steps = [
        {
            "node": step.number + 1,
            "command": list(step.call),
            "reads": list(step.needs),
            "writes": list(step.changes),
            "after": [{"step": maker, "made": list(facts)} for maker, facts in step.makers],
        }
        for step in told.steps
    ]
    return {
        "root": [root + 1 for root in told.roots],
        "nodes": [*tasks, *actions],
        "steps": steps,
        "initial": _beginning(problem, steps),
        "decisions": [_decision(task) for task in told.tasks],
        "order": [list(link) for link in told.links],
    }


def plan_details(problem: HddlProblem, plan: HddlPlan, told: Any) -> dict[str, Any]:
    """Return what pages show of a plan: its derivation in its own terms, decisions, order, and the verifier's verdict.

    The order of a partially ordered plan is what is stated and what follows from needs and changes; where everything
    is stated one after the other, it is what the engine finds that could not be otherwise.
    """
    from planvow.contract.plan.hddl_steps import VERSION
    from planvow.hddl.verify.verifier import verify_plan

    shown = plan_told(problem, plan)
    decisions, order = shown.pop("decisions"), shown.pop("order")
    if not is_partially_ordered(problem):
        order = told.partial_order().as_dict()["edges"]
    wanted = {node["id"]: f"({' '.join(node['item'])})" for node in shown["nodes"]}
    asked = f"{problem.name}: {', '.join(wanted[root] for root in shown['root'])}" if problem.initial else problem.name
    about = {"asked": {"goal": asked}, "planner": {"id": "hddl", "version": VERSION}}
    found: dict[str, Any] = to_jsonable(
        {
            "decisions": decisions,
            "order": order,
            "derivation": {**shown, **about},
            "verdicts": [verify_plan(problem, plan).as_dict()],
        }
    )
    return found


def _decision(task: ToldTask) -> dict[str, Any]:
    others = [
        {"method": name, "verdict": "not_applicable" if reason else "applies", "reason": reason}
        for name, reason in task.others
    ]
    return {
        "node_id": task.number + 1,
        "item": list(task.call),
        "method": task.method,
        "why": task.why,
        "alternatives": others,
    }


def _beginning(problem: HddlProblem, steps: list[dict[str, Any]]) -> list[str]:
    """Return what is the case at the beginning of all that the plan needs or changes."""
    texts = {text.removeprefix("not ") for step in steps for text in (*step["reads"], *step["writes"])}
    named = [text for text in texts if text[1:-1].partition(" ")[0] in problem.domain.predicate_named]
    held = {f"({' '.join((atom.predicate, *atom.arguments))})" for atom in problem.init}
    return [text if text in held else f"not {text}" for text in sorted(named)]


def drawn(problem: HddlProblem, outcome: Outcome) -> str | None:
    """Return the tree of a plan; None where there is no plan."""
    from planvow.hddl.solve.words import tree_of_plan

    return None if outcome.plan is None else tree_of_plan(outcome.plan, numbered=is_partially_ordered(problem))


def is_partially_ordered(problem: HddlProblem) -> bool:
    """Whether something in a problem may be done in more than one order; without a task network, anything may."""
    from planvow.hddl.bind.binding import is_totally_ordered

    return problem.initial is None or not is_totally_ordered(problem)
