"""planvow: plans you can hold an agent to.

This module is the whole public surface of the core; each name is imported when it is first used, so that
`import planvow` loads nothing but the standard library and rfc8785. Applications live in `planvow.goals`,
`planvow.governed`, `planvow.debate`, `planvow.hddl`; the promise every planner keeps in `planvow.contract`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from planvow._lazy import lazily
from planvow._version import __version__

if TYPE_CHECKING:  # what type checkers and editors see; at run time `_HOMES` says the same
    from planvow.budgets import Budgets
    from planvow.canonical import canonical_bytes, content_hash
    from planvow.contract.certificate.build import Certificate, verify
    from planvow.errors import BudgetExceededError, ContractViolation, InputError, PlanvowError, RefusedError
    from planvow.kernel.answer.planning import plan, plans
    from planvow.kernel.answer.result import Result
    from planvow.kernel.domain.domain import Domain, refuse
    from planvow.kernel.domain.terms import Goal, MultiGoal
    from planvow.kernel.repair.planner import Planner
    from planvow.kernel.repair.replan import replan
    from planvow.kernel.search.problem import make_problem
    from planvow.kernel.world.state import State
    from planvow.service.agent import Agent
    from planvow.status import Status

_HOMES = {
    "Agent": "service.agent",
    "Domain": "kernel.domain.domain",
    "State": "kernel.world.state",
    "Goal": "kernel.domain.terms",
    "MultiGoal": "kernel.domain.terms",
    "refuse": "kernel.domain.domain",
    "plan": "kernel.answer.planning",
    "plans": "kernel.answer.planning",
    "replan": "kernel.repair.replan",
    "make_problem": "kernel.search.problem",
    "Planner": "kernel.repair.planner",
    "Result": "kernel.answer.result",
    "Status": "status",
    "Budgets": "budgets",
    "PlanvowError": "errors",
    "InputError": "errors",
    "RefusedError": "errors",
    "BudgetExceededError": "errors",
    "ContractViolation": "errors",
    "Certificate": "contract.certificate.build",
    "verify": "contract.certificate.build",
    "canonical_bytes": "canonical",
    "content_hash": "canonical",
}

__all__ = [
    "Agent",
    "BudgetExceededError",
    "Budgets",
    "Certificate",
    "ContractViolation",
    "Domain",
    "Goal",
    "InputError",
    "MultiGoal",
    "Planner",
    "PlanvowError",
    "RefusedError",
    "Result",
    "State",
    "Status",
    "__version__",
    "canonical_bytes",
    "content_hash",
    "make_problem",
    "plan",
    "plans",
    "refuse",
    "replan",
    "verify",
]


if not TYPE_CHECKING:  # or a checker would take any misspelt name
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
