"""What a server is given at its start: Python domains, the ledger, the repository."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.options.ledger import location
from planvow.adapters.machine.modules import load_module, problem_in
from planvow.errors import InputError
from planvow.kernel.domain.domain import Domain
from planvow.kernel.search.problem import Problem
from planvow.service.declare.setting import Setting

Domains = Annotated[
    list[str] | None,
    typer.Option(
        "--domain", metavar="MODULE.py[:problem]", help="Python domain to plan for; it is executed. Repeatable."
    ),
]


def load_domains(given: Sequence[str] | None) -> dict[str, Problem | Domain]:
    """Return the problems of Python files by their domain's name, or `name:problem` where the file is asked for one."""
    found: dict[str, Problem | Domain] = {}
    for target in given or ():
        path, _, name = target.partition(":") if not Path(target).is_file() else (target, "", "")
        module = load_module(Path(path))
        problems = {
            each: value for each, value in vars(module).items() if isinstance(value, Problem) and each[:1] != "_"
        }
        wanted = {name: problem_in(module, Path(path), name)} if name else problems
        if not wanted:
            wanted = {"problem": problem_in(module, Path(path))}
        for each, problem in wanted.items():
            known = problem.domain.name if each == "problem" else f"{problem.domain.name}:{each}"
            if known in found:
                raise InputError(f"there are two domains called {known!r}", place=target)
            found[known] = problem
    return found


def setting_of(domains: Sequence[str] | None, repo_root: Path, store: str | None) -> Setting:
    """Return the setting of every call that a server answers."""
    return Setting(domains=load_domains(domains), ledger=location(repo_root, store), root=repo_root)
