"""The verifier shares no code with the solvers: what it imports, directly or not, is a short list."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

HDDL = Path(__file__).resolve().parents[3] / "src/planvow/hddl"
MODULES = {".".join(path.relative_to(HDDL).with_suffix("").parts): path for path in sorted(HDDL.rglob("*.py"))}
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
    found: set[str] = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("planvow."):
            found.add(node.module)
    return found


@pytest.mark.parametrize(("checker", "allowed"), [("verify.verifier", ALLOWED), ("verify.no_plan", OF_PROOFS)])
def test_the_verifier_reaches_no_solver_and_no_kernel(checker, allowed):
    seen, waiting = set(), [checker]
    while waiting:
        module = waiting.pop()
        seen.add(module)
        for name in imported(module):
            assert name.startswith(("planvow.hddl.", *BASE)), f"{module} imports {name}"
            inner = name.removeprefix("planvow.hddl.")
            if name not in BASE and inner not in seen:
                waiting.append(inner)
    assert seen <= allowed


def test_no_solver_uses_the_verifiers_own_reading():
    users = {module for module in MODULES if "planvow.hddl.verify.history" in imported(module)}
    assert users <= {
        "verify.verifier",
        "verify.matching",
        "solve.derivation",
    }  # the last tells of a plan and makes none
    assert users
