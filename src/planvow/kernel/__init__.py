"""The HTN engine: terms, state, domain, search, performing, repair and explanation.

Reading order of the rooms: `world`, `domain`, `search`, `answer`, `repair`. Seed 001's names are importable from here.
"""

from planvow.kernel.answer.graph import SolutionGraph
from planvow.kernel.answer.planning import plan, plans, solve
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Command, Domain, Method, Refusal, refuse, split_multigoal
from planvow.kernel.domain.terms import Annotated, Goal, MultiGoal, attach_metadata
from planvow.kernel.repair.lookahead import Execution, Failure, Simulation, run_lazy_lookahead, simulate
from planvow.kernel.repair.planner import Planner
from planvow.kernel.repair.replan import replan
from planvow.kernel.search.problem import Problem, make_problem
from planvow.kernel.search.scoring import Scores
from planvow.kernel.search.watcher import Progress
from planvow.kernel.world.state import State
from planvow.status import Status

# Seed 001's words for them.
PlannerDomain = Domain
PlannerPlan = Planner
PlannerResult = Result
PlannerSolutionGraph = SolutionGraph
PlannerState = State

__all__ = [
    "Annotated",
    "Command",
    "Domain",
    "Execution",
    "Failure",
    "Goal",
    "Method",
    "MultiGoal",
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
