"""Text → domain or problem.

Sections may stand in any order and more than once: all are collected first and then read in the order in which they
need one another (types, constants, predicates, tasks, then actions and methods). Names are resolved here, so that a
model never holds a name that is not declared; see `model` for spelling.
"""

from __future__ import annotations

from dataclasses import replace

from planvow.budgets import Deadline
from planvow.errors import did_you_mean
from planvow.hddl.language.model import HddlDomain, HddlProblem
from planvow.hddl.language.reader import HOW_FILES_BEGIN, Group, Symbol, read
from planvow.hddl.language.sorts import domain_remarks, problem_remarks
from planvow.hddl.language.source import Source
from planvow.hddl.parsing.context import Context, describe
from planvow.hddl.parsing.domain import DomainParser
from planvow.hddl.parsing.problem import ProblemParser

_DOMAIN_SECTIONS = (
    ":requirements", ":types", ":constants", ":predicates", ":functions", ":task", ":action", ":method",
)  # fmt: skip
_PROBLEM_SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":htn", ":metric")
_UNSUPPORTED = {
    ":durative-action": "durative actions",
    ":derived": "derived predicates",
    ":axiom": "axioms",
    ":htn-ti": "task insertion",
    ":constraints": "trajectory constraints",
    ":process": "processes",
    ":event": "events",
}


def parse_domain(text: str, *, file: str = "<domain>", deadline: Deadline | None = None) -> HddlDomain:
    """Read an HDDL domain, or raise a subclass of HddlError that says where and why not.

    >>> parse_domain(domain_text).name
    'walks'
    """
    context = Context(Source(text, file), deadline)
    name, sections = _sections(context, "domain", _DOMAIN_SECTIONS)
    domain = DomainParser(context, name, sections).domain()
    return replace(domain, remarks=(*domain.remarks, *domain_remarks(domain)))


def parse_problem(
    text: str, domain: HddlDomain, *, file: str = "<problem>", deadline: Deadline | None = None
) -> HddlProblem:
    """Read an HDDL problem of a domain, or raise a subclass of HddlError that says where and why not.

    >>> len(parse_problem(problem_text, parse_domain(domain_text)).init)
    0
    """
    context = Context(Source(text, file), deadline)
    name, sections = _sections(context, "problem", _PROBLEM_SECTIONS)
    problem = ProblemParser(context, domain, name, sections).problem()
    return replace(problem, remarks=(*problem.remarks, *problem_remarks(problem)))


def _sections(context: Context, wanted: str, known: tuple[str, ...]) -> tuple[str, dict[str, list[Group]]]:
    """Split `(define (domain name) (:section …) …)` into its name and its sections, in the order of the file."""
    groups = read(context.source, context.deadline.spend)
    if not groups:
        raise context.syntax(f"expected (define ({wanted} …) …), found an empty file", 0, HOW_FILES_BEGIN)
    define = groups[0]
    first = define[0] if define else None
    if not isinstance(first, Symbol) or first.lower() != "define":
        at = define.at if first is None else first.at
        raise context.syntax(f"expected define, found {describe(first)}", at, HOW_FILES_BEGIN)
    if len(groups) > 1:
        raise context.syntax("expected the end of the file, found another (", groups[1].at, "a ) too many before this?")
    header = context.group(define[1] if len(define) > 1 else None, f"({wanted} name)", define.end)
    kind = context.head(header, wanted).lower()
    if kind != wanted:
        swapped = "give the domain first, then the problem" if kind in ("domain", "problem") else None
        raise context.syntax(f"expected a {wanted}, found a {kind}", header.at, swapped)
    name = context.symbol(header[1] if len(header) == 2 else None, f"the name of the {wanted}", header.end)
    found: dict[str, list[Group]] = {key: [] for key in known}
    for node in define[2:]:
        section = context.group(node, "a section such as (:types …)")
        word = context.head(section, "the name of a section")
        key = word.lower()
        if key not in found:
            if key in _UNSUPPORTED:
                raise context.unsupported(f"{_UNSUPPORTED[key]} ({word}) are not supported", word.at)
            raise context.syntax(
                f"expected one of {' '.join(known)}, found {str(word)[:80]!r}", word.at, did_you_mean(key, known)
            )
        found[key].append(section)
    return str(name), found
