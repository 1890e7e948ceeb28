"""Several searches that take turns by counted effort.

The next turn goes to the search that has spent least, in proportion to its share, so who does how much depends on
counts only. Grounded searches join once the lifted ones have had a head start; their grounding counts as effort,
and is tried again in another way when it did not fit the first time. A first plan is often a long one, so a little
more effort goes into a shorter one: branch and bound where a lifted search came to its plan soon, the grounded searches
where it took much backtracking.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from planvow.budgets import BudgetHit
from planvow.hddl.language.plan_format import HddlPlan
from planvow.hddl.lifted.agenda import Workshop
from planvow.hddl.lifted.derivation import Node, to_plan
from planvow.hddl.lifted.lookahead import Lookahead
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.lifted.runs import DepthFirstSearch, Restarts
from planvow.hddl.lifted.shortening import Shorter
from planvow.hddl.solve.outcome import Progress

FIRST_SLICE, LAST_SLICE = 2_000, 10_000
"""Effort of a search's first turn; later turns double what it has spent, up to the second figure."""
HEAD_START = 3_000
"""Effort of the lifted searches before anything is grounded."""
GROUNDINGS = (("down", 30_000), ("up", 300_000), ("down", 1_000_000))
"""Attempts at grounding, one after the other: the direction, and how many calls and methods may be made."""
GROUNDED_PER_EFFORT = 10
"""Calls and methods grounded that count as one unit of effort."""

BRANCH_AND_BOUND = 2_000
"""Effort of a lifted search for a shorter plan; a plan that took half of it or more is not worth it."""
BACKTRACKING = 4
"""A plan that took more effort than this for each of its tasks is worth an attempt at a shorter one."""
MAX_EXTRA = 10_000
"""Effort of that attempt at most; otherwise it is four times what was spent before."""
MAX_EXTRA_GROUNDING = 20_000
"""Calls and methods grounded for that attempt at most."""
SHARES = {"lifted guided": 2, "lifted": 1, "lifted restarts": 1, "grounded lazy": 3, "grounded eager": 2}
"""What each search gets of the whole effort, in proportion."""


class Ending(Enum):
    """How the searches ended."""

    SOLVED = "solved"
    PROVED = "proved"
    SPENT = "spent"


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
        self._engines: list[Engine] = []
        self._best: tuple[Node, list[Node]] | None = None
        self.winner = ""
        self._max_effort = max_effort
        self._max_depth = max_depth
        # A lifted search keeps to a limit on depth as it goes, a grounded one only looks at the plans it finds.
        is_lifted = search == "lifted" or (search == "auto" and max_depth is not None)
        self._groundings = [] if is_lifted else list(GROUNDINGS)
        self._head_start = 0 if search == "grounded" else HEAD_START
        self.effort = 0
        self._workshop: Workshop | None = None
        if search != "grounded":
            workshop = self._workshop = Workshop(problem, Lookahead(problem))
            self._engines += [DepthFirstSearch(workshop, guided=way, max_depth=max_depth) for way in (True, False)]
            if max_depth is None:
                self._engines.append(Restarts(workshop))

    def run(self, progress: Callable[[Progress], None]) -> Ending:
        """Let the searches take turns until one of them decides or the effort is spent."""
        verdict: Ending | None = None
        while verdict is None:
            verdict = self._turn(progress)
        if verdict is Ending.SOLVED:
            spent = self.effort
            with self._problem.deadline.during("a plan that was found was made shorter"):
                self._shorten(spent)
                self._improve(spent, progress)
        return verdict

    def _turn(self, progress: Callable[[Progress], None]) -> Ending | None:
        if self._max_effort is not None and self.effort >= self._max_effort:
            return Ending.SPENT
        if self._groundings and all(e.effort >= self._head_start or e.is_exhausted for e in self._engines):
            return self._ground(*self._groundings.pop(0))
        engine = self._next_engine()
        if engine is None:
            self._head_start = 0
            return None if self._groundings else Ending.SPENT
        self._advance(engine, min(max(FIRST_SLICE, engine.effort), LAST_SLICE), progress)
        if engine.solution is not None:
            self._best, self.winner = engine.solution, engine.name
            return Ending.SOLVED
        if engine.is_exhausted and engine.is_proof:
            self.winner = engine.name
            return Ending.PROVED
        return None

    def _next_engine(self, kind: str = "") -> Engine | None:
        """Return the search whose turn it is: the one that has spent least, in proportion to its share."""
        able = [engine for engine in self._engines if not engine.is_exhausted and engine.solution is None]
        able = [engine for engine in able if engine.name.startswith(kind)]
        return min(able, key=lambda engine: engine.effort / SHARES[engine.name], default=None)

    def _advance(self, engine: Engine, effort: int, progress: Callable[[Progress], None]) -> None:
        if self._max_effort is not None:
            effort = max(1, min(effort, self._max_effort - self.effort))
        before = engine.effort
        engine.run(effort)
        self.effort += engine.effort - before
        progress(
            Progress(
                search=engine.name,
                expansions=self.effort,
                depth=engine.depth,
                best_heuristic=engine.best_heuristic,
            )
        )

    def _shorten(self, spent: int) -> None:
        """After little effort, spend a bounded one on plans with fewer actions.

        Here as below, an interrupt ends all of it: no plan comes out that depends on a clock.
        """
        assert self._best is not None
        extra = self._left(BRANCH_AND_BOUND)
        if self._workshop is None or 2 * spent > extra:
            return
        shorter = Shorter(self._workshop, actions=len(self._best[1]), slice_effort=2 * spent, max_depth=self._max_depth)
        shorter.run(extra)
        self.effort += shorter.effort
        if shorter.solution is not None:
            self._best, self.winner = shorter.solution, shorter.name

    def _improve(self, spent: int, progress: Callable[[Progress], None]) -> None:
        """After much backtracking, let the grounded searches spend some more and keep the shortest plan."""
        assert self._best is not None
        extra = self._left(min(4 * spent, MAX_EXTRA))
        if spent < BACKTRACKING * self._best[0].size() or extra <= 0:
            return
        stop = self.effort + extra
        if self._groundings == list(GROUNDINGS):
            self._ground("down", min(extra * GROUNDED_PER_EFFORT, MAX_EXTRA_GROUNDING))
        while self.effort < stop:
            engine = self._next_engine("grounded")
            if engine is None:
                return
            self._advance(engine, min(FIRST_SLICE, stop - self.effort), progress)
            if engine.solution is not None and len(engine.solution[1]) < len(self._best[1]):
                self._best, self.winner = engine.solution, engine.name

    def _left(self, effort: int) -> int:
        """Return an effort, or what is left of the whole one when that is less."""
        return effort if self._max_effort is None else min(effort, self._max_effort - self.effort)

    @property
    def budget(self) -> BudgetHit | None:
        """Return the limit that ended the searches, if one did."""
        if self._max_effort is not None and self.effort >= self._max_effort:
            return BudgetHit(budget="max_iterations", limit=self._max_effort)
        if self._max_depth is not None and self._engines:
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

    def _ground(self, direction: str, limit: int) -> Ending | None:
        with self._problem.deadline.during("the problem was grounded"):
            return self._grounded(direction, limit)

    def _grounded(self, direction: str, limit: int) -> Ending | None:
        """Ground the problem and let the grounded searches join; a problem without a relaxed plan has none."""
        from planvow.hddl.grounded.best_first import BestFirst
        from planvow.hddl.grounded.grounding import Grounder, GroundingLimitReached
        from planvow.hddl.grounded.grounding_up import UpwardGrounder
        from planvow.hddl.grounded.partial_order import PartialOrder
        from planvow.hddl.grounded.problem import GroundProblem, look_ahead
        from planvow.hddl.grounded.relaxed import RelaxedPlan

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
            return Ending.PROVED
        if is_sequential:
            look_ahead(ground)
        relaxed = RelaxedPlan(ground)
        make = BestFirst if is_sequential else PartialOrder
        for eager in (False, True):
            engine = make(ground, relaxed, eager=eager, max_depth=self._max_depth)
            engine.effort = cost
            self._engines.append(engine)
        return None
