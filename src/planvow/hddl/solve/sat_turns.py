"""The SAT search in place of the others: groundings race as ever, and what the first one made goes to a solver.

It is never part of `auto`: which plan that finds must not depend on what is installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from planvow.errors import InputError
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.sat.search import MAX_CLAUSES, MAX_LAYERS, LayeredSearch
from planvow.hddl.solve.portfolio import Engine, Portfolio
from planvow.hooks import hook

if TYPE_CHECKING:
    from planvow.hddl.solve.grounding_turns import Grounding


class SatPortfolio(Portfolio):
    """The search through a SAT solver, for totally ordered problems."""

    _can_part = False  # every part would be a layer more

    def __init__(
        self, problem: NormalProblem, max_effort: int | None, max_depth: int | None, improve: int | None
    ) -> None:
        for method in problem.methods:
            if not method.is_totally_ordered:
                named = "the problem's :htn" if method.task == problem.root else f"method {method.name!r}"
                raise InputError(
                    f"the sat search takes totally ordered problems only, and {named} leaves an order open",
                    place="search",
                    hint="auto, lifted and grounded take partially ordered problems",
                )
        self._solver = hook("sat_solver")()  # before anything else: it may not be installed
        super().__init__(problem, "grounded", max_effort, max_depth, improve)
        self._shares[LayeredSearch.name] = 1

    def _searches_on(self, grounding: Grounding) -> Sequence[Engine] | None:
        ground = grounding.problem()
        return None if ground is None else [LayeredSearch(ground, self._solver, self._max_depth)]

    @property
    def given_up(self) -> str:
        """Say in words how far the search went."""
        if not self._engines:
            return super().given_up
        return f"the sat search went as far as it goes ({MAX_LAYERS:,} layers or {MAX_CLAUSES:,} clauses)"
