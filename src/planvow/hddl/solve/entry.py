"""Solve an HDDL problem: the one entry to all searches.

Several searches take turns: whoever has spent the least effort goes next, and effort is counted (expansions, facts
reached by estimates), so the answer does not depend on the machine. A wall clock (`interrupt`) can only end the
call. Every plan is checked against the problem as read, by code that shares nothing with the searches, before it is
returned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal as Word
from typing import get_args

from planvow.budgets import Budgets, Deadline, Interrupted
from planvow.errors import InputError, shown
from planvow.hddl.language.model import HddlDomain, HddlProblem
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.solve.outcome import Outcome, Progress, interrupted_outcome
from planvow.hddl.solve.portfolio import Ending, Portfolio
from planvow.hddl.verify.verifier import verify_plan
from planvow.status import Status

Search = Word["auto", "lifted", "grounded", "sat"]
SEARCHES: tuple[Search, ...] = get_args(Search)


def solve(
    domain: HddlDomain,
    problem: HddlProblem,
    *,
    budgets: Budgets | None = None,
    search: Search = "auto",
    improve: int | None = None,
    interrupt: Callable[[], bool] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Outcome:
    """Search for a plan; return the outcome with the plan, the proof that there is none, or the budget that ran out.

    `improve` is the effort that goes into a better plan (by the problem's `:metric`, else shorter) once there is one;
    with 0 the first plan is the answer, with None a little goes into it.
    """
    if search not in SEARCHES:
        raise InputError(f"search is auto, lifted, grounded or sat; got {shown(search)}", place="search")
    if problem.domain is not domain and problem.domain != domain:
        raise InputError("the problem was read for another domain", place="problem")
    if improve is not None and (isinstance(improve, bool) or not isinstance(improve, int) or improve < 0):
        raise InputError(f"improve is a whole number of at least 0, or None; got {shown(improve)}", place="improve")
    limits = budgets or Budgets()
    deadline = Deadline(interrupt)
    deadline.doing = "a plan was searched for"
    normal = NormalProblem(problem, deadline)
    portfolio = _portfolio(normal, search, limits, improve)
    try:
        verdict = portfolio.run(progress or (lambda _: None))
        if verdict is Ending.SOLVED:
            with deadline.during("the plan that was found was verified"):
                plan = portfolio.plan()
                check = verify_plan(problem, plan, deadline)
    except Interrupted as interrupted:
        return interrupted_outcome(str(interrupted), statistics=portfolio.statistics())
    counts = portfolio.statistics()
    match verdict:
        case Ending.SOLVED:
            if not check:  # a defect of ours; a wrong plan never leaves
                reason = f"a defect of planvow: the plan found is rejected by the verifier: {check.reason}"
                return Outcome(status=Status.INTERNAL, reason=reason, search=portfolio.winner, statistics=counts)
            status = Status.SOLVED if plan.roots or plan.steps else Status.SATISFIED
            return Outcome(status=status, plan=plan, search=portfolio.winner, statistics=counts)
        case Ending.PROVED:
            reason = "there is no plan: the whole search space was looked at"
            return Outcome(status=Status.NO_PLAN, reason=reason, search=portfolio.winner, statistics=counts)
        case Ending.SPENT:
            hit = portfolio.budget
            ended = str(hit) if hit is not None else f"the {search} search ended without a plan"
            if hit is None and search == "lifted":
                ended += ", having looked at one order of a partially ordered problem only; try auto"
            if hit is None and search in ("grounded", "sat"):
                ended = portfolio.given_up
            reason = f"{ended} (nothing is proved)"
            return Outcome(status=Status.BUDGET_EXCEEDED, reason=reason, budget=hit, statistics=counts)


def _portfolio(problem: NormalProblem, search: Search, limits: Budgets, improve: int | None) -> Portfolio:
    if search != "sat":
        return Portfolio(problem, search, limits.max_iterations, limits.max_depth, improve)
    from planvow.hddl.solve.sat_turns import SatPortfolio  # few ask for it

    return SatPortfolio(problem, limits.max_iterations, limits.max_depth, improve)
