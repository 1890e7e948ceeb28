"""What the grounded searches share: a frontier ordered by estimates, effort counted slice by slice, a limit on depth.

A limit on depth does not prune: decompositions of the same nodes differ in depth, and nodes do not remember it.
A plan that nests tasks deeper than the limit is passed over, and after that an empty queue proves nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from planvow.hddl.grounded.frontier import Frontier
from planvow.hddl.grounded.problem import GroundProblem
from planvow.hddl.grounded.relaxation import UNREACHABLE
from planvow.hddl.grounded.relaxed import WORK_PER_EXPANSION, RelaxedPlan
from planvow.hddl.lifted.derivation import Node


class Greedy(ABC):
    """One greedy best-first search, continued slice by slice. `start` is the node to begin with."""

    def __init__(
        self,
        ground: GroundProblem,
        relaxed: RelaxedPlan,
        *,
        eager: bool,
        diverse: bool,
        max_depth: int | None,
        start: tuple[Any, ...],
        novel: bool = False,
    ) -> None:
        self.name = "grounded eager" if eager else "grounded lazy"
        self._ground = ground
        self._relaxed = relaxed
        self._eager = eager
        self._max_depth = max_depth
        self._frontier = Frontier(novel=novel, diverse=diverse)
        if ground.is_solvable:
            self._frontier.put(0, False, 0, start, state=ground.init, front=ground.root)
        self.expansions = 0
        self.evaluations = 0
        self.depth = 0
        self.best_heuristic: int | None = None
        self.solution: tuple[Node, list[Node]] | None = None
        self.is_exhausted = not ground.is_solvable
        self.is_proof = True
        self.effort = 0
        """What was spent, in units all searches share."""

    def run(self, effort: int) -> None:
        """Go on for about `effort` units, or until `solution` or `is_exhausted` is set."""
        stop = self.effort + effort
        while self.solution is None and self.effort < stop:
            if not self._frontier:
                self.is_exhausted = True
                return
            self._ground.problem.deadline.spend()
            node = self._frontier.pop()
            before = self.expansions + self._relaxed.work // WORK_PER_EXPANSION
            self._visit(*node)
            self.effort += max(1, self.expansions + self._relaxed.work // WORK_PER_EXPANSION - before)

    def statistics(self) -> dict[str, int]:
        """Return counts of what was done."""
        return {
            "expansions": self.expansions,
            "evaluations": self.evaluations,
            "ground_actions": len(self._ground.actions),
            "ground_methods": self._ground.method_count,
            "ground_facts": len(self._ground.fact_numbers),
        }

    @abstractmethod
    def _visit(self, *node: Any) -> None:
        """Deal with a node taken from the queue."""

    def _is_hopeless(self, estimate: int, length: int) -> bool:
        """Take note of an estimate at a path of this length; say whether there is no way on from there."""
        if estimate >= UNREACHABLE:
            return True
        if self.best_heuristic is None or estimate < self.best_heuristic:
            self.best_heuristic = estimate
        self.depth = max(self.depth, length)
        return False

    def _found(self, solution: tuple[Node, list[Node]]) -> None:
        """Keep a plan, unless it is nested too deeply."""
        if self._max_depth is not None and solution[0].depth(self._ground.problem.root) > self._max_depth:
            self.is_proof = False
        else:
            self.solution = solution
