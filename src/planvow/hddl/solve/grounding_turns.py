"""Groundings that take turns with the searches, slice by slice; where one ends, the searches on what it made begin.

There are two ways to ground, from the root down and from the actions up, and which is the smaller one is not known
before. So both run, by counted effort like everything else; the first to come to its end wins and the other is dropped.
Where methods have very many ways to be filled in, a third one grounds them in parts (`lifted/splitting`). Parts make
searches longer, so its share lets it win only where it has much less to do.
What a partially ordered problem came to is searched twice: over networks, and in the one order that methods list.
"""

from __future__ import annotations

from planvow.hddl.grounded.best_first import BestFirst
from planvow.hddl.grounded.greedy import Greedy
from planvow.hddl.grounded.grounding import Grounder, GroundingLimitReached
from planvow.hddl.grounded.grounding_up import UpwardGrounder
from planvow.hddl.grounded.partial_order import PartialOrder
from planvow.hddl.grounded.problem import GroundProblem, look_ahead
from planvow.hddl.grounded.relaxed import RelaxedPlan
from planvow.hddl.grounded.serial import Serial
from planvow.hddl.lifted.derivation import Node
from planvow.hddl.lifted.lookahead import Lookahead
from planvow.hddl.lifted.normal import NormalProblem

LIMITS = {"down": 1_000_000, "up": 300_000, "parts": 1_000_000}
"""How many calls and methods may be made in each direction."""
GROUNDED_PER_EFFORT = 10
"""Calls and methods grounded that count as one unit of effort."""


class Grounding:
    """One way to ground a problem. It proves nothing and finds no plan; `is_complete` says that it came to its end."""

    depth = 0
    best_heuristic: int | None = None
    solution: tuple[Node, list[Node]] | None = None
    is_proof = False

    def __init__(self, problem: NormalProblem, lookahead: Lookahead, direction: str) -> None:
        self.name = f"grounding {direction}"
        self._problem = problem
        make = UpwardGrounder if direction == "up" else Grounder
        self._grounder: Grounder | None = make(problem, lookahead, LIMITS[direction])
        self._spent = 0
        self.effort = 0
        self.is_exhausted = False
        self.is_complete = False

    def run(self, effort: int) -> None:
        """Go on for about so many units of effort."""
        assert self._grounder is not None
        with self._problem.deadline.during("the problem was grounded"):
            try:
                self.is_complete = self._grounder.advance(effort * GROUNDED_PER_EFFORT)
            except GroundingLimitReached:
                self.is_exhausted = True
        self._spent = self._grounder.spent
        self.effort = max(self.effort + 1, self._spent // GROUNDED_PER_EFFORT)
        if self.is_exhausted:
            self._grounder = None  # the largest thing there is

    def searches(self, max_depth: int | None, *, novel: tuple[bool, bool], diverse: bool) -> list[Greedy] | None:
        """Return the searches on what was grounded; None when there is no relaxed plan, and so no plan."""
        problem = self._problem
        ground = self.problem()
        if ground is None:
            return None
        with problem.deadline.during("the problem was grounded"):
            relaxed = RelaxedPlan(ground)
        found: list[Greedy] = []
        if not problem.is_totally_ordered:
            found += [
                PartialOrder(ground, relaxed, eager=is_eager, diverse=is_eager and diverse, max_depth=max_depth)
                for is_eager in (False, True)
            ]
        for is_eager, is_novel in zip((False, True), novel):
            found.append(
                BestFirst(
                    ground, relaxed, eager=is_eager, novel=is_novel, diverse=is_eager and diverse, max_depth=max_depth
                )
            )
        if problem.is_totally_ordered and any(len(method.subtasks) > 1 for method in ground.root.methods):
            found.append(Serial(ground, relaxed, max_depth=max_depth))
        return found

    def problem(self) -> GroundProblem | None:
        """Return the ground problem; None when there is no relaxed plan, and so no plan. It can be taken once."""
        assert self._grounder is not None
        with self._problem.deadline.during("the problem was grounded"):
            ground = GroundProblem(self._problem, self._grounder)
            self._grounder = None  # the largest thing there is
            if ground.is_solvable:
                look_ahead(ground)
        return ground if ground.is_solvable else None

    def statistics(self) -> dict[str, int]:
        """Return counts of what was done."""
        return {"grounded": self._spent}


def groundings(problem: NormalProblem, *, is_proof: bool, in_parts: bool) -> list[Grounding]:
    """Return the ways to ground a problem, those in parts only where there are any and they are wanted."""
    parted = problem.with_beginnings() if in_parts else problem
    ways = [(problem, ("down", "up")), *([(parted, ("parts",))] if parted is not problem else [])]
    found = []
    for made, directions in ways:
        lookahead = Lookahead(made, in_sequence=made.is_totally_ordered, is_proof=is_proof)
        found += [Grounding(made, lookahead, direction) for direction in directions]
    return found
