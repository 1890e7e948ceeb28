"""The HTN engine: terms, state, domain, search, performing, repair and explanation.

Reading order of the rooms: `world`, `domain`, `search`, `answer`, `repair`. Seed 001's names are importable from here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from planvow._lazy import lazily
from planvow.status import Status

if TYPE_CHECKING:  # what type checkers and editors see; at run time `_HOMES` says the same
    from planvow.kernel.answer.graph import SolutionGraph
    from planvow.kernel.answer.planning import plan, plans, solve
    from planvow.kernel.answer.result import Result
    from planvow.kernel.domain.domain import Command, Domain, Method, Refusal, refuse
    from planvow.kernel.domain.multigoals import split_multigoal
    from planvow.kernel.domain.terms import Annotated, Goal, MultiGoal, attach_metadata
    from planvow.kernel.repair.lookahead import Execution, Failure, Simulation, run_lazy_lookahead, simulate
    from planvow.kernel.repair.patience import Patience
    from planvow.kernel.repair.planner import Planner
    from planvow.kernel.repair.replan import replan
    from planvow.kernel.search.problem import Problem, make_problem
    from planvow.kernel.search.scoring import Scores
    from planvow.kernel.search.watcher import Progress
    from planvow.kernel.world.state import State

    # Seed 001's words for them.
    PlannerDomain = Domain
    PlannerPlan = Planner
    PlannerResult = Result
    PlannerSolutionGraph = SolutionGraph
    PlannerState = State

_HOMES = {
    "SolutionGraph": "answer.graph",
    "plan": "answer.planning",
    "plans": "answer.planning",
    "solve": "answer.planning",
    "Result": "answer.result",
    "Command": "domain.domain",
    "Domain": "domain.domain",
    "Method": "domain.domain",
    "Refusal": "domain.domain",
    "refuse": "domain.domain",
    "split_multigoal": "domain.multigoals",
    "Annotated": "domain.terms",
    "Goal": "domain.terms",
    "MultiGoal": "domain.terms",
    "attach_metadata": "domain.terms",
    "Execution": "repair.lookahead",
    "Failure": "repair.lookahead",
    "Simulation": "repair.lookahead",
    "run_lazy_lookahead": "repair.lookahead",
    "simulate": "repair.lookahead",
    "Patience": "repair.patience",
    "Planner": "repair.planner",
    "replan": "repair.replan",
    "Problem": "search.problem",
    "make_problem": "search.problem",
    "Scores": "search.scoring",
    "Progress": "search.watcher",
    "State": "world.state",
}
_SEED_WORDS = {
    "PlannerDomain": "Domain",
    "PlannerPlan": "Planner",
    "PlannerResult": "Result",
    "PlannerSolutionGraph": "SolutionGraph",
    "PlannerState": "State",
}

__all__ = [
    "Annotated",
    "Command",
    "Domain",
    "Execution",
    "Failure",
    "Goal",
    "Method",
    "MultiGoal",
    "Patience",
    "Planner",
    "Problem",
    "Progress",
    "Refusal",
    "Result",
    "Scores",
    "Simulation",
    "SolutionGraph",
    "State",
    "Status",
    "attach_metadata",
    "make_problem",
    "plan",
    "plans",
    "refuse",
    "replan",
    "run_lazy_lookahead",
    "simulate",
    "solve",
    "split_multigoal",
]


if not TYPE_CHECKING:  # or a checker would take any misspelt name
    _find = lazily(__name__, _HOMES)

    def __getattr__(name: str) -> Any:
        return _find(_SEED_WORDS.get(name, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_SEED_WORDS})
