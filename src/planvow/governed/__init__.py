"""Governed requests: sections, symbols and the compiler from a request to hashed steps (seed 002).

    planner = RequestPlanner(repo_root=".")
    plan = planner.plan_request(request, repo_root=".", substrate="sqlite")

`post_request_and_plan` stores the request and its plan in the cassette, from which workers claim the steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from planvow._lazy import lazily

if TYPE_CHECKING:  # what type checkers and editors see; at run time `_HOMES` says the same
    from planvow.governed.compile.intents import Intents
    from planvow.governed.compile.planner import RequestPlanner
    from planvow.governed.compile.post import PostedPlan, post_request_and_plan
    from planvow.governed.errors import GovernedError, PlannerError, SectionError, SymbolError

    Planner = RequestPlanner  # seed 002's word

_HOMES = {
    "Intents": "compile.intents",
    "RequestPlanner": "compile.planner",
    "PostedPlan": "compile.post",
    "post_request_and_plan": "compile.post",
    "GovernedError": "errors",
    "PlannerError": "errors",
    "SectionError": "errors",
    "SymbolError": "errors",
}
_SEED_WORDS = {
    "Planner": "RequestPlanner",
}

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


if not TYPE_CHECKING:  # or a checker would take any misspelt name
    _find = lazily(__name__, _HOMES)

    def __getattr__(name: str) -> Any:
        return _find(_SEED_WORDS.get(name, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
