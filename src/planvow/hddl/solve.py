"""Solve an HDDL problem: the one entry to all searches.

`auto` lets the searches take turns by counted effort, so that the answer does not depend on the machine; a wall clock
(`interrupt`) can only end the call. Every plan is verified against the problem as read before it is returned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal as Word

from planvow.budgets import BudgetHit, Budgets
from planvow.errors import InputError
from planvow.hddl.agenda import Workshop
from planvow.hddl.derivation import to_plan
from planvow.hddl.lifted import LiftedSearch
from planvow.hddl.lookahead import Lookahead
from planvow.hddl.model import Domain, Problem
from planvow.hddl.normal import NormalProblem
from planvow.hddl.outcome import Outcome, Progress
from planvow.kernel.status import Status

Search = Word["auto", "lifted", "grounded"]
SLICE = 2_000
"""Expansions between two looks at the interrupt."""


def solve(
    domain: Domain,
    problem: Problem,
    *,
    budgets: Budgets | None = None,
    search: Search = "auto",
    interrupt: Callable[[], bool] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Outcome:
    """Search for a plan; return the outcome with the plan, the proof that there is none, or the budget that ran out."""
    if search not in ("auto", "lifted", "grounded"):
        raise InputError(f"search is auto, lifted or grounded; got {search!r}", place="search")
    if problem.domain is not domain and problem.domain != domain:
        raise InputError("the problem was read for another domain", place="problem")
    limits = budgets or Budgets()
    normal = NormalProblem(problem)
    engine = LiftedSearch(Workshop(normal, Lookahead(normal)))
    left = limits.max_iterations
    while engine.solution is None and not engine.is_exhausted:
        if interrupt is not None and interrupt():
            return Outcome(
                status=Status.INTERRUPTED, reason="interrupted", search=engine.name, statistics=engine.statistics()
            )
        before = engine.expansions
        engine.run(SLICE if left is None else min(SLICE, left))
        if left is not None:
            left -= engine.expansions - before
            if left <= 0 and engine.solution is None and not engine.is_exhausted:
                hit = BudgetHit(budget="max_iterations", limit=limits.max_iterations or 0)
                return Outcome(
                    status=Status.BUDGET_EXCEEDED, reason=str(hit), budget=hit, statistics=engine.statistics()
                )
        if progress is not None:
            progress(Progress(search=engine.name, expansions=engine.expansions, depth=engine.depth))
    if engine.solution is None:
        return Outcome(
            status=Status.NO_PLAN,
            reason="the whole search space was looked at",
            search=engine.name,
            statistics=engine.statistics(),
        )
    plan = to_plan(normal, *engine.solution)
    return Outcome(status=Status.SOLVED, plan=plan, search=engine.name, statistics=engine.statistics())
