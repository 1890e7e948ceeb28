"""Governed requests: sections, symbols and the compiler from a request to hashed steps (seed 002).

    planner = RequestPlanner(repo_root=".")
    plan = planner.plan_request(request, repo_root=".", substrate="sqlite")

`post_request_and_plan` stores the request and its plan in the cassette, from which workers claim the steps.
"""

from planvow.governed.compile.intents import Intents
from planvow.governed.compile.planner import RequestPlanner
from planvow.governed.compile.post import PostedPlan, post_request_and_plan
from planvow.governed.errors import GovernedError, PlannerError, SectionError, SymbolError

Planner = RequestPlanner  # seed 002's word

__all__ = [
    "GovernedError",
    "Intents",
    "Planner",
    "PlannerError",
    "PostedPlan",
    "RequestPlanner",
    "SectionError",
    "SymbolError",
    "post_request_and_plan",
]
