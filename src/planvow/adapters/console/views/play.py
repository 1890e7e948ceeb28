"""What the playground asks and shows: the fields of each panel, the question they make, and budgets as meters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from planvow.adapters.console.views.given import given_json

KINDS = {"hddl": "HDDL", "domain": "Python domains", "wish": "Goals in words", "request": "Governed requests"}
_FIELDS: dict[str, dict[str, str]] = {
    "hddl": {"domain": "", "problem": ""},
    "domain": {"domain": "", "goal": "", "facts": ""},
    "wish": {"wish": "open youtube and search nvidia"},
    "request": {"request": ""},
}


class Meter(NamedTuple):
    """A budget: its name, what is used, what is allowed."""

    name: str
    used: int
    limit: int | None
    share: float


def shown_fields(kind: str) -> dict[str, str]:
    """Return the fields of a panel with what they begin with."""
    return dict(_FIELDS[kind])


def hddl_texts(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of the HDDL panel as questions about a plan name them."""
    return {"hddl_domain": fields["domain"], "hddl_problem": fields["problem"]}


def question_of(kind: str, fields: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the operation that a panel asks and the question for it."""
    if kind == "hddl":
        return "solve_hddl", {"domain": fields.get("domain", ""), "problem": fields.get("problem", "")}
    if kind == "wish":
        return "plan_goal", {"wish": fields.get("wish", "")}
    if kind == "request":
        return "compile_request", {"request": given_json(fields.get("request", ""), "request")}
    question: dict[str, Any] = {"domain": fields.get("domain", ""), "goal": fields.get("goal", "").strip()}
    if fields.get("facts", "").strip():
        question["facts"] = given_json(fields["facts"], "facts")
    return "make_plan", question


def meters(request: Any, plan: Mapping[str, Any]) -> tuple[Meter, ...]:
    """Return how much of each budget a governed plan uses."""
    budgets = request.get("budgets") if isinstance(request, Mapping) else None
    limits = budgets if isinstance(budgets, Mapping) else {}
    found = []
    for name, used in (plan.get("usage") or {}).items():
        limit = limits.get(f"max_{name}")
        known = limit if isinstance(limit, int) and limit > 0 else None
        share = min(100.0, round(100 * used / known, 1)) if known else 0.0
        found.append(Meter(name=name, used=used, limit=known, share=share))
    return tuple(found)
