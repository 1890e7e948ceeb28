"""What decides on a node besides the domain's own functions: the blacklist, the best plan so far, the propagators.

Search asks here only when a problem has any of these. Marks nest like the search's own choice points.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from typing import Any

from planvow.kernel.domain.domain import Command, is_amount
from planvow.kernel.domain.propagator import Visit, is_constraint
from planvow.kernel.domain.terms import Annotated
from planvow.kernel.errors import DomainError
from planvow.kernel.search.agenda import Agenda, remaining_items
from planvow.kernel.search.problem import Problem
from planvow.kernel.search.table import COMMAND, amount, item_key
from planvow.kernel.world.noting import NotingState, begin_notes, noted
from planvow.kernel.world.reason import Unspoken
from planvow.kernel.world.state import State

NUMBER = "a cost is a finite number of at least 0"


class Conditions:
    """The conditions of one search, following it forwards and back."""

    def __init__(self, problem: Problem, state: State) -> None:
        self._problem = problem
        self._state: Any = state
        self._is_noted = isinstance(state, NotingState)
        self.cost: float = 0
        self.steps = 0
        self.best: tuple[float, ...] | None = None
        self.bound: tuple[float, ...] | None = None
        """What no plan found so far could come to less than, one by one; the least of them."""
        self._objective = problem.objective
        self._counts = problem.counts_cost
        self.propagators = [make() for make in problem.propagators]
        for propagator in self.propagators:
            if hasattr(propagator, "allowed"):  # it searches itself, and within the same limit
                propagator.allowed = problem.budgets.max_iterations
            if hasattr(propagator, "keep_bounds") and not {"cost", "steps"}.issuperset(self._objective):
                propagator.keep_bounds()
        self.exist = bool(self.propagators or problem.blacklist or problem.optimal or self._counts)
        self.can_be_compared = all(hasattr(p, "fingerprint") for p in self.propagators)
        self._start = self.mark()
        self._visit: Any = None  # the command that is being asked, as far as it is known
        self._command: object = None
        self.visited: Any = None
        """The node that the propagators were told of last."""

    @property
    def may_be_passed_over(self) -> bool:
        """Whether all that decides besides the domain's functions is time, and what these read is noted."""
        rest = self._objective or self._counts or self._problem.max_cost is not None
        return self._is_noted and len(self.propagators) == 1 and not rest

    def before(self, command: Command, node_id: int, parent_id: int, position: int, told: object) -> str | None:
        """Object to a command, or note its cost and duration in the state before it."""
        problem, state = self._problem, self._state
        item, metadata = _parts(told)
        if problem.blacklist and item_key(item) in problem.blacklist:
            return "it is blacklisted"
        self.steps += 1
        if self._counts:
            step_cost = amount(command.cost, state, item)
            if not is_amount(step_cost):  # a branch could become cheaper again after it was cut
                what = "costs must not be negative" if isinstance(step_cost, int | float) and step_cost < 0 else NUMBER
                raise DomainError(f"{command.name!r} costs {step_cost!r:.60}; {what}", place="cost")
            self.cost += step_cost
        if self._is_noted:  # a duration that depends on the state is part of what the command reads
            begin_notes(state)
        duration = command.duration
        if self.propagators and callable(duration):
            duration = duration(state, *item[1:])
        self._visit = node_id, parent_id, position, COMMAND, item, metadata, duration, ()
        self._command = command
        return None

    def after(self, agenda: Agenda) -> str | Unspoken | None:
        """Object to a command once its effects are there: it is too dear, or a propagator says so."""
        if self._counts or self.best is not None:
            too_dear = self._too_dear(agenda)
            if too_dear is not None:
                return too_dear
        accesses = noted(self._state) if self._is_noted else None
        return self._push(tuple.__new__(Visit, (*self._visit, accesses, self._command)))

    def visit(self, node_id: int, parent_id: int, position: int, kind: str, told: object) -> str | Unspoken | None:
        """Tell the propagators about a node that is no command."""
        return self._push(Visit(node_id, parent_id, position, kind, *_parts(told), None, ()))

    def decompose(
        self, parts: Any, node_id: int, parent_id: int, position: int, kind: str, told: Any
    ) -> tuple[Any, str | Unspoken | None]:
        """Tell the propagators about a chosen decomposition; return its items without the constraints."""
        constraints = tuple([part for part in parts if type(part) is not tuple and is_constraint(part)])
        accesses = noted(self._state) if self._is_noted else None
        objection = self._push(Visit(node_id, parent_id, position, kind, *_parts(told), None, constraints, accesses))
        return [part for part in parts if not is_constraint(part)] if constraints else parts, objection

    def _too_dear(self, agenda: Agenda) -> str | None:
        """Object to what cannot lead to a plan that is allowed, or better than the best so far."""
        problem, measures = self._problem, {"cost": self.cost, "steps": self.steps}
        if problem.lower_bound is not None:
            rest = problem.lower_bound(self._state, remaining_items(agenda))
            measures["steps" if "steps" in self._objective and "cost" not in self._objective else "cost"] += rest
        if problem.max_cost is not None and measures["cost"] > problem.max_cost:
            return f"it would cost at least {measures['cost']:g}, and max_cost is {problem.max_cost:g}"
        if self.best is None:
            return None
        least = tuple(measures[name] if name in measures else self._least(name) for name in self._objective)
        if least < self.best:
            return None
        if len(least) == 1 and self._objective[0] in measures:
            return f"it would cost at least {least[0]:g}, and a plan for {self.best[0]:g} is known"
        shown = [
            ", ".join(f"{n} {v:g}" for n, v in zip(self._objective, row, strict=True)) for row in (least, self.best)
        ]
        return f"it would come to at least {shown[0]}, and a plan with {shown[1]} is known"

    def _least(self, name: str) -> float:
        return max((p.least(name) for p in self.propagators if hasattr(p, "least")), default=0)

    @property
    def measure(self) -> float:
        """What has been spent of what counts most, as far as that adds up step by step."""
        return self.steps if self._objective[:1] == ("steps",) else self.cost

    def mark(self) -> object:
        """Return what `undo` needs to come back here."""
        return self.cost, self.steps, [propagator.mark() for propagator in self.propagators]

    def undo(self, mark: Any) -> None:
        """Forget everything since a mark."""
        self.cost, self.steps, marks = mark
        for propagator, its_mark in zip(self.propagators, marks, strict=True):
            propagator.undo(its_mark)

    def restart(self) -> None:
        """Forget everything but the best plan so far."""
        self.undo(self._start)

    def fingerprints(self) -> tuple[Any, ...] | None:
        """Return what tells the propagators' states apart; None where there are none."""
        if not self.propagators:
            return None
        return tuple(propagator.fingerprint() for propagator in self.propagators)  # type: ignore[attr-defined]

    def found(self) -> Mapping[str, object] | None:
        """Note that the path is a plan; return what the propagators report about it, or None if it is no better."""
        if self._objective:
            values, bounds = self._judged()
            self.bound = bounds if self.bound is None else min(self.bound, bounds)
            if self.best is not None and values >= self.best:
                return None
            self.best = values
        reports = [propagator.report() for propagator in self.propagators]
        return reports[0] if len(reports) == 1 else ChainMap({}, *map(dict, reversed(reports)))

    def _judged(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return what the plan comes to, and at least would with any other schedule."""
        judged: dict[str, object] = {"cost": (self.cost, self.cost), "steps": (self.steps, self.steps)}
        timed = [name for name in self._objective if name not in judged]
        for propagator in self.propagators if timed else ():
            if hasattr(propagator, "judge"):
                judged.update(propagator.judge(timed))
        values, bounds = zip(*(judged[name] for name in self._objective), strict=True)
        return values, bounds

    @property
    def gave_up(self) -> bool:
        """Whether a propagator objected without having looked at everything."""
        return any(getattr(propagator, "gave_up", False) for propagator in self.propagators)

    def _push(self, visit: Visit) -> str | Unspoken | None:
        self.visited = visit
        for propagator in self.propagators:
            objection = propagator.push(visit)
            if objection is not None:
                return objection
        return None


def _parts(told: object) -> tuple[Any, Mapping[str, Any]]:
    """Return an item without its metadata, and the metadata."""
    return (told.item, told.metadata) if type(told) is Annotated else (told, {})
