"""Better plans than the one at hand, each better than the one before, until none is left or the budget is spent.

The kernel goes through all decompositions by branch and bound. When it comes to an end within its budget, the last plan
is proved to be the best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from planvow.adapters.unified_planning.problems.costs import quality
from planvow.budgets import Budgets
from planvow.hddl.bind.binding import bind
from planvow.hddl.bind.plan import to_hddl_plan
from planvow.hddl.language.model import HddlProblem
from planvow.hddl.language.plan_format import HddlPlan
from planvow.hddl.verify.verifier import verify_plan
from planvow.kernel.answer.result import result_of
from planvow.kernel.search.loop import Search
from planvow.kernel.search.problem import make_problem


class Improving:
    """Iterate over better plans; afterwards `is_proven` says whether the last one (or the given one) is the best."""

    def __init__(self, problem: HddlProblem, plan: HddlPlan, nodes: int, interrupt: Callable[[], bool] | None) -> None:
        self.is_proven = False
        self._problem, self._best = problem, quality(problem, plan)
        self._nodes, self._interrupt = nodes, interrupt

    def __iter__(self) -> Iterator[HddlPlan]:
        if self._best <= 0:
            self.is_proven = True
            return
        bound = bind(self._problem)
        search = Search(
            make_problem(
                bound.domain,
                bound.state,
                bound.todo,
                optimal="cost",  # an action without costs counts 1
                max_cost=self._best - 1,  # costs are whole numbers
                budgets=Budgets(max_iterations=self._nodes),
            ),
            interrupt=self._interrupt,
        )
        for found in search.run():
            plan = to_hddl_plan(bound, result_of(search, found))
            if not verify_plan(self._problem, plan):
                return
            yield plan
        self.is_proven = search.hit is None and not search.interrupted
