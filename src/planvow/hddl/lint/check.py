"""Everything there is to say about a domain and a problem: errors of the reader, its remarks, and the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planvow.hddl.language.errors import HddlError
from planvow.hddl.language.model import HddlDomain, HddlProblem, Remark
from planvow.hddl.language.source import Source
from planvow.hddl.lint.finding import WARNING, HddlFinding, Lint
from planvow.hddl.lint.problem_rules import lint_problem
from planvow.hddl.lint.rules import lint_domain, lint_with_problem
from planvow.hddl.lint.summary import Summary
from planvow.hddl.parsing.text import parse_domain, parse_problem
from planvow.kernel.domain.finding import ERROR


def check_texts(
    domain: str, problem: str = "", *, domain_file: str = "domain", problem_file: str = "problem"
) -> tuple[HddlDomain | None, list[HddlFinding]]:
    """Return the domain, if it can be read, and all findings: those of the domain's file, then the problem's."""
    try:
        model = parse_domain(domain, file=domain_file)
    except HddlError as error:
        return None, [of_error(error)]
    found = list(of_domain(model))
    if problem:
        try:
            read = parse_problem(problem, model, file=problem_file)
        except HddlError as error:
            return model, [*found, of_error(error)]
        found += [*_of_lints(lint_with_problem(read), model.source), *of_problem(read)]
    return model, found


def of_error(error: HddlError) -> HddlFinding:
    """Return what stops a file from being read, as a finding."""
    details = error.details
    return HddlFinding(
        code=error.code,
        severity=ERROR,
        message=error.message,
        place=str(error.place),
        line=details["line"],
        column=details["column"],
        hint=error.hint,
    )


def of_domain(domain: HddlDomain) -> Iterator[HddlFinding]:
    """Yield what is odd about a domain by itself."""
    yield from map(_of_remark, domain.remarks)
    yield from _of_lints(lint_domain(domain), domain.source)


def of_problem(problem: HddlProblem, summary: Summary | None = None) -> Iterator[HddlFinding]:
    """Yield what is odd about a problem; `summary` is that of its domain, where somebody has it already."""
    yield from map(_of_remark, problem.remarks)
    yield from _of_lints(lint_problem(problem, summary), problem.source)


def _of_remark(remark: Remark) -> HddlFinding:
    place = remark.place
    return HddlFinding(
        code=remark.code,
        severity=WARNING,
        message=remark.text,
        place=str(place),
        line=place.line,
        column=place.column,
    )


def _of_lints(lints: Iterable[Lint], source: Source) -> Iterator[HddlFinding]:
    for lint in lints:
        place = source.place(lint.at)
        yield HddlFinding(
            code=lint.code,
            severity=lint.severity,
            message=lint.message,
            place=str(place),
            line=place.line,
            column=place.column,
            hint=lint.hint,
        )
