"""The verifier shares no code with the solvers: what it imports, directly or not, is a short list."""

from __future__ import annotations

import ast
from pathlib import Path

HDDL = Path(__file__).resolve().parents[3] / "src/planvow/hddl"
ALLOWED = {"errors", "formula", "model", "plan_format", "reader", "source", "verify", "verify_history", "verify_match"}


def imported(module: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse((HDDL / f"{module}.py").read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("planvow."):
            found.add(node.module)
    return found


def test_the_verifier_reaches_no_solver_and_no_kernel():
    seen, waiting = set(), ["verify"]
    while waiting:
        module = waiting.pop()
        seen.add(module)
        for name in imported(module):
            assert name.startswith(("planvow.hddl.", "planvow.errors")), f"{module} imports {name}"
            inner = name.removeprefix("planvow.hddl.")
            if name != "planvow.errors" and inner not in seen:
                waiting.append(inner)
    assert seen <= ALLOWED


def test_no_solver_uses_the_verifiers_own_reading():
    users = {path.stem for path in HDDL.glob("*.py") if {"planvow.hddl.verify.history"} & imported(path.stem)}
    assert users <= {"verify", "verify_match"}
