"""HDDL, the planning field's language for hierarchical problems: read, write, solve, verify."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planvow._lazy import lazily
from planvow.verdict import Verdict

if TYPE_CHECKING:  # what type checkers and editors see; at run time `_HOMES` says the same
    from planvow.hddl.format.layout import format_text
    from planvow.hddl.language.model import HddlDomain, HddlProblem
    from planvow.hddl.language.plan_format import HddlPlan, format_plan, parse_plan
    from planvow.hddl.language.writer import write_domain, write_problem
    from planvow.hddl.parsing.files import load_domain, load_plan, load_problem
    from planvow.hddl.parsing.text import parse_domain, parse_problem
    from planvow.hddl.verify.verifier import verify_plan

_HOMES = {
    "HddlDomain": "language.model",
    "HddlProblem": "language.model",
    "HddlPlan": "language.plan_format",
    "format_plan": "language.plan_format",
    "format_text": "format.layout",
    "parse_plan": "language.plan_format",
    "write_domain": "language.writer",
    "write_problem": "language.writer",
    "load_domain": "parsing.files",
    "load_plan": "parsing.files",
    "load_problem": "parsing.files",
    "parse_domain": "parsing.text",
    "parse_problem": "parsing.text",
    "verify_plan": "verify.verifier",
}

__all__ = [
    "HddlDomain",
    "HddlPlan",
    "HddlProblem",
    "Verdict",
    "format_plan",
    "format_text",
    "load_domain",
    "load_plan",
    "load_problem",
    "parse_domain",
    "parse_plan",
    "parse_problem",
    "verify_plan",
    "write_domain",
    "write_problem",
]


if not TYPE_CHECKING:  # or a checker would take any misspelt name
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
