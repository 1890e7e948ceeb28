"""Several searches that take turns by counted effort.

The next turn goes to the search that has spent least, in proportion to its share, so who does how much depends on
counts only. Once the lifted searches have had a head start, two ways of grounding join the race like searches; when
one comes to its end, the grounded searches go on from where it stood. A first plan is often a long one, so a
little more effort goes into a better one: branch and bound where a lifted search came to its plan soon, the grounded
searches where it took much backtracking, and then the plan's neighbourhood (`neighbourhood`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from planvow.budgets import BudgetHit
from planvow.hddl.language.plan_format import HddlPlan
from planvow.hddl.lifted.agenda import Workshop
from planvow.hddl.lifted.derivation import Node, in_order, to_plan
from planvow.hddl.lifted.lookahead import Lookahead
from planvow.hddl.lifted.neighbourhood import Neighbourhood, looking
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.lifted.prices import Prices
from planvow.hddl.lifted.runs import DepthFirstSearch, Restarts
from planvow.hddl.lifted.shortening import Shorter
from planvow.hddl.solve.outcome import Progress
from planvow.hddl.verify.verifier import verify_plan

if TYPE_CHECKING:  # most problems are solved before anything is grounded
    from planvow.hddl.solve.grounding_turns import Grounding

FIRST_SLICE, LAST_SLICE = 2_000, 10_000
"""Effort of a search's first turn; later turns double what it has spent, up to the second figure."""

MANY_CUTS = 1_000
"""Tasks inside themselves that the guided search leaves out before one that measures how near tasks are joins."""
BRANCH_AND_BOUND = 2_000
"""Effort of a lifted search for a shorter plan; a plan that took half of it or more is not worth it."""
BACKTRACKING = 4
"""A plan that took more effort than this for each of its tasks is worth an attempt at a shorter one."""
MAX_EXTRA = 10_000
"""Effort of that attempt at most; otherwise it is four times what was spent before."""
MAX_EXTRA_GROUNDING = 2_000
"""Effort of grounding for that attempt at most."""
IMPROVE, IMPROVE_PER_ACTION = 2_000, 5
"""Effort that goes into the neighbourhood of the plan at last, the larger of both, unless the caller says how much."""
IMPROVING = (
    "a plan that was found was made better, which improve=0 (--improve 0) leaves out "
    "and a limit of max_iterations (--max-iterations) ends with a plan"
)


class Tuning(NamedTuple):
    """What the turns depend on. `bench/ipc.py` compares such settings, each on domains it was not chosen on."""

    head_start: int = 3_000
    """Effort of every lifted search before anything is grounded."""
    lifted: tuple[int, int, int] = (2, 1, 1)
    """Shares of the whole effort: guided, in the author's order, restarts."""
    nearest: int = 2
    """Share of the guided search that measures how near tasks are, where it takes part."""
    groundings: tuple[int, int, int] = (3, 1, 2)
    """Shares: down, up, in parts."""
    grounded: tuple[int, int] = (3, 2)
    """Shares: lazy, eager; in partial order each of them twice, over networks and in one order."""
    serial: int = 2
    """Share of the grounded search that does one task of the problem after the other, in total order."""
    diverse: bool = True
    """Whether an eager search takes some nodes from anywhere in its queue."""
    novel: tuple[bool, bool] = (True, True)
    """Whether the lazy, the eager search in one order takes some nodes because these show something new."""


NAMES = (
    "lifted guided", "lifted", "lifted restarts", "grounding down", "grounding up", "grounding parts", "grounded lazy",
    "grounded eager", "grounded lazy in order", "grounded eager in order",
)  # fmt: skip
TUNING = Tuning()


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

    _can_part = True
    """Whether its searches may be given a problem in parts (`lifted/splitting`)."""

    def __init__(
        self,
        problem: NormalProblem,
        search: str,
        max_effort: int | None,
        max_depth: int | None,
        improve: int | None = None,
    ) -> None:
        self._problem = problem
        self._prices = Prices(problem)
        self._improve_effort = improve
        self._engines: list[Engine] = []
        self._counts: dict[str, int] = {}
        self._best: tuple[Node, list[Node]] | None = None
        self.winner = ""
        self._max_effort = max_effort
        self._max_depth = max_depth
        # A lifted search keeps to a limit on depth as it goes, a grounded one only looks at the plans it finds.
        is_lifted = search == "lifted" or (search == "auto" and max_depth is not None)
        self._is_grounded = is_lifted
        """Whether everything about grounding is decided."""
        self._groundings: list[Grounding] = []
        self._is_hasty = not problem.is_totally_ordered
        """Whether what is grounded may lack what only several tasks together can do: good for plans, and no proof."""
        self._tuning = TUNING
        self._shares = dict(zip(NAMES, (*TUNING.lifted, *TUNING.groundings, *TUNING.grounded, *TUNING.grounded)))
        self._shares |= {"lifted nearest": TUNING.nearest, "grounded serial": TUNING.serial}
        self._head_start = 0 if search == "grounded" else TUNING.head_start
        self.effort = 0
        self._workshop: Workshop | None = None
        self._guided: DepthFirstSearch | None = None
        """The guided search, while none that measures has joined it."""
        if search != "grounded":
            workshop = self._workshop = Workshop(problem, Lookahead(problem))
            self._guided = DepthFirstSearch(workshop, guided=True, max_depth=max_depth)
            self._engines += [self._guided, DepthFirstSearch(workshop, guided=False, max_depth=max_depth)]
            if max_depth is None:
                self._engines.append(Restarts(workshop))

    def run(self, progress: Callable[[Progress], None]) -> Ending:
        """Let the searches take turns until one of them decides or the effort is spent."""
        verdict: Ending | None = None
        while verdict is None:
            verdict = self._turn(progress)
        if verdict is Ending.SOLVED and self._improve_effort != 0:
            spent = self.effort
            with self._problem.deadline.during(IMPROVING):
                is_best = self._shorten(spent)
                if not (is_best and self._problem.is_totally_ordered):
                    self._improve(spent, progress)
                if not is_best:
                    self._look_around()
        return verdict

    def _turn(self, progress: Callable[[Progress], None]) -> Ending | None:
        if self._max_effort is not None and self.effort >= self._max_effort:
            return Ending.SPENT
        if not self._is_grounded and not self._groundings and self._is_started():
            self._begin_groundings()
        if self._guided is not None and self._guided.cuts >= MANY_CUTS:
            self._begin_nearest()
        engine = self._next_engine()
        if engine is None:
            return Ending.SPENT
        self._advance(engine, min(max(FIRST_SLICE, engine.effort), LAST_SLICE), progress)
        return self._verdict(engine)

    def _verdict(self, engine: Engine) -> Ending | None:
        """Say whether what a search came to in its turn decides."""
        if engine.solution is not None:
            self._take(engine.solution, engine.name)
            return Ending.SOLVED
        if engine.is_exhausted and engine.is_proof:
            return self._proved(engine.name)
        return self._settle_groundings()

    def _proved(self, name: str) -> Ending | None:
        """Say that there is no plan, if everything was looked at; else ground once more, leaving out nothing."""
        if self._is_hasty:
            self._is_hasty, self._is_grounded, self._groundings = False, False, []
            self._engines = [engine for engine in self._engines if not engine.name.startswith("grounded")]
            return None
        self.winner = name
        return Ending.PROVED

    def _is_started(self) -> bool:
        """Whether the lifted searches have had their head start."""
        return all(engine.effort >= self._head_start or engine.is_exhausted for engine in self._engines)

    def _begin_nearest(self) -> None:
        """Let a search join that looks for the shortest way where the guided one is lost in left recursion."""
        from planvow.hddl.lifted.nearness import Nearness

        assert self._workshop is not None
        nearness = Nearness(self._workshop)
        self._engines.append(
            DepthFirstSearch(self._workshop, guided=True, nearness=nearness, max_depth=self._max_depth)
        )
        self._guided = None

    def _begin_groundings(self) -> None:
        from planvow.hddl.solve.grounding_turns import groundings

        self._groundings = groundings(self._problem, is_proof=not self._is_hasty, in_parts=self._can_part)

    def _settle_groundings(self) -> Ending | None:
        """Where a grounding came to its end, let the grounded searches go on from there."""
        for grounding in self._groundings:
            if grounding.is_complete:
                self._is_grounded = True
                self._groundings = []
                searches = self._searches_on(grounding)
                self._counts.update(grounding.statistics())
                if searches is None:
                    return self._proved("grounding")
                for search in searches:
                    search.effort = grounding.effort * self._shares[search.name] // self._shares[grounding.name]
                self._engines += searches
                return None
        if self._groundings and all(grounding.is_exhausted for grounding in self._groundings):
            self._is_grounded = True
            self._groundings = []
        return None

    def _searches_on(self, grounding: Grounding) -> Sequence[Engine] | None:
        """Return the searches on what was grounded; None when there is no relaxed plan, and so no plan."""
        return grounding.searches(self._max_depth, novel=self._tuning.novel, diverse=self._tuning.diverse)

    def _next_engine(self, kind: str = "") -> Engine | None:
        """Return the search whose turn it is: the one that has spent least, in proportion to its share."""
        racing: list[Engine] = [*self._engines, *self._groundings]
        able = [engine for engine in racing if not engine.is_exhausted and engine.solution is None]
        able = [engine for engine in able if engine.name.startswith(kind)]
        return min(able, key=lambda engine: engine.effort / self._shares[engine.name], default=None)

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

    def _shorten(self, spent: int) -> bool:
        """After little effort, spend a bounded one on plans with fewer actions; return whether none is left in order.

        Here as below, an interrupt ends all of it: no plan comes out that depends on a clock.
        """
        assert self._best is not None
        extra = self._left(BRANCH_AND_BOUND)
        if self._workshop is None or 2 * spent > extra:
            return False
        price = self._price(self._best)
        shorter = Shorter(self._workshop, self._prices, price=price, slice_effort=2 * spent, max_depth=self._max_depth)
        shorter.run(extra)
        self.effort += shorter.effort
        if shorter.solution is not None:
            self._best, self.winner = shorter.solution, shorter.name
        return shorter.is_proof

    def _improve(self, spent: int, progress: Callable[[Progress], None]) -> None:
        """After much backtracking, let the grounded searches spend some more and keep the shortest plan."""
        assert self._best is not None
        extra = self._left(min(4 * spent, MAX_EXTRA))
        if spent < BACKTRACKING * self._best[0].size() or extra <= 0:
            return
        stop = self.effort + extra
        if not self._is_grounded and not self._groundings:
            self._begin_groundings()
            self._advance(self._groundings[0], min(extra, MAX_EXTRA_GROUNDING), progress)
            self._settle_groundings()
        while self.effort < stop:
            engine = self._next_engine("grounded")
            if engine is None:
                return
            self._advance(engine, min(FIRST_SLICE, stop - self.effort), progress)
            if engine.solution is not None and self._price(engine.solution) < self._price(self._best):
                self._take(engine.solution, engine.name)

    def _take(self, solution: tuple[Node, list[Node]], name: str) -> None:
        """Keep a plan, without the tasks that only its search knows."""
        solution[0].without(len(self._problem.task_names))
        self._best, self.winner = solution, name

    def _look_around(self) -> None:
        """Break parts of the plan down anew, however long it is, and keep what the verifier accepts."""
        assert self._best is not None
        root, executed = self._best
        usual = max(IMPROVE, IMPROVE_PER_ACTION * len(executed))
        extra = self._left(usual if self._improve_effort is None else self._improve_effort)
        if extra <= looking(executed) or executed != in_order(root):  # a plan whose tasks are mixed has no windows
            return
        workshop = self._workshop or Workshop(self._problem, Lookahead(self._problem))
        around = Neighbourhood(workshop, root, self._prices, self._accepts)
        around.run(extra)
        self.effort += around.effort
        if around.solution is not None:
            self._best, self.winner = around.solution, around.name

    def _accepts(self, root: Node, executed: list[Node]) -> bool:
        """Whether a plan is right, and nested no deeper than allowed."""
        if self._max_depth is not None and root.depth(self._problem.root) > self._max_depth:
            return False
        plan = to_plan(self._problem, root, executed)
        return bool(verify_plan(self._problem.source, plan, self._problem.deadline))

    def _price(self, solution: tuple[Node, list[Node]]) -> float:
        return sum(self._prices.of(node.task, node.objects) for node in solution[1])

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

    @property
    def given_up(self) -> str:
        """Say in words how far a search went that needs everything grounded and came to no answer."""
        from planvow.hddl.solve.grounding_turns import LIMITS

        return f"the problem is too large to ground (more than {max(LIMITS.values()):,} calls and methods)"

    def plan(self) -> HddlPlan:
        """Return the plan that was found."""
        assert self._best is not None
        return to_plan(self._problem, *self._best)

    def statistics(self) -> dict[str, int | str]:
        """Return the counts of all searches, each under the search's name."""
        counts: dict[str, int | str] = {"effort": self.effort, **self._counts}
        for engine in self._engines:
            for name, count in engine.statistics().items():
                counts[f"{engine.name.replace(' ', '_')}_{name}"] = count
        return counts
