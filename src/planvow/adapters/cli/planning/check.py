"""`planvow check MODULE.py`: what is wrong in a domain, before it plans."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import keep_stdout_for_results, print_json, print_result
from planvow.adapters.machine.modules import load_module
from planvow.errors import EXIT_REFUSED, InputError
from planvow.kernel.domain.domain import Domain
from planvow.kernel.domain.finding import ERROR, Finding
from planvow.kernel.search.problem import Problem

app = typer.Typer()


@app.command(epilog=examples("planvow check examples/travel.py"))
def check(
    module: Annotated[Path, typer.Argument(metavar="MODULE.py", help="A Python file with one or more domains.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Look for unknown items and predicates, wrong numbers of arguments, unused tasks, slips of spelling, clocks,
    chance and set order. Exit 1 on errors."""
    keep_stdout_for_results()
    loaded = load_module(module)
    problems = [value for value in vars(loaded).values() if isinstance(value, Problem)]
    domains = {id(value): value for value in vars(loaded).values() if isinstance(value, Domain)}
    domains |= {id(problem.domain): problem.domain for problem in problems}
    if not domains:
        raise InputError("there is no planvow.Domain in this file", place=str(module))
    findings: list[Finding] = []
    for domain in domains.values():
        todo = [item for problem in problems if problem.domain is domain for item in problem.todo]
        findings += domain.check(todo, [problem.state for problem in problems if problem.domain is domain])
    if as_json:
        print_json({"domains": [domain.name for domain in domains.values()], "findings": findings})
    else:
        names = ", ".join(domain.name for domain in domains.values())
        print_result("\n".join(map(str, findings)) or f"{names}: nothing found")
    if any(finding.severity == ERROR for finding in findings):
        raise typer.Exit(EXIT_REFUSED)
