"""planvow: plans you can hold an agent to.

This module is the whole public surface of the core; each name is imported when it is first used, so that
`import planvow` loads nothing but the standard library and rfc8785. Applications live in `planvow.goals`,
`planvow.governed`, `planvow.debate`, `planvow.hddl`; the promise every planner keeps in `planvow.contract`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from planvow._version import __version__

if TYPE_CHECKING:  # what type checkers and editors see; at run time `_HOMES` says the same
    from planvow.budgets import Budgets
    from planvow.canonical import canonical_bytes, content_hash
    from planvow.contract.certificate import Certificate, verify
    from planvow.errors import BudgetExceededError, ContractViolation, InputError, PlanvowError, RefusedError
    from planvow.kernel.domain import Domain, refuse
    from planvow.kernel.planner import Planner
    from planvow.kernel.planning import plan, plans
    from planvow.kernel.problem import make_problem
    from planvow.kernel.replan import replan
    from planvow.kernel.result import Result
    from planvow.kernel.state import State
    from planvow.kernel.terms import Goal, MultiGoal
    from planvow.status import Status

_HOMES = {
    "Domain": "planvow.kernel.domain",
    "State": "planvow.kernel.state",
    "Goal": "planvow.kernel.terms",
    "MultiGoal": "planvow.kernel.terms",
    "refuse": "planvow.kernel.domain",
    "plan": "planvow.kernel.planning",
    "plans": "planvow.kernel.planning",
    "replan": "planvow.kernel.replan",
    "make_problem": "planvow.kernel.problem",
    "Planner": "planvow.kernel.planner",
    "Result": "planvow.kernel.result",
    "Status": "planvow.status",
    "Budgets": "planvow.budgets",
    "PlanvowError": "planvow.errors",
    "InputError": "planvow.errors",
    "RefusedError": "planvow.errors",
    "BudgetExceededError": "planvow.errors",
    "ContractViolation": "planvow.errors",
    "Certificate": "planvow.contract.certificate",
    "verify": "planvow.contract.certificate",
    "canonical_bytes": "planvow.canonical",
    "content_hash": "planvow.canonical",
}

__all__ = [
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

    def __getattr__(name: str) -> Any:
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module 'planvow' has no attribute {name!r}")
        value = getattr(import_module(home), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
