"""What is wrong in a domain, before it plans: Python domains that are known here, or HDDL as text."""

from __future__ import annotations

from planvow.errors import InputError
from planvow.hddl.lint.check import check_texts
from planvow.hddl.lint.finding import HddlFinding
from planvow.kernel.domain.finding import ERROR, Finding
from planvow.kernel.search.problem import Problem
from planvow.service.common import domains
from planvow.service.declare.document import document
from planvow.service.declare.operation import Answer, Operation, Right
from planvow.service.declare.setting import Setting


@document
class CheckQuestion:
    """A Python domain by name, or HDDL as text."""

    domain: str = ""
    """Name from list_planners; empty: all that were given."""
    hddl_domain: str = ""
    """Text of an HDDL domain to check instead."""
    hddl_problem: str = ""


@document
class FindingLine:
    """One thing to mend."""

    code: str
    severity: str
    message: str
    place: str
    line: int | None = None
    """Of an HDDL file, counted from 1; so is the column."""
    column: int | None = None
    hint: str | None = None


@document
class CheckAnswer:
    """What was found; nothing, if the domain is in order."""

    ok: bool
    """Whether there is no error; warnings may remain."""
    domains: list[str]
    findings: list[FindingLine]


def check_domain(asked: CheckQuestion, setting: Setting) -> Answer:
    """Read domains and return what is wrong with them."""
    if asked.hddl_domain:
        names, found = _of_hddl(asked, setting)
    else:
        names, found = _of_python(asked, setting)
    lines = [_line(finding) for finding in found]
    ok = not any(finding.severity == ERROR for finding in found)
    return Answer(output=CheckAnswer(ok=ok, domains=names, findings=lines), whole=found)


def _of_python(asked: CheckQuestion, setting: Setting) -> tuple[list[str], list[Finding]]:
    wanted = [asked.domain] if asked.domain else list(setting.domains)
    if not wanted:
        hint = "name a domain from list_planners, or give hddl_domain"
        raise InputError("there is no domain to check", place="domain", hint=hint)
    values = [domains.find(setting, name) for name in wanted]
    problems = [value for value in values if isinstance(value, Problem)]
    known = {id(domain): domain for value in values for domain in [domains.problem_of(value).domain]}
    found: list[Finding] = []
    for domain in known.values():
        own = [problem for problem in problems if problem.domain is domain]
        found += domain.check([item for problem in own for item in problem.todo], [problem.state for problem in own])
    return [domain.name for domain in known.values()], found


def _of_hddl(asked: CheckQuestion, setting: Setting) -> tuple[list[str], list[Finding]]:
    domain, found = check_texts(
        asked.hddl_domain,
        asked.hddl_problem,
        domain_file=setting.called.get("domain", "domain"),
        problem_file=setting.called.get("problem", "problem"),
    )
    return [domain.name] if domain else [], list(found)


def _line(finding: Finding) -> FindingLine:
    placed = finding if isinstance(finding, HddlFinding) else None
    return FindingLine(
        code=finding.code,
        severity=finding.severity,
        message=finding.message,
        place=finding.place,
        line=placed.line if placed else None,
        column=placed.column if placed else None,
        hint=placed.hint if placed else None,
    )


CHECK_DOMAIN = Operation(
    name="check_domain",
    summary="Find mistakes in a domain before it plans: a Python domain by name, or HDDL text.",
    question=CheckQuestion,
    output=CheckAnswer,
    run=check_domain,
    right=Right.READ,
    commands=("planvow check",),
)
