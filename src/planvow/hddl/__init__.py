"""HDDL, the planning field's language for hierarchical problems: read, write, solve, verify."""

from planvow.hddl.language.model import HddlDomain, HddlProblem
from planvow.hddl.language.plan_format import HddlPlan, format_plan, parse_plan
from planvow.hddl.language.writer import write_domain, write_problem
from planvow.hddl.parsing.files import load_domain, load_plan, load_problem
from planvow.hddl.parsing.text import parse_domain, parse_problem
from planvow.hddl.verify.verifier import verify_plan
from planvow.verdict import Verdict

__all__ = [
    "HddlDomain",
    "HddlPlan",
    "HddlProblem",
    "Verdict",
    "format_plan",
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
