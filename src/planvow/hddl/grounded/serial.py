"""Best-first search that does the tasks of the problem one after the other.

An estimate of everything that is left counts a way that many tasks share once. Where vehicles, tools or hands serve
many tasks it therefore stands still for long: what one task gains another loses. This search puts nodes first that have
fewer of the problem's own tasks before them, and among these the ones whose current task is nearest to its end. Such
an estimate is cheap, too, because it stops where that task is done. The whole rest is estimated where a task was
finished, so that what cannot be done any more ends there.
"""

from __future__ import annotations

from planvow.hddl.grounded.best_first import BestFirst
from planvow.hddl.grounded.problem import GroundProblem
from planvow.hddl.grounded.relaxation import UNREACHABLE
from planvow.hddl.grounded.relaxed import RelaxedPlan
from planvow.hddl.lifted.agenda import Agenda

LEVEL = 2 * UNREACHABLE
"""What a task counts that comes after the current one of the problem: more than any estimate."""


class Serial(BestFirst):
    """One greedy best-first search, task by task. For totally ordered problems with more than one task."""

    def __init__(self, ground: GroundProblem, relaxed: RelaxedPlan, *, max_depth: int | None = None) -> None:
        super().__init__(ground, relaxed, eager=False, max_depth=max_depth)
        self.name = "grounded serial"
        self._beginnings: set[int] = set()
        """Serial numbers of the agendas that begin with a task of the problem."""
        for method in ground.root.methods:
            agenda = self._book.put(method.subtasks, self._book.empty)
            while agenda.task is not None:
                self._beginnings.add(agenda.serial)
                agenda = agenda.rest

    def _estimate(self, state: int, agenda: Agenda) -> int:
        if agenda.serial in self._beginnings and super()._estimate(state, agenda) == UNREACHABLE:
            return UNREACHABLE
        goals, below, rest = [], 0, agenda
        while rest.task is not None and (rest is agenda or rest.serial not in self._beginnings):
            goals.append(self._relaxed.done(rest.task))
            below |= self._relaxed.below(rest.task)
            rest = rest.rest
        return self._relaxed.estimate_goals(state, goals, below) + LEVEL * rest.length

    def _is_hopeless(self, estimate: int, length: int) -> bool:
        return super()._is_hopeless(estimate % LEVEL, length)
