"""The verifier shares no code with the solvers: what it imports, directly or not, is a short list."""

from __future__ import annotations

import pytest

from source_code import modules

HDDL = "planvow.hddl."
BASE = ("planvow.budgets", "planvow.errors", "planvow.verdict", "planvow.canonical")
ALLOWED = {
    *("language.errors", "language.formula", "language.model", "language.plan_format", "language.reader"),
    *("language.source", "verify.verifier", "verify.history", "verify.matching"),
}
OF_PROOFS = {
    *("language.formula", "language.model", "language.source"),
    *("verify.no_plan", "verify.closed", "verify.world"),
}


def imported(module: str) -> set[str]:
    taken = modules()[f"{HDDL}{module}"].imports
    return {name for name, part in taken if part and name.startswith("planvow.")}


@pytest.mark.parametrize(("checker", "allowed"), [("verify.verifier", ALLOWED), ("verify.no_plan", OF_PROOFS)])
def test_the_verifier_reaches_no_solver_and_no_kernel(checker, allowed):
    seen, waiting = set(), [checker]
    while waiting:
        module = waiting.pop()
        seen.add(module)
        for name in imported(module):
            assert name.startswith((HDDL, *BASE)), f"{module} imports {name}"
            inner = name.removeprefix(HDDL)
            if name not in BASE and inner not in seen:
                waiting.append(inner)
    assert seen <= allowed


def test_no_solver_uses_the_verifiers_own_reading():
    inside = [name.removeprefix(HDDL) for name in modules() if name.startswith(HDDL)]
    users = {module for module in inside if "planvow.hddl.verify.history" in imported(module)}
    assert users <= {
        "verify.verifier",
        "verify.matching",
        "solve.derivation",
    }  # the last tells of a plan and makes none
    assert users
