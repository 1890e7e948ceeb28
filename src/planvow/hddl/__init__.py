"""HDDL, the planning field's language for hierarchical problems: read, write, solve, verify."""

from planvow.hddl.model import Domain, Problem
from planvow.hddl.parse import parse_domain, parse_problem

__all__ = ["Domain", "Problem", "parse_domain", "parse_problem"]
