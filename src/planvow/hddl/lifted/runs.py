"""The lifted searches: depth-first runs that differ in the order in which children are tried.

`DepthFirstSearch` is one run in the author's order, or guided by what the next tasks wish for or by what is nearest.
When a run ends without a plan and without having used the rule that may lose plans, there is none: proved. Otherwise it
starts again and allows about twice as many repeats (iterative deepening over left recursion). `Restarts` makes many
short runs with shuffled children, whose lengths follow the Luby sequence. Everything is counted in expansions.
"""

from __future__ import annotations

from planvow.hddl.lifted.agenda import Workshop
from planvow.hddl.lifted.depth_first import DepthFirst
from planvow.hddl.lifted.derivation import Node, leftmost
from planvow.hddl.lifted.nearness import Nearness

LUBY_UNIT = 500


class DepthFirstSearch:
    """Depth-first search, deepened where left recursion was cut. Continued slice by slice."""

    def __init__(
        self, workshop: Workshop, *, guided: bool, nearness: Nearness | None = None, max_depth: int | None = None
    ) -> None:
        self.name = "lifted nearest" if nearness is not None else "lifted guided" if guided else "lifted"
        self._workshop = workshop
        self._guided = guided
        self._nearness = nearness
        self._max_depth = max_depth
        self._repeats = 0
        self._run = self._begun()
        self.effort = 0
        self.depth = 0
        self.best_heuristic: int | None = None
        self.solution: tuple[Node, list[Node]] | None = None
        self.is_exhausted = False
        self.is_proof = workshop.problem.is_totally_ordered

    def run(self, effort: int) -> None:
        """Go on for about `effort` expansions, or until `solution` or `is_exhausted` is set."""
        before = self._run.effort
        self._run.run(effort)
        self.effort += max(1, self._run.effort - before)
        self.depth = max(self.depth, self._run.deepest)
        if self._run.plan is not None:
            self.solution = leftmost(self._workshop.problem, self._run.plan)
        elif self._run.is_exhausted and self._run.cuts == 0:
            self.is_exhausted = True
            self.is_proof = self.is_proof and not self._run.is_too_deep
        elif self._run.is_exhausted:
            self._repeats = 2 * self._repeats + 1
            self._run = self._begun()

    @property
    def cuts(self) -> int:
        """How often a task inside itself was left out."""
        return self._run.cuts

    def _begun(self) -> DepthFirst:
        return DepthFirst(
            self._workshop,
            guided=self._guided,
            nearness=self._nearness,
            repeats=self._repeats,
            max_depth=self._max_depth,
        )

    def statistics(self) -> dict[str, int]:
        """Return counts of what was done."""
        return {"expansions": self.effort, "depth": self.depth, "repeats_allowed": self._repeats}


class Restarts:
    """Short depth-first runs with shuffled children."""

    name = "lifted restarts"

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop
        self._count = 0
        self._left = 0
        self._run: DepthFirst | None = None
        self.effort = 0
        self.depth = 0
        self.best_heuristic: int | None = None
        self.solution: tuple[Node, list[Node]] | None = None
        self.is_exhausted = False
        self.is_proof = workshop.problem.is_totally_ordered

    def run(self, effort: int) -> None:
        """Go on for about `effort` expansions, or until `solution` or `is_exhausted` is set."""
        while effort > 0 and self.solution is None:
            if self._run is None or self._left <= 0 or self._run.is_exhausted:
                self._count += 1
                self._left = LUBY_UNIT * luby(self._count)
                # More and more repeats of left recursion, so that no plan is out of reach for ever.
                repeats = self._count.bit_length() - 1
                self._run = DepthFirst(self._workshop, seed=self._count, repeats=repeats)
            before = self._run.effort
            self._run.run(min(effort, self._left))
            spent = max(1, self._run.effort - before)
            self._left -= spent
            effort -= spent
            self.effort += spent
            self.depth = max(self.depth, self._run.deepest)
            if self._run.plan is not None:
                self.solution = leftmost(self._workshop.problem, self._run.plan)
            elif self._run.is_exhausted and self._run.cuts == 0:
                self.is_exhausted = True
                break

    def statistics(self) -> dict[str, int]:
        """Return counts of what was done."""
        return {"expansions": self.effort, "depth": self.depth, "restarts": self._count}


def luby(index: int) -> int:
    """Return the term of the Luby sequence 1 1 2 1 1 2 4 … at an index from 1."""
    while True:
        power = index.bit_length()
        if index == (1 << power) - 1:
            return 1 << power - 1
        index -= (1 << power - 1) - 1
