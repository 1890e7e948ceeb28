"""Looking for a better plan once there is one: depth-first branch and bound, for a bounded effort.

A first plan that was found almost without backtracking is often far from the best. Two kinds of runs share one
limit, the price of the best plan so far, and take turns: one guided run that goes on after each plan it finds, which
changes the end of a plan first, and fresh guided runs in which children of equal rank are shuffled, which change its
beginning. A node is cut when the price of the actions before it and the fewest that its agenda can become reach the
limit.
"""

from __future__ import annotations

from typing import Any

from planvow.hddl.lifted.agenda import Agenda, Workshop
from planvow.hddl.lifted.depth_first import DepthFirst
from planvow.hddl.lifted.derivation import Node, leftmost
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.lifted.prices import Prices


class Shorter:
    """Searches for plans of a smaller price. `solution` is the best found, if any.

    `slice_effort` is what one run may spend before it is the other's turn: enough to come to a plan.
    """

    name = "lifted shorter"

    def __init__(
        self, workshop: Workshop, prices: Prices, *, price: float, slice_effort: int, max_depth: int | None = None
    ) -> None:
        self._workshop = workshop
        self._slice = slice_effort
        self._max_depth = max_depth
        self._limit = _Limit(workshop.problem, prices, price)
        self._main = DepthFirst(workshop, guided=True, max_depth=max_depth, limit=self._limit)
        self._runs = 0
        self.effort = 0
        self.solution: tuple[Node, list[Node]] | None = None

    @property
    def is_exhausted(self) -> bool:
        """Whether nothing is left to try."""
        return self._main.is_exhausted

    @property
    def is_proof(self) -> bool:
        """Whether no plan in the order that methods list has a smaller price: nothing was left out."""
        return self._main.is_exhausted and self._main.cuts == 0

    def run(self, effort: int) -> None:
        """Go on for about `effort` units, or until nothing is left to try."""
        stop = self.effort + effort
        while self.effort < stop and not self.is_exhausted:
            self._advance(self._main, min(self._slice, stop - self.effort))
            if self.effort < stop and not self.is_exhausted:
                self._runs += 1
                again = DepthFirst(
                    self._workshop, guided=True, seed=self._runs, max_depth=self._max_depth, limit=self._limit
                )
                self._advance(again, min(self._slice, stop - self.effort))

    def _advance(self, run: DepthFirst, effort: int) -> None:
        before = run.effort
        run.run(effort)
        self.effort += max(1, run.effort - before)
        if run.plan is not None:
            self.solution = leftmost(self._workshop.problem, run.plan)
            self._limit.amount = sum(self._limit.price(node) for node in self.solution[1])
            run.plan = None


class _Limit:
    """Plans of a smaller price than `amount`."""

    def __init__(self, problem: NormalProblem, prices: Prices, amount: float) -> None:
        self.amount = amount
        self._prices = prices
        self._fewest = _fewest_actions(problem)
        self._known = {0: 0}

    def allows(self, price: float, agenda: Agenda) -> bool:
        known = self._known
        longer = []
        while agenda.serial not in known:
            longer.append(agenda)
            agenda = agenda.rest
        fewest = known[agenda.serial]
        for made in reversed(longer):
            fewest += self._fewest[made.task.task]
            known[made.serial] = fewest
        return price + fewest < self.amount

    def price(self, action: Any) -> float:
        return self._prices.of(action.task, action.objects)


def _fewest_actions(problem: NormalProblem) -> list[int]:
    """Return for every task the fewest actions it can become, conditions left aside; without an end: very many."""
    fewest = [1] * problem.action_count + [1_000_000_000] * (len(problem.methods_of) - problem.action_count)
    is_stable = False
    while not is_stable:
        is_stable = True
        for method in problem.methods:
            found = sum(fewest[task] for task, _ in method.subtasks)
            if found < fewest[method.task]:
                fewest[method.task] = found
                is_stable = False
    return fewest
