"""planvow: plans you can hold an agent to.

This module is the whole public surface of the core; each name is imported when it is first used, so that
`import planvow` loads nothing but the standard library and rfc8785. Applications live in `planvow.goals`,
`planvow.governed`, `planvow.debate`, `planvow.hddl`; the promise every planner keeps in `planvow.contract`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from planvow._version import __version__

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

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'planvow' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
