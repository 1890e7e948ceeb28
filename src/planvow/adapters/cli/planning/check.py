"""`planvow check`: what is wrong in a Python or an HDDL domain, before it plans."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import keep_stdout_for_results, print_json, print_result
from planvow.adapters.machine.modules import load_module
from planvow.errors import EXIT_REFUSED, InputError
from planvow.hddl.parsing.files import read_file
from planvow.kernel.domain.domain import Domain
from planvow.kernel.search.problem import Problem
from planvow.service.declare.operation import Answer
from planvow.service.declare.setting import Setting
from planvow.service.operations.checking import CHECK_DOMAIN, CheckQuestion

app = typer.Typer()


@app.command(epilog=examples("planvow check examples/travel.py", "planvow check examples/hddl/tea-domain.hddl"))
def check(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="MODULE.py with domains, or DOMAIN.hddl [PROBLEM.hddl].")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Look for mistakes and slips before anything is planned. Exit 1 on errors.

    Python: unknown items and predicates, wrong numbers of arguments, unused tasks, slips of spelling, clocks,
    chance and set order. HDDL: whatever the reader refuses, types that do not fit, unused parameters, tasks that
    cannot be reached or finished, methods that never apply, orderings that seem to be missing.
    """
    keep_stdout_for_results()
    made = _of_hddl(files) if any(path.suffix == ".hddl" for path in files) else _of_module(files)
    domains, findings = made.output.domains, made.whole
    if as_json:
        print_json({"domains": domains, "findings": findings})
    else:
        print_result("\n".join(map(str, findings)) or f"{', '.join(domains)}: nothing found")
    if not made.output.ok:
        raise typer.Exit(EXIT_REFUSED)


def _of_module(files: list[Path]) -> Answer:
    if len(files) > 1:
        raise InputError(f"expected MODULE.py, or DOMAIN.hddl [PROBLEM.hddl], found {len(files)} files", place="FILE")
    (module,) = files
    found = vars(load_module(module))
    known = {name: value for name, value in found.items() if isinstance(value, Problem | Domain)}
    if not known:
        raise InputError("there is no planvow.Domain in this file", place=str(module))
    return CHECK_DOMAIN(CheckQuestion(), Setting(domains=known))


def _of_hddl(files: list[Path]) -> Answer:
    if len(files) > 2:
        raise InputError(f"expected DOMAIN.hddl [PROBLEM.hddl], found {len(files)} files", place="FILE")
    texts = [read_file(path) for path in files]
    asked = CheckQuestion(hddl_domain=texts[0] or " ", hddl_problem=texts[1] or " " if len(texts) > 1 else "")
    return CHECK_DOMAIN(asked, Setting(called=dict(zip(("domain", "problem"), map(str, files)))))
