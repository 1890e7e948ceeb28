"""What a plan's actions cost by the problem's `:metric`, or one each: what a better plan is better by.

Where a metric is to be minimised, an action's price is what it adds to the metric's function, and the number of actions
decides among plans of the same cost. A metric that is to be maximised says nothing about which plan is shorter: there
every action counts as one. An action whose cost the problem does not give is dearer than all that it gives together.
"""

from __future__ import annotations

from planvow.hddl.language.formula import Atom
from planvow.hddl.lifted.normal import NormalProblem

PER_COST = 1_000_000
"""How many actions are worth one unit of the metric's function."""


class Prices:
    """The price of every ground action of a problem."""

    def __init__(self, problem: NormalProblem) -> None:
        self._problem = problem
        source = problem.source
        metric = source.metric
        self.is_by_metric = (
            metric is not None
            and metric.direction == "minimize"
            and any(cost.function == metric.function for action in source.domain.actions for cost in action.costs)
        )
        self._values = {value.function: value.value for value in source.values}
        self._not_given = 1 + sum(max(0, value) for value in self._values.values())
        self._known: dict[tuple[int, tuple[int, ...]], float] = {}

    def of(self, task: int, objects: tuple[int, ...]) -> float:
        """Return the price of an action."""
        if not self.is_by_metric:
            return 1
        price = self._known.get((task, objects))
        if price is None:
            price = self._known[task, objects] = 1 + PER_COST * self._cost(task, objects)
        return price

    def _cost(self, task: int, objects: tuple[int, ...]) -> float:
        source = self._problem.source
        assert source.metric is not None
        action = source.domain.actions[task]
        names = {p.name: self._problem.objects[number] for p, number in zip(action.parameters, objects)}
        total: float = 0
        for cost in action.costs:
            if cost.function == source.metric.function:
                amount = cost.amount
                if isinstance(amount, Atom):
                    called = Atom(amount.predicate, tuple(names.get(term, term) for term in amount.arguments))
                    amount = self._values.get(called, self._not_given)
                total += max(0, amount)
        return total
