"""`planvow up`: planvow in unified-planning, and problems of unified-planning in planvow."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import PlainGroup, examples
from planvow.adapters.cli.frame.output import note, print_document, print_result
from planvow.adapters.machine.files import write_text
from planvow.adapters.machine.modules import fault_in, load_module
from planvow.adapters.unified_planning.registering import ini_text, with_engines
from planvow.errors import InputError, MissingExtraError

app = typer.Typer(cls=PlainGroup, rich_markup_mode=None)

_FILE = "up.ini"


@app.callback()
def up() -> None:
    """Be an engine of unified-planning, and take its hierarchical problems."""


@app.command(epilog=examples("planvow up install --print", "planvow up install planning"))
def install(
    folder: Annotated[
        Path | None, typer.Argument(help="Scripts in this folder and below find planvow; without: this one.")
    ] = None,
    home: Annotated[bool, typer.Option("--home", help="All scripts of this user find planvow.")] = False,
    only_print: Annotated[bool, typer.Option("--print", help="Print the text; write nothing.")] = False,
) -> None:
    """Name planvow's engines in the file up.ini, which unified-planning reads when it starts."""
    if only_print:
        print_document(ini_text())
        return
    if home and folder is not None:
        raise InputError("expected a folder or --home, found both", place="--home")
    target = (Path.home() if home else folder or Path()) / _FILE
    before = target.read_text("utf-8") if target.is_file() else ""
    after = with_engines(before)
    if after == before:
        print_result(f"{target} names planvow already")
        return
    write_text(target, after, parents=True)
    print_result(f"wrote {target}")


@app.command(epilog=examples("planvow up hddl examples/up_delivery.py --out delivery"))
def hddl(
    file: Annotated[Path, typer.Argument(metavar="FILE.py", help="Declares a HierarchicalProblem; it is executed.")],
    name: Annotated[str, typer.Option(help="What the problem is called in the file.")] = "problem",
    out: Annotated[Path, typer.Option(help="The folder for domain.hddl and problem.hddl.")] = Path(),
) -> None:
    """Write a problem of unified-planning as HDDL: plan, verify, certify and explain it with every other command."""
    try:
        from planvow.adapters.unified_planning import register, to_hddl
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "planvow":
            raise
        raise MissingExtraError(error.name or "unified_planning", extra="up", purpose="planvow up") from None
    register()  # the file may plan as well; what unified-planning reads of up.ini goes by who was started, which is us
    translation = to_hddl(_problem(file, name))
    for word, text in (("domain", translation.domain_text), ("problem", translation.problem_text)):
        write_text(out / f"{word}.hddl", text, parents=True)
        print_result(str(out / f"{word}.hddl"))
    note(f"\nNext: planvow plan {out / 'domain.hddl'} {out / 'problem.hddl'} --tree")


def _problem(file: Path, name: str) -> Any:
    """Return what the file calls `name`: the problem, or a function that makes it."""
    module = load_module(file)
    if not hasattr(module, name):
        raise InputError(f"this file declares no {name!r}", place=str(file), hint="--name says what it is called")
    found = getattr(module, name)
    try:
        return found() if callable(found) else found
    except (Exception, SystemExit) as error:
        raise fault_in(file, str(module.__file__), error) from error
