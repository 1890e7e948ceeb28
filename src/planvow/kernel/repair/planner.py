"""The planner of seed 001: settings and a blacklist that stay over calls, and the seed's limits as defaults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from planvow.budgets import SEED_BUDGETS, Budgets
from planvow.errors import InputError
from planvow.kernel.answer.planning import plan
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Domain
from planvow.kernel.domain.propagator import PropagatorFactory
from planvow.kernel.domain.terms import Annotated, Item, attach_metadata, normal_item
from planvow.kernel.repair.lookahead import Execute, Execution, Simulation, run_lazy_lookahead, simulate
from planvow.kernel.repair.replan import replan
from planvow.kernel.search.scoring import Scores
from planvow.kernel.search.watcher import Progress
from planvow.kernel.world.state import State
from planvow.trace import TraceRecorder


class Planner:
    """Finds, repairs and runs plans with settings that stay (seed 001, section 5.1: PlannerPlan).

    Unlike `planvow.plan`, the defaults are the seed's: depth 10, 50,000 iterations, learned method selection.
    Scores start empty for every call unless `scores` are given; what was learned comes back in `result.scores`. With
    `remember=True` the planner starts each call with what the one before has learned: they go in and out by value, and
    their hash is part of the inputs of the plan, so a plan can be made again from `planner.scores` as it was.

    >>> planner = Planner(travel)
    >>> planner.find_plan(start, todo).plan
    (('walk', 'ann', 'park'),)
    """

    def __init__(
        self,
        domain: Domain | None = None,
        *,
        budgets: Budgets = SEED_BUDGETS,
        selection: str = "learned",
        scores: Scores | None = None,
        remember: bool = False,
        capabilities: Iterable[str] | None = None,
        propagators: Iterable[PropagatorFactory] = (),
    ) -> None:
        self.domain = domain
        self.budgets = budgets
        self.selection = selection
        self.scores = None if scores is None else scores.copy()
        self.remember = remember
        self.capabilities = None if capabilities is None else frozenset(capabilities)
        self.propagators = tuple(propagators)
        self.blacklist: dict[Item, None] = {}  # a dictionary, because its order is the order of the calls

    def find_plan(
        self,
        state: State,
        todo_list: Iterable[Item],
        domain: Domain | None = None,
        *,
        interrupt: Callable[[], bool] | None = None,
        progress: Callable[[Progress], None] | None = None,
        trace: TraceRecorder | None = None,
    ) -> Result:
        """Find a plan for a list of tasks, commands and goals."""
        result = plan(
            self._domain(domain),
            state,
            todo_list,
            interrupt=interrupt,
            progress=progress,
            trace=trace,
            **self.options(),
        )
        self._remember(result)
        return result

    def replan(
        self, result: Result, state: State, fail_node_id: int, *, blacklist: bool = True, now: object = None
    ) -> Result:
        """Continue a plan whose node failed, from the observed state, with this planner's blacklist."""
        banned = result.problem.blacklist | frozenset(self.blacklist)
        scores = result.problem.scores if self.scores is None else self.scores.copy()
        previous = replace(result, problem=replace(result.problem, blacklist=banned, scores=scores))
        repaired = replan(previous, state, fail_node_id, blacklist=blacklist, now=now)
        self._remember(repaired)
        return repaired

    def run_lazy_lookahead(
        self,
        state: State,
        todo_list: Iterable[Item],
        max_tries: int = 10,
        *,
        domain: Domain | None = None,
        execute: Execute | None = None,
        **hooks: Any,
    ) -> Execution:
        """Plan and act until the agenda is done or `max_tries` plans have failed."""
        done = run_lazy_lookahead(
            self._domain(domain), state, todo_list, max_tries, execute=execute, **hooks, **self.options()
        )
        self._remember(done.results[-1])
        return done

    def simulate(self, result: Result, state: State | None = None, start: int = 0) -> Simulation:
        """Return the states a plan leads through, without running anything."""
        return simulate(result, state, start)

    def attach_metadata(
        self,
        item: Item,
        temporal_constraints: Mapping[str, object] | None = None,
        entity_constraints: Mapping[str, object] | Sequence[object] | None = None,
    ) -> Annotated:
        """Return the item with times, relations and required entities attached; put it into an agenda."""
        return attach_metadata(item, temporal_constraints, entity_constraints)

    def blacklist_command(self, command: Item) -> None:
        """Keep a command, with exactly these arguments, out of every later plan until `clear_blacklist`."""
        self.blacklist[normal_item(command)] = None

    def clear_blacklist(self) -> None:
        """Allow every command again."""
        self.blacklist.clear()

    def options(self) -> dict[str, Any]:
        """Return the settings as options of `planvow.plan`."""
        return {
            "budgets": self.budgets,
            "selection": self.selection,
            "scores": None if self.scores is None else self.scores.copy(),
            "capabilities": self.capabilities,
            "propagators": self.propagators,
            "blacklist": tuple(self.blacklist),
        }

    def _remember(self, result: Result) -> None:
        if self.remember and result.scores is not None:
            self.scores = result.scores.copy()

    def _domain(self, domain: Domain | None) -> Domain:
        chosen = domain or self.domain
        if chosen is None:
            raise InputError("no domain was given", hint="give one to find_plan or to Planner(domain)")
        return chosen
