"""HDDL, the planning field's language for hierarchical problems: read, write, solve, verify."""

from planvow.hddl.files import load_domain, load_plan, load_problem
from planvow.hddl.model import Domain, Problem
from planvow.hddl.parse import parse_domain, parse_problem
from planvow.hddl.plan_format import HddlPlan, format_plan, parse_plan
from planvow.hddl.verify import Verdict, verify_plan
from planvow.hddl.writer import write_domain, write_problem

__all__ = [
    "Domain",
    "HddlPlan",
    "Problem",
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
