"""What is wrong in a domain, before it plans: Python domains that are known here, or HDDL as text."""

from __future__ import annotations

from collections.abc import Iterator

from planvow.errors import InputError
from planvow.hddl.parsing.text import parse_domain, parse_problem
from planvow.kernel.domain.finding import ERROR, WARNING, Finding
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
    lines = [FindingLine(code=f.code, severity=f.severity, message=f.message, place=f.place) for f in found]
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
    try:
        domain = parse_domain(asked.hddl_domain, file=setting.called.get("domain", "domain"))
        remarks = [str(remark) for remark in domain.remarks]
        if asked.hddl_problem:
            problem = parse_problem(asked.hddl_problem, domain, file=setting.called.get("problem", "problem"))
            remarks += [str(remark) for remark in problem.remarks]
    except InputError as error:
        fault = Finding(code=error.code, severity=ERROR, message=error.message, place=error.place or "domain")
        return [], [fault]
    return [domain.name], list(_remarked(remarks))


def _remarked(remarks: list[str]) -> Iterator[Finding]:
    for remark in remarks:
        place, _, message = remark.partition(": ")
        yield Finding(code="REMARK", severity=WARNING, message=message or place, place=place if message else "domain")


CHECK_DOMAIN = Operation(
    name="check_domain",
    summary="Find mistakes in a domain before it plans: a Python domain by name, or HDDL text.",
    question=CheckQuestion,
    output=CheckAnswer,
    run=check_domain,
    right=Right.READ,
    commands=("planvow check",),
)
