"""The lifted search: one depth-first run in the author's order, and short shuffled runs beside it.

Half of the effort goes to the run in the order of the file. When that run ends without a plan and without having
used the rule that may lose plans, there is none: proved. Otherwise it starts again and allows twice as many
repeats (iterative deepening over left recursion). The other half goes to restarts whose lengths follow the Luby
sequence, each with its own seed. Everything is counted in expansions.
"""

from __future__ import annotations

from planvow.hddl.agenda import Workshop
from planvow.hddl.depth_first import DepthFirst
from planvow.hddl.derivation import Node, leftmost

FIRST_RUN = 20_000
"""Expansions of the run in the author's order before the first restart."""
LUBY_UNIT = 500


class LiftedSearch:
    """Depth-first search with restarts, continued slice by slice."""

    name = "lifted"

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop
        self._main = DepthFirst(workshop)
        self._repeats = 0
        self._side: DepthFirst | None = None
        self._side_left = 0
        self._restarts = 0
        self._main_left = FIRST_RUN
        self.expansions = 0
        self.depth = 0
        self.best_heuristic: int | None = None
        self.solution: tuple[Node, list[Node]] | None = None
        self.is_exhausted = False

    @property
    def effort(self) -> int:
        """Return what was spent, in units all searches share."""
        return self.expansions

    def run(self, effort: int) -> None:
        """Go on for about `effort` expansions, or until `solution` or `is_exhausted` is set."""
        while effort > 0 and self.solution is None and not self.is_exhausted:
            if self._main_left > 0:
                spent = self._advance(self._main, min(effort, self._main_left))
                self._main_left -= spent
                if self._main.is_exhausted:
                    self._main_ended()
            else:
                if self._side is None or self._side_left <= 0 or self._side.is_exhausted:
                    self._restart()
                assert self._side is not None
                spent = self._advance(self._side, min(effort, self._side_left))
                self._side_left -= spent
                if self._side_left <= 0:
                    self._main_left = LUBY_UNIT * luby(self._restarts)
            effort -= max(spent, 1)

    def statistics(self) -> dict[str, int]:
        """Return counts of what was done."""
        return {"lifted_expansions": self.expansions, "restarts": self._restarts, "repeats_allowed": self._repeats}

    def _advance(self, search: DepthFirst, limit: int) -> int:
        before = search.expansions
        search.run(limit)
        spent = search.expansions - before
        self.expansions += spent
        self.depth = max(self.depth, search.deepest)
        if search.plan is not None:
            self.solution = leftmost(self._workshop.problem, search.plan)
        return spent

    def _main_ended(self) -> None:
        if self._main.cuts == 0:
            self.is_exhausted = True
        else:
            self._repeats = 2 * self._repeats + 1
            self._main = DepthFirst(self._workshop, repeats=self._repeats)

    def _restart(self) -> None:
        self._restarts += 1
        self._side = DepthFirst(self._workshop, seed=self._restarts, repeats=self._repeats)
        self._side_left = LUBY_UNIT * luby(self._restarts)


def luby(index: int) -> int:
    """Return the term of the Luby sequence 1 1 2 1 1 2 4 … at an index from 1."""
    while True:
        power = index.bit_length()
        if index == (1 << power) - 1:
            return 1 << power - 1
        index -= (1 << power - 1) - 1
