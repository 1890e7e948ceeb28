"""Several searches that take turns by counted effort.

The next slice goes to the search with the least effort spent so far (the first listed among equals), so all get
the same share, in an order that depends on counts only. Grounded searches join once the lifted ones have had a
head start; their grounding counts as effort, and is tried again with a larger limit when it did not fit the first time.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from planvow.budgets import BudgetHit
from planvow.hddl.agenda import Workshop
from planvow.hddl.derivation import Node, to_plan
from planvow.hddl.lifted import DepthFirstSearch, Restarts
from planvow.hddl.lookahead import Lookahead
from planvow.hddl.normal import NormalProblem
from planvow.hddl.outcome import Progress
from planvow.hddl.plan_format import HddlPlan

SLICE = 500
"""Effort of one turn."""
HEAD_START = 3_000
"""Effort of the lifted searches before anything is grounded."""
GROUNDINGS = (("down", 30_000), ("up", 300_000), ("down", 1_000_000))
"""Attempts at grounding, one after the other: the direction, and how many calls and methods may be made."""
GROUNDED_PER_EFFORT = 10
"""Calls and methods grounded that count as one unit of effort."""

SHARES = {"lifted guided": 2, "lifted": 1, "lifted restarts": 1, "grounded lazy": 3, "grounded eager": 2}
"""What each search gets of the whole effort, in proportion."""


class Verdict(Enum):
    """How the searches ended."""

    SOLVED = "solved"
    PROVED = "proved"
    SPENT = "spent"
    INTERRUPTED = "interrupted"


class Engine(Protocol):
    """A search that can be continued slice by slice."""

    name: str
    effort: int
    depth: int
    best_heuristic: int | None
    solution: tuple[Node, list[Node]] | None
    is_exhausted: bool
    is_proof: bool

    def run(self, effort: int) -> None: ...

    def statistics(self) -> dict[str, int]: ...


class Portfolio:
    """The searches for one problem and what they found."""

    def __init__(self, problem: NormalProblem, search: str, max_effort: int | None, max_depth: int | None) -> None:
        self._problem = problem
        self._left = max_effort
        self._engines: list[Engine] = []
        self._best: tuple[Node, list[Node]] | None = None
        self.winner = ""
        self._max_effort = max_effort
        self._max_depth = max_depth
        self._groundings = [] if search == "lifted" or max_depth is not None else list(GROUNDINGS)
        self._head_start = 0 if search == "grounded" else HEAD_START
        self.effort = 0
        if search != "grounded":
            workshop = Workshop(problem, Lookahead(problem))
            self._engines += [DepthFirstSearch(workshop, guided=way, max_depth=max_depth) for way in (True, False)]
            if max_depth is None:
                self._engines.append(Restarts(workshop))

    def run(self, interrupt: Callable[[], bool], progress: Callable[[Progress], None]) -> Verdict:
        """Let the searches take turns until one of them decides, the effort is spent or `interrupt` says so."""
        while True:
            if interrupt():
                return Verdict.INTERRUPTED
            if self._left is not None and self.effort >= self._left:
                return Verdict.SPENT
            if self._groundings and all(e.effort >= self._head_start or e.is_exhausted for e in self._engines):
                verdict = self._ground(*self._groundings.pop(0))
                if verdict is not None:
                    return verdict
            engine = min((e for e in self._engines if not e.is_exhausted), key=_turn, default=None)
            if engine is None:
                if self._groundings:
                    self._head_start = 0
                    continue
                return Verdict.SPENT
            before = engine.effort
            engine.run(SLICE if self._left is None else max(1, min(SLICE, self._left - self.effort)))
            self.effort += engine.effort - before
            progress(
                Progress(
                    search=engine.name,
                    expansions=self.effort,
                    depth=engine.depth,
                    best_heuristic=engine.best_heuristic,
                )
            )
            if engine.solution is not None:
                self._best, self.winner = engine.solution, engine.name
                return Verdict.SOLVED
            if engine.is_exhausted and engine.is_proof:
                self.winner = engine.name
                return Verdict.PROVED

    @property
    def budget(self) -> BudgetHit | None:
        """Return the limit that ended the searches, if one did."""
        if self._max_effort is not None and self.effort >= self._max_effort:
            return BudgetHit(budget="max_iterations", limit=self._max_effort)
        if self._max_depth is not None:
            return BudgetHit(budget="max_depth", limit=self._max_depth)
        return None

    def plan(self) -> HddlPlan:
        """Return the plan that was found."""
        assert self._best is not None
        return to_plan(self._problem, *self._best)

    def statistics(self) -> dict[str, int | str]:
        """Return the counts of all searches, each under the search's name."""
        counts: dict[str, int | str] = {"effort": self.effort}
        for engine in self._engines:
            for name, count in engine.statistics().items():
                counts[f"{engine.name.replace(' ', '_')}_{name}"] = count
        return counts

    def _ground(self, direction: str, limit: int) -> Verdict | None:
        """Ground the problem and let the grounded searches join; a problem without a relaxed plan has none."""
        from planvow.hddl.best_first import BestFirst
        from planvow.hddl.ground_problem import GroundProblem, look_ahead
        from planvow.hddl.grounding import Grounder, GroundingLimitReached
        from planvow.hddl.grounding_up import UpwardGrounder
        from planvow.hddl.partial import PartialOrder
        from planvow.hddl.relaxed import RelaxedPlan

        is_sequential = self._problem.is_totally_ordered
        make_grounder = Grounder if direction == "down" else UpwardGrounder
        grounder = make_grounder(self._problem, Lookahead(self._problem, in_sequence=is_sequential), limit)
        try:
            grounder.explore()
        except GroundingLimitReached:
            self.effort += limit // GROUNDED_PER_EFFORT
            self._head_start = limit // GROUNDED_PER_EFFORT
            return None
        self._groundings.clear()
        ground = GroundProblem(self._problem, grounder)
        cost = grounder.spent // GROUNDED_PER_EFFORT
        self.effort += cost
        if not ground.is_solvable:
            self.winner = "grounding"
            return Verdict.PROVED
        if is_sequential:
            look_ahead(ground)
        relaxed = RelaxedPlan(ground)
        make = BestFirst if is_sequential else PartialOrder
        for eager in (False, True):
            engine = make(ground, relaxed, eager=eager)
            engine.effort = cost
            self._engines.append(engine)
        return None


def _turn(engine: Engine) -> float:
    """Return what decides whose turn it is: the effort spent, in proportion to the search's share."""
    return engine.effort / SHARES[engine.name]
