"""What decides on a node besides the domain's own functions: the blacklist, the best plan so far, the propagators.

Search asks here only when a problem has any of these. Marks nest like the search's own choice points.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from typing import Any

from planvow.kernel.domain.domain import Command
from planvow.kernel.domain.propagator import Visit, is_constraint
from planvow.kernel.domain.terms import Annotated
from planvow.kernel.errors import DomainError
from planvow.kernel.search.agenda import Agenda, remaining_items
from planvow.kernel.search.problem import Problem
from planvow.kernel.search.table import COMMAND, amount, item_key
from planvow.kernel.world.noting import NotingState, begin_notes, noted
from planvow.kernel.world.reason import Unspoken
from planvow.kernel.world.state import State


class Conditions:
    """The conditions of one search, following it forwards and back."""

    def __init__(self, problem: Problem, state: State) -> None:
        self._problem = problem
        self._state: Any = state
        self._is_noted = isinstance(state, NotingState)
        self.cost: float = 0
        self.best: float | None = None
        self.propagators = [make() for make in problem.propagators]
        for propagator in self.propagators:
            if hasattr(propagator, "allowed"):  # it searches itself, and within the same limit
                propagator.allowed = problem.budgets.max_iterations
        self.exist = bool(self.propagators or problem.blacklist or problem.optimal)
        self.can_be_compared = all(hasattr(p, "fingerprint") for p in self.propagators)
        self._start = self.mark()
        self._visit: Any = None  # the command that is being asked, as far as it is known
        self._command: Any = None

    def before(self, command: Command, node_id: int, parent_id: int, position: int, told: Any) -> str | None:
        """Object to a command, or note its cost and duration in the state before it."""
        problem, state = self._problem, self._state
        item, metadata = _parts(told)
        if problem.blacklist and item_key(item) in problem.blacklist:
            return "it is blacklisted"
        if problem.optimal is not None:
            step_cost = 1 if problem.optimal == "steps" else amount(command.cost, state, item)
            if step_cost < 0:  # a branch could become cheaper again after it was cut
                raise DomainError(f"{command.name!r} costs {step_cost}; costs must not be negative", place="cost")
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
        if self.best is not None:
            bound = self._problem.lower_bound
            least = self.cost + (bound(self._state, remaining_items(agenda)) if bound is not None else 0)
            if least >= self.best:
                return f"it would cost at least {least:g}, and a plan for {self.best:g} is known"
        accesses = self._state._recorder.accesses() if self._is_noted else None
        return self._push(Visit._make((*self._visit, accesses, self._command)))

    def visit(self, node_id: int, parent_id: int, position: int, kind: str, told: Any) -> str | Unspoken | None:
        """Tell the propagators about a node that is no command."""
        return self._push(Visit(node_id, parent_id, position, kind, *_parts(told), None, ()))

    def decompose(
        self, parts: Any, node_id: int, parent_id: int, position: int, kind: str, told: Any
    ) -> tuple[list[Any], str | Unspoken | None]:
        """Tell the propagators about a chosen decomposition; return its items without the constraints."""
        constraints = tuple(part for part in parts if is_constraint(part))
        accesses = noted(self._state) if self._is_noted else None
        objection = self._push(Visit(node_id, parent_id, position, kind, *_parts(told), None, constraints, accesses))
        return [part for part in parts if not is_constraint(part)], objection

    def mark(self) -> Any:
        """Return what `undo` needs to come back here."""
        return self.cost, [propagator.mark() for propagator in self.propagators]

    def undo(self, mark: Any) -> None:
        """Forget everything since a mark."""
        self.cost, marks = mark
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

    def found(self) -> Mapping[str, Any]:
        """Note that the path is a plan; return what the propagators report about it."""
        if self._problem.optimal is not None:
            self.best = self.cost
        reports = [propagator.report() for propagator in self.propagators]
        return reports[0] if len(reports) == 1 else ChainMap({}, *map(dict, reversed(reports)))

    @property
    def gave_up(self) -> bool:
        """Whether a propagator objected without having looked at everything."""
        return any(getattr(propagator, "gave_up", False) for propagator in self.propagators)

    def _push(self, visit: Visit) -> str | Unspoken | None:
        for propagator in self.propagators:
            objection = propagator.push(visit)
            if objection is not None:
                return objection
        return None


def _parts(told: Any) -> tuple[Any, Mapping[str, Any]]:
    """Return an item without its metadata, and the metadata."""
    return (told.item, told.metadata) if type(told) is Annotated else (told, {})
