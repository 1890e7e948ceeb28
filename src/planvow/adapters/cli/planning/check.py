"""`planvow check MODULE.py`: what is wrong in a domain, before it plans."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import keep_stdout_for_results, print_json, print_result
from planvow.adapters.machine.modules import load_module
from planvow.errors import EXIT_REFUSED, InputError
from planvow.kernel.domain.domain import Domain
from planvow.kernel.search.problem import Problem
from planvow.service.declare.setting import Setting
from planvow.service.operations.checking import CHECK_DOMAIN, CheckQuestion

app = typer.Typer()


@app.command(epilog=examples("planvow check examples/travel.py"))
def check(
    module: Annotated[Path, typer.Argument(metavar="MODULE.py", help="A Python file with one or more domains.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Look for unknown items and predicates, wrong numbers of arguments, unused tasks, slips of spelling, clocks,
    chance and set order. Exit 1 on errors."""
    keep_stdout_for_results()
    found = vars(load_module(module))
    known = {name: value for name, value in found.items() if isinstance(value, Problem | Domain)}
    if not known:
        raise InputError("there is no planvow.Domain in this file", place=str(module))
    made = CHECK_DOMAIN(CheckQuestion(), Setting(domains=known))
    domains, findings = made.output.domains, made.whole
    if as_json:
        print_json({"domains": domains, "findings": findings})
    else:
        print_result("\n".join(map(str, findings)) or f"{', '.join(domains)}: nothing found")
    if not made.output.ok:
        raise typer.Exit(EXIT_REFUSED)
