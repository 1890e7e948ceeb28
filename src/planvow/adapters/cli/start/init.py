"""`planvow init`: a project with a domain, tests, a plan that is kept, and CI, which passes its own tests at once."""

from __future__ import annotations

import re
import shlex
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from planvow._version import __version__
from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import note, print_result
from planvow.adapters.machine.files import write_text
from planvow.adapters.machine.modules import load_module
from planvow.errors import InputError

_TEMPLATE = Path(__file__).resolve().parent / "project"
_SUFFIX = ".in"  # so that no tool takes a file of the template for one of planvow's own
KEPT = Path("kept/plan.json")

app = typer.Typer()


@app.command(epilog=examples("planvow init my-planner"))
def init(
    folder: Annotated[Path, typer.Argument(help="Where the project shall be; . for here.")] = Path(),
) -> None:
    """Make a project: a domain, its tests, a plan that is kept for replay, and a file for CI.

    What is there already is never overwritten.
    """
    name = project_name(folder)
    made = {path: text.replace("@NAME@", name).replace("@VERSION@", __version__) for path, text in _template().items()}
    for path in [*made, KEPT]:
        if (folder / path).exists():
            raise InputError(
                "this is there already", place=str(folder / path), hint="name a new folder: planvow init NAME"
            )
    for path, text in made.items():
        write_text(folder / path, text, parents=True)
    load_module(folder / "keep.py").main()
    for path in sorted([*made, KEPT]):
        print_result(str(folder / path))
    begin = "" if folder == Path() else f"cd {shlex.quote(str(folder))}; "
    tests = "python -m pytest" if find_spec("pytest") else "python -m pip install pytest; python -m pytest"
    note(f"\nNext: {begin}planvow plan domain.py --tree; {tests}")


def project_name(folder: Path) -> str:
    """Return the project's name: the folder's, as packages are named."""
    name = re.sub(r"[^a-z0-9]+", "-", folder.resolve().name.lower()).strip("-")
    return name or "planner"


def _template() -> dict[Path, str]:
    files = sorted(file for file in _TEMPLATE.rglob(f"*{_SUFFIX}") if file.is_file())
    named = {file: file.relative_to(_TEMPLATE).as_posix().removesuffix(_SUFFIX) for file in files}
    return {Path(re.sub(r"(^|/)dot-", r"\1.", name)): file.read_text("utf-8") for file, name in named.items()}
