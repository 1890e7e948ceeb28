"""HDDL problems in the engine's eyes: how a plan follows from its tasks, or what stands in the way of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from planvow.budgets import Budgets
from planvow.hddl.language.model import HddlProblem
from planvow.hddl.solve.outcome import Outcome

_EXPLAINED_ITERATIONS = 20_000


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


def explained(outcome: Outcome, told: Any) -> dict[str, Any]:
    """Return the explanation as data; the answer in it is the solver's, whatever the kernel's own search came to."""
    is_success = outcome.status.is_success
    own = {"success": is_success, "status": outcome.status, "reason": told.reason if is_success else outcome.reason}
    return {**told.explain_plan(), **own}


def in_words(problem: HddlProblem, outcome: Outcome, interrupt: Callable[[], bool] | None = None) -> str | None:
    """Return the explanation of a partially ordered problem; None for others, which the kernel explains."""
    from planvow.hddl.solve.words import obstacles_in_words, plan_in_words

    if not _is_partially_ordered(problem):
        return None
    if outcome.plan is not None:
        return plan_in_words(problem, outcome.plan)
    return f"{outcome.status}: {outcome.reason}\n{obstacles_in_words(problem, interrupt)}"


def drawn(problem: HddlProblem, outcome: Outcome) -> str | None:
    """Return the tree of a plan of a partially ordered problem; None for others, which the kernel draws."""
    from planvow.hddl.solve.words import tree_of_plan

    return tree_of_plan(outcome.plan) if outcome.plan is not None and _is_partially_ordered(problem) else None


def _is_partially_ordered(problem: HddlProblem) -> bool:
    from planvow.hddl.bind.binding import is_totally_ordered

    return problem.initial is not None and not is_totally_ordered(problem)


def explanation_text(outcome: Outcome, told: Any) -> str:
    """Return the explanation in sentences, with what it rests on."""
    if outcome.plan is not None:
        return str(told.explain_text())
    seen = str(told.explanation.text(solved=False))
    if told.hit is None:
        return seen
    limit = f"{_EXPLAINED_ITERATIONS:,}"
    return f"{seen}\n(This is what the first {limit} nodes of a plain search show; the answer does not rest on it.)"
